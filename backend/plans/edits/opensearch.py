"""The part of the OpenSearch query language that plans of other programs use.

Filters become expressions over the table of documents; words to be found in the text are handed to
the search engine. Whatever cannot be done exactly is refused with its place and reason.
"""

import re
from collections.abc import Callable
from typing import Any

import polars as pl

from backend.contract.errors import FieldFault, Invalid
from backend.contract.plan import Plan
from backend.contract.plan_columns import Columns, document_columns
from backend.contract.plan_nodes import TEXT, Condition, canonical_field
from backend.contract.schema import PropertyKind
from backend.plans.english.words import words
from backend.plans.tables.conditions import all_of, any_of, expression

FindText = Callable[[str, str], pl.Expr]
"""Which rows have `words` in their text; the second argument is `words` or `phrase`."""

_DEPTH = 20


def translate(
    query: dict[str, Any], columns: dict[str, PropertyKind], find_text: FindText
) -> pl.Expr:
    """Which documents a query finds; Invalid names the clause that is not supported."""
    return _Translator(columns, find_text).query(query, 0)


def query_faults(plan: Plan, fields: Columns) -> list[FieldFault]:
    """Why the queries of a plan cannot be run, each with its step; none when all can."""
    columns = dict(document_columns(fields))
    faults: list[FieldFault] = []
    for node in plan.nodes.values():
        for name in _QUERIES:
            if isinstance(query := node.extras.get(name), dict) and query:
                loc: list[str | int] = ["body", "plan", "nodes", str(node.node_id), name]
                try:
                    translate(query, columns, lambda words, how: pl.lit(True))
                except Invalid as refusal:
                    faults += [f.model_copy(update={"loc": loc}) for f in refusal.faults]
                except (TypeError, ValueError, AttributeError):
                    msg = "the query is not formed as OpenSearch queries are"
                    faults.append(FieldFault(loc=loc, msg=msg, type="unsupported_query"))
    return faults


_QUERIES = ("query", "result_filter", "opensearch_filter")


def as_conditions(query: dict[str, Any] | None) -> list[Condition] | None:
    """A query as plain conditions that must all hold, or None when it is more than that."""
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
    found: list[Condition] = []
    for part, inner in body.items():
        for item in inner if isinstance(inner, list) else [inner]:
            conditions = as_conditions(item)
            if conditions is None or (part == "must_not" and len(conditions) != 1):
                return None
            negate = part == "must_not"
            found += [c.model_copy(update={"negate": c.negate != negate}) for c in conditions]
    return found


def _refuse(what: str) -> Invalid:
    return Invalid.at(
        ("body", "plan", "nodes", "query"),
        f"{what}; supported are match_all, match_none, term, terms, match, match_phrase, prefix,"
        " wildcard, range, exists, ids and bool with must, filter, should and must_not",
        "unsupported_query",
    )


class _Translator:
    def __init__(self, columns: dict[str, PropertyKind], find_text: FindText) -> None:
        self._columns = columns
        self._find_text = find_text

    def query(self, query: Any, depth: int) -> pl.Expr:
        if not isinstance(query, dict) or len(query) != 1 or depth > _DEPTH:
            raise _refuse("a query must be an object with one clause, not nested too deeply")
        ((clause, body),) = query.items()
        if clause in ("match_all", "match_none"):
            return pl.lit(clause == "match_all")
        if clause == "bool":
            return self._bool(body, depth)
        if clause == "ids":
            return pl.col("doc_id").is_in(_ids(body))
        condition = _condition(clause, body)
        name = canonical_field(condition.field or "")
        if name == TEXT:
            if clause not in ("match", "match_phrase"):
                raise _refuse(f"{clause} cannot be used on the text")
            return self._find_text(str(condition.query), "words" if clause == "match" else "phrase")
        if name not in self._columns:
            raise _refuse(f"there is no field {condition.field!r}")
        if clause == "match" and self._columns[name] == "string":
            return _some_words(pl.col(name), str(condition.query), _operator(body))
        return expression(condition, name, self._columns)

    def _bool(self, body: Any, depth: int) -> pl.Expr:
        if not isinstance(body, dict):
            raise _refuse("bool needs an object")
        allowed = {"must", "filter", "should", "must_not", "minimum_should_match", "boost"}
        if unknown := body.keys() - allowed:
            raise _refuse(f"bool has no part {', '.join(sorted(unknown))}")
        parts = {
            name: [self.query(q, depth + 1) for q in (v if isinstance(v, list) else [v])]
            for name, v in body.items()
            if name not in ("minimum_should_match", "boost")
        }
        needed = [*parts.get("must", []), *parts.get("filter", [])]
        needed += [~part for part in parts.get("must_not", [])]
        should = parts.get("should", [])
        least = body.get("minimum_should_match", 0 if needed else 1)
        if should and least not in (0, 1, "0", "1"):
            raise _refuse("minimum_should_match can only be 0 or 1")
        if should and int(least) == 1:
            needed.append(any_of(should))
        return all_of(needed)


def _condition(clause: str, body: Any) -> Condition:
    """One clause about one field."""
    if not isinstance(body, dict) or not body:
        raise _refuse(f"{clause} needs an object")
    if clause == "exists":
        return Condition(field=_name(str(body.get("field"))), exists=True)
    if len(body) != 1:
        raise _refuse(f"{clause} can be about one field only")
    ((name, inner),) = body.items()
    field = _name(name)
    if clause == "range":
        return _range(field, inner)
    if clause == "terms":
        return Condition(field=field, values=list(inner), match="exact")
    value = inner.get("value", inner.get("query")) if isinstance(inner, dict) else inner
    if not isinstance(value, str | int | float | bool):
        raise _refuse(f"{clause} on {name!r} needs a value")
    if clause == "term":
        return Condition(field=field, query=value, match="exact")
    if clause in ("match", "match_phrase"):
        return Condition(field=field, query=value)
    if clause == "prefix":
        return Condition(field=field, query=str(value), match="prefix")
    if clause == "wildcard":
        return _wildcard(field, str(value))
    raise _refuse(f"{clause!r} is not supported")


def _operator(body: Any) -> str:
    """Whether any word of a match will do (`or`) or all must be there (`and`)."""
    inner = next(iter(body.values()))
    options = inner if isinstance(inner, dict) else {}
    if unknown := options.keys() - {"query", "operator", "boost"}:
        raise _refuse(f"match cannot have {', '.join(sorted(unknown))}")
    operator = str(options.get("operator", "or")).lower()
    if operator not in ("or", "and"):
        raise _refuse(f"match has no operator {operator!r}")
    return operator


def _some_words(column: pl.Expr, text: str, operator: str) -> pl.Expr:
    """Whether a text holds any or all of some words as whole words, in any case."""
    tests = [column.str.contains(rf"(?i)\b{re.escape(word)}\b") for word in words(text)]
    if not tests:
        return pl.lit(False)
    return (any_of(tests) if operator == "or" else all_of(tests)).fill_null(False)


def _ids(body: Any) -> list[str]:
    values = body.get("values") if isinstance(body, dict) else None
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise _refuse("ids needs a list of values")
    return values


def _name(field: str) -> str:
    return field.removesuffix(".keyword")


def _range(field: str, body: Any) -> Condition:
    if not isinstance(body, dict) or body.keys() - {"gt", "gte", "lt", "lte", "format", "boost"}:
        raise _refuse(f"range on {field!r} can have gt, gte, lt and lte")
    return Condition(
        field=field,
        range_filter=True,
        start=body.get("gte", body.get("gt")),
        end=body.get("lte", body.get("lt")),
        start_exclusive="gt" in body and "gte" not in body,
        end_exclusive="lt" in body and "lte" not in body,
    )


def _wildcard(field: str, pattern: str) -> Condition:
    """Stars at the ends only; anything else is refused rather than approximated."""
    core = pattern.strip("*")
    if "*" in core or "?" in core:
        raise _refuse(f"the wildcard {pattern!r} may have stars only at its ends")
    starts, ends = pattern.startswith("*"), pattern.endswith("*")
    if starts and not ends:
        raise _refuse(f"the wildcard {pattern!r} asks for an ending, which is not supported")
    match_kind = "contains" if starts else "prefix" if ends else "exact"
    return Condition.model_validate({"field": field, "query": core, "match": match_kind})
