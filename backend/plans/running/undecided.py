"""Which documents unknown values leave undecided, step by step.

An unknown value may be any value, or none. So a document belongs to a result for certain, possibly,
or not at all. A step keeps those that it left out for lack of a value as `outside`, and marks those
that it let in despite one as `UNSURE`; later steps narrow both. `bounds` counts them.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import polars as pl

from backend.plans.running.relations import UNSURE, Cut, Docs, Rows, Undecided, name_in
from backend.plans.tables.collection import ROW
from backend.plans.tables.conditions import any_of, compared_fields, expression, tested, truth
from backend.plans.tables.trust import decided_none
from workbench.contract.coverage import Bounds
from workbench.contract.derived_fields import sources_of
from workbench.contract.plan_columns import confidence_field, doubted_field, sized_field
from workbench.contract.plan_nodes import BasicFilter, Condition, Limit, asks


def tests_of(step: BasicFilter) -> list[Condition]:
    """The tests of a filter: its own, if it has one, and its alternatives."""
    own = step.model_copy(update={"any_of": None})
    return [*([own] if asks(own) else []), *(step.any_of or [])]


def fields_tested(test: Condition, step: BasicFilter) -> list[str]:
    """The fields that one test of a filter reads."""
    return [test.field or step.field, *compared_fields(test)]


def blank_rule(name: str, lines: Docs | Rows) -> pl.Expr:
    """Where a column has no value and nobody decided that there is none."""
    column = lines.table.get_column(name)
    blank = pl.col(name).is_null()
    if isinstance(column.dtype, pl.List):
        blank = pl.col(name).list.drop_nulls().list.len().fill_null(0) == 0
    decided = _decided(name, lines) if isinstance(lines, Docs) else None
    return blank if decided is None else blank & ~decided


def has_blanks(name: str, lines: Docs | Rows) -> bool:
    """Whether a column may lack a value anywhere; cheap."""
    column = lines.table.get_column(name)
    return isinstance(column.dtype, pl.List) or column.null_count() > 0


def _decided(name: str, docs: Docs) -> pl.Expr | None:
    """Where a person decided that a field, or one it is computed from, has no value."""
    column = sized_field(name, docs.columns) or name
    rules = [
        decided_none(source)
        for source in sources_of(column)
        if {source, confidence_field(source)} <= set(docs.table.columns)
    ]
    return any_of(rules) if rules else None


def blank_count(names: Sequence[str], docs: Docs) -> int:
    """How many documents may have a value of one of the columns, but none usable."""
    rules = [blank_rule(name, docs) for name in names if has_blanks(name, docs)]
    if not rules:
        return 0
    lines = docs.table.filter(any_of(rules))
    return lines.get_column(ROW).n_unique() if docs.unrolled else lines.height


@dataclass(frozen=True)
class Open:
    """The lines that unknown values decide: the rule, and its result for each line."""

    rule: pl.Expr
    lines: pl.Series


def open_of(step: BasicFilter, lines: Docs | Rows) -> Open | None:
    """The lines that a filter cannot decide; None if there are none, here or `outside`."""
    rule = open_rule(step, lines)
    return None if rule is None else Open(rule, lines.table.select(rule).to_series())


def open_rule(step: BasicFilter, lines: Docs | Rows) -> pl.Expr | None:
    """Where unknown values decide whether a line passes; None if that is so nowhere."""
    blanks: list[pl.Expr] = []
    doubts: list[pl.Expr] = []
    outside = isinstance(lines, Docs) and bool(lines.outside)
    for test in tests_of(step):
        for name in (name_in(field, lines) for field in fields_tested(test, step)):
            if test.exists is not None and doubted_field(name) in lines.table.columns:
                doubts.append(pl.col(doubted_field(name)).is_not_null())
            if test.is_date and lines.table.schema[name] == pl.String:
                # text that is not a date counts as missing
                blanks.append(tested(test, pl.col(name), "string")[0].is_null())
            elif outside or has_blanks(name, lines):
                blanks.append(blank_rule(name, lines))
    if not blanks:
        return any_of(doubts) if doubts else None
    unknown = truth(step, step.field, lines.columns, on_rows=isinstance(lines, Rows)).is_null()
    return any_of([any_of(blanks) & unknown, *doubts])


def is_relative(step: BasicFilter) -> bool:
    """Whether a filter compares lines with the average or median of all."""
    return step.start_at is not None or step.end_at is not None


def unsettled(docs: Docs) -> tuple[int, int]:
    """How many documents the answer could lose, and how many it could gain."""
    lost = int(docs.table.get_column(UNSURE).sum()) if UNSURE in docs.table.columns else 0
    gained = sum(lines.count() for lines in joining(docs))
    return lost, gained


def joining(docs: Docs) -> list[Undecided]:
    """The documents `outside` that may belong to the result."""
    return [lines for lines in docs.outside if lines.unasked is None]


def changeable_in(docs: Docs) -> int:
    """How many documents could change which ones are in the result."""
    return sum(unsettled(docs)) if docs.cut is None else docs.cut.changeable


def filtered_beside(
    step: BasicFilter, docs: Docs, passing: pl.Series, undecided: Open | None
) -> Docs:
    """The documents that pass a filter; the undecided ones are `outside` or `UNSURE`."""
    kept = docs.table.filter(passing)
    if is_relative(step) and (undecided is not None or changeable_in(docs)):
        blank = 0 if undecided is None else int(undecided.lines.sum())
        return shaken(docs, kept, ~passing, Cut(changeable_in(docs) + blank))
    outside = _possibly_inside(step, docs, undecided) if docs.outside else ()
    more = 0
    if undecided is not None and undecided.lines.any():
        kept = _marked(kept, (undecided.lines & passing).filter(passing))
        left = undecided.lines & ~passing
        outside = (*outside, Undecided(docs.table, left)) if left.any() else outside
        more = int(undecided.lines.sum())
    name = _only_asked_known(step, docs)
    if name is not None and has_blanks(name, docs):
        left = docs.table.select(blank_rule(name, docs)).to_series() & ~passing
        left = left if undecided is None else left & ~undecided.lines
        outside = (*outside, Undecided(docs.table, left, unasked=name)) if left.any() else outside
    cut = docs.cut and replace(docs.cut, changeable=docs.cut.changeable + more, least=0)
    passed = docs.passed | {_key(step, docs)}
    start = object() if is_relative(step) else docs.start
    return replace(docs, table=kept, outside=outside, cut=cut, passed=passed, start=start)


def narrowed_beside(docs: Docs, passes: pl.Expr, undecided: pl.Expr) -> Docs:
    """The documents that pass a test; the undecided ones are `outside` or `UNSURE`."""
    judged = docs.table.with_columns(passes.alias("passes"), undecided.alias("undecided"))
    passing, unknown = judged.get_column("passes"), judged.get_column("undecided")
    kept = _marked(docs.table.filter(passing), (unknown & passing).filter(passing))
    outside = tuple(lines.also(passes | undecided) for lines in docs.outside)
    left = unknown & ~passing
    if left.any():
        outside = (*outside, Undecided(docs.table, left))
    return replace(docs, table=kept, outside=outside)


def _key(step: BasicFilter, docs: Docs) -> str:
    asked = step.model_dump(mode="json", exclude={"kin"}, exclude_defaults=True)
    return json.dumps({**asked, "field": name_in(step.field, docs)}, sort_keys=True)


def _marked(kept: pl.DataFrame, marks: pl.Series) -> pl.DataFrame:
    if not marks.any():
        return kept
    if UNSURE in kept.columns:
        marks = marks | kept.get_column(UNSURE)
    return kept.with_columns(marks.alias(UNSURE))


def _only_asked_known(step: BasicFilter, docs: Docs) -> str | None:
    """The field of which a filter asks only whether it is known, and keeps the known ones."""
    tests = tests_of(step)
    if len(tests) != 1 or tests[0].exists is None or tests[0].exists == step.negate:
        return None
    return name_in(step.field, docs)


def _possibly_inside(
    step: BasicFilter, docs: Docs, undecided: Open | None
) -> tuple[Undecided, ...]:
    """The documents left out earlier that this filter does not rule out."""
    possible = expression(step, step.field, docs.columns)
    if undecided is not None:
        possible |= undecided.rule
    if (known := _only_asked_known(step, docs)) is not None:
        possible |= blank_rule(known, docs)  # what passed a test of its value has one
    needed = set(possible.meta.root_names())
    asked = {
        name_in(field, docs)
        for test in tests_of(step)
        if test.exists is None
        for field in fields_tested(test, step)
    }
    left = []
    for lines in docs.outside:
        if lines.unasked in asked:
            lines = replace(lines, unasked=None)
        # A column that a step in between added is unknown for documents that never reached it.
        left.append(lines.also(possible) if needed <= set(lines.table.columns) else lines)
    return tuple(left)


def shaken(docs: Docs, kept: pl.DataFrame, left_out: pl.Series | None, cut: Cut) -> Docs:
    """Documents of which any may be in the result, those that a step kept and those it left out
    (None for all lines before it), because the step depends on what is not decided.
    """
    kept = kept.with_columns(pl.lit(value=True).alias(UNSURE))
    outside = (*docs.outside, Undecided(docs.table, left_out))
    return replace(
        docs, table=kept, outside=outside, cut=cut, unplaced=0, passed=frozenset(), start=object()
    )


def picked(docs: Docs, kept: pl.DataFrame) -> Docs:
    """The documents that a step keeps by their text, which is known of all."""
    cut = docs.cut and replace(docs.cut, least=0)
    return replace(docs, table=kept, cut=cut, passed=frozenset(), start=object())


def limited_beside(step: Limit, docs: Docs, kept: pl.DataFrame) -> Docs:
    """The documents that a limit keeps. Where an order or a set is not settled, it could be others,
    but not more or fewer than the limit allows.
    """
    keyless = blank_count([name_in(name, docs) for name in step.per or []], docs)
    pool, (_, gained) = docs.pool or docs.height, unsettled(docs)
    changeable = changeable_in(docs) + docs.unplaced + keyless
    low, high = count_range(docs)
    all_fit = not step.skip and not step.per and high is not None and high <= step.num_records
    if not changeable or all_fit:
        return replace(docs, table=kept, pool=pool, passed=frozenset(), start=object())
    left_out = None if docs.unrolled else ~docs.table.get_column(ROW).is_in(kept[ROW].implode())
    least, most = _limited(step, low, high)
    if step.per:
        # A document more or less changes the number by one at most.
        least = max(0, kept.height - (docs.height - low))
        most = None if high is None else kept.height + (high - docs.height) + keyless
    made = shaken(docs, kept, left_out, Cut(changeable, least, most))
    return replace(made, pool=max(pool, docs.height + gained))


def _limited(step: Limit, low: int, high: int | None) -> tuple[int, int | None]:
    """The range of a number of lines behind a limit."""
    least = min(step.num_records, max(0, low - step.skip))
    most = None if high is None else max(0, high - step.skip)
    if not step.with_ties:
        most = step.num_records if most is None else min(step.num_records, most)
    return least, most


def count_range(docs: Docs) -> tuple[int, int | None]:
    """The lowest and highest possible number of lines; None if nothing limits it."""
    lost, gained = unsettled(docs)
    low, high = docs.height - lost, None if docs.endless else docs.height + gained
    if docs.cut is not None:
        low = max(low, docs.cut.least)
        high = docs.cut.most if high is None else min(high, docs.cut.most or high)
    return low, high


def limited_rows(step: Limit, rows: Rows, kept: pl.DataFrame) -> Rows:
    """The rows that a limit keeps, with the range of their number."""
    bounds = rows.bounds
    if bounds is not None and bounds.low is not None:
        high = None if bounds.high is None else int(bounds.high)
        ends = (0, high) if step.per else _limited(step, int(bounds.low), high)
        bounds = bounds.model_copy(update={"low": ends[0], "high": ends[1]})
    return replace(rows, table=kept, bounds=bounds)


def filtered_rows(rows: Rows, kept: pl.DataFrame, more: int = 0) -> Rows:
    """The rows that pass a test; any could fail if its own or `more` documents changed."""
    bounds = rows.bounds
    if more:
        before = bounds or Bounds(changeable=0, documents=rows.height)
        both, high = before.changeable + more, before.high if before.changeable else rows.height
        documents = max(before.documents, both)
        bounds = Bounds(changeable=both, documents=documents, high=high)
    if bounds is not None and bounds.changeable:
        bounds = bounds.model_copy(update={"low": None if bounds.high is None else 0})
    return replace(rows, table=kept, bounds=bounds)


Among = Callable[[pl.DataFrame, pl.Series], pl.Series]
"""Which lines of a table have one of some values."""


def joined_beside(
    first: Docs | Rows, one: str, second: Docs | Rows, two: str, among: Among
) -> Docs | Rows:
    """The lines of the first table whose value `one` is a value `two` of the second."""
    matching = among(first.table, second.table.get_column(two))
    kept = first.table.filter(matching)
    sure, could_change, any_value = _values_of(second, two)
    if isinstance(first, Rows):
        return filtered_rows(first, kept, could_change)
    blank = first.table.select(blank_rule(one, first)).to_series()
    possible = blank | True if any_value else blank | matching
    entering = possible & ~matching
    if could_change:
        kept = _marked(kept, (~among(first.table, sure)).filter(matching))
    outside = (
        (*first.outside, Undecided(first.table, entering)) if entering.any() else first.outside
    )
    changeable = changeable_in(first) + int(blank.sum()) + could_change
    cut = Cut(changeable) if could_change else None
    if first.cut is not None:
        cut = Cut(changeable, 0, first.cut.most)
    return replace(first, table=kept, outside=outside, cut=cut, passed=frozenset(), start=object())


def _values_of(second: Docs | Rows, name: str) -> tuple[pl.Series, int, bool]:
    """The certain values of a column, how many documents could change and could add some."""
    column = second.table.get_column(name)
    if isinstance(second, Rows):
        changeable = second.bounds.changeable if second.bounds is not None else 0
        return column.head(0) if changeable else column, changeable, bool(changeable)
    blank = blank_count([name], second)
    _, gained = unsettled(second)
    if UNSURE in second.table.columns:
        column = column.filter(~second.table.get_column(UNSURE))
    changeable = changeable_in(second) + blank
    return column, changeable, bool(gained or blank or second.endless or second.cut)
