"""Limits the submissions of each account with a token bucket in memory."""

import threading
import time
from collections.abc import Callable

from workbench.contract.errors import TooMany


class Throttle:
    """`rate` submissions per second, in bursts of up to twice as many."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = max(1.0, 2 * rate)
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, account_id: str) -> None:
        """Counts one submission; TooMany with the time to wait when over the rate."""
        now = self._clock()
        with self._lock:
            left, seen = self._buckets.get(account_id, (self._burst, now))
            left = min(self._burst, left + (now - seen) * self._rate)
            if left < 1:
                raise TooMany(retry_after=(1 - left) / self._rate)
            self._buckets[account_id] = (left - 1, now)
