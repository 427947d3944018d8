"""Conditions of filters as Polars expressions.

Three rules hold everywhere: strings compare without case, ranges drop unknown values, and negation
keeps them. A range between two fields drops rows in which one of them is unknown.
"""

from collections.abc import Callable, Sequence
from operator import and_, or_
from typing import Any

import polars as pl

from workbench.contract.plan_columns import DATED, NUMERIC, Columns, field_in
from workbench.contract.plan_nodes import BasicFilter, Condition, asks
from workbench.contract.plan_values import as_bool, as_date, as_number, as_span
from workbench.contract.schema import PropertyKind

_DAY_LENGTH = len("2024-01-31")
_LARGEST = 2**63
_ORDERED = NUMERIC | DATED | {"bool"}
"""Kinds whose values are compared as they are; all others are compared as texts."""


def expression(
    condition: Condition, field: str, columns: Columns, *, on_rows: bool = False
) -> pl.Expr:
    """Which rows pass. `field` applies if the condition does not name one."""
    kept = _kept(condition, field, columns, expression, on_rows=on_rows).fill_null(False)
    return ~kept if condition.negate else kept


def truth(condition: Condition, field: str, columns: Columns, *, on_rows: bool = False) -> pl.Expr:
    """Which rows fulfil a condition, null where that depends on unknown values. Whether a value is
    known is itself known, but a condition that also asks for the value depends on it.
    """
    if condition.exists and asks(valued := condition.model_copy(update={"exists": None})):
        condition = valued
    kept = _kept(condition, field, columns, truth, on_rows=on_rows)
    return ~kept if condition.negate else kept


def _kept(
    condition: Condition,
    field: str,
    columns: Columns,
    inner: Callable[..., pl.Expr],
    *,
    on_rows: bool,
) -> pl.Expr:
    """Whether all tests of a condition pass; `inner` is how its alternatives are tested."""
    full = field_in(condition.field or field, columns, on_rows=on_rows)
    kind = columns.get(full, "string")
    parts = list(_tests(condition, pl.col(full), kind))
    parts += _field_bounds(condition, full, columns, on_rows=on_rows)
    others = condition.any_of if isinstance(condition, BasicFilter) else None
    if others:
        alternatives = [inner(c, field, columns, on_rows=on_rows) for c in others]
        parts.append(any_of(alternatives))
    return all_of(parts)


def compared_fields(condition: Condition) -> list[str]:
    """The other fields of the same row that provide bounds for a condition."""
    sides = (condition.start_field, condition.end_field)
    return list(dict.fromkeys(side for side in sides if side is not None))


def literal(value: Any, kind: PropertyKind) -> pl.Expr:
    """A value of a plan in the type of a property of that kind."""
    return pl.lit(str(value)) if kind not in _ORDERED else _bound(value, kind, last=False)


def all_of(tests: Sequence[pl.Expr]) -> pl.Expr:
    """Whether all tests pass. For a few, several times faster than Polars' `all_horizontal`."""
    return _together(tests, and_) if tests else pl.lit(True)


def any_of(tests: Sequence[pl.Expr]) -> pl.Expr:
    """Whether at least one of the tests passes; `tests` is not empty."""
    return _together(tests, or_)


def _together(tests: Sequence[pl.Expr], how: Callable[[pl.Expr, pl.Expr], pl.Expr]) -> pl.Expr:
    """A balanced tree of tests: Polars takes seconds for deep ones."""
    if len(tests) == 1:
        return tests[0]
    half = len(tests) // 2
    return how(_together(tests[:half], how), _together(tests[half:], how))


def _tests(condition: Condition, column: pl.Expr, kind: PropertyKind) -> list[pl.Expr]:
    tests: list[pl.Expr] = []
    column, kind = tested(condition, column, kind)
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
        tests += _middle_bounds(condition, column)
    ordered = column.str.to_lowercase() if kind not in _ORDERED else column
    if condition.start is not None:
        low = _bound(condition.start, kind, last=condition.start_exclusive)
        tests.append(ordered > low if condition.start_exclusive else ordered >= low)
    if condition.end is not None:
        high = _bound(condition.end, kind, last=not condition.end_exclusive)
        tests.append(ordered < high if condition.end_exclusive else ordered <= high)
    return tests


def tested(
    condition: Condition, column: pl.Expr, kind: PropertyKind
) -> tuple[pl.Expr, PropertyKind]:
    """The operand: dates written as text become dates, or unknown if they are not dates."""
    if kind not in _ORDERED and kind != "array":
        column = column.cast(pl.String)  # weekdays, months and numbers have types for their order
    if not condition.is_date or kind in DATED:
        return column, kind
    return column.str.slice(0, _DAY_LENGTH).str.to_date("%Y-%m-%d", strict=False), "date"


def _field_bounds(
    condition: Condition, field: str, columns: Columns, *, on_rows: bool
) -> list[pl.Expr]:
    """Bounds that are the value of another field in the same row."""
    tests: list[pl.Expr] = []
    for side, exclusive, above in (
        (condition.start_field, condition.start_exclusive, True),
        (condition.end_field, condition.end_exclusive, False),
    ):
        if side is None:
            continue
        own, other = _comparable(field, field_in(side, columns, on_rows=on_rows), columns)
        if above:
            tests.append(own > other if exclusive else own >= other)
        else:
            tests.append(own < other if exclusive else own <= other)
    return tests


def _comparable(one: str, other: str, columns: Columns) -> tuple[pl.Expr, pl.Expr]:
    """Two columns converted to one type: datetimes beside dates as dates, texts without case."""
    kinds = {columns.get(one, "string"), columns.get(other, "string")}
    sides = pl.col(one), pl.col(other)
    if kinds == DATED:
        sides = sides[0].cast(pl.Date), sides[1].cast(pl.Date)
    elif not kinds & _ORDERED:
        sides = _lower(sides[0]), _lower(sides[1])
    return sides


def _lower(column: pl.Expr) -> pl.Expr:
    return column.cast(pl.String).str.strip_chars().str.to_lowercase()


def _middle_bounds(condition: BasicFilter, column: pl.Expr) -> list[pl.Expr]:
    """Bounds that are the average or median of all input rows."""
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
        # A constant would give one row for an empty table, or a wrong number of rows.
        return column.is_null() & False
    if kind == "array":
        matches = column.list.eval(_text_match(wanted, condition, pl.element())).list.any()
        return pl.when(column.list.len() > 0).then(matches)  # an empty list is no value
    if kind in DATED:
        return any_of([_within(value, column, kind) for value in dict.fromkeys(wanted)])
    if kind in NUMERIC:
        return column.is_in(_numbers(wanted, kind).implode())
    if kind == "bool":
        return column.is_in(list({read for v in wanted if (read := as_bool(v)) is not None}))
    return _text_match(wanted, condition, column)


def _within(value: Any, column: pl.Expr, kind: PropertyKind) -> pl.Expr:
    """Equality; a date given as a year or month matches all of its days."""
    first, last = (_bound(value, kind, last=end) for end in (False, True))
    return column.is_between(first, last)


def _numbers(wanted: list[Any], kind: PropertyKind) -> pl.Series:
    """The numbers in the type of their column, without those it cannot represent."""
    read = [number for value in wanted if (number := as_number(value)) is not None]
    if kind == "float":
        return pl.Series(list(map(float, read)), dtype=pl.Float64)
    whole = [int(number) for number in read if number == int(number)]
    return pl.Series([n for n in whole if -_LARGEST <= n < _LARGEST], dtype=pl.Int64)


def _bound(value: Any, kind: PropertyKind, *, last: bool) -> pl.Expr:
    """A value in the type of the column; for a day, month or year its first or last moment."""
    if kind == "datetime":
        span = as_span(value)
        return pl.lit(None if span is None else span[last], dtype=pl.Datetime("us"))
    if kind == "date":
        return pl.lit(as_date(value, end=last), dtype=pl.Date)
    if kind == "bool":
        return pl.lit(as_bool(value))
    if kind not in NUMERIC:
        return pl.lit(str(value).lower())
    number = as_number(value)
    # Polars has no literal for a larger whole number; a float works as a bound.
    is_large = number is not None and not -_LARGEST <= number < _LARGEST
    return pl.lit(float(number or 0) if is_large else number)


def _text_match(wanted: list[Any], condition: Condition, column: pl.Expr) -> pl.Expr:
    text = column.str.to_lowercase()
    words = [str(value).lower() for value in wanted]
    if condition.match == "exact":
        return text.is_in(words)
    if condition.match == "prefix":
        return any_of([text.str.starts_with(word) for word in words])
    if len(words) == 1:
        return text.str.contains(words[0], literal=True)
    return text.str.contains_any(words)
