"""Memory that must be free before work begins.

Libraries in Rust and C++ abort the process when an allocation fails, and no handler of ours runs.
So the server tries first: it reserves as much as a request usually takes and releases it at once.
That costs a few microseconds and touches no page, and fails where a limit of the process or of the
machine would be reached.
"""

import mmap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from workbench.contract.errors import Unavailable

HEADROOM: Final = 64 * 2**20
_EACH: Final = 16 * 2**20
"""Memory that a running request may still need; most need little."""
_MOST_BESIDE: Final = 16
RETRY_SECONDS: Final = 5
SHORT_OF_MEMORY: Final = (
    "The server is short of memory at the moment. Nothing was changed; try again later."
)


_reserving = threading.Lock()
_reserved = 0
"""Bytes that `reserved` blocks may still take."""


def has_headroom(beside: int = 0, more: int = 0) -> bool:
    """Whether there is memory for one more piece of work, which needs `more` bytes than most do,
    while `beside` requests are running.
    """
    size = HEADROOM + _EACH * min(beside, _MOST_BESIDE) + more + _reserved
    try:
        # Private, because only private memory counts against the limits of a process.
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OSError, MemoryError, OverflowError):
        return False
    return True


def require_headroom(more: int = 0) -> None:
    """Raises Unavailable when memory is short."""
    if not has_headroom(more=more):
        raise Unavailable(SHORT_OF_MEMORY, RETRY_SECONDS)


@contextmanager
def reserved(size: int) -> Iterator[bool]:
    """Counts so many bytes as used by the block, if there are as many; whether there are."""
    global _reserved
    with _reserving:
        is_free = has_headroom(more=size)
        _reserved += size if is_free else 0
    try:
        yield is_free
    finally:
        if is_free:
            with _reserving:
                _reserved -= size
