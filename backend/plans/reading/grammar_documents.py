"""Constructions that compare with one named document: `longer than the Grey Heron`."""

from datetime import date, datetime
from typing import Any

from backend.language.dates import Span
from backend.plans.reading.chart import Noted
from backend.plans.reading.comparing import compare, in_span, one_of
from backend.plans.reading.grammar_types import SameOne, makes, part_of
from backend.plans.reading.linking_types import Degreed, Known
from backend.plans.reading.properties import Property, size_of


@makes(
    "Cond", "Comparative than Known", example="longer than Grey Heron", weight="beside a document"
)
def _comparative(degree: Degreed, known: Known) -> Noted | None:
    return _beside(degree.prop, "gt" if degree.high else "lt", known)


@makes("Cond", "more|higher|greater|larger Prop than Known", example="more berths than Grey Heron",
       weight="beside a document")  # fmt: skip
def _more(prop: Property, known: Known) -> Noted | None:
    return _beside(prop, "gt", known)


@makes("Cond", "fewer|less|lower|smaller Prop than Known", example="fewer berths than Teal",
       weight="beside a document")  # fmt: skip
def _less(prop: Property, known: Known) -> Noted | None:
    return _beside(prop, "lt", known)


@makes("Cond", "Prop Be? More Known", "Prop Be? When Known", example="built before Teal",
       weight="beside a document")  # fmt: skip
def _than_that_of(*parts: Any) -> Noted | None:
    return _beside(part_of(parts, Property), part_of(parts, str), part_of(parts, Known))


@makes("Same", "by|from|at|in|of|with|for? same Prop Noun? as|like Known",
       "same Prop Noun? as|like in? Noun Known", example="same type as Teal",
       weight="same as one")  # fmt: skip
def _same(*parts: Any) -> SameOne | None:
    prop, known = part_of(parts, Property), part_of(parts, Known)
    one = one_of(known.field, [known.name])
    return None if prop.field == known.field else SameOne(prop.field, one)


_SIDES = {"after": "gt", "before": "lt", "since": "ge", "until": "le"}
_TIMES = {side: when for when, side in _SIDES.items()}


def _beside(prop: Property, op: str, known: Known) -> Noted | None:
    """A comparison with the value of that document; None if it has no single one."""
    value = known.row.get(prop.field)
    if prop.kind == "array" and isinstance(value, list):
        prop, value = size_of(prop), len(value)
    side = _SIDES.get(op, op)
    if side not in _TIMES:
        return None
    remark = f"{known.name} has the {prop.label} {value}"
    if isinstance(value, date):
        day = value.date() if isinstance(value, datetime) else value
        return Noted(in_span(prop, Span(day, day), _TIMES[side]), remark)
    if op in _SIDES or not prop.numeric or not isinstance(value, int | float):
        return None
    return Noted(compare(prop, side, float(value)), remark)
