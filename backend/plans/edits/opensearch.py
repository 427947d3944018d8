"""The part of the OpenSearch query language that plans of other programs use.

Filters become expressions over the table of documents; text conditions go to the search engine.
Whatever cannot be done exactly is refused, with its place and the reason.
"""

import re
from collections.abc import Callable, Collection
from typing import Any

import polars as pl
from pydantic import ValidationError

from backend.language.words import words
from backend.plans.edits.opensearch_patterns import (
    LONGEST_PATTERN,
    regexp_pattern,
    wildcard_pattern,
)
from backend.plans.tables.conditions import all_of, any_of, expression, truth
from workbench.contract.errors import FieldFault, Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import DATED, NUMERIC, Columns, document_columns, doubted_field
from workbench.contract.plan_nodes import TEXT, Condition, canonical_field
from workbench.contract.plan_validation import condition_faults
from workbench.contract.schema import PropertyKind

FindText = Callable[[str, str], pl.Expr]
"""Which rows contain words in their text; the second argument is `words` or `phrase`."""

_DEPTH = 20
_MOST_CLAUSES = 1_024
"""OpenSearch has the same limit by default."""
_MOST_WORDS = 100


def translate(query: dict[str, Any], columns: Columns, find_text: FindText) -> pl.Expr:
    """Which documents match a query. Raises Invalid with the clause that is not supported."""
    return _Translator(columns, find_text, None).query(query, 0)


def translated_truth(
    query: dict[str, Any], columns: Columns, find_text: FindText, names: Collection[str]
) -> pl.Expr:
    """Which documents match a query, null where that depends on unknown values. `names` are all
    columns of their table: some hold values that are too doubtful to be used.
    """
    return _Translator(columns, find_text, names).query(query, 0)


def query_faults(plan: Plan, fields: Columns) -> list[FieldFault]:
    """Why the queries of a plan cannot run, each with its step; empty when all can."""
    columns = document_columns(fields)
    faults: list[FieldFault] = []
    for node in plan.nodes.values():
        for name in _QUERIES:
            if isinstance(query := node.extras.get(name), dict) and query:
                loc: list[str | int] = ["body", "plan", "nodes", str(node.node_id), name]
                try:
                    translate(query, columns, lambda words, how: pl.lit(True))
                except Invalid as refusal:
                    faults += [f.model_copy(update={"loc": loc}) for f in refusal.faults]
                except ValidationError as error:
                    msg = f"the query cannot be run: {error.errors()[0]['msg']}"
                    faults.append(FieldFault(loc=loc, msg=msg, type="unsupported_query"))
                except (TypeError, ValueError, AttributeError):
                    msg = "the query is not a valid OpenSearch query"
                    faults.append(FieldFault(loc=loc, msg=msg, type="unsupported_query"))
    return faults


_QUERIES = ("query", "result_filter", "opensearch_filter")


def as_conditions(query: dict[str, Any] | None) -> list[Condition] | None:
    """A query as a conjunction of plain conditions, or None if it is anything more."""
    if not query or query == {"match_all": {}}:
        return []
    if len(query) != 1:
        return None
    ((clause, body),) = query.items()
    if (
        clause == "bool"
        and isinstance(body, dict)
        and body.keys() <= {"must", "filter", "must_not"}
    ):
        return _join(body)
    if clause not in ("term", "terms", "match_phrase", "range", "exists"):
        return None
    try:
        condition = _condition(clause, body)
    except (Invalid, ValueError):
        return None
    return None if canonical_field(condition.field or "") == TEXT else [condition]


def _join(body: dict[str, Any]) -> list[Condition] | None:
    joined: list[Condition] = []
    for part, inner in body.items():
        for item in inner if isinstance(inner, list) else [inner]:
            conditions = as_conditions(item)
            if conditions is None or (part == "must_not" and len(conditions) != 1):
                return None
            negate = part == "must_not"
            joined += [c.model_copy(update={"negate": c.negate != negate}) for c in conditions]
    return joined


def _refuse(what: str) -> Invalid:
    return Invalid.at(
        ("body", "plan", "nodes", "query"),
        f"{what}; supported are match_all, match_none, term, terms, match, multi_match,"
        " match_phrase, prefix, wildcard, regexp, range, exists, ids, constant_score, dis_max,"
        " nested and bool with must, filter, should and must_not",
        "unsupported_query",
    )


def _unsupported(clause: str) -> Invalid:
    hint = " (QueryVectorDatabase finds by meaning)" if clause in _BY_MEANING else ""
    return _refuse(f"{clause!r} is not supported{hint}")


_BY_MEANING = frozenset({"knn", "neural", "neural_sparse", "hybrid"})
_ONE_FIELD = frozenset({"term", "terms", "match", "match_phrase", "prefix", "range", "exists"})


class _Translator:
    def __init__(
        self, columns: Columns, find_text: FindText, names: Collection[str] | None
    ) -> None:
        self._columns = columns
        self._find_text = find_text
        self._names = names
        self._keeps_unknown = names is not None
        self._clauses = 0

    def _fulfilled(self, test: pl.Expr) -> pl.Expr:
        """A test that is null for an unknown value."""
        return test if self._keeps_unknown else test.fill_null(False)

    def _count(self, clauses: int) -> None:
        self._clauses += clauses
        if self._clauses > _MOST_CLAUSES:
            raise _refuse(f"a query can have at most {_MOST_CLAUSES:,} clauses")

    def query(self, query: Any, depth: int) -> pl.Expr:
        if not isinstance(query, dict) or depth > _DEPTH:
            raise _refuse("a query must be an object, not nested too deeply")
        self._count(1)
        if len(query) != 1:
            clauses = f", not {', '.join(list(query)[:5])}" if query else ""
            raise _refuse(f"a query must have one clause{clauses}")
        ((clause, body),) = query.items()
        match clause:
            case "match_all" | "match_none":
                return pl.lit(clause == "match_all")
            case "query":  # the whole body of a search request
                return self.query(body, depth + 1)
            case "bool":
                return self._bool(body, depth)
            case "constant_score":
                return self.query(_part(clause, body, "filter"), depth + 1)
            case "dis_max":
                return any_of(self._several(_part(clause, body, "queries"), depth))
            case "multi_match":
                return self._multi_match(body)
            case "ids":
                return pl.col("doc_id").is_in(_ids(body))
            case "nested":
                # Properties form one object: nested fields have full names.
                about = {"path", "score_mode", "ignore_unmapped"}
                plain = {k: v for k, v in body.items() if k not in about}
                return self.query(_part(clause, plain, "query"), depth + 1)
            case "wildcard" | "regexp":
                return self._pattern(clause, body)
        if clause not in _ONE_FIELD:
            raise _unsupported(clause)
        return self._one_field(clause, body)

    def _one_field(self, clause: str, body: Any) -> pl.Expr:
        """A clause about one field."""
        condition = _condition(clause, body)
        name = canonical_field(condition.field or "")
        operator = _operator(body) if clause == "match" else ""
        if name == TEXT:
            if clause not in ("match", "match_phrase"):
                raise _refuse(f"{clause} cannot be used on the text")
            return self._in_text(str(condition.query), operator)
        kind = self._kind(condition.field or "")
        if clause == "match" and kind not in _NOT_WORDS:
            return self._fulfilled(_some_words(pl.col(name), str(condition.query), operator))
        if clause == "prefix" and kind in _NOT_WORDS:
            raise _refuse(f"{condition.field!r} holds {kind} values, which have no prefixes")
        for _, _, reason in condition_faults(condition, kind):
            raise _refuse(reason)
        if self._names is None:
            return expression(condition, name, self._columns)
        test = truth(condition, name, self._columns)
        doubted = doubted_field(name)
        if condition.exists is None or doubted not in self._names:
            return test
        return pl.when(pl.col(doubted).is_null()).then(test)

    def _kind(self, field: str) -> PropertyKind:
        kind = self._columns.get(canonical_field(field))
        if kind is None:
            raise _refuse(f"there is no field {field!r}")
        return kind

    def _in_text(self, text: str, operator: str) -> pl.Expr:
        """Whether the text contains a phrase, or any or all of some words."""
        if operator == "and":
            return all_of([self._find_text(word, "words") for word in words(text)])
        return self._find_text(text, "words" if operator else "phrase")

    def _multi_match(self, body: Any) -> pl.Expr:
        """The same words or phrase in at least one of several fields."""
        if not isinstance(body, dict) or body.keys() - {"query", "fields", "type", "operator"}:
            raise _refuse("multi_match can have query, fields, type and operator")
        how, fields = body.get("type", "best_fields"), body.get("fields")
        if how not in ("best_fields", "most_fields", "phrase"):
            raise _refuse(f"multi_match has no type {how!r}")
        if not isinstance(fields, list) or not fields:
            raise _refuse("multi_match needs a list of fields")
        inner = {name: body[name] for name in ("query", "operator") if name in body}
        self._count(len(fields))
        # A caret and a number after a field weight its hits, but nothing is ranked here.
        named = [str(field).partition("^")[0] for field in fields]
        clause = "match_phrase" if how == "phrase" else "match"
        return any_of([self._one_field(clause, {name: inner}) for name in named])

    def _pattern(self, clause: str, body: Any) -> pl.Expr:
        """A pattern that must match the whole value."""
        field, value = _field_and_value(clause, body)
        name, kind, pattern = canonical_field(field), self._kind(field), str(value)
        if name == TEXT or kind in _NOT_WORDS - {"array"}:
            what = "the text" if name == TEXT else f"{field!r}, which holds {kind} values"
            raise _refuse(f"{clause} cannot be used on {what}")
        if len(pattern) > LONGEST_PATTERN:
            raise _refuse(f"a {clause} cannot be longer than {LONGEST_PATTERN} characters")
        try:
            test = (wildcard_pattern if clause == "wildcard" else regexp_pattern)(pattern)
        except ValueError as error:
            raise _refuse(f"regexp {pattern!r}: {error}") from None
        if kind == "array":
            inside = pl.element().str.contains(test)
            matches = pl.col(name).list.eval(inside).list.any()
            known = pl.col(name).list.len() > 0
            return self._fulfilled(pl.when(known).then(matches))
        return self._fulfilled(pl.col(name).str.contains(test))

    def _several(self, body: Any, depth: int) -> list[pl.Expr]:
        queries = body if isinstance(body, list) else [body]
        if not queries:
            raise _refuse("a list of queries must not be empty")
        return [self.query(query, depth + 1) for query in queries]

    def _bool(self, body: Any, depth: int) -> pl.Expr:
        if not isinstance(body, dict):
            raise _refuse("bool needs an object")
        allowed = {"must", "filter", "should", "must_not", "minimum_should_match", "boost"}
        if unknown := body.keys() - allowed:
            raise _refuse(f"bool has no part {', '.join(sorted(unknown))}")
        parts = {
            name: self._several(inner, depth)
            for name, inner in body.items()
            if name not in ("minimum_should_match", "boost") and inner != []
        }
        needed = [*parts.get("must", []), *parts.get("filter", [])]
        needed += [~part for part in parts.get("must_not", [])]
        should = parts.get("should", [])
        least = str(body.get("minimum_should_match", 0 if needed else 1))
        if not least.isdecimal() or len(least) > 9:
            raise _refuse("minimum_should_match must be a whole number")
        if should and int(least) == 1:
            needed.append(any_of(should))
        elif should and int(least) > 1:
            needed.append(_at_least(int(least), should))
        return all_of(needed)


def _at_least(number: int, tests: list[pl.Expr]) -> pl.Expr:
    """Whether so many of the tests pass; null if it depends on tests that are null."""
    fewest, most = (
        pl.sum_horizontal(test.fill_null(unknown) for test in tests) for unknown in (False, True)
    )
    return pl.when(fewest >= number).then(True).when(most < number).then(False)


_NOT_WORDS = NUMERIC | DATED | {"bool", "array"}
"""Kinds whose values do not consist of words."""


def _part(clause: str, body: Any, name: str) -> Any:
    if not isinstance(body, dict) or name not in body or body.keys() - {name, "boost"}:
        raise _refuse(f"{clause} needs {name} and nothing else")
    return body[name]


def _condition(clause: str, body: Any) -> Condition:
    """One clause about one field."""
    if not isinstance(body, dict) or not body:
        raise _refuse(f"{clause} needs an object")
    if clause == "exists":
        return Condition(field=str(body.get("field")).removesuffix(".keyword"), exists=True)
    field, value = _field_and_value(clause, body)
    if clause == "range":
        return _range(field, value)
    if clause == "terms":
        if not isinstance(value, list) or not all(isinstance(item, _SCALAR) for item in value):
            raise _refuse(f"terms on {field!r} needs a list of values")
        return Condition(field=field, values=value, match="exact")
    if not isinstance(value, _SCALAR):
        raise _refuse(f"{clause} on {field!r} needs a value")
    if clause == "term":
        return Condition(field=field, query=value, match="exact")
    if clause in ("match", "match_phrase"):
        return Condition(field=field, query=value)
    return Condition(field=field, query=str(value), match="prefix")


_SCALAR = str | int | float | bool
_WAYS = ("value", "query", "wildcard")
"""The keys under which a clause may have its value."""
_MORE = {"match": ["operator"], "regexp": ["flags", "max_determinized_states", "rewrite"]}


def _field_and_value(clause: str, body: Any) -> tuple[str, Any]:
    """The one field of a clause, and its value."""
    if not isinstance(body, dict):
        raise _refuse(f"{clause} needs an object")
    named = {name: inner for name, inner in body.items() if name != "boost"}
    if len(named) != 1:
        raise _refuse(f"{clause} can have one field only")
    ((name, inner),) = named.items()
    field = name.removesuffix(".keyword")
    if clause == "range" or not isinstance(inner, dict):
        return field, inner
    allowed = {*_WAYS, "boost", "case_insensitive", *_MORE.get(clause, ())}
    if unknown := inner.keys() - allowed:
        raise _refuse(f"{clause} cannot have {', '.join(sorted(unknown))}")
    return field, next((inner[way] for way in _WAYS if way in inner), None)


def _operator(body: Any) -> str:
    """Whether a match needs any of its words (`or`) or all of them (`and`)."""
    inner = next(iter(body.values()))
    operator = str(inner.get("operator", "or")).lower() if isinstance(inner, dict) else "or"
    if operator not in ("or", "and"):
        raise _refuse(f"match has no operator {operator!r}")
    return operator


def _some_words(column: pl.Expr, text: str, operator: str) -> pl.Expr:
    """Whether a text contains any or all of some whole words, ignoring case."""
    wanted = list(dict.fromkeys(words(text)))
    if len(wanted) > _MOST_WORDS:
        raise _refuse(f"match cannot have more than {_MOST_WORDS} words")
    if not wanted:
        return pl.lit(False)
    tests = [column.str.contains(rf"(?i)\b{re.escape(word)}\b") for word in wanted]
    return any_of(tests) if operator == "or" else all_of(tests)


def _ids(body: Any) -> list[str]:
    values = body.get("values") if isinstance(body, dict) else None
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise _refuse("ids needs a list of values")
    return values


def _range(field: str, body: Any) -> Condition:
    if not isinstance(body, dict) or body.keys() - {"gt", "gte", "lt", "lte", "format", "boost"}:
        raise _refuse(f"range on {field!r} can have gt, gte, lt and lte")
    if all(body.get(bound) is None for bound in ("gt", "gte", "lt", "lte")):
        raise _refuse(f"range on {field!r} has no bound")
    return Condition(
        field=field,
        range_filter=True,
        start=body.get("gte", body.get("gt")),
        end=body.get("lte", body.get("lt")),
        start_exclusive="gt" in body and "gte" not in body,
        end_exclusive="lt" in body and "lte" not in body,
    )
