"""How many documents each step could use, and how far the others could move the answer.

A document with an unknown value may belong to the answer or not. A filter keeps those it had to
leave out for that reason as `outside`, and marks those it accepted despite an unknown value as
`UNSURE`; later filters narrow both. The documents that remain at the end are those that the answer
could gain or lose.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from backend.plans.running.relations import (
    UNSURE,
    Docs,
    Groups,
    Ordered,
    Relation,
    Rows,
    Undecided,
    name_in,
)
from backend.plans.tables.collection import ROW
from backend.plans.tables.conditions import all_of, any_of, compared_fields, expression, tested
from backend.plans.tables.mixed_units import parted_units
from backend.plans.tables.trust import decided_none
from workbench.contract.coverage import CERTAIN, Bounds, Coverage, LeftOut, field_words
from workbench.contract.derived_fields import sources_of
from workbench.contract.plan_columns import confidence_field, doubted_field, sized_field, unit_field
from workbench.contract.plan_nodes import (
    TEXT,
    Aggregate,
    BasicFilter,
    Condition,
    Count,
    Distinct,
    FieldIn,
    Fields,
    GroupBy,
    Limit,
    Project,
    Sort,
    TopK,
    Unroll,
    asks,
    bare_field,
    canonical_field,
)

_SHOWN = 5
"""Doubtful values that one item of coverage lists."""
_BEGINNING = 200


def coverage_of(node_id: int, step: Fields, inputs: Sequence[Relation]) -> list[Coverage]:
    """What a step could use of its input documents; empty for steps over small tables."""
    items: list[Coverage] = []
    for place, relation in enumerate(inputs):
        docs = _documents(relation)
        if docs is None:
            continue
        columns_read = list(_columns_read(step, place, docs))
        for name, among in {
            (name, _key(among)): (name, among) for name, among in columns_read
        }.values():
            asks_known = _asks_known(step, name, docs)
            several = bool(docs.unrolled) or (
                isinstance(relation, Groups) and relation.documents < docs.height
            )
            item = _covered(node_id, name, docs, among, asks_known, several)
            if item is not None:
                items.append(item)
    return items


def _documents(relation: Relation) -> Docs | None:
    match relation:
        case Docs():
            return relation
        case Groups(docs=docs):
            return docs
        case Ordered(source=Docs() as docs):
            return docs
    return None


def _key(among: pl.Expr | None) -> str:
    return "" if among is None else str(among)


def _columns_read(step: Fields, place: int, docs: Docs) -> Iterator[tuple[str, pl.Expr | None]]:
    """The columns that a step reads, each with the documents it reads them of; None for all."""
    for name, among in _fields_of(step, place, docs):
        if canonical_field(name) in (TEXT, "doc_id", "properties.path"):
            continue
        column = name_in(name, docs)
        sources = sources_of(column)
        for source in sources if set(sources) <= docs.columns.keys() else (column,):
            yield source, among


def _fields_of(step: Fields, place: int, docs: Docs) -> Iterator[tuple[str, pl.Expr | None]]:
    match step:
        case BasicFilter():
            for test in _tests(step):
                for name in _fields_tested(test, step):
                    yield name, None
        case GroupBy():
            for name in step.keys:
                yield name, None
        case Aggregate():
            for item in step.aggregations:
                for test in item.where:
                    for name in _fields_tested(test, test):
                        yield name, None
                if item.field is not None:
                    where = [] if item.func == "share" else item.where
                    tests = [expression(t, t.field, docs.columns) for t in where]
                    yield item.field, all_of(tests) if tests else None
        case Count(distinct_field=str() as name):
            yield name, None
        case Sort():
            for name in [step.field, *(key.field for key in step.then)]:
                yield name, None
        case Distinct() | Unroll():
            yield step.field, None
        case TopK():
            for name in [step.field, *([step.primary_field] if step.primary_field else [])]:
                yield name, None
        case Limit():
            for name in step.per or []:
                yield name, None
        case Project():
            for name in step.fields:
                yield name, None
        case FieldIn():
            yield (step.field_two if place else step.field_one), None


def _tests(step: BasicFilter) -> list[Condition]:
    """The tests of a filter: its own, if it has one, and its alternatives."""
    own = step.model_copy(update={"any_of": None})
    return [*([own] if asks(own) else []), *(step.any_of or [])]


def _fields_tested(test: Condition, step: BasicFilter) -> list[str]:
    """The fields that one test of a filter reads."""
    return [test.field or step.field, *compared_fields(test)]


def _asks_known(step: Fields, name: str, docs: Docs) -> bool:
    """Whether a filter only tests whether a value is known, so that none counts as missing."""
    if not isinstance(step, BasicFilter):
        return False
    of_field = [
        test
        for test in _tests(step)
        if name in {name_in(field, docs) for field in _fields_tested(test, step)}
    ]
    return bool(of_field) and all(test.exists is not None for test in of_field)


def _covered(
    node_id: int, name: str, docs: Docs, among: pl.Expr | None, asks_known: bool, several: bool
) -> Coverage | None:
    """`several` means that a document may have several lines, of which one counts. The number of
    values of an array is as doubtful as the array.
    """
    table, stored = docs.table, sized_field(name, docs.columns) or name
    if name not in table.columns:
        return None
    doubted = doubted_field(stored)
    if among is not None and (table.get_column(name).null_count() or doubted in table.columns):
        table = table.filter(among)
    if several:
        table = table.unique(ROW, maintain_order=True)
    missing = _blanks(table.get_column(name))
    doubtful = 0
    if doubted in table.columns:
        doubtful = table.height - table.get_column(doubted).null_count()
    missing -= doubtful
    # Whether a value is known is certain for every document; a doubtful one was merely not read.
    used = table.height - doubtful if asks_known else table.height - missing - doubtful
    uncertain = 0
    if confidence_field(stored) in table.columns:
        sure = table.get_column(confidence_field(stored))
        uncertain = max(0, int((sure < CERTAIN).sum()) - doubtful)
    item = Coverage(
        node_id=node_id, field=bare_field(stored), documents=table.height, missing=missing,
        doubtful=doubtful, used=used, uncertain=uncertain,
    )  # fmt: skip
    if doubtful:
        item.left_out.extend(_left_out(table, stored, docs))
    return item


def _blanks(column: pl.Series) -> int:
    if isinstance(column.dtype, pl.List):
        return int((column.list.drop_nulls().list.len().fill_null(0) == 0).sum())
    return column.null_count()


def _left_out(table: pl.DataFrame, name: str, docs: Docs) -> Iterator[LeftOut]:
    """The first of the doubtful values."""
    values = table.get_column(doubted_field(name))
    sure, rows = table.get_column(confidence_field(name)), table.get_column(ROW)
    ids = docs.identity.get_column("doc_id")
    for place in _first_known(values):
        value = values[place]
        if isinstance(value, pl.Series):
            value = value.to_list()  # a list is a column of its own
        shown = value.isoformat() if hasattr(value, "isoformat") else value
        yield LeftOut(doc_id=ids[rows[place]], value=shown, confidence=round(sure[place], 3))


def _first_known(column: pl.Series) -> list[int]:
    """Positions of the first known values; the beginning is usually enough, and cheaper."""
    beginning = column.head(_BEGINNING)
    known = [place for place, value in enumerate(beginning.to_list()) if value is not None]
    if len(known) < _SHOWN < column.len():
        known = column.is_not_null().arg_true().head(_SHOWN).to_list()
    return known[:_SHOWN]


def unit_remarks(step: Fields, inputs: Sequence[Relation]) -> list[str]:
    """Warnings about values that a step compares although they are in several units."""
    names: list[str] = []
    match step:
        case BasicFilter(range_filter=True) if compared_fields(step):
            return _units_beside(step, inputs)
        case BasicFilter(range_filter=True) | Sort():
            names = [step.field]
    remarks = []
    for docs in filter(None, map(_documents, inputs)):
        for name in (name_in(field, docs) for field in names):
            units = _units(name, docs)
            if len(units) > 1:
                listed = f"{', '.join(units[:-1])} and {units[-1]}"
                remarks.append(f"{field_words(name)} is in {listed}, compared as plain numbers")
    return remarks


def _units_beside(step: BasicFilter, inputs: Sequence[Relation]) -> list[str]:
    """Warnings about two fields that are compared although their units differ somewhere."""
    remarks = []
    for docs in filter(None, map(_documents, inputs)):
        own = unit_field(name_in(step.field, docs))
        for field in compared_fields(step):
            other = unit_field(name_in(field, docs))
            if own in docs.table.columns and other in docs.table.columns:
                count = int(docs.table.select((pl.col(own) != pl.col(other)).sum()).item() or 0)
                if count:
                    several = "1 document" if count == 1 else f"{count:,} documents"
                    remarks.append(
                        f"{several} with {field_words(step.field)} and {field_words(field)} in"
                        " different units, compared as plain numbers"
                    )
    return remarks


def only_unit(name: str, table: pl.DataFrame) -> str | None:
    """The unit of a field, where most of its values have one and all the same."""
    unit = unit_field(name)
    if unit not in table.columns:
        return None
    read = table.select(name, unit).drop_nulls(name).get_column(unit)
    units = parted_units(read)[0] if 2 * read.null_count() < len(read) else []
    return units[0] if len(units) == 1 else None


def _units(name: str, docs: Docs) -> list[str]:
    """The distinct units of a field's values."""
    unit = unit_field(name)
    if unit not in docs.table.columns or docs.table.get_column(unit).null_count() == docs.height:
        return []
    of_known = pl.col(unit).filter(pl.col(name).is_not_null())
    return parted_units(docs.table.select(of_known).to_series())[0]


def filtered_beside(
    step: BasicFilter, docs: Docs, passing: pl.Series, blank: "Blank | None"
) -> Docs:
    """The documents that pass a filter, with those it could not decide kept as `outside`. `blank`
    marks those without a value for the filter to test.
    """
    kept = docs.table.filter(passing)
    outside = _possibly_inside(step, docs, blank) if docs.outside else ()
    if blank is not None:
        undecided = blank.lines & (passing if step.negate else ~passing)
        if step.negate and undecided.any():
            marks = undecided.filter(passing)
            if UNSURE in kept.columns:
                marks |= kept.get_column(UNSURE)
            kept = kept.with_columns(marks.alias(UNSURE))
        elif undecided.any():
            outside = (*outside, Undecided(docs.table, undecided))
    return replace(docs, table=kept, outside=outside)


def _possibly_inside(step: BasicFilter, docs: Docs, blank: "Blank | None") -> tuple[Undecided, ...]:
    """The documents left out earlier that this filter does not rule out."""
    passes = expression(step, step.field, docs.columns)
    possible = passes if blank is None or step.negate else passes | blank.rule
    names = {name_in(f, docs) for test in _tests(step) for f in _fields_tested(test, step)}
    return tuple(
        # A column that a step in between added is unknown for documents that never reached it.
        lines.also(possible) if names <= set(lines.table.columns) else lines
        for lines in docs.outside
    )


@dataclass(frozen=True)
class Blank:
    """The lines without a value for a filter to test: the rule, and its result for each line."""

    rule: pl.Expr
    lines: pl.Series


def blank_of(step: BasicFilter, lines: Docs | Rows) -> Blank | None:
    """The lines without a value for a filter to test; None if all have one."""
    blanks: list[pl.Expr] = []
    for test in _tests(step):
        for name in (name_in(field, lines) for field in _fields_tested(test, step)):
            column = lines.table.get_column(name)
            if test.exists is not None:
                if doubted_field(name) in lines.table.columns:
                    blanks.append(pl.col(doubted_field(name)).is_not_null())
            elif test.is_date and column.dtype == pl.String:
                # text that is not a date counts as missing
                blanks.append(tested(test, pl.col(name), "string")[0].is_null())
            elif isinstance(column.dtype, pl.List):
                blanks.append(_open(name, pl.col(name).list.len().fill_null(0) == 0, lines))
            elif column.null_count():
                blanks.append(_open(name, pl.col(name).is_null(), lines))
    if not blanks:
        return None
    rule = any_of(blanks)
    return Blank(rule, lines.table.select(rule).to_series())


def _open(name: str, blank: pl.Expr, lines: Docs | Rows) -> pl.Expr:
    """Where a value is missing and nobody decided that there is none."""
    decided = _decided(name, lines) if isinstance(lines, Docs) else None
    return blank if decided is None else blank & ~decided


def _decided(name: str, docs: Docs) -> pl.Expr | None:
    """Where a person decided that a field, or one it is computed from, has no value."""
    column = sized_field(name, docs.columns) or name
    rules = [
        decided_none(source)
        for source in sources_of(column)
        if {source, confidence_field(source)} <= set(docs.table.columns)
    ]
    return any_of(rules) if rules else None


def decided_lines(names: Sequence[str], docs: Docs) -> int:
    """How many lines have no value of one of the fields because a person decided so; these cannot
    change an answer.
    """
    rules = [rule for name in names if (rule := _decided(name, docs)) is not None]
    return int(docs.table.select(any_of(rules).sum()).item() or 0) if rules else 0


def unsettled(docs: Docs) -> tuple[int, int]:
    """How many documents the answer could lose, and how many it could gain."""
    lost = int(docs.table.get_column(UNSURE).sum()) if UNSURE in docs.table.columns else 0
    gained = sum(lines.count() for lines in docs.outside)
    return lost, gained


def bounds_of_count(docs: Docs) -> Bounds:
    """How far the number of documents could move."""
    lost, gained = unsettled(docs)
    height = docs.height
    return Bounds(
        changeable=lost + gained, documents=height + gained, low=height - lost, high=height + gained
    )


def bounds_of_list(docs: Docs) -> Bounds:
    """How many documents could enter or leave a list, or change places at its beginning."""
    lost, gained = unsettled(docs)
    pool = docs.height if docs.pool is None else docs.pool
    return Bounds(changeable=lost + gained + docs.unplaced, documents=pool + gained)


def bounds_of(relation: Relation) -> Bounds | None:
    """How far an answer could move; None when every document was decided."""
    match relation:
        case Docs():
            bounds: Bounds | None = bounds_of_list(relation)
        case Groups(docs=docs):
            bounds = bounds_of_list(docs)
        case Ordered(source=Docs() as docs):
            bounds = bounds_of_list(docs)
        case Ordered(source=source):
            bounds = bounds_of(source)
        case _:
            bounds = relation.bounds
    return bounds if bounds is not None and bounds.changeable else None


def without_value(name: str, docs: Docs, among: pl.Expr | None = None) -> int:
    """How many of the documents that pass `among` may have a value of a column, but none usable."""
    column = docs.table.get_column(name)
    if not isinstance(column.dtype, pl.List) and not column.null_count():
        return 0
    table = docs.table if among is None else docs.table.filter(among)
    if docs.unrolled:
        table = table.unique(ROW)
    return _blanks(table.get_column(name)) - decided_lines([name], replace(docs, table=table))
