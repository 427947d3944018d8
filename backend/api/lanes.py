"""Threads for requests that may take long: a few for each kind of work, shared between accounts.

The framework has one thread pool for everything, so forty slow requests of one kind would block all
others. A lane has its own threads. Accounts take turns, and where there is more than one thread, a
single account never has all of them.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import Request

from backend.api.time_limit import Job, TimeLimits
from backend.tasks.headroom import require_headroom

_Result = TypeVar("_Result")
_LOOK_EVERY = 0.5


class Turns:
    """Admits `size` at once, accounts in turn; one account never occupies the last free place."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._most = max(1, size - 1)
        self._inside: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, account: str) -> AsyncIterator[None]:
        """Waits for a place and occupies it until the block ends."""
        await self._enter(account)
        try:
            yield
        finally:
            self._leave(account)

    async def _enter(self, account: str) -> None:
        if self._may_enter(account) and account not in self._waiting:
            self._inside[account] += 1
            return
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(account, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave(account)  # the place was assigned at the same moment
            raise

    def _may_enter(self, account: str) -> bool:
        return self._inside.total() < self._size and self._inside[account] < self._most

    def _leave(self, account: str) -> None:
        self._inside[account] -= 1
        if not self._inside[account]:
            del self._inside[account]
        for other in list(self._waiting):
            if self._may_enter(other):
                self._call(other)

    def _call(self, account: str) -> None:
        queue = self._waiting.pop(account)
        called = None
        while queue and called is None:
            first = queue.popleft()
            called = None if first.done() else first
        if queue:
            self._waiting[account] = queue  # behind the other accounts
        if called is not None:
            self._inside[account] += 1
            called.set_result(None)


class Lane:
    """Threads for one kind of work; each piece has a limit of `seconds`."""

    def __init__(self, size: int, seconds: float, limits: TimeLimits) -> None:
        self._size = size
        self._seconds = seconds
        self._limits = limits
        self._turns = Turns(size)
        self._limiter: CapacityLimiter | None = None

    async def run(
        self,
        account: str,
        work: Callable[[], _Result],
        request: Request | None = None,
        stop: Callable[[], None] | None = None,
    ) -> _Result:
        """Runs the work in a thread when it is the account's turn; Unavailable on timeout. When the
        caller of the `request` disconnects it is stopped, by `stop` if set.
        """
        if self._limiter is None:
            self._limiter = CapacityLimiter(self._size)
        job = Job()
        async with self._turns.turn(account):
            require_headroom()  # memory may have become short while this waited
            thread = asyncio.ensure_future(
                run_sync(self._limits.run, work, self._seconds, job, limiter=self._limiter)
            )
            look = None if request is None else _LOOK_EVERY
            try:
                while not (await asyncio.wait({thread}, timeout=look))[0]:
                    if request is not None and await request.is_disconnected():
                        (stop or job.stop)()
            except asyncio.CancelledError:
                job.stop()
                await asyncio.wait({thread})
                raise
            return thread.result()


class Lanes:
    """The lanes of a server. `seconds` limits most requests, `run_seconds` a run of a query, and a
    language model may add `model_seconds` to a request about a plan.
    """

    def __init__(self, seconds: float, run_seconds: float, model_seconds: float = 0.0) -> None:
        self._limits = TimeLimits()
        # A run checks the clock itself and keeps its completed steps; this is the last resort.
        patient = run_seconds + model_seconds + seconds
        self.runs = Lane(4, patient, self._limits)
        self.plans = Lane(4, seconds + model_seconds, self._limits)
        self.searches = Lane(8, seconds, self._limits)
        self.names = Lane(8, seconds, self._limits)
        self.documents = Turns(3)
        """Whole documents. Each occupies a core for seconds if it is large, and more of them than
        cores would keep the interpreter from everybody else.
        """
        self.originals = Turns(2)
        """Documents with all their original elements, which are several times as large."""

    def close(self) -> None:
        """Stops all active work."""
        self._limits.stop_all()
