"""Groups of documents by their values, and the rows that represent them."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from backend.plans.running.arranging import with_items
from backend.plans.running.bounds import (
    bounds_of_measures,
    bounds_of_row_count,
    distinct_bounds,
    with_row_range,
)
from backend.plans.running.measuring import (
    UNIT,
    entered,
    having,
    measures,
    split_unit,
)
from backend.plans.running.note import Note
from backend.plans.running.relations import (
    LINEAGE,
    Docs,
    Groups,
    OnDemand,
    Rows,
    by_keys,
    ids_behind,
    lines_behind,
    lists_by_key,
    name_in,
)
from backend.plans.running.undecided import blank_count, limited_rows, unsettled
from workbench.contract.plan_columns import columns_after, key_columns
from workbench.contract.plan_nodes import (
    Aggregate,
    AggregateCollect,
    AggregateCount,
    Bucket,
    Distinct,
    Fields,
    GroupBy,
    Limit,
    TopK,
    bare_field,
)


def grouped(step: GroupBy, docs: Docs, note: Note) -> Groups:
    """A document joins the group of each distinct item of an array."""
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
    expanded = known
    for name, is_list in zip(names, lists, strict=True):
        expanded = with_items(expanded, name, note) if is_list else expanded
    note.allowance.check_keys(expanded.get_column(name) for name in names)
    columns = columns_after(step, docs.columns)
    open_keys = blank_count(fields, docs)
    # A document that has or gets a list as key may be in any number of groups.
    endless = docs.endless or (any(lists) and bool(open_keys or unsettled(docs)[1]))
    kept = replace(docs, table=expanded, columns=columns, unplaced=open_keys, endless=endless)
    return Groups(kept, names, known.height)


def _buckets(step: GroupBy, fields: list[str]) -> list[Bucket | None]:
    """Only the first key is put into periods."""
    return [step.bucket, *[None] * (len(fields) - 1)]


def _items(column: pl.Expr) -> pl.Expr:
    """The distinct items of an array; null where there are none."""
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
    """One row for each group: its key, and its number of documents or its measures."""
    if isinstance(step, AggregateCount):
        return _rows(step, groups, [_COUNT])
    unit = split_unit(step, groups.docs, note)
    made = measures(step, groups.docs, groups.documents, note)
    return _rows(step, groups, made, entered(step, groups.docs), unit)


def collected(step: AggregateCollect, groups: Groups) -> Rows:
    """One row for each group: its key and the documents in it."""
    rows = _rows(step, groups, [_COUNT])
    ids = groups.docs.identity.get_column("doc_id")
    values = ids_behind(rows.lists(), ids).alias("properties.values")
    return replace(rows, table=rows.table.insert_column(-1, values))


_COUNT = pl.len().cast(pl.Int64).alias("properties.count")


def _rows(
    step: Fields,
    groups: Groups,
    made: list[pl.Expr],
    entering: pl.Expr | None = None,
    unit: pl.Expr | None = None,
) -> Rows:
    """One row for each group or unit of it, with the documents in `entering` (None: all) behind."""
    keys: list[str | pl.Expr] = [*groups.keys]
    if unit is not None:
        keys.append(unit.alias(UNIT))
    table = by_keys(groups.docs.table, keys, made).with_row_index(LINEAGE)
    if unit is None:
        groups.formed(table.height)
    behind = OnDemand(lambda: lines_behind(groups.docs.table, keys, entering))
    return _keyed(step, groups, table, behind)


def _keyed(step: Fields, groups: Groups, table: pl.DataFrame, behind: OnDemand) -> Rows:
    """The rows in their final form: the key first, which joins several keys."""
    keys = groups.keys
    if len(keys) > 1:
        parts = [_as_on_wire(pl.col(key), table.schema[key]) for key in keys]
        table = table.with_columns(pl.concat_list(parts).alias("properties.key"))
        keys = ["properties.key", *keys]
    columns = columns_after(step, groups.docs.columns, keys)
    if UNIT in table.columns:
        columns = {**columns, UNIT: "string"}
    order = ["properties.key", *(c for c in table.columns if c not in ("properties.key", LINEAGE))]
    bounds = bounds_of_measures(step, groups.docs, groups.docs.unplaced)
    if UNIT not in table.columns:
        bounds = with_row_range(bounds, groups.docs, groups.keys, table.height)
    return Rows(table.select(*order, LINEAGE), columns, behind, bounds)


def _as_on_wire(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """The values as texts in their wire form."""
    if isinstance(dtype, pl.Datetime):
        return column.dt.strftime("%Y-%m-%dT%H:%M:%S%.f")
    return column.cast(pl.String)


def top(step: TopK, docs: Docs, note: Note) -> Rows:
    """The K groups with the most (or fewest) documents; ties by key."""
    groups = grouped(GroupBy(field=step.field), docs, note)
    count, entering = _COUNT, None
    if step.primary_field:
        primary = name_in(step.primary_field, docs)
        entering = having(primary, docs.table)
        values = pl.col(primary)
        if isinstance(docs.table.schema[primary], pl.List):
            values = values.explode()
        count = values.drop_nulls().n_unique().cast(pl.Int64).alias("properties.count")
    rows = _rows(AggregateCount(), groups, [count], entering)
    table = rows.table.sort("properties.count", descending=step.descending, maintain_order=True)
    kept = table if step.K is None else table.head(step.K)
    note.drop("beyond the limit", table.height - kept.height)
    rows = replace(rows, table=table)
    return rows if step.K is None else limited_rows(Limit(num_records=step.K), rows, kept)


def distinct(step: Distinct, table: Docs | Rows, note: Note) -> Rows:
    name = name_in(step.field, table)
    source = table.table
    if isinstance(source.schema[name], pl.List):
        source = with_items(source, name, note)
    known = source.drop_nulls(name)
    note.drop(f"no {bare_field(step.field)}", source.height - known.height)
    note.allowance.check_keys([known.get_column(name)])
    keys = [pl.col(name).alias("properties.key")]
    made = by_keys(known, keys, []).with_row_index(LINEAGE)
    order = made.select("properties.key", LINEAGE)
    if isinstance(table, Docs):
        behind = OnDemand(lambda: lines_behind(known, keys))
        bounds = distinct_bounds(name, table)
    else:
        behind = OnDemand(lambda: _behind_rows(replace(table, table=known), keys))
        bounds = bounds_of_row_count(table, made.height, values=True)
    return Rows(order, columns_after(step, table.columns), behind, bounds)


def _behind_rows(rows: Rows, keys: Sequence[pl.Expr]) -> pl.Series:
    """The row numbers of the documents behind the rows of each key."""
    lists = rows.table.with_columns(rows.lists().alias(LINEAGE))
    places = pl.col(LINEAGE).explode(empty_as_null=False)
    return lists_by_key(lists, keys, places)
