"""Converts properties from their wire form to typed columns.

This module alone decides the type that the values of a property are read as: the declared one if it
is fixed, else the common type of all values. Values are counted by type, so a few changed documents
only change the counts.
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

TypeCounts = Mapping[str, int]
"""The number of values of each type: bool, int, float, list, day, fraction or other."""

_READ_AS_DECLARED: frozenset[PropertyKind] = frozenset(
    {"bool", "float", "date", "datetime", "array"}
)
_ISO_DAY = r"^\d{4}-\d{2}-\d{2}(?:[T ].*)?$"
_LIKE_DAY = re.compile(_ISO_DAY)
_DAY_LENGTH = 10
_FEW = 200
"""Texts that are faster to check one by one than as a column."""
_BATCH = 500  # documents that fit into the processor's cache


@dataclass
class Values:
    """The values of documents by property, None for a missing one; `paths` has their `path`."""

    height: int = 0
    paths: list[str | None] = field(default_factory=list)
    entities: dict[str, list[Any]] = field(default_factory=dict)

    def of(self, name: str) -> list[Any]:
        return self.entities.get(name) or [None] * self.height


def values_of(texts: Iterable[str]) -> Values:
    """The values in the properties of documents, a JSON object each."""
    values = Values()
    batch: list[Any] = []
    for text in texts:
        batch.append(from_json(text, cache_strings="keys"))
        if len(batch) == _BATCH:
            _add(values, batch)
            batch = []
    _add(values, batch)
    return values


def _add(values: Values, batch: Sequence[dict[str, Any]]) -> None:
    values.paths += [as_text(properties.get("path")) for properties in batch]
    entities = [e if isinstance(e := p.get("entity"), dict) else {} for p in batch]
    for name in dict.fromkeys(chain.from_iterable(entities)):
        if name not in values.entities:
            values.entities[name] = [None] * values.height
    for name, column in values.entities.items():
        column += [entity.get(name) for entity in entities]
    values.height += len(batch)


def type_counts_of(values: Sequence[Any], declared: PropertyKind | None) -> Counter[str]:
    """The types of the values, without None."""
    types = Counter(map(type, values))
    types.pop(type(None), None)
    counts = Counter({"bool": types[bool], "int": types[int], "float": types[float]})
    counts["list"] = types[list]
    counts["other"] = types[dict]
    if types[str]:
        counts["day"] = _days_among([v for v in values if isinstance(v, str)])
        counts["other"] += types[str] - counts["day"]
    if declared == "int" and (types[float] or types[str]):
        numbers = map(as_number, values)
        counts["fraction"] = sum(n is not None and n != int(n) for n in numbers)
    return +counts


def _days_among(texts: list[str]) -> int:
    """How many texts are ISO dates, or datetimes that begin with one."""
    if len(texts) < _FEW:
        return sum(_LIKE_DAY.fullmatch(t) is not None and as_date(t) is not None for t in texts)
    column = pl.Series(texts, dtype=pl.String)
    like_days = column.filter(column.str.contains(_ISO_DAY))
    longer = like_days.str.len_chars() > _DAY_LENGTH
    plain = like_days.filter(~longer).str.to_date("%Y-%m-%d", strict=False)
    moments = sum(as_date(text) is not None for text in like_days.filter(longer))
    return len(plain) - plain.null_count() + moments


def settle(declared: PropertyKind | None, counts: TypeCounts) -> PropertyKind:
    """The kind that the values are read as: the declared one, or their common type."""
    if declared is not None and declared in _READ_AS_DECLARED:
        return declared
    if declared == "int":
        return "float" if counts.get("fraction") else "int"
    known = sum(count for name, count in counts.items() if name != "fraction")
    if known == 0:
        return declared or "string"
    if counts.get("bool") == known:
        return "bool"
    if counts.get("int") == known:
        return "int"
    if counts.get("int", 0) + counts.get("float", 0) == known:
        return "float"
    if counts.get("list") == known:
        return "array"
    # Dates are often declared as strings; ranges work only if they are read as dates.
    return "date" if counts.get("day") == known else declared or "string"


def column_of(name: str, kind: PropertyKind, values: Sequence[Any]) -> pl.Series:
    """The values as a column of that type; null if a value does not have it."""
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
    """A value in a text column."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
