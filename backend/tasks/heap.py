"""Returns freed memory to the system. Does nothing where the C library has no calls for it."""

import ctypes
from typing import Final

_ARENA_MAX: Final = -8  # of glibc's mallopt
_ARENAS = 2


def share_arenas() -> None:
    """Makes threads that start later share two heaps.

    By default glibc gives each thread an arena of its own, up to eight per core; after forty small
    documents a server used twice the memory.
    """
    if (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Returns free pages to the system: half of the memory of a worker that has read a scan."""
    if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
