"""Conditions of filters as Polars expressions.

Three rules hold everywhere: strings compare without regard to case, ranges drop unknown values, and
negation keeps them.
"""

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_
from typing import Any

import polars as pl

from backend.contract.plan_columns import DATED, NUMERIC
from backend.contract.plan_nodes import BasicFilter, Condition, canonical_field, row_field
from backend.contract.plan_values import as_bool, as_date, as_number
from backend.contract.schema import PropertyKind

_DAY_LENGTH = len("2024-01-31")


def expression(
    condition: Condition, field: str, columns: dict[str, PropertyKind], *, on_rows: bool = False
) -> pl.Expr:
    """Which rows pass. `field` is used where the condition names none of its own."""
    name = condition.field or field
    full = row_field(name) if on_rows else canonical_field(name)
    kind = columns.get(full, "string")
    parts = list(_tests(condition, pl.col(full), kind))
    others = condition.any_of if isinstance(condition, BasicFilter) else None
    if others:
        alternatives = [expression(c, field, columns, on_rows=on_rows) for c in others]
        parts.append(any_of(alternatives))
    kept = all_of(parts)
    if not condition.negate:
        return kept.fill_null(False)
    return ~kept.fill_null(False)


def literal(value: Any, kind: PropertyKind) -> pl.Expr:
    """A value of a plan as a property of that kind holds it."""
    if kind in DATED:
        day = pl.lit(as_date(value))
        return day.cast(pl.Datetime("us")) if kind == "datetime" else day
    if kind == "bool":
        return pl.lit(as_bool(value))
    return pl.lit(as_number(value) if kind in NUMERIC else str(value))


def all_of(tests: Sequence[pl.Expr]) -> pl.Expr:
    """Whether all tests hold. Several times faster than Polars' `all_horizontal` for a few."""
    return reduce(and_, tests) if tests else pl.lit(True)


def any_of(tests: Sequence[pl.Expr]) -> pl.Expr:
    """Whether one of the tests holds, of which there is at least one."""
    return reduce(or_, tests)


def _tests(condition: Condition, column: pl.Expr, kind: PropertyKind) -> list[pl.Expr]:
    tests: list[pl.Expr] = []
    if condition.is_date and kind not in DATED:
        # Days written as text; whatever is none is unknown.
        column, kind = (
            column.str.slice(0, _DAY_LENGTH).str.to_date("%Y-%m-%d", strict=False),
            "date",
        )
    if condition.exists is not None:
        known = column.is_not_null()
        if kind == "array":
            known &= column.list.len() > 0
        tests.append(known.fill_null(False) if condition.exists else ~known.fill_null(False))
    wanted = list(condition.values or [])
    if condition.query is not None and not condition.range_filter:
        wanted.append(condition.query)
    if condition.values is not None or wanted:
        tests.append(_one_of(wanted, condition, column, kind))
    if isinstance(condition, BasicFilter):
        tests += _beside_middle(condition, column)
    if condition.start is not None:
        low = _read(condition.start, condition, kind)
        tests.append(column > low if condition.start_exclusive else column >= low)
    if condition.end is not None:
        high = _read(condition.end, condition, kind, end=True)
        tests.append(column < high if condition.end_exclusive else column <= high)
    return tests


def _beside_middle(condition: BasicFilter, column: pl.Expr) -> list[pl.Expr]:
    """Bounds that are the average or median of all rows that come in."""
    middle = {"avg": column.mean(), "median": column.median()}
    tests: list[pl.Expr] = []
    if condition.start_at is not None:
        low = middle[condition.start_at]
        tests.append(column > low if condition.start_exclusive else column >= low)
    if condition.end_at is not None:
        high = middle[condition.end_at]
        tests.append(column < high if condition.end_exclusive else column <= high)
    return tests


def _one_of(
    wanted: list[Any], condition: Condition, column: pl.Expr, kind: PropertyKind
) -> pl.Expr:
    if not wanted:
        return pl.lit(False)
    if kind == "array":
        return column.list.eval(_text_match(wanted, condition, pl.element())).list.any()
    if kind in NUMERIC or kind in DATED or kind == "bool":
        return any_of([_equal(value, condition, column, kind) for value in wanted])
    return _text_match(wanted, condition, column)


def _equal(value: Any, condition: Condition, column: pl.Expr, kind: PropertyKind) -> pl.Expr:
    """Equality; a date given as a year or month stands for all of its days."""
    if kind in DATED:
        day = column.cast(pl.Date)
        return day.is_between(pl.lit(as_date(value)), pl.lit(as_date(value, end=True)))
    test: pl.Expr = column == _read(value, condition, kind)
    return test


def _read(value: Any, condition: Condition, kind: PropertyKind, *, end: bool = False) -> Any:
    """The value in the type of the column; a day that ends a range lasts until midnight."""
    if kind in DATED:
        day = as_date(value, end=end)
        if end and kind == "datetime" and not condition.end_exclusive:
            return pl.lit(day).cast(pl.Datetime("us")) + pl.duration(hours=24, microseconds=-1)
        return pl.lit(day)
    if kind == "bool":
        return as_bool(value)
    return as_number(value) if kind in NUMERIC else str(value)


def _text_match(wanted: list[Any], condition: Condition, column: pl.Expr) -> pl.Expr:
    text = column.str.to_lowercase()
    words = [str(value).lower() for value in wanted]
    if condition.match == "exact":
        return text.is_in(words)
    if condition.match == "prefix":
        return any_of([text.str.starts_with(word) for word in words])
    return any_of([text.str.contains(word, literal=True) for word in words])
