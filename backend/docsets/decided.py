"""Evidence of values that a person decided: set, confirmed, or refused ("there is none").

It keeps the extracted value, so that a decision can be changed or undone. A confirmed value, or one
chosen among the alternatives, keeps its source.
"""

from collections.abc import Mapping
from typing import Any

_READ = "read"
_PLACE = ("page", "bbox", "element", "unit")

Value = tuple[Any, Mapping[str, Any]]
"""A value with its evidence."""


def decided(before: Any, item: Mapping[str, Any], value: Any, at: float) -> dict[str, Any]:
    """The evidence of a decided `value`, from the previous value `before` and its evidence."""
    was, read = reopened(before, item)
    place: Mapping[str, Any] = {}
    if value is not None:
        guesses = [{"value": was, **read}, *(read.get("alternatives") or ())]
        place = next((one for one in guesses if not json_differs(one.get("value"), value)), {})
    kept = {name: place[name] for name in _PLACE if place.get(name) is not None}
    return {"corrected": True, "at": at, "confidence": 1.0, **kept, _READ: {"value": was, **read}}


def reopened(value: Any, item: Mapping[str, Any]) -> Value:
    """The extracted value with its evidence; unchanged if nobody has decided."""
    if not item.get("corrected"):
        return value, item
    read = dict(item.get(_READ) or {"value": None})
    return read.pop("value", None), read


def json_differs(one: Any, other: Any) -> bool:
    """Whether two values differ as JSON: 1 equals 1.0, but true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is not other
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other, strict=False)
        return len(one) != len(other) or any(json_differs(a, b) for a, b in pairs)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() != other.keys() or any(json_differs(one[k], other[k]) for k in one)
    return bool(one != other)


def keep_decision(item: Mapping[str, Any], value: Any, read: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence of a decision after rereading the document gave `value`."""
    return {**item, _READ: {"value": value, **read}}
