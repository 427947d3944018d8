"""Sorting, choosing fields and expanding arrays: the same lines in another form."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from backend.plans.running.coverage import only_unit
from backend.plans.running.note import Note
from backend.plans.running.relations import LINEAGE, Cut, Docs, Ordered, Rows, Undecided, name_in
from backend.plans.running.undecided import blank_count, blank_rule
from backend.plans.tables.conditions import literal
from workbench.contract.plan_columns import Columns, columns_after
from workbench.contract.plan_nodes import Project, Sort, Unroll, bare_field


def ordered(step: Sort, table: Docs | Rows, note: Note) -> Ordered:
    """Sorts with unknown values last; ties follow the further keys, else the input order."""
    name = name_in(step.field, table)
    column = pl.col(name)
    if step.default_value is not None:
        column = column.fill_null(literal(step.default_value, table.columns.get(name, "string")))
    then = [name_in(key.field, table) for key in step.then]
    columns = [column, *map(pl.col, then)]
    down = [step.descending, *(key.descending for key in step.then)]

    def arrange(lines: pl.LazyFrame) -> pl.LazyFrame:
        return lines.sort(columns, descending=down, nulls_last=True, maintain_order=True)

    _note_units([name, *then], table, note)
    if isinstance(table, Docs) and step.default_value is None:
        table = replace(table, unplaced=table.unplaced + blank_count([name, *then], table))
    return Ordered(table, arrange, tuple(zip([name, *then], columns, strict=True)))


def _note_units(names: Sequence[str], table: Docs | Rows, note: Note) -> None:
    """Notes the units of the shown properties of documents that have only one."""
    for name in names if isinstance(table, Docs) else ():
        if (unit := only_unit(name, table.table)) is not None:
            note.units[bare_field(name)] = unit


def selected(step: Project, table: Docs | Rows, note: Note) -> Docs | Rows:
    names = list(dict.fromkeys(name_in(name, table) for name in step.fields))
    _note_units(names, table, note)
    columns: Columns = {name: kind for name, kind in table.columns.items() if name in names}
    if isinstance(table, Docs):
        return replace(table, columns=columns, only=tuple(names))
    return replace(table, table=table.table.select(*names, LINEAGE), columns=columns)


def unrolled(step: Unroll, docs: Docs, note: Note) -> Docs:
    """One line for each item of an array. Documents without items are left out."""
    name = name_in(step.field, docs)
    table = docs.table
    if isinstance(table.schema[name], pl.List):
        items = pl.col(name).list.drop_nulls()
        table = table.with_columns(pl.when(items.list.len() > 0).then(items).alias(name))
    known = table.drop_nulls(name)
    note.drop(f"no {bare_field(name)}", table.height - known.height)
    if isinstance(table.schema[name], pl.List):
        known = with_items(known, name, note)
    columns: Columns = columns_after(step, docs.columns)
    # Documents left out before, or for lack of items, could have any number of them.
    outside = [lines.without(name) for lines in docs.outside]
    if name not in docs.unrolled:
        blank = docs.table.select(blank_rule(name, docs)).to_series()
        if blank.any():
            outside.append(Undecided(docs.table.drop(name), blank))
    return replace(
        docs, table=known, columns=columns, unrolled=docs.unrolled | {name},
        outside=tuple(outside), endless=docs.endless or bool(outside),
        cut=docs.cut and Cut(docs.cut.changeable), passed=frozenset(), start=object(),
    )  # fmt: skip


def with_items(table: pl.DataFrame, name: str, note: Note) -> pl.DataFrame:
    """A row for each item of an array. Items are sorted as numbers if all are."""
    expanded = note.allowance.exploded(table, name)
    column = expanded.get_column(name)
    kind = _as_numbers(column)
    return expanded if kind is None else expanded.with_columns(column.cast(kind))


def _as_numbers(column: pl.Series) -> pl.Enum | None:
    """The type of texts that are sorted as the numbers they are; None for other texts."""
    texts = column.drop_nulls().unique().sort()
    numbers = texts.cast(pl.Float64, strict=False)
    if not numbers.is_finite().fill_null(False).all():
        return None
    return pl.Enum(texts.gather(numbers.arg_sort()))
