"""A filter against the properties of one document, in plain Python.

Says the same as the SQL of this package; the tests hold them all against each other.
"""

import operator
from collections.abc import Callable, Mapping
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

COMPARE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""The relations of comparisons."""


def matches(expression: Expression, properties: Mapping[str, Any]) -> bool:
    """Whether a document with these properties passes. Shape: the document's `properties` on the
    wire.
    """
    match expression:
        case And(parts):
            return all(matches(part, properties) for part in parts)
        case Or(parts):
            return any(matches(part, properties) for part in parts)
        case Not(inner):
            return not matches(inner, properties)
        case IsNull(path):
            return value_at(path, properties) is None
        case _:
            found = value_at(expression.path, properties)
            items = found if isinstance(found, list) else [found]
            return any(_fulfils(item, expression) for item in items)


def value_at(path: Path, properties: Mapping[str, Any]) -> Any:
    """The value a path leads to, None when there is none."""
    value: Any = properties
    for part in path.parts:
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


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
    """Whether a value of a document stands in a relation to a literal."""
    if isinstance(item, bool):
        wanted = boolean_of(value)
        return name in ("=", "!=") and wanted is not None and bool(COMPARE[name](item, wanted))
    if isinstance(value, bool):
        return False
    if isinstance(item, str) != isinstance(value, str) or not isinstance(item, str | int | float):
        return False
    return bool(COMPARE[name](item, value))
