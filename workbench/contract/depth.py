"""Limits on the depth and size of JSON, of requests and of the results of changes."""

import re
from typing import Any

MAX_DEPTH = 64
MAX_VALUES = 250_000
"""Room for two lists of 100,000 documents; each value costs microseconds."""

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


def check_size(text: str) -> None:
    """Raises ValueError for a text of JSON that clearly has more than `MAX_VALUES` values.

    Its commas and brackets are counted, because making the values costs a processor a second and
    hundreds of megabytes before `check_depth` can count them.
    """
    if _fewest_values(text) > MAX_VALUES and _fewest_values(_STRING.sub("", text)) > MAX_VALUES:
        raise ValueError(_too_many(MAX_VALUES))


def _fewest_values(text: str) -> int:
    """Each comma has a value on both sides, and all but the outer list or object are values."""
    return max(text.count(",") + 1, text.count("[") + text.count("{") - 1)


def check_depth(value: Any, most_values: int | None = None) -> None:
    """ValueError for JSON deeper than `MAX_DEPTH` levels or with more than `most_values` values."""
    level, depth, values = [value], 0, 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        values += sum(len(item) for item in level if isinstance(item, dict | list))
        if most_values is not None and values > most_values:
            raise ValueError(_too_many(most_values))
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
            if isinstance(inner, dict | list)
        ]


def _too_many(most_values: int) -> str:
    return f"has more than {most_values:,} values"
