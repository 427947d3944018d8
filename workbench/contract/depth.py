"""How deep and how broad JSON may be: what comes in, and what a change makes of what was there."""

from typing import Any

MAX_DEPTH = 64
MAX_VALUES = 250_000
"""Two lists of 100,000 documents and what stands beside them; each value costs microseconds."""


def check_depth(value: Any, most_values: int | None = None) -> None:
    """ValueError when objects and lists stand deeper in each other than `MAX_DEPTH` levels, or hold
    more than `most_values` values.
    """
    level, depth, values = [value], 0, 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        values += sum(len(item) for item in level if isinstance(item, dict | list))
        if most_values is not None and values > most_values:
            raise ValueError(f"made of more than {most_values:,} values")
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
            if isinstance(inner, dict | list)
        ]
