"""Infers the type of the values in a column or behind a label, and converts them."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from backend.extraction.dates import Moment, moments
from backend.extraction.numbers import Number, numbers
from backend.extraction.values import clean
from workbench.contract.schema import PropertyKind

MAX_CHOICES = 12
_NAMED = re.compile(
    r"\b(?!(?:about|approx|around|circa|nearly|over|roughly|some|under)\b)[^\W\d_]{4,}"
)
"""A word before a number that neither qualifies it nor names a currency: `Acme 1 Ltd`."""
_BOOLS = {"yes": True, "true": True, "no": False, "false": False}


def kind_of(values: Sequence[str]) -> PropertyKind:
    """The narrowest type that at least nine in ten values have."""
    total = len(values)
    if sum(value.strip(" .").lower() in _BOOLS for value in values) >= 0.9 * total:
        return "bool"
    dated = [days[0] for value in values if (days := moments(value)) and _mostly(value, days[0])]
    if len(dated) >= 0.9 * total:
        clocked = sum(moment.clock is not None for moment in dated)
        return "datetime" if clocked >= 0.9 * total else "date"
    numeric = [
        parsed[0]
        for value in values
        if (parsed := numbers(value))
        and _mostly(value, parsed[0])
        and not _NAMED.search(value[: parsed[0].start].lower())
    ]
    if len(numeric) >= 0.9 * total:
        money = any(
            number.unit is not None and number.unit.dimension == "money" for number in numeric
        )
        whole = all(number.value.is_integer() for number in numeric)
        return "int" if whole and not money else "float"
    distinct = Counter(clean(value).lower() for value in values)
    few = len(distinct) <= min(MAX_CHOICES, total / 3)
    if total >= 6 and few and all(len(value) <= 40 for value in distinct):
        return "choice"
    return "string"


def _mostly(text: str, span: Moment | Number) -> bool:
    """Whether the recognised part comes first, followed by a short remark at most."""
    return span.start <= 6 and len(text) - span.end <= 24


def typed(kind: PropertyKind, values: Sequence[str]) -> list[Any]:
    """The values converted to the type; those of another type are dropped."""
    out: list[Any] = []
    for value in values:
        if kind == "bool":
            read_bool = _BOOLS.get(value.strip(" .").lower())
            out += [] if read_bool is None else [read_bool]
        elif kind in ("date", "datetime"):
            out += [
                moment.iso if kind == "datetime" else moment.day.isoformat()
                for moment in moments(value)[:1]
            ]
        elif kind in ("int", "float"):
            out += [
                int(number.value) if kind == "int" else number.value
                for number in numbers(value)[:1]
            ]
        else:
            out.append(clean(value)[:200])
    return out
