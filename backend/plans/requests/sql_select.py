"""A SELECT statement as the steps of a plan."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import polars as pl
import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_groups import wire_aggregations
from backend.plans.edits.wording import (
    say_column,
    say_columns,
    say_direction,
    say_field,
    say_filter,
    say_key,
)
from backend.plans.reading.phrasing import KEY, Key
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.planner import reading
from backend.plans.requests.sql_conditions import Conditions
from backend.plans.requests.sql_terms import SqlFault, Term, Terms, unsupported
from workbench.contract.derived_fields import derived_columns
from workbench.contract.plan import AppliedClause, EditReport, Plan
from workbench.contract.plan_columns import document_columns, measure_kind
from workbench.contract.plan_nodes import Aggregation, BasicFilter, bare_field, row_field
from workbench.contract.ranks import rows_kept

_READ = frozenset(
    "expressions from_ where group having order limit offset distinct kind".split()  # noqa: SIM905
)
_NAMES = {
    "joins": "joins are", "laterals": "joins are", "with_": "WITH is",
    "windows": "window functions are", "qualify": "QUALIFY is",
    "pivots": "PIVOT is", "locks": "FOR UPDATE is", "into": "INTO is",
    "sample": "TABLESAMPLE is",
}  # fmt: skip
_CONTEXT = "start_context", "highlight", "end_context"
_NULLS_FIRST = re.compile(r"\bnulls\s+first\b", re.IGNORECASE)
_FUNCTIONS: dict[type[exp.Expr], Any] = {
    exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max", exp.Median: "median",
}  # fmt: skip


def parsed(text: str) -> exp.Select:
    """The statement in a text; SqlFault unless it is a single SELECT."""
    count, text = _top(text)
    if _NULLS_FIRST.search(text):
        raise SqlFault("unknown values come last: NULLS FIRST is not supported")
    try:
        dialect = "sqlite" if "`" in text or "[" in text else None
        statements = [one for one in sqlglot.parse(text, dialect=dialect) if one is not None]
    except (SqlglotError, RecursionError) as error:
        reason = f"the statement cannot be read{_place(error)}"
        raise SqlFault(reason, "not_understood", perhaps_english=True) from error
    if len(statements) != 1:
        raise SqlFault("only one statement is allowed")
    statement = statements[0]
    if isinstance(statement, exp.SetOperation):
        raise SqlFault(f"{statement.key.upper()} of several SELECTs is not supported")
    if not isinstance(statement, exp.Select):
        raise SqlFault("the only statement allowed is SELECT", perhaps_english=True)
    return statement.limit(count) if count is not None else statement


def _place(error: Exception) -> str:
    """Where the parser stopped; its own words are about its classes."""
    if not isinstance(error, ParseError) or not error.errors:
        return ": a quotation mark or bracket is not closed"
    place = error.errors[0]
    before, at, behind = (str(place[name]) for name in _CONTEXT)
    if "nexpected" not in str(place["description"]) and not behind.strip():
        return f": something is missing after “{at}”"
    return f" from “{at}” on (after “{before.split()[-1]}”)" if before.strip() else f" at “{at}”"


def _top(text: str) -> tuple[int | None, str]:
    """`select top 5 …` as its number and the statement without it."""
    words = text.split(None, 4)
    for place, word in enumerate(words[:3]):
        number = words[place + 1].strip("()") if place + 1 < len(words) else ""
        if word.lower() == "top" and number.isdecimal():
            return int(number), " ".join(words[:place] + words[place + 2 :])
    return None, text


@dataclass(frozen=True)
class _Measures:
    """The numbers of a statement in the order of their first use."""

    items: list[Aggregation]

    def column(self, wanted: Aggregation) -> str:
        """The name of a number, which is added if it is new."""
        for item in self.items:
            if (item.func, item.field, item.where) == (wanted.func, wanted.field, wanted.where):
                return item.column
        names = {item.column for item in self.items}
        name, number = wanted.column, 2
        while name in names:
            name, number = f"{wanted.column}_{number}", number + 1
        self.items.append(wanted.model_copy(update={"name": name}))
        return name


class Select:
    """Builds the plan of one statement; `notes` are the assumptions made."""

    def __init__(self, statement: exp.Select, vocabulary: Vocabulary, today: date) -> None:
        for name, part in statement.args.items():
            if part and name not in _READ:
                raise SqlFault(f"{_NAMES.get(name, name.strip('_').upper() + ' is')} not supported")
        self._statement = statement
        self._limit, self._skip = _limit_of(statement), _offset_of(statement)
        self._vocabulary = vocabulary
        fields = vocabulary.collection.fields
        self._columns = document_columns(fields)
        known = {**fields, **{k: v for k, v in self._columns.items() if k not in fields}}
        self._terms = Terms(known, _tables(statement), today)
        self.notes = self._terms.notes
        self._documents = Conditions(self._terms.term, self._terms.literal)
        self._measures = _Measures([])
        self._keys: list[Term] = []
        self._shown: list[exp.Expr] = []
        self._aliases: dict[str, exp.Expr] = {}
        for item in statement.expressions:
            inner = item.this if isinstance(item, exp.Alias) else item
            self._shown.append(inner)
            if isinstance(item, exp.Alias):
                self._aliases[item.alias.casefold()] = inner
        self._applied: list[AppliedClause] = []

    def plan(self, question: str) -> Plan:
        """The plan of the statement."""
        draft = reading(self._vocabulary.collection)
        draft = self._where(draft)
        self._find_keys()
        self._name_measures()
        draft = self._grouped(draft) if self._keys else self._ungrouped(draft)
        report = EditReport(applied=self._applied)
        plan = draft.as_plan(Plan(query=question, nodes={}, result_node=0))
        return plan.model_copy(update={"edit": report})

    # -- parts of the statement

    def _where(self, draft: Draft) -> Draft:
        where = self._statement.args.get("where")
        if where is None:
            return draft
        return self._filtered(draft, self._documents.filters(where.this), "WHERE")

    def _filtered(self, draft: Draft, filters: Sequence[BasicFilter], part: str) -> Draft:
        for condition in filters:
            self._note_unknown_values(condition)
            body = condition.model_dump(exclude_defaults=True)
            draft = draft.append("BasicFilter", say_filter(condition), **body)
            self._applied.append(AppliedClause(clause=part, op="add_filter", node=draft.result))
        return draft

    def _note_unknown_values(self, condition: BasicFilter) -> None:
        """A text that occurs in no document finds nothing: it is probably spelled differently."""
        merged = self._vocabulary.collection.rules.merged
        for test in [condition, *(condition.any_of or [])]:
            name = test.field or condition.field
            counts = self._vocabulary.values.counts.get(name)
            if not counts or test.match != "exact":
                continue
            known = {str(value).casefold() for value in [*counts, *merged.get(name, ())]}
            asked = [*(test.values or []), *([] if test.query is None else [test.query])]
            for value in asked:
                if str(value).casefold() not in known:
                    self.notes.append(f"no document has the {say_field(name)} “{value}”")

    def _expression(self, node: exp.Expr) -> exp.Expr:
        """Resolves an expression after GROUP BY or ORDER BY: an alias, an index, or itself."""
        node = node.unnest()
        if isinstance(node, exp.Literal) and not node.is_string:
            place = int(node.this) if node.this.isdecimal() else 0
            if not 1 <= place <= len(self._shown):
                raise SqlFault(f"SELECT has no column number {node.this}")
            return self._shown[place - 1]
        if isinstance(node, exp.Column) and not node.table:
            meant = self._aliases.get(node.name.casefold())
            if meant is not None and not (isinstance(meant, exp.Column) and meant == node):
                return meant
        return node

    def _find_keys(self) -> None:
        group = self._statement.args.get("group")
        if group is not None:
            if any(value for name, value in group.args.items() if name != "expressions"):
                raise SqlFault("GROUP BY supports only a list of columns")
            self._keys = [self._key(node) for node in group.expressions]
            for node in self._shown:
                alone = isinstance(node, exp.Star) and len(self._shown) == 1
                if not alone and self._measure(node) is None and (
                    self._needed(node) not in self._keys
                ):  # fmt: skip
                    raise SqlFault(f"{node.sql()} is in SELECT, but not in GROUP BY")
            return
        plain = [node for node in self._shown if self._measure(node) is None]
        if len(plain) < len(self._shown) and plain:
            self._keys = [self._needed(node) for node in plain]
            names = ", ".join(node.sql() for node in plain)
            self.notes.append(f"grouped by {names}, which stands beside numbers of groups")

    def _key(self, node: exp.Expr) -> Term:
        """A key of groups. A number of groups is none, so its name stands for the column."""
        meant = self._expression(node)
        if self._measure(meant) is None:
            return self._needed(meant)
        if isinstance(node, exp.Column) and self._terms.is_known(node):
            return self._needed(node)
        raise SqlFault(f"{meant.sql()} is a number of groups, and cannot be a key of them")

    def _name_measures(self) -> None:
        named = {id(node): name for name, node in self._aliases.items()}
        for node in self._shown:
            if (measure := self._measure(node)) is not None:
                alias = named.get(id(node))
                self._measures.column(
                    measure.model_copy(update={"name": alias}) if alias else measure
                )

    def _needed(self, node: exp.Expr) -> Term:
        if (term := self._terms.term(node)) is None:
            raise unsupported(node)
        return term

    # -- numbers

    def _measure(self, node: exp.Expr) -> Aggregation | None:
        """An aggregate function as a column of a step; None for anything else."""
        node = node.unnest()
        if isinstance(node, exp.Round) and self._measure(node.this) is not None:
            self.notes.append("numbers are not rounded")
            return self._measure(node.this)
        if isinstance(node, exp.Filter):
            measure = self._measure(node.this)
            where = self._documents.filters(node.expression.this)
            return None if measure is None else _named(measure.func, measure.field, where)
        if isinstance(node, exp.Count):
            return self._count(node)
        func = _FUNCTIONS.get(type(node))
        if func is None:
            return None
        further = any(part for name, part in node.args.items() if name != "this")
        if further or isinstance(node.this, exp.Distinct):
            raise unsupported(node)
        if func == "sum" and isinstance(node.this, exp.Case):
            return self._counted_case(node.this)
        return _named(func, self._whole(node.this).field)

    def _count(self, node: exp.Count) -> Aggregation:
        inner = node.this
        if isinstance(inner, exp.Star | exp.Literal):
            return _named("count", None)
        if isinstance(inner, exp.Distinct):
            if len(inner.expressions) != 1:
                raise SqlFault("COUNT(DISTINCT …) takes one column")
            return _named("distinct", self._whole(inner.expressions[0]).field)
        if isinstance(inner, exp.Case):
            return self._counted_case(inner)
        return _named("count", self._whole(inner).field)

    def _counted_case(self, node: exp.Case) -> Aggregation:
        """`sum(case when … then 1 else 0 end)`: counts matches of a condition."""
        cases, otherwise = node.args["ifs"], node.args.get("default")
        plain = node.this is None and len(cases) == 1 and cases[0].args["true"].name == "1"
        if not plain or not (otherwise is None or otherwise.name in ("0", "")):
            raise unsupported(node)
        return _named("count", None, self._documents.filters(cases[0].this))

    def _whole(self, node: exp.Expr) -> Term:
        term = self._needed(node)
        if term.bucket is not None:
            raise unsupported(node)
        return term

    # -- answers

    def _grouped(self, draft: Draft) -> Draft:
        keys = sorted(self._keys, key=lambda term: term.bucket is None)
        if sum(term.bucket is not None for term in keys) > 1:
            raise SqlFault("only one period of a date can be a key of groups")
        names = [term.field for term in keys]
        if len(set(names)) < len(names):
            raise SqlFault("a column can be a key of groups only once")
        self._note_gaps(names)
        having, order = self._having(), self._order_of_groups()
        items = self._measures.items or [_named("count", None)]
        several = {"fields": names} if len(names) > 1 else {}
        bucket = {"bucket": keys[0].bucket} if keys[0].bucket else {}
        words = say_key(Key(tuple(names), keys[0].bucket))
        draft = draft.append("GroupBy", f"Group by {words}", field=names[0], **several, **bucket)
        self._applied.append(AppliedClause(clause="GROUP BY", op="set_group", node=draft.result))
        draft = draft.append(
            "Aggregate",
            f"Compute the {say_columns(items)} of each group",
            aggregations=wire_aggregations(items),
        )
        draft = self._filtered(draft, having, "HAVING")
        return self._limited(self._sorted(draft, order))

    def _note_gaps(self, names: Sequence[str]) -> None:
        table = self._vocabulary.collection.table
        for name in names:
            if name in table.columns and (gaps := _without_value(table.get_column(name))):
                documents = "1 document" if gaps == 1 else f"{gaps} documents"
                are = "is" if gaps == 1 else "are"
                self.notes.append(f"{documents} without {say_field(name)} {are} in no group")

    def _having(self) -> list[BasicFilter]:
        having = self._statement.args.get("having")
        if having is None:
            return []
        return Conditions(self._of_row, self._terms.literal).filters(having.this)

    def _of_row(self, node: exp.Expr) -> Term | None:
        """The column of grouped rows that an expression refers to."""
        if isinstance(node, exp.Column):
            node = self._expression(node)
        if (measure := self._measure(node)) is not None:
            kinds = derived_columns([measure.field or ""], self._columns)
            kind = measure_kind(measure, {**self._columns, **kinds})
            return Term(row_field(self._measures.column(measure)), kind)
        if isinstance(node.unnest(), exp.Literal):
            return None
        term = self._terms.term(node)
        if term is None:
            return None
        if term not in self._keys:
            raise SqlFault(f"{node.sql()} is neither a number nor a key of the groups")
        if term.bucket is not None:
            raise SqlFault("a condition on a period belongs in WHERE")
        several = len(self._keys) > 1
        return Term(row_field(term.field) if several else KEY, term.kind, calendar=term.calendar)

    def _order_of_groups(self) -> list[tuple[str, str, bool]]:
        order = []
        for node, descending in self._orders():
            wanted = self._expression(node)
            if (measure := self._measure(wanted)) is not None:
                column = self._measures.column(measure)
                order.append((row_field(column), say_column(measure), descending))
                continue
            term = self._needed(wanted)
            if term not in self._keys:
                raise SqlFault(f"{wanted.sql()} is neither a number nor a key of the groups")
            column = row_field(term.field) if len(self._keys) > 1 else KEY
            order.append((column, say_field(term.field), descending))
        return order

    def _ungrouped(self, draft: Draft) -> Draft:
        if self._statement.args.get("having") is not None:
            raise SqlFault("HAVING needs GROUP BY")
        if self._measures.items:
            return self._numbers(draft)
        if (distinct := self._statement.args.get("distinct")) is not None:
            return self._distinct(draft, distinct)
        order = []
        for node, descending in self._orders():
            term = self._needed(self._expression(node))
            order.append((term.field, say_field(term.field), descending))
        draft = self._limited(self._sorted(draft, order))
        return self._projected(draft)

    def _numbers(self, draft: Draft) -> Draft:
        items = self._measures.items
        one = items[0]
        if len(items) == 1 and one.func == "count" and one.field is None and not one.where:
            return draft.append("Count", "Count the documents")
        if len(items) == 1 and one.func == "distinct" and not one.where:
            text = f"Count the different values of {say_field(one.field or '')}"
            return draft.append("Count", text, distinct_field=one.field)
        wire = wire_aggregations(items)
        return draft.append("Aggregate", f"Compute the {say_columns(items)}", aggregations=wire)

    def _distinct(self, draft: Draft, distinct: exp.Expr) -> Draft:
        if distinct.args.get("on") is not None or len(self._shown) != 1:
            reason = "DISTINCT takes one column; GROUP BY lists combinations of several"
            raise SqlFault(reason)
        term = self._whole(self._shown[0])
        text = f"List the different values of {say_field(term.field)}"
        self._note_gaps([term.field])
        draft = draft.append("Distinct", text, field=term.field)
        order = []
        for node, descending in self._orders():
            if self._needed(self._expression(node)) != term:
                raise SqlFault("the values of DISTINCT can only be sorted by themselves")
            order.append((KEY, say_field(term.field), descending))
        return self._limited(self._sorted(draft, order))

    def _projected(self, draft: Draft) -> Draft:
        if any(isinstance(node, exp.Star) for node in self._shown) or self._all_of_table():
            if len(self._shown) > 1 or any(node.args.get("except_") for node in self._shown):
                raise SqlFault("* must be the only column after SELECT")
            return draft
        fields = list(dict.fromkeys(self._whole(node).field for node in self._shown))
        text = "Show only " + ", ".join(map(say_field, fields))
        return draft.append("Project", text, fields=fields)

    def _all_of_table(self) -> bool:
        """`select r.*`"""
        return any(isinstance(n, exp.Column) and isinstance(n.this, exp.Star) for n in self._shown)

    # -- order and limit

    def _orders(self) -> list[tuple[exp.Expr, bool]]:
        order = self._statement.args.get("order")
        keys = [] if order is None else order.expressions
        return [(key.this, bool(key.args.get("desc"))) for key in keys]

    def _sorted(self, draft: Draft, order: Sequence[tuple[str, str, bool]]) -> Draft:
        if not order:
            return draft
        (field, name, descending), *others = order
        further = [f", then by {n} {say_direction(d)}" for _, n, d in others]
        text = f"Sort by {name} {say_direction(descending)}{''.join(further)}"
        then = [{"field": f, "descending": d} for f, _, d in others]
        more = {"then": then} if then else {}
        draft = draft.append("Sort", text, field=field, descending=descending, **more)
        self._applied.append(AppliedClause(clause="ORDER BY", op="set_sort", node=draft.result))
        return draft

    def _limited(self, draft: Draft) -> Draft:
        if (number := self._limit) is None:
            return draft
        skip = {"skip": self._skip} if self._skip else {}
        text = f"Keep {rows_kept(number, self._skip)}"
        draft = draft.append("Limit", text, num_records=number, **skip)
        self._applied.append(AppliedClause(clause="LIMIT", op="set_limit", node=draft.result))
        return draft


def _limit_of(statement: exp.Select) -> int | None:
    """The number of rows wanted; refused even where there is only one row."""
    limit = statement.args.get("limit")
    if limit is None:
        return None
    count = limit.args.get("count") or limit.expression
    if not isinstance(count, exp.Literal) or not count.this.isdecimal() or int(count.this) < 1:
        raise SqlFault("LIMIT takes a whole number of at least 1")
    return int(count.this)


def _offset_of(statement: exp.Select) -> int:
    """The number of rows to pass over in front of a limit."""
    offset = statement.args.get("offset")
    if offset is None:
        return 0
    if not isinstance(offset.expression, exp.Literal) or not offset.expression.this.isdecimal():
        raise SqlFault("OFFSET takes a whole number")
    if statement.args.get("limit") is None:
        raise SqlFault("OFFSET needs a LIMIT")
    return int(offset.expression.this)


def _tables(statement: exp.Select) -> list[str]:
    source = statement.args.get("from_")
    if source is None:
        return []
    table = source.this
    if isinstance(table, exp.Subquery):
        raise SqlFault("subqueries are not supported: name the documents after FROM")
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        raise unsupported(table)
    for name in ("sample", "pivots", "joins", "laterals"):
        if table.args.get(name):
            raise SqlFault(f"{_NAMES[name]} not supported")
    return [name for name in (table.name, table.alias) if name]


def _without_value(column: pl.Series) -> int:
    """How many documents have no value, or an empty list."""
    empty = column.list.len() == 0 if isinstance(column.dtype, pl.List) else None
    return column.null_count() + (0 if empty is None else int(empty.sum()))


def _named(func: Any, field: str | None, where: Sequence[BasicFilter] = ()) -> Aggregation:
    """A column of an Aggregate under its usual name."""
    bare = bare_field(field or "").replace(".", "_")
    name = "count" if func == "count" and not bare else f"{func}_{bare}"
    return Aggregation(func=func, field=field, name=name, where=list(where))
