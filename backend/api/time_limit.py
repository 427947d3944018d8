"""Limits the time of work in a thread, even of work that never checks a clock.

An exception is raised in the thread at its next Python instruction; a call into a library finishes
first. So the limit suits work that is bounded but may be slow: it frees the thread and the
interpreter lock for others.
"""

import ctypes
import itertools
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from workbench.contract.errors import Unavailable

_Result = TypeVar("_Result")
_AGAIN_EVERY = 0.2
_STEPS = 100


class _Overdue(BaseException):
    """Raised in a thread. A BaseException: handlers of Exception would continue the work."""


class TimeLimits:
    """Limits the work of any number of threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._ends: dict[int, tuple[int, float]] = {}
        self._keys = itertools.count()
        self._watcher: threading.Thread | None = None
        self._stopping = False

    def run(self, work: Callable[[], _Result], seconds: float, job: "Job | None" = None) -> _Result:
        """Runs the work in this thread; Unavailable on timeout, or when `job` is stopped."""
        key = next(self._keys)
        thread = threading.get_ident()
        try:
            with self._changed:
                if self._stopping:
                    raise Unavailable("The backend is stopping.")
                self._ends[key] = thread, self._clock() + seconds
                self._watch()
            if job is not None:
                job.attach(self, key)
            return work()
        except BaseException as error:
            if not _from_overdue(error):
                raise
            raise Unavailable(
                f"This took longer than {seconds:g} s and was stopped; nothing was changed. The"
                " setting request_seconds allows more."
            ) from None
        finally:
            self._leave(key)

    def stop(self, key: int) -> None:
        """Stops a piece of work now."""
        with self._changed:
            if key in self._ends:
                self._ends[key] = self._ends[key][0], 0.0
                self._changed.notify_all()

    def stop_all(self) -> None:
        """Stops all work and admits no more."""
        with self._changed:
            self._stopping = True
            self._ends = {key: (thread, 0.0) for key, (thread, _) in self._ends.items()}
            self._changed.notify_all()

    def _leave(self, key: int) -> None:
        while True:
            try:
                with self._changed:
                    self._ends.pop(key, None)
                # One that is pending is raised here. Clearing it instead would leave the
                # interpreter looking for it at every step from then on.
                for _ in range(_STEPS):
                    pass
                return
            except _Overdue:
                continue

    def _watch(self) -> None:
        if self._watcher is None:
            watcher = threading.Thread(
                target=self._interrupt_overdue, name="time limits", daemon=True
            )
            watcher.start()
            self._watcher = watcher
        self._changed.notify_all()

    def _interrupt_overdue(self) -> None:
        while True:
            with self._changed:
                while not self._ends:
                    self._changed.wait()
                now = self._clock()
                for thread, end in self._ends.values():
                    if now >= end:  # repeatedly: one may be lost in a destructor
                        _put(thread, _Overdue)
                ahead = (end - now for _, end in self._ends.values() if end > now)
                self._changed.wait(min([_AGAIN_EVERY, *ahead]))


class Job:
    """A handle to stop a piece of work from outside; usable before the work begins."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._place: tuple[TimeLimits, int] | None = None
        self._stopped = False

    def attach(self, limits: TimeLimits, key: int) -> None:
        """Called when the work begins, with its key."""
        with self._lock:
            self._place = limits, key
            stopped = self._stopped
        if stopped:
            limits.stop(key)

    def stop(self) -> None:
        """Stops the work now, or as soon as it begins."""
        with self._lock:
            self._stopped = True
            place = self._place
        if place is not None:
            place[0].stop(place[1])


def _from_overdue(error: BaseException | None) -> bool:
    """Whether an error is _Overdue, or was raised while that one was handled, as in a cleanup."""
    while error is not None and not isinstance(error, _Overdue):
        error = error.__context__
    return error is not None


def _put(thread: int, exception: type[BaseException]) -> None:
    raised = ctypes.py_object(exception)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
