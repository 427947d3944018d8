"""Slows down token guessing."""

import time
from collections import OrderedDict
from collections.abc import Callable

_FREE = 5
_FORGOTTEN_SECONDS = 60.0
_LONGEST_SECONDS = 2.0
_CALLERS = 10_000


class Attempts:
    """Failed attempts by address. A few are answered at once; then each answer waits longer, up
    to two seconds. After a minute without failures they are forgotten.

    Only refusals wait, never a valid token: on one machine all callers share an address.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def failed(self, address: str) -> float:
        """Counts a failure; returns how many seconds its answer should wait."""
        now = self._clock()
        count, last = self._failed.pop(address, (0, now))
        count = count + 1 if now - last < _FORGOTTEN_SECONDS else 1
        self._failed[address] = count, now
        if len(self._failed) > _CALLERS:
            self._failed.popitem(last=False)
        return 0.0 if count <= _FREE else min(_LONGEST_SECONDS, 0.1 * 2 ** min(count - _FREE, 10))
