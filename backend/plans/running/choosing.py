"""Selects rows: by a condition, by position, by membership in another result."""

from collections.abc import Callable
from functools import partial

import polars as pl

from backend.plans.running.note import Note
from backend.plans.running.relations import Docs, Ordered, Rows, name_in, with_lines
from backend.plans.running.undecided import (
    filtered_beside,
    filtered_rows,
    joined_beside,
    limited_beside,
    limited_rows,
    open_of,
)
from backend.plans.tables.conditions import all_of, compared_fields, expression
from workbench.contract.coverage import field_words
from workbench.contract.derived_fields import plain_name
from workbench.contract.plan_nodes import BasicFilter, FieldIn, Limit, asks, bare_field


def filtered(step: BasicFilter, table: Docs | Rows, note: Note) -> Docs | Rows:
    passes = expression(step, step.field, table.columns, on_rows=isinstance(table, Rows))
    passing = _passing(step, passes, table.table)
    lost = table.height - int(passing.sum())
    undecided = open_of(step, table)
    blanks = 0
    if undecided is not None and lost:
        blanks = int((undecided.lines & ~passing).sum())
    tests = [step] if asks(step) else step.any_of or []
    fields = [f for test in tests for f in (test.field or step.field, *compared_fields(test))]
    name = " or ".join(dict.fromkeys(map(plain_name, fields)))
    note.drop(f"{name} is unknown", blanks)
    note.drop(f"{name} does not match", lost - blanks)
    if isinstance(table, Docs):
        return filtered_beside(step, table, passing, undecided)
    return filtered_rows(table, table.table.filter(passing))


_PASSES = "passes"
_SHARED = 100_000
"""From this many rows on, a condition on a text property is evaluated on its distinct values, if
they are few: comparing text in lower case takes far longer than looking up the rows with those
values.
"""
_SAMPLE = 2_000


def _passing(step: BasicFilter, passes: pl.Expr, table: pl.DataFrame) -> pl.Series:
    """Which rows pass."""
    names = set(passes.meta.root_names())
    column = table.get_column(names.pop()) if len(names) == 1 else None
    if column is None or step.start_at or step.end_at or not _has_few_texts(column):
        return table.with_columns(passes.alias(_PASSES)).get_column(_PASSES)
    values = column.unique().to_frame()
    return column.is_in(values.filter(passes).to_series().implode(), nulls_equal=True)


def _has_few_texts(column: pl.Series) -> bool:
    if column.dtype != pl.String or len(column) < _SHARED:
        return False
    some = column.gather_every(max(1, len(column) // _SAMPLE))
    return some.n_unique() < len(some) // 4


def limited(step: Limit, table: Docs | Rows | Ordered, note: Note) -> Docs | Rows:
    if not step.per:
        if isinstance(table, Ordered):
            return _first_in_order(step, table, note)
        kept = table.table.slice(step.skip, step.num_records)
        note.drop("beyond the limit", table.height - kept.height)
        return _cut(step, table, kept)
    table = table.whole if isinstance(table, Ordered) else table
    keys = [name_in(name, table) for name in step.per]
    known = table.table.drop_nulls(keys)
    note.drop(f"no {' or '.join(map(bare_field, keys))}", table.height - known.height)
    rank = pl.int_range(pl.len()).over(keys)
    kept = known.filter(rank >= step.skip, rank < step.skip + step.num_records)
    note.drop("beyond the limit", known.height - kept.height)
    return _cut(step, table, kept)


def _first_in_order(step: Limit, order: Ordered, note: Note) -> Docs | Rows:
    """The first lines of an order, or those behind the first `skip`. Lines that tie with the last
    one are kept `with_ties` and reported otherwise, because their order is arbitrary; so are ties
    between what is passed over and what is kept.
    """
    kept = order.first(step.skip + step.num_records)
    tied = _tied(kept, order) if 0 < kept.height < order.height else 0
    if step.with_ties and tied:
        kept = order.first(kept.height + tied)
    elif tied:
        names = " and ".join(field_words(name) for name, _ in order.by)
        more = "1 more has" if tied == 1 else f"{tied:,} more have"
        note.warnings.append(f"{more} the same {names} as the last one shown")
    if 0 < step.skip < kept.height and _tied(with_lines(kept, kept.table.head(step.skip)), order):
        names = " and ".join(field_words(name) for name, _ in order.by)
        note.warnings.append(f"the one before the first shown has the same {names}")
    shown = kept.table.slice(step.skip)
    note.drop("beyond the limit", order.height - shown.height)
    return _cut(step, order.source, shown)


def _tied(kept: Docs | Rows, order: Ordered) -> int:
    """How many further rows tie with the last one, if its sort values are known."""
    columns = [column for _, column in order.by]
    last = kept.table.tail(1).select(c.alias(str(i)) for i, c in enumerate(columns)).row(0)
    if None in last:
        return 0
    same = all_of([column == value for column, value in zip(columns, last, strict=True)])
    behind = order.source.table.filter(same).height
    return behind - kept.table.filter(same).height


def _cut(step: Limit, table: Docs | Rows, kept: pl.DataFrame) -> Docs | Rows:
    if isinstance(table, Docs):
        return limited_beside(step, table, kept)
    return limited_rows(step, table, kept)


def joined(step: FieldIn, first: Docs | Rows, second: Docs | Rows, note: Note) -> Docs | Rows:
    """Rows of the first table whose field occurs in the second; for a list, any of its items."""
    one, two = name_in(step.field_one, first), name_in(step.field_two, second)
    blanks = first.table.get_column(one).null_count()
    kept = joined_beside(first, one, second, two, partial(_having_one_of, one))
    note.drop(f"{bare_field(step.field_one)} is unknown", blanks)
    lost = first.height - kept.height - blanks
    note.drop(f"{bare_field(step.field_one)} is not among those", lost)
    return kept


def _having_one_of(name: str, table: pl.DataFrame, wanted: pl.Series) -> pl.Series:
    """Which lines have one of these values, or a list with one of them."""
    have = table.get_column(name)
    if isinstance(wanted.dtype, pl.List):
        wanted = wanted.explode()
    if not isinstance(have.dtype, pl.List):
        return _among(have, wanted)
    items = table.select(pl.int_range(pl.len()).alias(_PLACE), name).explode(name)
    places = items.filter(_among(items.get_column(name), wanted)).get_column(_PLACE)
    lines = pl.Series(range(table.height), dtype=places.dtype)
    return lines.is_in(places.unique().implode())


_PLACE = "place"


def _among(have: pl.Series, wanted: pl.Series) -> pl.Series:
    """Which values occur among others, compared as numbers, as days or else as texts."""
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
