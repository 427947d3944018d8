"""Columns derived from others: weekdays, days between dates, sums of properties."""

from collections.abc import Callable, Iterable, Mapping
from operator import add, mul, sub

import polars as pl

from workbench.contract.derived_fields import (
    MONTHS,
    QUARTERS,
    WEEKDAYS,
    DerivedField,
    derived_columns,
    derived_field,
)
from workbench.contract.plan_columns import Columns, unit_field
from workbench.contract.schema import PropertyKind

_SECONDS = {"days_since": 86_400, "hours_since": 3_600, "minutes_since": 60}
"""The seconds of a unit of the time between two dates."""
_OPERATIONS: Mapping[str, Callable[[pl.Expr, pl.Expr], pl.Expr]] = {
    "minus": sub, "plus": add, "times": mul,
}  # fmt: skip


def with_derived(table: pl.DataFrame, names: Iterable[str], fields: Columns) -> pl.DataFrame:
    """The table with a column for each derived name, and for its unit if it has one."""
    made: list[pl.Expr] = []
    for name, kind in derived_columns(names, fields).items():
        derived = derived_field(name)
        if derived is None or not set(derived.sources) <= set(table.columns):
            continue
        value, unit = derived_value(derived, kind), _unit(derived, table)
        if unit is not None:
            same, one_unit = unit
            value = pl.when(same).then(value)
            if one_unit is not None:
                made.append(pl.when(same).then(one_unit).alias(unit_field(name)))
        made.append(value.alias(name))
    return table.with_columns(made) if made else table


def derived_value(derived: DerivedField, kind: PropertyKind) -> pl.Expr:
    """The values of a derived field of kind `kind`."""
    column = pl.col(derived.field)
    if derived.other is None:
        return _part_of_date(derived, column)
    other = pl.col(derived.other)
    if (seconds := _SECONDS.get(derived.operation)) is not None:
        if kind == "int":
            return (column - other).dt.total_days()
        span = column.cast(pl.Datetime("us")) - other.cast(pl.Datetime("us"))
        return span.dt.total_seconds() / seconds
    if derived.operation == "share_of":
        return pl.when(other != 0).then(column / other)
    if kind == "int":
        # Whole numbers that are too large for 64 bits would wrap around.
        exact = _OPERATIONS[derived.operation](column.cast(pl.Int128), other.cast(pl.Int128))
        return exact.cast(pl.Int64, strict=False)
    return _OPERATIONS[derived.operation](column.cast(pl.Float64), other.cast(pl.Float64))


def _part_of_date(derived: DerivedField, column: pl.Expr) -> pl.Expr:
    date = column.dt
    match derived.operation:
        case "weekday":
            return _named(date.weekday(), WEEKDAYS)
        case "month_of_year":
            return _named(date.month(), MONTHS)
        case "quarter_of_year":
            return _named(date.quarter(), QUARTERS)
        case "hour":
            return date.hour().cast(pl.Int64)
        case "time_of_day":
            return date.hour() + date.minute() / 60 + date.second() / 3600
    return date.year().cast(pl.Int64)


def _named(number: pl.Expr, names: tuple[str, ...]) -> pl.Expr:
    """Cyclic names, in a type that sorts them in their order."""
    numbers = list(range(1, len(names) + 1))
    return number.replace_strict(numbers, list(names), default=None, return_dtype=pl.Enum(names))


def _unit(derived: DerivedField, table: pl.DataFrame) -> tuple[pl.Expr, pl.Expr | None] | None:
    """Where the units of both sources agree, and the resulting unit; None if none are known."""
    units = [pl.col(u) for name in derived.sources if (u := unit_field(name)) in table.columns]
    if derived.other is None or not units:
        return None
    one_unit = pl.coalesce(units) if derived.operation != "share_of" else None
    if len(units) == 1:
        return pl.lit(True), one_unit
    if derived.operation == "times":
        return pl.any_horizontal(unit.is_null() for unit in units), one_unit
    return (units[0] == units[1]).fill_null(True), one_unit
