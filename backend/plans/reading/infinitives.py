"""Verbs behind `to` that only identify a number: `more than 90 days to settle`, `the most expensive
to repair`, `time to settle`.
"""

from dataclasses import replace

from backend.plans.reading.cascade import Reader, Rule, rule
from backend.plans.reading.pieces import Piece
from backend.plans.reading.vocabulary import Meaning


def _most_to(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`took the longest to settle`, `most expensive to repair`."""
    mark, to, verb = pieces
    numeric = [m for m in verb.load if m.prop.numeric and not m.prop.is_year]
    if not numeric or not _is_to(reader, to) or mark.load[1] in (None, "count"):
        return None
    return [mark, replace(verb, load=numeric)]


def _name_to(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`time to settle`: the property that both words can mean."""
    name, to, verb = pieces
    if not _is_to(reader, to):
        return None
    shared = {m.prop.field for m in name.load} & {m.prop.field for m in verb.load}
    both: list[Meaning] = [m for m in verb.load if m.prop.field in shared]
    numeric = [m for m in both if m.prop.numeric]
    return replace(verb, start=name.start, load=numeric) if numeric else None


def _is_to(reader: Reader, piece: Piece) -> bool:
    return reader.words([piece]).lower() == "to"


INFINITIVE_RULES: tuple[Rule, ...] = (rule(r"XzP", _most_to), rule(r"PzP", _name_to))
