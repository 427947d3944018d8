"""Numbers: aggregates over all documents or over each group, counts, and arithmetic on two numbers.

The documents behind a number are those that entered it: not those without a value, nor those that
the conditions of its column exclude. Behind an unknown number are all that were considered.
"""

import math
import operator
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import polars as pl

from backend.plans.running.bounds import (
    bounds_of_count,
    bounds_of_measures,
    bounds_of_part,
    bounds_of_row_count,
    distinct_bounds,
    number_bounds,
)
from backend.plans.running.coverage import only_unit
from backend.plans.running.note import Note
from backend.plans.running.relations import (
    LINEAGE,
    Docs,
    Number,
    OnDemand,
    Relation,
    Rows,
    behind_both,
    by_keys,
    lines_behind,
    name_in,
    with_lines,
)
from backend.plans.tables.collection import ROW
from backend.plans.tables.conditions import all_of, expression
from backend.plans.tables.mixed_units import parted_units
from workbench.contract.coverage import Bounds, field_words
from workbench.contract.derived_fields import derived_field, plain_name, sources_of
from workbench.contract.numbers import in_percent
from workbench.contract.plan_columns import columns_after, unit_field
from workbench.contract.plan_nodes import (
    Aggregate,
    Aggregation,
    Count,
    Fields,
    Math,
    bare_field,
    row_field,
)

UNIT = "properties.unit"
"""Column of a small table with the unit of its numbers, when there are several units."""


def aggregated(step: Aggregate, docs: Docs, note: Note) -> Number | Rows:
    """Numbers over all documents: one, a row of several, or a row for each unit they are in."""
    if (unit := split_unit(step, docs, note)) is not None:
        return _by_unit(step, docs, unit, note)
    line = docs.table.select(*measures(step, docs, docs.height, note))
    value = line.item(0, 0)
    if len(step.aggregations) == 1 and not line.dtypes[0].is_temporal():
        bounds = number_bounds(step.aggregations[0], docs)
        return Number(_tidy(value), OnDemand(lambda: _behind(step, docs)), bounds=bounds)
    behind = OnDemand(lambda: _behind(step, docs).implode())
    table, columns = line.with_row_index(LINEAGE), columns_after(step, docs.columns)
    return Rows(
        table.select(*line.columns, LINEAGE), columns, behind, bounds_of_measures(step, docs)
    )


def _behind(step: Aggregate, docs: Docs) -> pl.Series:
    """The lines that entered the numbers; those with the lowest or highest value come first."""
    entering, table = entered(step, docs), docs.table
    item = step.aggregations[0]
    if len(step.aggregations) == 1 and item.func in ("min", "max") and item.field is not None:
        highest = item.func == "max"
        name = name_in(item.field, docs)
        table = table.sort(name, descending=highest, nulls_last=True, maintain_order=True)
    lines = table.select(pl.col(ROW) if entering is None else pl.col(ROW).filter(entering))
    lineage = lines.to_series()
    return lineage.unique(maintain_order=True) if docs.unrolled else lineage


def _by_unit(step: Aggregate, docs: Docs, unit: pl.Expr, note: Note) -> Rows:
    made = measures(step, docs, docs.height, note)
    entering = entered(step, docs)
    keys = [unit.alias(UNIT)]
    table = by_keys(docs.table, keys, made)
    numbers = [pl.col(name).is_not_null() for name in table.columns[1:]]
    order = [*table.columns, LINEAGE]
    counted = table.with_row_index(LINEAGE).filter(pl.any_horizontal(numbers)).select(order)
    behind = OnDemand(lambda: lines_behind(docs.table, keys, entering))
    columns = {UNIT: "string", **columns_after(step, docs.columns)}
    return Rows(counted, columns, behind, bounds_of_measures(step, docs))


def split_unit(step: Fields, docs: Docs, note: Note) -> pl.Expr | None:
    """The units that numbers must be split by; None when all are in one unit."""
    if not isinstance(step, Aggregate):
        return None
    for item, field in _added_up(step):
        unit = unit_field(name_in(field, docs))
        if unit not in docs.table.columns:
            continue
        entering = _entering(item, docs)
        table = docs.table if entering is None else docs.table.filter(entering)
        units, odd = parted_units(table.get_column(unit))
        name = field_words(field)
        if odd:
            several = "1 value" if sum(odd.values()) == 1 else f"{sum(odd.values())} values"
            note.warnings.append(
                f"{several} of {name} had a unit of another kind: {', '.join(odd)}"
            )
        if len(units) > 1:
            listed = f"{', '.join(units[:-1])} and {units[-1]}"
            note.warnings.append(f"{name} is in {listed}, so each unit has its own number")
            return pl.when(pl.col(unit).is_in(units)).then(pl.col(unit))
        only = only_unit(name_in(field, docs), table)
        if only is not None and item.func != "ratio":
            note.units[item.column] = only
    return None


def _added_up(step: Aggregate) -> Iterator[tuple[Aggregation, str]]:
    """Each field whose values must have the same unit, with the number that is computed from it."""
    for item in step.aggregations:
        if item.field is not None and item.func in _OF_ONE_UNIT:
            fields = sources_of(item.field) if item.func == "ratio" else (item.field,)
            yield from ((item, field) for field in fields)


_OF_ONE_UNIT = frozenset({"avg", "sum", "min", "max", "median", "ratio"})
"""Functions that need numbers of one unit."""


def measures(step: Aggregate, docs: Docs, whole: int, note: Note) -> list[pl.Expr]:
    """One column for each number; `whole` is the number of documents that shares are part of."""
    for item in step.aggregations:
        _warn_of_unknown(item, docs, note)
    return [_measure(item, docs, whole, note) for item in step.aggregations]


def entered(step: Aggregate, docs: Docs) -> pl.Expr | None:
    """Which documents entered at least one of the numbers; None for all of them."""
    tests = [_entering(item, docs) for item in step.aggregations]
    known = [test for test in tests if test is not None]
    if len(known) < len(tests):
        return None
    entering = pl.any_horizontal(known)
    if all(item.func in _ZERO_OF_NOTHING for item in step.aggregations):
        return entering
    return entering | ~entering.any()


_EXACT_DIGITS = 15
"""Decimal digits that a float keeps: the last ones of 0.30000000000000004 are noise."""
_ZERO_OF_NOTHING = frozenset({"count", "distinct"})
"""Functions that give zero over no values; the others are unknown then."""


def _entering(item: Aggregation, docs: Docs) -> pl.Expr | None:
    """Which documents entered the number of a column; a share includes the whole."""
    passes = None if item.func == "share" else _passing(item, docs)
    if item.field is None:
        return passes
    has_value = having(name_in(item.field, docs), docs.table)
    if passes is None or has_value is None:
        return has_value if passes is None else passes
    return passes & has_value


def having(name: str, table: pl.DataFrame) -> pl.Expr | None:
    """Which lines have a value, or at least one item of an array; None for all of them."""
    column = table.get_column(name)
    if isinstance(column.dtype, pl.List):
        return (pl.col(name).list.drop_nulls().list.len() > 0).fill_null(False)
    return pl.col(name).is_not_null() if column.null_count() else None


def _measure(item: Aggregation, docs: Docs, whole: int, note: Note) -> pl.Expr:
    number = _number(item, docs, whole, note)
    if item.percent:
        number = (number * 100).round_sig_figs(_EXACT_DIGITS)
    return number.alias(row_field(item.column))


def _number(item: Aggregation, docs: Docs, whole: int, note: Note) -> pl.Expr:
    passes = _passing(item, docs)
    if item.func == "share" and item.field is None:
        part = pl.len() / max(1, whole)
        return part if passes is None else passes.mean()
    if item.field is None:
        number = pl.len() if passes is None else passes.sum()
        return number.cast(pl.Int64)
    field = name_in(item.field, docs)
    column = pl.col(field) if passes is None else pl.col(field).filter(passes)
    is_list = isinstance(docs.table.schema[field], pl.List)
    match item.func:
        case "count":
            made = (column.list.drop_nulls().list.len() > 0).sum() if is_list else column.count()
            made = made.cast(pl.Int64)
        case "distinct":
            items = column.explode() if is_list else column
            made = items.drop_nulls().n_unique().cast(pl.Int64)
        case "avg":
            made = column.mean()
            if _overflows(docs.table.get_column(field), sys.float_info.max):
                made = (column / column.count()).sum()
                made = pl.when(column.count() > 0).then(made)
        case "median":
            made = column.median()
        case "sum":
            values = docs.table.get_column(field)
            if values.dtype.is_integer() and _overflows(values, _LARGEST):
                note.warnings.append(f"the sum of {bare_field(field)} is too large to be exact")
                column = column.cast(pl.Float64)
            elif _overflows(values, sys.float_info.max):
                note.warnings.append(
                    f"a sum of {bare_field(field)} that is larger than any number is unknown"
                )
            # The sum of nothing is unknown rather than 0: no document stated anything.
            total = column.sum()
            if docs.table.schema[field].is_float():
                total = total.round_sig_figs(_EXACT_DIGITS)
            made = pl.when(column.count() > 0).then(total)
        case "ratio":
            made = _ratio(item.field, passes)
        case "share":
            made = _share_of_total(item, field, passes, docs, note)
        case "min":
            made = column.min()
        case "max":
            made = column.max()
    return made


def _ratio(field: str, passes: pl.Expr | None) -> pl.Expr:
    """One total divided by another, over the lines in which both are known."""
    one, other = map(pl.col, sources_of(field))
    both = one.is_not_null() & other.is_not_null()
    entering = both if passes is None else both & passes
    divisor = other.filter(entering).cast(pl.Float64).sum()
    return pl.when(divisor != 0).then(one.filter(entering).cast(pl.Float64).sum() / divisor)


def _share_of_total(
    item: Aggregation, field: str, passes: pl.Expr | None, docs: Docs, note: Note
) -> pl.Expr:
    """The share of a field's total that comes from these lines; unknown in several units."""
    column = pl.col(field).cast(pl.Float64)
    unit = unit_field(field)
    if unit in docs.table.columns and len(parted_units(docs.table.get_column(unit))[0]) > 1:
        note.warnings.append(f"{field_words(bare_field(field))} is in several units: no shares")
        return pl.lit(None, pl.Float64)
    if passes is not None:
        part, total = column.filter(passes).sum(), column.sum()
    else:
        # A document in several groups adds to the total once.
        once = docs.table if field in docs.unrolled else docs.table.unique(ROW)
        part, total = column.sum(), pl.lit(once.get_column(field).cast(pl.Float64).sum())
    return pl.when((column.count() > 0) & (total != 0)).then(part / total)


def _passing(item: Aggregation, docs: Docs) -> pl.Expr | None:
    """Which documents a column includes; None for all."""
    tests = [expression(test, test.field, docs.columns) for test in item.where]
    return all_of(tests) if tests else None


def _overflows(values: pl.Series, largest: float) -> bool:
    """Whether the sum of these values may be beyond the largest number."""
    bounds = [abs(b) for b in (values.min(), values.max()) if isinstance(b, int | float)]
    return max(bounds, default=0) > largest / max(1, len(values))


def _warn_of_unknown(item: Aggregation, docs: Docs, note: Note) -> None:
    """Warns of documents without a value of a derived field, such as a difference in days. Missing
    values of stored fields are part of the coverage.
    """
    if item.field is None:
        return
    field = name_in(item.field, docs)
    if derived_field(item.field) is None or not docs.table.get_column(field).null_count():
        return
    blank = pl.col(field).is_null()
    passes = _passing(item, docs)
    asked = blank if passes is None else blank & passes
    # A document in several groups counts once.
    blanks = docs.table.filter(asked).get_column(ROW).n_unique()
    if blanks:
        plural = "document has" if blanks == 1 else "documents have"
        note.warnings.append(
            f"{blanks} {plural} no {plain_name(item.field)} and did not count for {item.func}"
        )


_LARGEST = 2**63 - 1


def _tidy(value: Any) -> float | int | None:
    """The number for the answer: None if it is not finite, a float if it exceeds 64 bits."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, int) and abs(value) > _LARGEST:
        return float(value) if abs(value) < sys.float_info.max else None
    return value if isinstance(value, int) else float(value)


def counted(step: Count, table: Docs | Rows, note: Note) -> Number:
    if step.distinct_field is None:
        behind = OnDemand(table.lineage)
        if isinstance(table, Docs):
            return Number(table.height, behind, bounds=bounds_of_count(table), counted=table)
        return Number(table.height, behind, bounds=bounds_of_row_count(table, table.height))
    name = name_in(step.distinct_field, table)
    has_value = having(name, table.table)
    entering = table if has_value is None else with_lines(table, table.table.filter(has_value))
    column = table.table.get_column(name)
    note.drop(f"no {bare_field(step.distinct_field)}", table.height - entering.height)
    if isinstance(column.dtype, pl.List):
        column = column.explode()
    different = column.drop_nulls().n_unique()
    if isinstance(table, Docs):
        bounds = distinct_bounds(name, table)
    else:
        bounds = bounds_of_row_count(table, different, values=True)
    return Number(different, OnDemand(entering.lineage), bounds=bounds)


def calculated(step: Math, left: Number, right: Number, note: Note) -> Number:
    lineage = behind_both(left, right)
    if left.value is None or right.value is None:
        note.warnings.append("one of the two numbers is unknown, so the answer is too")
        return Number(None, lineage, bounds=_both_bounds(left, right))
    if step.operation == "divide" and right.value == 0:
        note.warnings.append("division by zero: the answer is unknown")
        return Number(None, lineage, bounds=_both_bounds(left, right))
    value = _tidy(_operated(step, left.value, right.value))
    if value is None:
        note.warnings.append("the answer is too large to be shown")
    return Number(value, lineage, bounds=_calculated_bounds(step, left, right))


def uncalculated(left: Relation, right: Relation, note: Note) -> Number:
    """No number, because one of the two is in several units."""
    note.warnings.append("numbers in several units cannot be combined: ask for one unit")
    return Number(None, behind_both(left, right))


def _both_bounds(left: Number, right: Number) -> Bounds:
    """How many documents could change one of two numbers."""
    sides = [side.bounds or Bounds(changeable=0, documents=0) for side in (left, right)]
    changeable = sum(side.changeable for side in sides)
    return Bounds(changeable=changeable, documents=max(changeable, *(s.documents for s in sides)))


def _calculated_bounds(step: Math, left: Number, right: Number) -> Bounds:
    """How far a calculated number could move, given how far its two inputs could."""
    made = _both_bounds(left, right)
    divides = step.operation == "divide"
    if divides and left.counted is not None and right.counted is not None:
        part = bounds_of_part(left.counted, right.counted)
        if part is not None:
            low, high = part
            if step.percent and low is not None and high is not None:
                low, high = in_percent(low), in_percent(high)
            return made.model_copy(update={"low": low, "high": high})
    ends = [_ends(number) for number in (left, right)]
    if ends[0] is None or ends[1] is None:
        return made
    if divides and ends[1][0] <= 0 <= ends[1][1]:
        return made
    values = [_operated(step, a, b) for a in ends[0] for b in ends[1]]
    return made.model_copy(update={"low": min(values), "high": max(values)})


def _ends(number: Number) -> tuple[float, float] | None:
    """The lowest and highest possible value of a number, None where nothing limits it."""
    bounds = number.bounds
    if bounds is None or not bounds.changeable:
        return None if number.value is None else (number.value, number.value)
    return None if bounds.low is None or bounds.high is None else (bounds.low, bounds.high)


def _operated(step: Math, left: float, right: float) -> float:
    number = _OPERATIONS[step.operation](left, right)
    return in_percent(number) if step.percent else number


_OPERATIONS: Mapping[str, Callable[[Any, Any], float | int]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
}
