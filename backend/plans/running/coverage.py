"""How many documents each step could use, and how far the others could move the answer.

A document with an unknown value may belong to the answer or not. A filter keeps those it had to
leave out for that reason as `outside`, and marks those it accepted despite an unknown value as
`UNSURE`; later filters narrow both. The documents that remain at the end are those that the answer
could gain or lose.
"""

from collections.abc import Iterator, Sequence

import polars as pl

from backend.plans.running.relations import (
    Docs,
    Groups,
    Ordered,
    Relation,
    name_in,
)
from backend.plans.running.undecided import fields_tested, tests_of
from backend.plans.tables.collection import ROW
from backend.plans.tables.conditions import all_of, compared_fields, expression
from backend.plans.tables.mixed_units import parted_units
from workbench.contract.coverage import CERTAIN, Coverage, LeftOut, field_words
from workbench.contract.derived_fields import sources_of
from workbench.contract.plan_columns import confidence_field, doubted_field, sized_field, unit_field
from workbench.contract.plan_nodes import (
    TEXT,
    Aggregate,
    BasicFilter,
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
            for test in tests_of(step):
                for name in fields_tested(test, step):
                    yield name, None
        case GroupBy():
            for name in step.keys:
                yield name, None
        case Aggregate():
            for item in step.aggregations:
                for test in item.where:
                    for name in fields_tested(test, test):
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


def _asks_known(step: Fields, name: str, docs: Docs) -> bool:
    """Whether a filter only tests whether a value is known, so that none counts as missing."""
    if not isinstance(step, BasicFilter):
        return False
    of_field = [
        test
        for test in tests_of(step)
        if name in {name_in(field, docs) for field in fields_tested(test, step)}
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
