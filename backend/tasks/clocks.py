"""How long a job may take: by the clock, and without doing anything."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Still:
    """Whether a process that has work uses no processor for long: it hangs, as libraries do that
    got no memory, and would do so until its time is up.
    """

    most = 120.0

    def __init__(self, spent: Callable[[], float]) -> None:
        self._spent = spent
        self._waits = False
        self.begin()

    def begin(self) -> None:
        """From now on it works."""
        self._seen, self._since = -1.0, time.monotonic()
        self._next = self._since + 1

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """It has nothing to do while the block runs."""
        self._waits = True
        try:
            yield
        finally:
            self.begin()
            self._waits = False

    def is_over(self) -> bool:
        """Looks once a second."""
        now = time.monotonic()
        if self._waits or now < self._next:
            return False
        self._next, spent = now + 1, self._spent()
        if spent != self._seen:
            self._seen, self._since = spent, now
        return now - self._since > self.most


class Clock:
    """Calls `strike` after so many seconds of a block, those in which it stands left out."""

    def __init__(self, seconds: float, strike: Callable[[], None]) -> None:
        self._left = seconds
        self._strike = strike

    def __enter__(self) -> "Clock":
        self._start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._timer.cancel()

    @contextmanager
    def standing(self) -> Iterator[None]:
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
