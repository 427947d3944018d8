"""Threads for requests that may take long: a few for each kind of work, shared between accounts.

The framework has one pool of threads for everything; forty slow requests of one kind would then
stop all others. A lane has threads of its own. Accounts take turns for them, and where there is
more than one thread, one account never has all of them.
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
    """Who may go on: `size` at once, accounts in turn, one place always left for another one."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._most = max(1, size - 1)
        self._inside: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, account: str) -> AsyncIterator[None]:
        """Waits for a place and has it for the length of the block."""
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
                self._leave(account)  # the place was given in the same moment
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
    """Threads for one kind of work; a piece of it may take `seconds`."""

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
        """Does the work in a thread when it is the account's turn; Unavailable when it takes too
        long. When the caller of the `request` goes away it is stopped, by `stop` if there is one.
        """
        if self._limiter is None:
            self._limiter = CapacityLimiter(self._size)
        job = Job()
        async with self._turns.turn(account):
            require_headroom()  # others may have used it up while this waited
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
    """The lanes of a server. `seconds` is what most requests may take, `run_seconds` a run of a
    query, and `model_seconds` what a language model may add to a request about a plan.
    """

    def __init__(self, seconds: float, run_seconds: float, model_seconds: float = 0.0) -> None:
        self._limits = TimeLimits()
        # A run looks at the clock itself and keeps what it has done; this is for when it cannot.
        patient = run_seconds + model_seconds + seconds
        self.runs = Lane(4, patient, self._limits)
        self.plans = Lane(4, seconds + model_seconds, self._limits)
        self.searches = Lane(8, seconds, self._limits)
        self.names = Lane(8, seconds, self._limits)

    def close(self) -> None:
        """Ends all work that is under way."""
        self._limits.stop_all()
