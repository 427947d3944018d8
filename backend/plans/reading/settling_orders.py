"""Words of order that only their neighbours settle: `the latest five`, `expensive ones first`.

Builders for the rules in `settling`.
"""

from dataclasses import replace

from backend.language.adjectives import PLAIN
from backend.plans.reading.cascade import Reader, cover
from backend.plans.reading.good_and_bad import judged
from backend.plans.reading.phrasing import Measure, Order
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.vocabulary import Meaning


def last_of_all(reader: Reader, pieces: list[Piece]) -> Piece:
    """`the inspections carried out last`: by the date of the documents."""
    return replace(pieces[0], tag="X", load=(pieces[0].load in ("last", "bottom"), "date"))


def sorted_by_time(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`sort by year` orders documents by their date; only groups have years as keys."""
    if reader.present is None:
        return None
    keyed = [reader.vocabulary.get(field) for field in reader.present.keys]
    years = [prop for prop in keyed if prop is not None and prop.is_year]
    if reader.present.keys and (len(years) != 1 or pieces[-1].load != "year"):
        return None
    if years:
        return [*pieces[:-1], replace(pieces[-1], tag="P", load=[Meaning(years[0], 1.0, True)])]
    timed = [p for p in reader.vocabulary.properties if p.is_year or p.dated]
    used = [p for p in timed if p.field in reader.in_use] or timed
    years = [p for p in used if p.is_year] if pieces[-1].load == "year" else []
    if not used:
        return None
    prop = (years or used)[0]
    return [*pieces[:-1], replace(pieces[-1], tag="P", load=[Meaning(prop, 1.0, True)])]


def names_in_order(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`sorted by name` beside groups: by what they are called."""
    keys = () if reader.present is None else reader.present.keys
    said = {token.lower for token in reader.tokens[pieces[0].end : pieces[0].end + 4]}
    if not keys or not said & {"name", "names"}:
        return None
    return [pieces[0], replace(pieces[0], tag="d", load="name")]


def overall(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the overall average` is one average, not a total beside it."""
    return [] if reader.words(pieces).lower() in ("overall", "combined", "collective") else None


def from_most_to_least(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """`from the most to the fewest`: the direction of an order."""
    first, last = (piece for piece in pieces if piece.tag == "X")
    if first.load[0] == last.load[0]:
        return None
    if first.load[1] not in (None, "date", "count"):
        # "from the cheapest to the dearest": of one measure, that one first
        return [first, replace(last, tag="T", load="first")]
    timed = {True: "newest", False: "oldest"}
    load = timed[first.load[0]] if first.load[1] == "date" else first.load[0]
    return cover("d", pieces, load)


def plain_first(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`expensive ones first`: those that are most so."""
    degree = PLAIN.get(reader.words(pieces).lower())
    if degree is None or reader.present is None:
        return None
    return replace(pieces[0], tag="X", load=(degree.high, degree.dimension))


def number_in_front(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the latest five`, as `the five latest`."""
    extreme, number = pieces
    count = isinstance(number.load, Quantity) and number.load.unit is None and number.load.whole
    return [number, extreme] if count and reader.present is not None else None


def number_of_them(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`cheapest three toys`, as `the three cheapest`."""
    extreme, number = pieces
    count = isinstance(number.load, Quantity) and number.load.unit is None and number.load.whole
    return [number, extreme] if count else None


def number_of_groups(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`six brands`, where the plan groups by brand: so many of the groups."""
    number, named = pieces
    keys = () if reader.present is None else reader.present.keys
    meant = named.load[0].prop.field in keys
    return [number, replace(named, tag="E", load=[])] if meant else None


def overall_again(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`with the largest number of injuries overall`, as `with the largest total of injuries`."""
    mark, named, function = pieces
    counted = named.load[0].prop.numeric and function.load == "sum"
    return [mark, function, named] if counted else None


def from_most_of(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`from the most objections down to the fewest`."""
    mark, named, _, other = pieces[-4:]
    prop = reader.choose(named, lambda p: p.numeric)
    if prop is None or mark.load[0] == other.load[0]:
        return None
    return cover("H", pieces, Order(prop.field, None, mark.load[0]))


def last_first(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`last ones first`."""
    return replace(pieces[0], tag="X", load=(pieces[0].load in ("last", "bottom"), "date"))


def extreme_number(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`highest average first`, beside numbers of groups: the number is the one they have."""
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
    """`the best one first` asks for an order, not for one of them."""
    return [] if reader.words(pieces).lower() == "one" else None


def opening(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`first filter for Texas`: a word of order between commands."""
    return [] if reader.words(pieces).lower() in ("first", "last") else None
