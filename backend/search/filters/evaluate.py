"""Evaluates a filter against one document in plain Python; tests compare it with the SQL."""

import operator
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from backend.search.filters.patterns import matcher
from backend.search.filters.tree import (
    And,
    Comparison,
    Condition,
    Expression,
    IsNull,
    Like,
    Not,
    OneOf,
    Or,
    Path,
    Value,
    boolean_of,
)
from workbench.contract.plan_values import moment_in

COMPARE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""The comparison operators."""


def matches(expression: Expression, properties: Mapping[str, Any]) -> bool:
    """Whether a document passes; `properties` has the shape of the wire format."""
    match expression:
        case And(parts):
            return all(matches(part, properties) for part in parts)
        case Or(parts):
            return any(matches(part, properties) for part in parts)
        case Not(inner):
            known = value_at(inner.path, properties) is not None
            return known and not matches(inner, properties)
        case IsNull(path):
            return value_at(path, properties) is None
        case _:
            value = value_at(expression.path, properties)
            items = value if isinstance(value, list) else [value]
            return any(_fulfils(item, expression) for item in items)


def value_at(path: Path, properties: Mapping[str, Any]) -> Any:
    """The value at a path, None when there is none; an empty list is none."""
    value: Any = properties
    for part in path.parts:
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return None if value == [] else value


def _fulfils(item: Any, condition: Condition) -> bool:
    match condition:
        case Comparison(_, name, value):
            return compares(item, name, value)
        case OneOf(_, values):
            return any(compares(item, "=", value) for value in values)
        case Like(_, pattern):
            return isinstance(item, str) and matcher(pattern)(item)
        case _:
            return False


def compares(item: Any, name: str, value: Value) -> bool:
    """Whether a document's value compares to a literal as the operator `name` asks."""
    if isinstance(item, bool):
        return name == "=" and item is boolean_of(value)
    if isinstance(value, datetime):
        moment = moment_in(item)
        return moment is not None and bool(COMPARE[name](moment, value))
    if isinstance(value, bool):
        return False
    if isinstance(item, str) != isinstance(value, str) or not isinstance(item, str | int | float):
        return False
    return bool(COMPARE[name](item, value))
