"""Conditions on the number of documents in a group: `states with at least 3 fatal accidents`,
`cities with only one visit`, `operators that appear twice`.
"""

from dataclasses import replace

from backend.language.numerals import OCCUR, TIMES
from backend.plans.reading.cascade import Reader, Rule, cover, rule
from backend.plans.reading.comparing import stated
from backend.plans.reading.phrasing import Bound, Measure, quantity_of
from backend.plans.reading.pieces import Piece
from backend.plans.reading.predicates import is_adjective


def _exactly(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`cities with only one visit`, `that appear just once`: an exact number."""
    if pieces[1].tag == "P":
        # "authors that appear only once", in a collection that has dates of appearance
        if reader.tokens[pieces[1].start].lower not in OCCUR:
            return None
        pieces = [pieces[0], *pieces[2:]]
    named, only, number, *rest = pieces
    phrase = reader.words([only]).lower()
    if not _makes_groups(named) or phrase not in ("only", "just", "exactly"):
        return None
    return [named, replace(only, tag="C", load="eq"), number, *rest]


def _so_often(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`more than once`, `at least twice`."""
    sign, number = (pieces[0], pieces[1]) if pieces[0].tag == "C" else (pieces[1], pieces[0])
    value = quantity_of(number)
    if value is None or reader.words([number]).lower() not in TIMES:
        return None
    return cover("Z", pieces, Bound(Measure("count"), str(sign.load), value))


def _of_a_kind(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`at least 3 fatal accidents`: counts the documents that match the adjective."""
    place = next(i for i, piece in enumerate(pieces) if piece.tag == "C")
    sign, number, *facts, noun = pieces[place:]
    value = quantity_of(number)
    counted = reader.tokens[noun.start].stem in reader.vocabulary.nouns
    if value is None or value.unit is not None or not counted or not _makes_groups(pieces[0]):
        return None
    made: list[Piece] = []
    for fact in facts:
        if fact.tag == "P":
            prop = fact.load[0].prop
            condition = stated(reader, fact, prop)
            plain = prop.kind == "bool" or (prop.numeric and is_adjective(reader, fact, prop))
            if condition is None or not plain:
                return None
            fact = cover("F", [fact], condition)
        made.append(fact)
    bound = Bound(Measure("count"), str(sign.load), value)
    return [*pieces[:place], cover("Z", [sign, number], bound), *made, noun]


def _different_ones(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`tenants with leases in more than one city`: counts distinct values."""
    first, last = pieces[0], pieces[-1]
    place = next(i for i, piece in enumerate(pieces) if piece.tag == "C")
    value = quantity_of(pieces[place + 1])
    of, prop = first.load[0].prop, last.load[0].prop
    if value is None or value.unit is not None or of is prop or not prop.worded:
        return None
    if not _makes_groups(first) or prop.key or not last.load[0].whole:
        return None
    bound = Bound(Measure("distinct", prop.field), str(pieces[place].load), value)
    return [*pieces[:place], cover("Z", pieces[place:], bound)]


def _makes_groups(piece: Piece) -> bool:
    """Whether documents can be grouped by what a piece names."""
    if piece.tag == "K":
        return True
    prop = piece.load[0].prop
    return prop.kind in ("string", "array") and not (prop.own or prop.key)


ONLY_RULES: tuple[Rule, ...] = (rule(r"PP?oNE?", _exactly),)
"""For `settling`: `only` before a number that other rules would read as a limit."""

COUNTED_RULES: tuple[Rule, ...] = (
    rule(r"[PK][^CN]*C[ND][PVF]+E", _of_a_kind),
    rule(r"P[WE,]*C[ND]P(?![CbND])", _different_ones),
    rule(r"CN(?!E)|Np(?!E)", _so_often),
)
