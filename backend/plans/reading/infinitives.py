"""Verbs behind `to` that only say which number is meant: `more than 90 days to settle`, `the most
expensive to repair`, `time to settle`.
"""

from dataclasses import replace

from backend.language.units import measure_of
from backend.plans.reading.cascade import Reader, Rule, rule
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Meaning


def _number_to(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`more than 12 weeks to settle`: the number is about what the verb names."""
    *bound, to, verb = pieces
    number = next(piece for piece in bound if piece.tag == "N")
    unit = number.load.unit if isinstance(number.load, Quantity) else None
    if unit is None or not _is_to(reader, to):
        return None
    if verb.tag == "?":
        # "took more than 90 days to fix": the unit alone says what is meant.
        timed = measure_of(unit) == "time" and _is_last_word(reader, verb)
        return bound if timed else None
    fits = [m for m in verb.load if _measured_in(m.prop, unit)]
    return [replace(verb, load=fits), *bound] if fits else None


def _most_to(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`took the longest to settle`, `most expensive to repair`."""
    mark, to, verb = pieces
    numeric = [m for m in verb.load if m.prop.numeric and not m.prop.is_year]
    if not numeric or not _is_to(reader, to) or mark.load[1] in (None, "count"):
        return None
    return [mark, replace(verb, load=numeric)]


def _name_to(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`time to settle`: what both words can mean."""
    name, to, verb = pieces
    if not _is_to(reader, to):
        return None
    shared = {m.prop.field for m in name.load} & {m.prop.field for m in verb.load}
    both: list[Meaning] = [m for m in verb.load if m.prop.field in shared]
    numeric = [m for m in both if m.prop.numeric]
    return replace(verb, start=name.start, load=numeric) if numeric else None


def _measured_in(prop: Property, unit: str) -> bool:
    return prop.unit is not None and measure_of(prop.unit.name) == measure_of(unit)


def _is_to(reader: Reader, piece: Piece) -> bool:
    return reader.words([piece]).lower() == "to"


def _is_last_word(reader: Reader, piece: Piece) -> bool:
    """Whether nothing but a mark follows."""
    return all(token.kind == "sign" for token in reader.tokens[piece.end :])


INFINITIVE_RULES: tuple[Rule, ...] = (
    rule(r"C?NzP|C?NpzP|CNz\?", _number_to),
    rule(r"XzP", _most_to),
    rule(r"PzP", _name_to),
)
