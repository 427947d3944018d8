"""Memory that has to be free before work begins.

Libraries in Rust and C++ end the process when they get no memory, and no handler of ours is asked.
So the server asks first, by reserving as much as a request usually takes and releasing it at once:
that costs a few microseconds and touches no page. The system says no where a limit on the process
or on the machine as a whole stands in the way.
"""

import mmap
from typing import Final

from workbench.contract.errors import Unavailable

HEADROOM: Final = 64 * 2**20
_EACH: Final = 16 * 2**20
"""What a request under way may still need, though most need little."""
_MOST_BESIDE: Final = 16
RETRY_SECONDS: Final = 5
SHORT_OF_MEMORY: Final = (
    "The server is short of memory at the moment. Nothing was changed; try again later."
)


def has_headroom(beside: int = 0) -> bool:
    """Whether the process could have the memory of one more piece of work, `beside` so many
    requests that are under way.
    """
    size = HEADROOM + _EACH * min(beside, _MOST_BESIDE)
    try:
        # Private, because only private memory counts against the limits of a process.
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OSError, MemoryError):
        return False
    return True


def require_headroom() -> None:
    """Unavailable when memory is short: the work is to begin later."""
    if not has_headroom():
        raise Unavailable(SHORT_OF_MEMORY, RETRY_SECONDS)
