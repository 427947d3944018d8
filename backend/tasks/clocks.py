"""Time limits of a job: wall time, and time without any processor use."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class HangDetector:
    """Detects a process that has work and uses no processor time for `most` seconds.

    Libraries that cannot allocate memory hang like this until the wall time of the job is over.
    `spent` returns the processor seconds used so far.
    """

    most = 120.0

    def __init__(self, spent: Callable[[], float]) -> None:
        self._spent = spent
        self._waits = False
        self.begin()

    def begin(self) -> None:
        """The process starts to work."""
        self._seen, self._since = -1.0, time.monotonic()
        self._next = self._since + 1

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """The process has nothing to do while the block runs."""
        self._waits = True
        try:
            yield
        finally:
            self.begin()
            self._waits = False

    def is_hung(self) -> bool:
        """Checks at most once a second."""
        now = time.monotonic()
        if self._waits or now < self._next:
            return False
        self._next, spent = now + 1, self._spent()
        if spent != self._seen:
            self._seen, self._since = spent, now
        return now - self._since > self.most


class Clock:
    """Calls `strike` when a block has run for `seconds`, not counting the time it was paused."""

    def __init__(self, seconds: float, strike: Callable[[], None]) -> None:
        self._left = seconds
        self._strike = strike

    def __enter__(self) -> "Clock":
        self._start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._timer.cancel()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """The time of the inner block does not count."""
        self._timer.cancel()
        self._left -= time.monotonic() - self._began
        try:
            yield
        finally:
            self._start()

    def _start(self) -> None:
        self._began = time.monotonic()
        self._timer = threading.Timer(max(0.0, self._left), self._strike)
        self._timer.daemon = True
        self._timer.start()
