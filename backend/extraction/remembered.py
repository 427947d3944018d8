"""Caches readings of short texts: all properties of a document read the same lines, and the
documents of a DocSet repeat their labels.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

Read = TypeVar("Read")
_LONGEST = 400
_KEPT = 8_000


def remembered(read: Callable[[str], list[Read]]) -> Callable[[str], list[Read]]:
    """Caches what a function reads in recent short texts; each call gets a new list."""

    @lru_cache(maxsize=_KEPT)
    def known(text: str) -> tuple[Read, ...]:
        return tuple(read(text))

    @wraps(read)
    def reading(text: str) -> list[Read]:
        return list(known(text)) if len(text) <= _LONGEST else read(text)

    return reading
