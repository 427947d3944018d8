"""The exact steps: filters, groups, numbers, orders. Each is a pure function of what flows in.

Every step tells in `Note` what it left out and why, so that a count can be trusted or questioned.
"""

import math
from dataclasses import dataclass, field, replace

import polars as pl

from backend.contract.plan_columns import Columns, columns_after
from backend.contract.plan_nodes import (
    Aggregate,
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
    NoFields,
    Project,
    Sort,
    TopK,
    Unroll,
    bare_field,
    canonical_field,
    row_field,
)
from backend.plans.running.relations import LINEAGE, Docs, Groups, Number, Rows
from backend.plans.tables.collection import ROW
from backend.plans.tables.conditions import all_of, expression, literal


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
    return row_field(name) if isinstance(table, Rows) else canonical_field(name)


def filtered(step: BasicFilter, table: Docs | Rows, note: Note) -> Docs | Rows:
    on_rows = isinstance(table, Rows)
    test = expression(step, step.field, dict(table.columns), on_rows=on_rows)
    kept = table.table.filter(test)
    lost = table.height - kept.height
    column = name_in(step.field, table)
    unknown = 0
    if lost and not step.negate and step.exists is None and column in table.table.columns:
        unknown = min(lost, table.table.get_column(column).null_count())
    note.drop(f"{bare_field(step.field)} is unknown", unknown)
    note.drop(f"{bare_field(step.field)} does not fit", lost - unknown)
    return _with_table(table, kept)


def grouped(step: GroupBy, docs: Docs, note: Note) -> Groups:
    fields = [canonical_field(name) for name in step.keys]
    table = docs.table
    for name in fields:
        if isinstance(table.schema[name], pl.List):
            table = table.explode(name)
    names = [row_field(name) for name in fields] if len(fields) > 1 else ["properties.key"]
    keys = [
        bucketed(pl.col(name), step.bucket if name == fields[0] else None).alias(key)
        for name, key in zip(fields, names, strict=True)
    ]
    table = table.with_columns(keys)
    kept = _known(table, names)
    note.drop(f"no {' or '.join(map(bare_field, fields))}", table.height - kept.height)
    columns = columns_after(step, docs.columns, False)
    return Groups(replace(docs, table=kept, columns=columns), names)


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


def gathered(step: Fields, groups: Groups, note: Note) -> Rows:
    """One row for each group: its key, and counts, lists or aggregates."""
    match step:
        case Aggregate():
            for item in step.aggregations:
                _tell_unknown(item, groups.docs, note)
            made = [_measure(item, groups.docs) for item in step.aggregations]
        case NoFields():
            made = [pl.len().cast(pl.Int64).alias("properties.count")]
        case _:
            raise TypeError(type(step).__name__)
    return _rows(step, groups, made)


def collected(step: Fields, groups: Groups) -> Rows:
    """One row for each group: its key and the documents in it."""
    rows = _rows(step, groups, [pl.len().cast(pl.Int64).alias("properties.count")])
    ids = groups.docs.identity.get_column("doc_id")
    held = [ids.gather(places) for places in rows.table.get_column(LINEAGE)]
    values = pl.Series("properties.values", held, dtype=pl.List(pl.String))
    return replace(rows, table=rows.table.insert_column(-1, values))


def _rows(step: Fields, groups: Groups, made: list[pl.Expr]) -> Rows:
    table = groups.docs.table.group_by(groups.keys).agg(*made, pl.col(ROW).alias(LINEAGE))
    table = table.sort(groups.keys, nulls_last=True)
    if len(groups.keys) > 1:
        parts = [pl.col(key).cast(pl.String) for key in groups.keys]
        table = table.with_columns(pl.concat_list(parts).alias("properties.key"))
    columns = columns_after(step, groups.docs.columns, True)
    order = ["properties.key", *(c for c in table.columns if c not in ("properties.key", LINEAGE))]
    return Rows(table.select(*order, LINEAGE), columns)


def aggregated(step: Aggregate, docs: Docs, note: Note) -> Number | Rows:
    """Numbers over all documents: one number, or one row of several."""
    for item in step.aggregations:
        _tell_unknown(item, docs, note)
    line = docs.table.select(*(_measure(item, docs) for item in step.aggregations))
    lineage = docs.lineage()
    if len(step.aggregations) == 1 and not isinstance(line.item(0, 0), str):
        value = line.item(0, 0)
        if hasattr(value, "isoformat"):
            return _dated(step, line, lineage)
        return Number(_tidy(value), lineage)
    return _dated(step, line, lineage)


def _dated(step: Aggregate, line: pl.DataFrame, lineage: pl.Series) -> Rows:
    table = line.with_columns(pl.Series(LINEAGE, [lineage.to_list()], dtype=pl.List(pl.UInt32)))
    return Rows(table, columns_after(step, {}, False))


def _measure(item: Aggregation, docs: Docs) -> pl.Expr:
    name = row_field(item.column)
    tests = [expression(test, test.field, dict(docs.columns)) for test in item.where]
    passes = all_of(tests) if tests else None
    if item.func == "share":
        whole = pl.len() / max(1, docs.height)
        return (whole if passes is None else passes.mean()).alias(name)
    if item.func == "count" and item.field is None:
        number = pl.len() if passes is None else passes.sum()
        return number.cast(pl.Int64).alias(name)
    column = pl.col(canonical_field(item.field or ""))
    column = column if passes is None else column.filter(passes)
    match item.func:
        case "count":
            made = column.count().cast(pl.Int64)
        case "distinct":
            if docs.columns.get(canonical_field(item.field or "")) == "array":
                column = column.explode()
            made = column.drop_nulls().n_unique().cast(pl.Int64)
        case "avg":
            made = column.mean()
        case "median":
            made = column.median()
        case "sum":
            # The sum of nothing is unknown rather than 0: no document said anything about it.
            made = pl.when(column.count() > 0).then(column.sum())
        case "min":
            made = column.min()
        case "max":
            made = column.max()
    return made.alias(name)


def _tell_unknown(item: Aggregation, docs: Docs, note: Note) -> None:
    if item.field is None:
        return
    unknown = docs.table.get_column(canonical_field(item.field)).null_count()
    if unknown:
        plural = "document has" if unknown == 1 else "documents have"
        note.warnings.append(
            f"{unknown} {plural} no {bare_field(item.field)} and did not count for {item.func}"
        )


def _tidy(value: object) -> float | int | None:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value if isinstance(value, int) else float(str(value))


def top(step: TopK, docs: Docs, note: Note) -> Rows:
    """The K groups with most (or fewest) documents; equal counts by key."""
    groups = grouped(GroupBy(field=step.field), docs, note)
    if step.primary_field:
        primary = pl.col(canonical_field(step.primary_field))
        count = primary.drop_nulls().n_unique().cast(pl.Int64)
    else:
        count = pl.len().cast(pl.Int64)
    rows = _rows(NoFields(), groups, [count.alias("properties.count")])
    table = rows.table.sort("properties.count", descending=step.descending, maintain_order=True)
    kept = table if step.K is None else table.head(step.K)
    note.drop("beyond the limit", table.height - kept.height)
    return Rows(kept, columns_after(step, docs.columns, False))


def counted(step: Count, table: Docs | Rows, note: Note) -> Number:
    if step.distinct_field is None:
        return Number(table.height, table.lineage())
    column = table.table.get_column(name_in(step.distinct_field, table))
    note.drop(f"no {bare_field(step.distinct_field)}", column.null_count())
    if isinstance(column.dtype, pl.List):
        column = column.explode()
    return Number(column.drop_nulls().n_unique(), table.lineage())


def calculated(step: Math, left: Number, right: Number, note: Note) -> Number:
    lineage = pl.concat([left.documents, right.documents]).unique(maintain_order=True)
    if left.value is None or right.value is None:
        note.warnings.append("one of the two numbers is unknown, so the answer is too")
        return Number(None, lineage)
    a, b = left.value, right.value
    match step.operation:
        case "add":
            value = a + b
        case "subtract":
            value = a - b
        case "multiply":
            value = a * b
        case "divide":
            if b == 0:
                note.warnings.append("nothing can be divided by zero: the answer is unknown")
                return Number(None, lineage)
            value = a / b
    return Number(value, lineage)


def ordered(step: Sort, table: Docs | Rows) -> Docs | Rows:
    """Unknown values last, equal ones in the order they came in."""
    column = pl.col(name_in(step.field, table))
    if step.default_value is not None:
        name = name_in(step.field, table)
        column = column.fill_null(literal(step.default_value, table.columns.get(name, "string")))
    return _with_table(
        table,
        table.table.sort(column, descending=step.descending, nulls_last=True, maintain_order=True),
    )


def limited(step: Limit, table: Docs | Rows, note: Note) -> Docs | Rows:
    if not step.per:
        note.drop("beyond the limit", table.height - step.num_records)
        return _with_table(table, table.table.head(step.num_records))
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
    return Rows(made.sort("properties.key"), columns_after(step, table.columns, False))


def selected(step: Project, table: Docs | Rows) -> Docs | Rows:
    names = list(dict.fromkeys(name_in(name, table) for name in step.fields))
    columns: Columns = {name: kind for name, kind in table.columns.items() if name in names}
    if isinstance(table, Docs):
        return replace(table, columns=columns, only=tuple(names))
    return Rows(table.table.select(*names, LINEAGE), columns)


def joined(step: FieldIn, first: Docs | Rows, second: Docs | Rows, note: Note) -> Docs | Rows:
    """Rows of the first table whose field occurs in the second; of a list, one of its items."""
    one, two = name_in(step.field_one, first), name_in(step.field_two, second)
    wanted = second.table.get_column(two)
    wanted = (wanted.explode() if isinstance(wanted.dtype, pl.List) else wanted).drop_nulls()
    have = first.table.schema[one]
    if isinstance(have, pl.List):
        inside = pl.element().cast(pl.String).is_in(wanted.cast(pl.String).implode())
        test = pl.col(one).list.eval(inside).list.any()
    elif have != wanted.dtype:
        test = pl.col(one).cast(pl.String).is_in(wanted.cast(pl.String).implode())
    else:
        test = pl.col(one).is_in(wanted.implode())
    kept = first.table.filter(test)
    note.drop(f"{bare_field(step.field_one)} is not among those", first.height - kept.height)
    return _with_table(first, kept)


def unrolled(step: Unroll, docs: Docs) -> Docs:
    name = canonical_field(step.field)
    if not isinstance(docs.table.schema[name], pl.List):
        return docs
    table = docs.table.explode(name)
    return replace(docs, table=table, columns={**docs.columns, name: "string"})


def _with_table(old: Docs | Rows, table: pl.DataFrame) -> Docs | Rows:
    if isinstance(old, Rows):
        return Rows(table, old.columns)
    return replace(old, table=table)
