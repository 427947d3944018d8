"""Resolves words of order by their neighbours: `the latest five`, `expensive ones first`.

Builders for the rules in `settling`.
"""

from dataclasses import replace

from backend.plans.reading.cascade import Reader, cover
from backend.plans.reading.good_and_bad import judged
from backend.plans.reading.phrasing import Measure, Order
from backend.plans.reading.pieces import Piece


def overall(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the overall average` is one average, not a total beside it."""
    return [] if reader.words(pieces).lower() in ("overall", "combined", "collective") else None


def from_most_to_least(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """`from the most to the fewest`: the direction of an order."""
    first, last = (piece for piece in pieces if piece.tag == "X")
    if first.load[0] == last.load[0]:
        return None
    if first.load[1] not in (None, "date", "count"):
        # "from the cheapest to the dearest": one measure, in that order
        return [first, replace(last, tag="T", load="first")]
    timed = {True: "newest", False: "oldest"}
    load = timed[first.load[0]] if first.load[1] == "date" else first.load[0]
    return cover("d", pieces, load)


def extreme_number(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`highest average first`, beside numbers of groups: sorts by that number."""
    keys = () if reader.present is None else reader.present.keys
    if not keys:
        return None
    mark, function = pieces[:2]
    used = [prop for prop in reader.vocabulary.properties if prop.field in reader.in_use]
    numbers = [prop for prop in used if prop.numeric]
    descending = mark.load[0]
    if len(numbers) == 1:
        descending = judged(reader, mark, numbers[0], descending)
    return cover("H", pieces, Order(None, Measure(function.load), descending))


def single_first(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the best one first` asks for an order, not for a single one."""
    return [] if reader.words(pieces).lower() == "one" else None


def opening(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`first filter for Texas`: a word of order between commands."""
    return [] if reader.words(pieces).lower() in ("first", "last") else None
