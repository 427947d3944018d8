"""The exact steps: filters, groups, numbers, orders. Each is a pure function of what flows in.

Every step tells in `Note` what it left out and why, so that a count can be trusted or questioned.
"""

import math
import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from backend.contract.plan_columns import Columns, columns_after, field_in, key_columns
from backend.contract.plan_nodes import (
    Aggregate,
    AggregateCollect,
    AggregateCount,
    Aggregation,
    BasicFilter,
    Bucket,
    Count,
    Distinct,
    FieldIn,
    Fields,
    GroupBy,
    Limit,
    Math,
    Project,
    Sort,
    TopK,
    Unroll,
    asks,
    bare_field,
    row_field,
)
from backend.plans.running.relations import (
    LINEAGE,
    Docs,
    Groups,
    Number,
    Ordered,
    Rows,
    behind_both,
)
from backend.plans.tables.collection import ROW
from backend.plans.tables.conditions import all_of, expression, literal, unknown


@dataclass
class Note:
    """What a step tells besides its answer: counts of rows left out by reason, and warnings."""

    dropped: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def drop(self, reason: str, count: int) -> None:
        if count > 0:
            self.dropped[reason] = self.dropped.get(reason, 0) + count


def name_in(name: str, table: Docs | Rows) -> str:
    """The column that a field of a plan means in a table."""
    return field_in(name, table.columns, on_rows=isinstance(table, Rows))


def filtered(step: BasicFilter, table: Docs | Rows, note: Note) -> Docs | Rows:
    on_rows = isinstance(table, Rows)
    kept = table.table.filter(expression(step, step.field, table.columns, on_rows=on_rows))
    lost = table.height - kept.height
    blank = unknown(step, table.columns, on_rows=on_rows) if lost else None
    blanks = 0 if blank is None else int(table.table.select(blank.sum()).item())
    told = [step.field] if asks(step) else [c.field or step.field for c in step.any_of or []]
    name = " or ".join(dict.fromkeys(map(bare_field, told)))
    note.drop(f"{name} is unknown", blanks)
    note.drop(f"{name} does not fit", lost - blanks)
    return _with_table(table, kept)


def grouped(step: GroupBy, docs: Docs, note: Note) -> Groups:
    """A document is in the group of each of the items of an array, in each once."""
    fields = [name_in(name, docs) for name in step.keys]
    names = key_columns(step)[-len(fields) :]
    lists = [isinstance(docs.table.schema[name], pl.List) for name in fields]
    keys = [
        _items(pl.col(name)) if is_list else bucketed(pl.col(name), bucket)
        for name, is_list, bucket in zip(fields, lists, _buckets(step, fields), strict=True)
    ]
    table = docs.table.with_columns(k.alias(n) for k, n in zip(keys, names, strict=True))
    known = _known(table, names)
    note.drop(f"no {' or '.join(map(bare_field, fields))}", table.height - known.height)
    held = known
    for name, is_list in zip(names, lists, strict=True):
        held = held.explode(name) if is_list else held
    columns = columns_after(step, docs.columns)
    return Groups(replace(docs, table=held, columns=columns), names, known.height)


def _buckets(step: GroupBy, fields: list[str]) -> list[Bucket | None]:
    """Only the first of the keys is put into spans of time."""
    return [step.bucket, *[None] * (len(fields) - 1)]


def _items(column: pl.Expr) -> pl.Expr:
    """The items of an array, each once; nothing where there are none."""
    items = column.list.drop_nulls().list.unique(maintain_order=True)
    return pl.when(items.list.len() > 0).then(items)


def _known(table: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """The rows with all of these values; the table itself, uncopied, when none is missing."""
    missing = any(table.get_column(name).null_count() for name in names)
    return table.drop_nulls(names) if missing else table


def bucketed(column: pl.Expr, bucket: Bucket | None) -> pl.Expr:
    if bucket is None:
        return column
    if bucket == "year":
        return column.dt.year()
    if bucket == "month":
        return column.dt.strftime("%Y-%m")
    if bucket == "week":
        return column.dt.strftime("%G-W%V")
    year = column.dt.year().cast(pl.String)
    return pl.concat_str([year, pl.lit("-Q"), column.dt.quarter().cast(pl.String)])


def gathered(step: Aggregate | AggregateCount, groups: Groups, note: Note) -> Rows:
    """One row for each group: its key, and how many documents or what their values give."""
    if isinstance(step, AggregateCount):
        return _rows(step, groups, [_COUNT])
    for item in step.aggregations:
        _tell_unknown(item, groups.docs, note)
    return _rows(step, groups, _measures(step, groups.docs, groups.documents, note))


def collected(step: AggregateCollect, groups: Groups) -> Rows:
    """One row for each group: its key and the documents in it."""
    rows = _rows(step, groups, [_COUNT])
    ids = groups.docs.identity.get_column("doc_id")
    held = [ids.gather(places) for places in rows.table.get_column(LINEAGE)]
    values = pl.Series("properties.values", held, dtype=pl.List(pl.String))
    return replace(rows, table=rows.table.insert_column(-1, values))


_COUNT = pl.len().cast(pl.Int64).alias("properties.count")


def _rows(step: Fields, groups: Groups, made: list[pl.Expr]) -> Rows:
    table = groups.docs.table.group_by(groups.keys).agg(*made, pl.col(ROW).alias(LINEAGE))
    table = table.sort(groups.keys, nulls_last=True)
    keys = groups.keys
    if len(keys) > 1:
        parts = [_as_told(pl.col(key), table.schema[key]) for key in keys]
        table = table.with_columns(pl.concat_list(parts).alias("properties.key"))
        keys = ["properties.key", *keys]
    columns = columns_after(step, groups.docs.columns, keys)
    order = ["properties.key", *(c for c in table.columns if c not in ("properties.key", LINEAGE))]
    return Rows(table.select(*order, LINEAGE), columns)


def _as_told(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """The values as texts that look as they do on the wire."""
    if isinstance(dtype, pl.Datetime):
        return column.dt.strftime("%Y-%m-%dT%H:%M:%S%.f")
    return column.cast(pl.String)


def aggregated(step: Aggregate, docs: Docs, note: Note) -> Number | Rows:
    """Numbers over all documents: one number, or one row of several."""
    for item in step.aggregations:
        _tell_unknown(item, docs, note)
    line = docs.table.select(*_measures(step, docs, docs.height, note))
    lineage = docs.lineage()
    value = line.item(0, 0)
    if len(step.aggregations) == 1 and not line.dtypes[0].is_temporal():
        return Number(_tidy(value), lineage)
    table = line.with_columns(pl.Series(LINEAGE, [lineage.to_list()], dtype=pl.List(pl.UInt32)))
    return Rows(table, columns_after(step, docs.columns))


def _measures(step: Aggregate, docs: Docs, whole: int, note: Note) -> list[pl.Expr]:
    return [_measure(item, docs, whole, note) for item in step.aggregations]


def _measure(item: Aggregation, docs: Docs, whole: int, note: Note) -> pl.Expr:
    """One column; `whole` is the number of documents that shares are parts of."""
    name = row_field(item.column)
    passes = _passing(item, docs)
    if item.func == "share":
        part = pl.len() / max(1, whole)
        return (part if passes is None else passes.mean()).alias(name)
    if item.field is None:
        number = pl.len() if passes is None else passes.sum()
        return number.cast(pl.Int64).alias(name)
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
        case "median":
            made = column.median()
        case "sum":
            if _overflows(docs.table.get_column(field)):
                note.warnings.append(f"the sum of {bare_field(field)} is too large to be exact")
                column = column.cast(pl.Float64)
            # The sum of nothing is unknown rather than 0: no document said anything about it.
            made = pl.when(column.count() > 0).then(column.sum())
        case "min":
            made = column.min()
        case "max":
            made = column.max()
    return made.alias(name)


def _passing(item: Aggregation, docs: Docs) -> pl.Expr | None:
    """Which documents a column looks at; None for all."""
    tests = [expression(test, test.field, docs.columns) for test in item.where]
    return all_of(tests) if tests else None


def _overflows(values: pl.Series) -> bool:
    """Whether a sum of these may be more than a whole number of 64 bits holds."""
    if not values.dtype.is_integer():
        return False
    bounds = [abs(b) for b in (values.min(), values.max()) if isinstance(b, int)]
    return max(bounds, default=0) * len(values) > _LARGEST


def _tell_unknown(item: Aggregation, docs: Docs, note: Note) -> None:
    """How many of the documents that are looked at have no value."""
    if item.field is None or item.func == "share":
        return
    field = name_in(item.field, docs)
    column = docs.table.get_column(field)
    is_list = isinstance(column.dtype, pl.List)
    if not is_list and not column.null_count():
        return
    blank = pl.col(field).is_null()
    if is_list:
        blank |= pl.col(field).list.drop_nulls().list.len() == 0
    passes = _passing(item, docs)
    asked = blank if passes is None else blank & passes
    # A document in several groups is told once.
    blanks = docs.table.filter(asked).get_column(ROW).n_unique()
    if blanks:
        plural = "document has" if blanks == 1 else "documents have"
        note.warnings.append(
            f"{blanks} {plural} no {bare_field(item.field)} and did not count for {item.func}"
        )


_LARGEST = 2**63 - 1


def _tidy(value: Any) -> float | int | None:
    """A number as it is handed on: nothing for what is none, no whole numbers without end."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, int) and abs(value) > _LARGEST:
        return float(value) if abs(value) < sys.float_info.max else None
    return value if isinstance(value, int) else float(value)


def top(step: TopK, docs: Docs, note: Note) -> Rows:
    """The K groups with most (or fewest) documents; equal counts by key."""
    groups = grouped(GroupBy(field=step.field), docs, note)
    count = _COUNT
    if step.primary_field:
        primary = name_in(step.primary_field, docs)
        values = pl.col(primary)
        if isinstance(docs.table.schema[primary], pl.List):
            values = values.explode()
        count = values.drop_nulls().n_unique().cast(pl.Int64).alias("properties.count")
    rows = _rows(AggregateCount(), groups, [count])
    table = rows.table.sort("properties.count", descending=step.descending, maintain_order=True)
    kept = table if step.K is None else table.head(step.K)
    note.drop("beyond the limit", table.height - kept.height)
    return Rows(kept, rows.columns)


def counted(step: Count, table: Docs | Rows, note: Note) -> Number:
    if step.distinct_field is None:
        return Number(table.height, table.lineage())
    column = table.table.get_column(name_in(step.distinct_field, table))
    if isinstance(column.dtype, pl.List):
        empty = int((column.list.drop_nulls().list.len() == 0).sum())
        note.drop(f"no {bare_field(step.distinct_field)}", column.null_count() + empty)
        column = column.explode()
    else:
        note.drop(f"no {bare_field(step.distinct_field)}", column.null_count())
    return Number(column.drop_nulls().n_unique(), table.lineage())


def calculated(step: Math, left: Number, right: Number, note: Note) -> Number:
    lineage = behind_both(left.documents, right.documents)
    if left.value is None or right.value is None:
        note.warnings.append("one of the two numbers is unknown, so the answer is too")
        return Number(None, lineage)
    if step.operation == "divide" and right.value == 0:
        note.warnings.append("nothing can be divided by zero: the answer is unknown")
        return Number(None, lineage)
    value = _tidy(_OPERATIONS[step.operation](left.value, right.value))
    if value is None:
        note.warnings.append("the answer is too large to be told")
    return Number(value, lineage)


_OPERATIONS: Mapping[str, Callable[[Any, Any], float | int]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
}


def ordered(step: Sort, table: Docs | Rows) -> Ordered:
    """Unknown values last, equal ones in the order they came in."""
    name = name_in(step.field, table)
    column = pl.col(name)
    if step.default_value is not None:
        column = column.fill_null(literal(step.default_value, table.columns.get(name, "string")))

    def arrange(lines: pl.LazyFrame) -> pl.LazyFrame:
        down = step.descending
        return lines.sort(column, descending=down, nulls_last=True, maintain_order=True)

    return Ordered(table, arrange)


def limited(step: Limit, table: Docs | Rows | Ordered, note: Note) -> Docs | Rows:
    if not step.per:
        note.drop("beyond the limit", table.height - step.num_records)
        if isinstance(table, Ordered):
            return table.first(step.num_records)
        return _with_table(table, table.table.head(step.num_records))
    table = table.whole if isinstance(table, Ordered) else table
    keys = [name_in(name, table) for name in step.per]
    known = table.table.drop_nulls(keys)
    note.drop(f"no {' or '.join(map(bare_field, keys))}", table.height - known.height)
    kept = known.filter(pl.int_range(pl.len()).over(keys) < step.num_records)
    note.drop("beyond the limit", known.height - kept.height)
    return _with_table(table, kept)


def distinct(step: Distinct, table: Docs | Rows, note: Note) -> Rows:
    name = name_in(step.field, table)
    source = table.table
    place = ROW if isinstance(table, Docs) else LINEAGE
    if isinstance(source.schema[name], pl.List):
        source = source.explode(name)
    known = source.drop_nulls(name)
    note.drop(f"no {bare_field(step.field)}", source.height - known.height)
    places = (
        pl.col(place) if isinstance(table, Docs) else pl.col(place).explode(empty_as_null=False)
    )
    made = known.group_by(pl.col(name).alias("properties.key")).agg(places.alias(LINEAGE))
    return Rows(made.sort("properties.key"), columns_after(step, table.columns))


def selected(step: Project, table: Docs | Rows) -> Docs | Rows:
    names = list(dict.fromkeys(name_in(name, table) for name in step.fields))
    columns: Columns = {name: kind for name, kind in table.columns.items() if name in names}
    if isinstance(table, Docs):
        return replace(table, columns=columns, only=tuple(names))
    return Rows(table.table.select(*names, LINEAGE), columns)


def joined(step: FieldIn, first: Docs | Rows, second: Docs | Rows, note: Note) -> Docs | Rows:
    """Rows of the first table whose field occurs in the second; of a list, one of its items."""
    one, two = name_in(step.field_one, first), name_in(step.field_two, second)
    have, wanted = first.table.get_column(one), second.table.get_column(two)
    blanks = have.null_count()
    if isinstance(wanted.dtype, pl.List):
        wanted = wanted.explode()
    if isinstance(have.dtype, pl.List):
        items = first.table.select(pl.int_range(pl.len()).alias(_PLACE), one).explode(one)
        places = items.filter(_among(items.get_column(one), wanted)).get_column(_PLACE)
        kept = first.table[places.unique().sort()]
    else:
        kept = first.table.filter(_among(have, wanted))
    note.drop(f"{bare_field(step.field_one)} is unknown", blanks)
    lost = first.height - kept.height - blanks
    note.drop(f"{bare_field(step.field_one)} is not among those", lost)
    return _with_table(first, kept)


_PLACE = "place"


def _among(have: pl.Series, wanted: pl.Series) -> pl.Series:
    """Which values occur among others: numbers as numbers, days as days, else as texts."""
    values = wanted.drop_nulls().unique()
    if have.dtype == values.dtype:
        return have.is_in(values.implode()).fill_null(False)
    kind = next((as_kind for fits, as_kind in _KINDS if fits(have) or fits(values)), _as_text)
    return kind(have).is_in(kind(values).drop_nulls().implode()).fill_null(False)


def _as_number(column: pl.Series) -> pl.Series:
    return column.cast(pl.Float64, strict=False)


def _as_day(column: pl.Series) -> pl.Series:
    if column.dtype == pl.String:
        return column.str.slice(0, _DAY_LENGTH).str.to_date("%Y-%m-%d", strict=False)
    return column.cast(pl.Date, strict=False)


def _as_text(column: pl.Series) -> pl.Series:
    return column.cast(pl.String)


_DAY_LENGTH = len("2024-01-31")
_KINDS: tuple[tuple[Callable[[pl.Series], bool], Callable[[pl.Series], pl.Series]], ...] = (
    (lambda column: column.dtype.is_temporal(), _as_day),
    (lambda column: column.dtype.is_numeric(), _as_number),
)


def unrolled(step: Unroll, docs: Docs, note: Note) -> Docs:
    """One line for each item of an array; documents without items are left out."""
    name = name_in(step.field, docs)
    table = docs.table
    if isinstance(table.schema[name], pl.List):
        items = pl.col(name).list.drop_nulls()
        table = table.with_columns(pl.when(items.list.len() > 0).then(items).alias(name))
    known = table.drop_nulls(name)
    note.drop(f"no {bare_field(name)}", table.height - known.height)
    if isinstance(table.schema[name], pl.List):
        known = known.explode(name)
    columns: Columns = columns_after(step, docs.columns)
    return replace(docs, table=known, columns=columns, unrolled=docs.unrolled | {name})


def _with_table(old: Docs | Rows, table: pl.DataFrame) -> Docs | Rows:
    if isinstance(old, Rows):
        return Rows(table, old.columns)
    return replace(old, table=table)
