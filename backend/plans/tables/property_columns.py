"""Properties as they are on the wire, taken apart into typed columns.

This module alone decides which kind the values of a property are read as: the declared one where
that fixes it, else what all of them look like. How many values look like what is counted, so that
a few other documents change the counts and not the reading of all.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import chain
from typing import Any

import polars as pl
from pydantic_core import from_json

from workbench.contract.plan_columns import DATED
from workbench.contract.plan_values import as_bool, as_date, as_number, as_span
from workbench.contract.schema import PropertyKind

Looks = Mapping[str, int]
"""How many values look like what: bool, int, float, list, day, fraction or other."""

_TAKEN_AS_DECLARED: frozenset[PropertyKind] = frozenset(
    {"bool", "float", "date", "datetime", "array"}
)
_ISO_DAY = r"^\d{4}-\d{2}-\d{2}(?:[T ].*)?$"
_LIKE_DAY = re.compile(_ISO_DAY)
_DAY_LENGTH = 10
_FEW = 200
"""Texts that are looked at one by one sooner than as a column."""
_BATCH = 500  # documents that are still in the processor's cache when they are taken apart


@dataclass
class Values:
    """The values of documents by property, one each, None where a document has none.

    `paths` are the documents' `path`.
    """

    height: int = 0
    paths: list[str | None] = field(default_factory=list)
    entities: dict[str, list[Any]] = field(default_factory=dict)

    def of(self, name: str) -> list[Any]:
        return self.entities.get(name) or [None] * self.height


def values_of(texts: Iterable[str]) -> Values:
    """The values in the properties of documents, each a JSON object."""
    found = Values()
    batch: list[Any] = []
    for text in texts:
        batch.append(from_json(text, cache_strings="keys"))
        if len(batch) == _BATCH:
            _add(found, batch)
            batch = []
    _add(found, batch)
    return found


def _add(found: Values, batch: Sequence[dict[str, Any]]) -> None:
    found.paths += [as_text(properties.get("path")) for properties in batch]
    entities = [e if isinstance(e := p.get("entity"), dict) else {} for p in batch]
    for name in dict.fromkeys(chain.from_iterable(entities)):
        if name not in found.entities:
            found.entities[name] = [None] * found.height
    for name, values in found.entities.items():
        values += [entity.get(name) for entity in entities]
    found.height += len(batch)


def looks_of(values: Sequence[Any], declared: PropertyKind | None) -> Counter[str]:
    """What the values look like; None looks like nothing."""
    types = Counter(map(type, values))
    types.pop(type(None), None)
    looks = Counter({"bool": types[bool], "int": types[int], "float": types[float]})
    looks["list"] = types[list]
    looks["other"] = types[dict]
    if types[str]:
        looks["day"] = _days_among([v for v in values if isinstance(v, str)])
        looks["other"] += types[str] - looks["day"]
    if declared == "int" and (types[float] or types[str]):
        numbers = map(as_number, values)
        looks["fraction"] = sum(n is not None and n != int(n) for n in numbers)
    return +looks


def _days_among(texts: list[str]) -> int:
    """How many texts are ISO days, or moments that begin with one."""
    if len(texts) < _FEW:
        return sum(_LIKE_DAY.fullmatch(t) is not None and as_date(t) is not None for t in texts)
    column = pl.Series(texts, dtype=pl.String)
    like_days = column.filter(column.str.contains(_ISO_DAY))
    longer = like_days.str.len_chars() > _DAY_LENGTH
    plain = like_days.filter(~longer).str.to_date("%Y-%m-%d", strict=False)
    moments = sum(as_date(text) is not None for text in like_days.filter(longer))
    return len(plain) - plain.null_count() + moments


def settle(declared: PropertyKind | None, looks: Looks) -> PropertyKind:
    """The kind that the values are read as: the declared one, or what they all look like."""
    if declared is not None and declared in _TAKEN_AS_DECLARED:
        return declared
    if declared == "int":
        return "float" if looks.get("fraction") else "int"
    known = sum(count for look, count in looks.items() if look != "fraction")
    if known == 0:
        return declared or "string"
    if looks.get("bool") == known:
        return "bool"
    if looks.get("int") == known:
        return "int"
    if looks.get("int", 0) + looks.get("float", 0) == known:
        return "float"
    if looks.get("list") == known:
        return "array"
    # Dates are often declared as strings; reading them as days is what makes ranges work.
    return "date" if looks.get("day") == known else declared or "string"


def column_of(name: str, kind: PropertyKind, values: Sequence[Any]) -> pl.Series:
    """The values as a column of that kind; null where one cannot be read so."""
    dtype = _DTYPES.get(kind, pl.String)
    read: Sequence[Any] = values
    if kind == "bool":
        read = [None if v is None else as_bool(v) for v in values]
    elif kind == "float":
        read = [None if (number := as_number(v)) is None else float(number) for v in values]
    elif kind == "int":
        read = [_whole(v) for v in values]
    elif kind in DATED:
        read = [_moment(v, kind) for v in values]
    elif kind == "array":
        read = [
            None if v is None else [as_text(item) for item in (v if isinstance(v, list) else [v])]
            for v in values
        ]
    elif not {str, type(None)}.issuperset(map(type, values)):
        read = [as_text(v) for v in values]
    return pl.Series(name, read, dtype=dtype)


_DTYPES: Mapping[PropertyKind, Any] = {
    "bool": pl.Boolean, "float": pl.Float64, "int": pl.Int64, "date": pl.Date,
    "datetime": pl.Datetime("us"), "array": pl.List(pl.String),
}  # fmt: skip
_LARGEST = 2**63


def _whole(value: Any) -> int | None:
    if type(value) is int:
        return value if -_LARGEST <= value < _LARGEST else None
    number = as_number(value)
    whole = None if number is None else int(number)
    return whole if whole is not None and -_LARGEST <= whole < _LARGEST else None


def _moment(value: Any, kind: PropertyKind) -> date | datetime | None:
    if kind == "date":
        return as_date(value)
    span = as_span(value)
    return None if span is None else span[0]


def as_text(value: Any) -> str | None:
    """A value as a text column holds it."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
