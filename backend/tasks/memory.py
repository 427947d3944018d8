"""The memory of a pool's jobs: a share for each, and one reserve for all.

A small machine cannot give every job the maximum at once. So each job has a share, which is
enough for most, and borrows from the reserve as it grows. A job that needs more than is left is
stopped and restarts when it can have the whole reserve, so one large document is read at a time,
beside small ones.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

_MIB: Final = 2**20
_SHARE: Final = 4
_LEAST_SHARE: Final = 192 * _MIB
_LOOK_EVERY = 0.2


class Reserve:
    """`whole` is the most that one job may use, in bytes: its `share` and the whole reserve."""

    def __init__(self, whole: int) -> None:
        self.whole = whole
        self.share = min(whole, max(whole // _SHARE, _LEAST_SHARE))
        self._free = whole - self.share
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()

    def begin(self) -> "Grant":
        """A grant of the share alone."""
        return Grant(self, 0)

    def begin_with_all(self, stopped: Callable[[], bool] = lambda: False) -> "Grant":
        """Waits for the whole reserve, first come first served; Withdrawn once `stopped`."""
        most, ticket = self.whole - self.share, object()
        with self._changed:
            self._waiting.append(ticket)
            try:
                while self._waiting[0] is not ticket or self._free < most:
                    if stopped():
                        raise Withdrawn
                    self._changed.wait(_LOOK_EVERY)
                self._free = 0
                return Grant(self, most)
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()

    def borrow(self, wanted: int, grant: "Grant") -> None:
        """Grants `wanted` more bytes, or as many as are left. While another job waits for the whole
        reserve, a job that has borrowed nothing yet gets nothing.
        """
        with self._changed:
            if not grant.ended and (grant.borrowed or not self._waiting):
                given = min(wanted, self._free)
                self._free -= given
                grant.borrowed += given

    def take_back(self, grant: "Grant") -> None:
        """The job has ended."""
        with self._changed:
            self._free += grant.borrowed
            grant.borrowed, grant.ended = 0, True
            self._changed.notify_all()


class Withdrawn(Exception):
    """The job stopped waiting for memory."""


class Grant:
    """The memory of one job until its block ends. `Reserve` maintains `borrowed` and `ended`."""

    def __init__(self, reserve: Reserve, borrowed: int) -> None:
        self._reserve = reserve
        self.borrowed = borrowed
        self.ended = False

    @property
    def memory(self) -> int:
        """Bytes that the job may add to what its worker used before."""
        return self._reserve.share + self.borrowed

    @property
    def is_whole(self) -> bool:
        """Whether it includes the whole reserve."""
        return self.memory == self._reserve.whole

    def grow(self, wanted: int) -> int:
        """Borrows up to `wanted` bytes; returns how many."""
        before = self.borrowed
        self._reserve.borrow(wanted, self)
        return self.borrowed - before

    def __enter__(self) -> "Grant":
        return self

    def __exit__(self, *_exception: object) -> None:
        self._reserve.take_back(self)
