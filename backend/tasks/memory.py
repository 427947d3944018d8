"""What memory the jobs of a pool may take together: a share each, and one reserve for all.

Several jobs that each took what one may take would be more than a small machine has. So every job
has its share, which is enough for most, and borrows from the reserve while it grows. One that the
reserve has no more for is stopped and begun anew when it can have all of it; so one large document
is read at a time, beside it small ones.
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
    """`whole` is what one job may take: its `share`, and all that there is to borrow."""

    def __init__(self, whole: int) -> None:
        self.whole = whole
        self.share = min(whole, max(whole // _SHARE, _LEAST_SHARE))
        self._free = whole - self.share
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()

    def begin(self) -> "Grant":
        """For a job that takes its share only, so far."""
        return Grant(self, 0)

    def begin_with_all(self, stopped: Callable[[], bool] = lambda: False) -> "Grant":
        """Waits until all of the reserve is free, and takes it: who came first has it first.

        Withdrawn when `stopped` says so before that.
        """
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
        """So many bytes more for a job, or what is left of them. Who has borrowed nothing gets
        nothing while somebody waits for all.
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
    """Nobody waits for the memory any more."""


class Grant:
    """What one job may take now, until its block ends. `borrowed` and `ended` are the reserve's."""

    def __init__(self, reserve: Reserve, borrowed: int) -> None:
        self._reserve = reserve
        self.borrowed = borrowed
        self.ended = False

    @property
    def memory(self) -> int:
        """Bytes beyond what the worker had before."""
        return self._reserve.share + self.borrowed

    @property
    def is_whole(self) -> bool:
        """Whether there is no more to be had."""
        return self.memory == self._reserve.whole

    def grow(self, wanted: int) -> int:
        """Borrows so many bytes, or what is left of them; returns how many."""
        before = self.borrowed
        self._reserve.borrow(wanted, self)
        return self.borrowed - before

    def __enter__(self) -> "Grant":
        return self

    def __exit__(self, *_exception: object) -> None:
        self._reserve.take_back(self)
