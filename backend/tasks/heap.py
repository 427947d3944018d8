"""What the C library keeps of the memory that is free again; where it cannot be told, all."""

import ctypes
from typing import Final

_ARENA_MAX: Final = -8  # of glibc's mallopt
_ARENAS = 2


def share_arenas() -> None:
    """Has the threads of this process, which come later, share what they free.

    Otherwise glibc gives each an arena of its own, up to eight per core: after forty small
    documents a server held twice the memory.
    """
    if (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Gives the system what is free: of a worker that has read a scan this is half."""
    if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
