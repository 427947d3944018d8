"""How far an answer could move: the ranges of its numbers.

A number lies between what the certain documents give and what the possible ones could give. A range
may be wider than it need be, but no possible answer is outside it; what nothing limits has none.
`undecided` keeps which documents are certain and which possible.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from backend.plans.running.relations import (
    UNSURE,
    Docs,
    Groups,
    Ordered,
    Relation,
    Rows,
    name_in,
)
from backend.plans.running.undecided import (
    blank_rule,
    changeable_in,
    count_range,
    has_blanks,
    is_relative,
    joining,
    open_rule,
    unsettled,
)
from backend.plans.tables.collection import ROW
from backend.plans.tables.conditions import all_of, any_of, expression
from workbench.contract.coverage import Bounds
from workbench.contract.numbers import in_percent
from workbench.contract.plan_nodes import Aggregate, Aggregation, BasicFilter, Fields

Range = tuple[float | int | None, float | int | None]
_NO_RANGE: Range = (None, None)


def bounds_of(relation: Relation) -> Bounds | None:
    """How far an answer could move; None when every document was decided."""
    match relation:
        case Docs():
            bounds: Bounds | None = bounds_of_list(relation)
        case Groups(docs=docs):
            bounds = bounds_of_list(docs)
        case Ordered(source=source):
            bounds = bounds_of(source)
        case Rows(bounds=Bounds() as of_rows):
            bounds = of_rows.model_copy(update={"low": None, "high": None})
        case _:
            bounds = relation.bounds
    return bounds if bounds is not None and bounds.changeable else None


def bounds_of_list(docs: Docs) -> Bounds:
    """How many documents could enter or leave a list, or change places at its beginning."""
    changeable = changeable_in(docs) + docs.unplaced
    pool = docs.height if docs.pool is None else docs.pool
    gained = unsettled(docs)[1] if docs.cut is None else 0
    return Bounds(changeable=changeable, documents=max(changeable, pool + gained))


def bounds_of_count(docs: Docs) -> Bounds:
    """How far the number of documents could move."""
    return _bounds(docs, count_range(docs))


def _bounds(docs: Docs, ends: Range, open_lines: int = 0) -> Bounds:
    """The bounds of a number of these documents; `open_lines` more could change it."""
    changeable = changeable_in(docs) + open_lines
    documents = max(changeable, docs.height + unsettled(docs)[1])
    low, high = ends if None not in ends else _NO_RANGE
    if low is not None and low == high:
        changeable = 0
    return Bounds(changeable=changeable, documents=documents, low=low, high=high)


@dataclass(frozen=True)
class _Lines:
    """Lines that are or could be among the documents: those that certainly are (`sure`), fulfil
    the conditions of a number (`yes`), or could fulfil them (`maybe`).
    """

    table: pl.DataFrame
    sure: pl.Series
    yes: pl.Series
    maybe: pl.Series

    def has(self, name: str, docs: Docs) -> tuple[pl.Series, pl.Series]:
        """Which lines have a value of a column, and which have none but could have."""
        if not {*_read_for(name, docs)} <= {*self.table.columns}:
            return ~self.maybe & False, self.maybe
        column = self.table.get_column(name)
        known = column.is_not_null()
        if isinstance(column.dtype, pl.List):
            known = column.list.drop_nulls().list.len().fill_null(0) > 0
        return known, self.table.select(blank_rule(name, docs)).to_series() & self.maybe


def number_bounds(item: Aggregation, docs: Docs) -> Bounds:
    """How far one number over all documents could move; only counts and shares have limits."""
    parts = list(_possible(docs, item.where, item.field))
    name = None if item.field is None else name_in(item.field, docs)
    ends = _NO_RANGE
    if item.func == "count" and name is None and not item.where:
        return bounds_of_count(docs)
    if item.func == "count":
        ends = _counted(parts, name, docs)
    elif item.func == "distinct" and name is not None:
        ends = _distinct(parts, name, docs)
    elif item.func == "share" and name is None and not docs.endless:
        ends = _share(parts)
        if item.percent and ends[0] is not None and ends[1] is not None:
            ends = in_percent(ends[0]), in_percent(ends[1])
    return _bounds(docs, ends, open_lines([item], docs))


def distinct_bounds(name: str, docs: Docs) -> Bounds:
    """How far the number of different values of a column could move."""
    item = Aggregation(func="distinct", field=name)
    ends = _distinct(list(_possible(docs, [], name)), name, docs)
    return _bounds(docs, ends, open_lines([item], docs))


def _possible(docs: Docs, where: Sequence[BasicFilter], field: str | None) -> Iterator[_Lines]:
    """The documents and those that could join them, judged by the conditions of a number."""
    verdicts = [_verdict(test, docs) for test in where]
    yes, maybe = (all_of([verdict[side] for verdict in verdicts]) for side in (0, 1))
    sure = pl.lit(value=True)
    if UNSURE in docs.table.columns:
        sure = ~pl.col(UNSURE)
    yield _judged(docs.table, sure, yes, maybe)
    rules = [sure_of for verdict in verdicts for sure_of in verdict]
    needed = {name for rule in rules for name in rule.meta.root_names()}
    valued = set() if field is None else set(_read_for(name_in(field, docs), docs))
    for lines in joining(docs):
        table = lines.left([*needed, *valued])
        if needed <= set(table.columns):
            yield _judged(table, pl.lit(value=False), yes, maybe)
        else:
            yield _judged(table, pl.lit(value=False), pl.lit(value=False), pl.lit(value=True))


def _read_for(name: str, docs: Docs) -> list[str]:
    return [name, *blank_rule(name, docs).meta.root_names()]


def _judged(table: pl.DataFrame, sure: pl.Expr, yes: pl.Expr, maybe: pl.Expr) -> _Lines:
    judged = table.with_columns(sure.alias("sure"), yes.alias("yes"), maybe.alias("maybe"))
    return _Lines(table, *(judged.get_column(name) for name in ("sure", "yes", "maybe")))


def _verdict(test: BasicFilter, docs: Docs) -> tuple[pl.Expr, pl.Expr]:
    """Where a condition is certainly fulfilled, and where it could be."""
    passes, undecided = expression(test, test.field, docs.columns), open_rule(test, docs)
    if is_relative(test) and (undecided is not None or changeable_in(docs)):
        return pl.lit(value=False), pl.lit(value=True)
    if undecided is None:
        return passes, passes
    return passes & ~undecided, passes | undecided


def _counted(parts: Sequence[_Lines], name: str | None, docs: Docs) -> Range:
    """The range of a number of documents, or of those with a value."""
    low = high = 0
    for part in parts:
        sure, maybe = part.sure & part.yes, part.maybe
        if name is not None:
            known, blank = part.has(name, docs)
            sure, maybe = sure & known, maybe & known | blank
        low += int(sure.sum())
        high += int(maybe.sum())
    return _capped(low, None if docs.endless else high, docs)


def _distinct(parts: Sequence[_Lines], name: str, docs: Docs) -> Range:
    """The range of a number of different values. An unknown value may be a new one."""
    certain: list[pl.Series] = []
    possible: list[pl.Series] = []
    blanks = 0
    for part in parts:
        known, blank = part.has(name, docs)
        blanks += int(blank.sum())
        if name in part.table.columns:  # else all of these lines are blank
            column = part.table.get_column(name)
            certain.append(column.filter(part.sure & part.yes & known))
            possible.append(column.filter(part.maybe & known))
    low, high = (_different(columns) for columns in (certain, possible))
    is_list = isinstance(docs.table.schema[name], pl.List)
    unlimited = docs.endless or (is_list and blanks > 0)
    return _capped(low, None if unlimited else high + blanks, docs, values=is_list)


def _different(columns: Sequence[pl.Series]) -> int:
    column = pl.concat(columns)
    return (
        (column.explode() if isinstance(column.dtype, pl.List) else column).drop_nulls().n_unique()
    )


def _capped(low: int, high: int | None, docs: Docs, *, values: bool = False) -> Range:
    """A range of a number that no more lines can have than a limit lets through."""
    most = None if docs.cut is None or values else docs.cut.most
    if most is not None:
        high = most if high is None else min(high, most)
    return low, high


def _share(parts: Sequence[_Lines]) -> Range:
    """The range of a share: lowest when all that could join does not fulfil the condition, highest
    when all of it does. Of no document there is no share.
    """
    whole = sum(int(part.sure.sum()) for part in parts)
    yes = sum(int((part.sure & part.yes).sum()) for part in parts)
    maybe = sum(int((part.sure & part.maybe).sum()) for part in parts)
    joining_no = sum(int((~part.sure & ~part.yes).sum()) for part in parts)
    joining_yes = sum(int((~part.sure & part.maybe).sum()) for part in parts)
    if not whole:
        return _NO_RANGE
    return yes / (whole + joining_no), (maybe + joining_yes) / (whole + joining_yes)


def open_lines(items: Sequence[Aggregation], docs: Docs) -> int:
    """How many certain documents could change numbers, because values of them are unknown."""
    rules: list[pl.Expr] = []
    for item in items:
        verdicts = [_verdict(test, docs) for test in item.where]
        maybe = all_of([verdict[1] for verdict in verdicts])
        if item.where:
            rules.append(maybe & ~all_of([verdict[0] for verdict in verdicts]))
        if item.field is not None and has_blanks(name := name_in(item.field, docs), docs):
            rules.append(maybe & blank_rule(name, docs) if item.where else blank_rule(name, docs))
    if not rules:
        return 0
    rule = any_of(rules)
    if UNSURE in docs.table.columns and docs.cut is None:
        rule &= ~pl.col(UNSURE)
    lines = docs.table.filter(rule)
    return lines.get_column(ROW).n_unique() if docs.unrolled else lines.height


def bounds_of_measures(step: Fields, docs: Docs, keyless: int = 0) -> Bounds:
    """How many documents could change the rows of a small table; `keyless` are in no group."""
    items = step.aggregations if isinstance(step, Aggregate) else []
    changeable = changeable_in(docs) + keyless + open_lines(items, docs)
    documents = max(docs.height + keyless + unsettled(docs)[1], changeable)
    return Bounds(changeable=changeable, documents=documents)


def with_row_range(bounds: Bounds, docs: Docs, keys: Sequence[str], rows: int) -> Bounds:
    """The bounds of a table of groups; documents without a key may be groups of their own."""
    if docs.endless or not bounds.changeable:
        return bounds
    low = rows
    if UNSURE in docs.table.columns:
        low = docs.table.filter(~pl.col(UNSURE)).select(keys).n_unique()
    high = rows + unsettled(docs)[1] + docs.unplaced
    return bounds.model_copy(update={"low": low, "high": high})


def bounds_of_row_count(rows: Rows, number: int, *, values: bool = False) -> Bounds:
    """How far the number of rows, or of different `values` in them, could move."""
    before = rows.bounds or Bounds(changeable=0, documents=rows.height)
    if not before.changeable:
        return before.model_copy(update={"low": number, "high": number})
    if values and before.high is not None:
        return before.model_copy(update={"low": 0})
    unchanged = before.low is not None and before.low == before.high
    return before.model_copy(update={"changeable": 0}) if unchanged else before


def bounds_of_part(part: Docs, whole: Docs) -> Range | None:
    """The range of the number of documents in a part divided by that in the whole; None if the one
    is not surely a part of the other.
    """
    if part.start is not whole.start or not part.passed >= whole.passed or part.unrolled:
        return None
    least, possible = _members(part)
    around, _ = _members(whole)
    _, most = count_range(whole)
    if part.cut is not None or most is None or most == 0:
        return None
    new = int((~possible.is_in(around.implode())).sum())
    high = len(possible) / (len(around) + new) if len(around) + new else 1.0
    return len(least) / most, high


def _members(docs: Docs) -> tuple[pl.Series, pl.Series]:
    """The row numbers of the documents that are certainly and possibly here."""
    rows = docs.table.get_column(ROW)
    sure = rows.filter(~docs.table.get_column(UNSURE)) if UNSURE in docs.table.columns else rows
    joins = [lines.left([]).get_column(ROW) for lines in joining(docs)]
    return sure, pl.concat([rows, *joins]).unique()
