"""How deep JSON may be nested: what comes in, and what a change makes of what was there."""

from typing import Any

MAX_DEPTH = 64


def check_depth(value: Any) -> None:
    """ValueError when objects and lists stand deeper in each other than `MAX_DEPTH` levels."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
            if isinstance(inner, dict | list)
        ]
