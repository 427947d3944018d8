"""Limits on the depth and size of JSON, of requests and of the results of changes."""

from typing import Any

MAX_DEPTH = 64
MAX_VALUES = 250_000
"""Room for two lists of 100,000 documents; each value costs microseconds."""


def check_depth(value: Any, most_values: int | None = None) -> None:
    """Raises ValueError for JSON nested deeper than `MAX_DEPTH` levels, or with more than
    `most_values` values.
    """
    level, depth, values = [value], 0, 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        values += sum(len(item) for item in level if isinstance(item, dict | list))
        if most_values is not None and values > most_values:
            raise ValueError(f"has more than {most_values:,} values")
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
            if isinstance(inner, dict | list)
        ]
