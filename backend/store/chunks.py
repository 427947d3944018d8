"""Slices of long lists, for statements that take a limited number of parameters."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

_CHUNK = 400
Item = TypeVar("Item")


def chunks(items: Sequence[Item], size: int = _CHUNK) -> Iterator[Sequence[Item]]:
    """Slices of at most `size` items, by default small enough for one statement.

    Example:
        >>> list(chunks("abcde", 2))
        ['ab', 'cd', 'e']
    """
    return (items[start : start + size] for start in range(0, len(items), size))
