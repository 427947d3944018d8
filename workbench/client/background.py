"""An event loop on its own thread, for programs that have none: scripts and notebook cells.

A notebook kernel already runs a loop, which cannot be blocked; a second loop on another thread can.
There is one per process. After a fork the child has the object but not the thread, so it is created
again there. Nesting loops by patching asyncio was rejected: it breaks libraries that inspect the
running loop.
"""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

Value = TypeVar("Value")


class BackgroundLoop:
    """Runs coroutines from any thread but its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="workbench-loop", daemon=True
        )
        self._thread.start()

    def start(self, work: Coroutine[Any, Any, Value]) -> "Future[Value]":
        """Starts `work` and returns at once."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, Value]) -> Value:
        """The value of `work`. An interrupt (ctrl+c, a stopped cell) cancels the work too."""
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("The synchronous client cannot be used inside its own event loop.")
        future = self.start(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, items: AsyncIterator[Value]) -> Iterator[Value]:
        """The items one by one, each fetched on demand."""
        while True:
            try:
                yield self.run(_next(items))
            except StopAsyncIteration:
                return


class SharedWork:
    """Endless work shared by several users: started for the first, cancelled after the last."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._work = work
        self._holders = 0
        self._running: Future[None] | None = None
        self._lock = threading.Lock()

    def hold(self) -> Callable[[], None]:
        """Registers a user; returns a function that releases it, which is safe to call twice."""
        with self._lock:
            self._holders += 1
            if self._running is None or self._running.done():
                self._running = background_loop().start(self._work())
        release = iter([self._release])
        return lambda: next(release, _nothing)()

    def _release(self) -> None:
        with self._lock:
            self._holders -= 1
            if self._holders == 0 and self._running is not None:
                self._running.cancel()
                self._running = None


def _nothing() -> None:
    return None


async def _next(items: AsyncIterator[Value]) -> Value:
    return await anext(items)


_current: BackgroundLoop | None = None
_lock = threading.Lock()


def background_loop() -> BackgroundLoop:
    """The loop of this process; the first call starts it."""
    global _current
    with _lock:
        if _current is None:
            _current = BackgroundLoop()
        return _current


def _after_fork() -> None:
    global _current, _lock
    _current, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
