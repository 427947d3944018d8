"""Watches the server's tasks, by its event stream or by polling once a second.

The stream is an extension; against a server without it the watch polls the task list of the
contract, and times are those of the first sighting.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Literal

from workbench.client.errors import ConnectionFailed, MissingExtension, WorkbenchError
from workbench.contract.tasks import TaskProgress

if TYPE_CHECKING:
    from workbench.client import AsyncClient

Channel = Literal["starting", "events", "polling", "waiting"]
"""How news arrive at the moment; `waiting` while the server does not answer."""

Listener = Callable[[TaskProgress], None]

_LONGEST_PAUSE = 10.0


class TaskWatch:
    """The server's tasks by id. `run()` keeps them current until it is cancelled."""

    def __init__(
        self,
        client: "AsyncClient",
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        poll_seconds: float = 1.0,
    ) -> None:
        self.tasks: dict[str, TaskProgress] = {}
        self.channel: Channel = "starting"
        self.trouble: str | None = None
        """Why the server cannot be heard at the moment, in words."""
        self.client = client
        self._clock = clock
        self._sleep = sleep
        self._poll_seconds = poll_seconds
        self._listeners: list[Listener] = []
        self._after: int | None = 0
        self._polled = 0

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` with every change; returns a function that stops it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @property
    def running(self) -> int:
        """Tasks that wait or run."""
        return sum(task.status in ("queued", "running") for task in self.tasks.values())

    @property
    def failed(self) -> int:
        return sum(failed(task) for task in self.tasks.values())

    def newest_first(self) -> list[TaskProgress]:
        return sorted(self.tasks.values(), key=lambda task: (-task.submitted, task.task_id))

    async def run(self) -> None:
        """Follows the server for ever; it reconnects after a growing pause."""
        pause = 0.25
        follow = self._follow_events
        while True:
            try:
                await follow()
                pause = 0.25
            except MissingExtension:
                follow = self._poll
                continue
            except WorkbenchError as error:
                self.trouble = str(error)
                self.channel = "waiting"
                self._after = 0 if not isinstance(error, ConnectionFailed) else self._after
            await self._sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)

    async def _follow_events(self) -> None:
        await self.client.tasks()  # a stream may be silent for long: this checks the server
        self.channel, self.trouble = "events", None
        # A broken connection is reported at once; `run` reconnects.
        async for progress in self.client.task_events(after=self._after, reconnects=0):
            self._after = max(self._after or 0, progress.sequence)
            self._take(progress)

    async def _poll(self) -> None:
        while True:
            listed = await self.client.tasks()
            self.channel, self.trouble = "polling", None
            now = self._clock()
            for task_id, summary in listed.items():
                known = self.tasks.get(task_id)
                if known is not None and known.status == summary.task_status:
                    continue
                self._polled += 1
                ended = summary.task_status in ("done", "cancelled")
                self._take(
                    TaskProgress(
                        task_id=task_id,
                        action=summary.action,
                        status=summary.task_status,
                        submitted=known.submitted if known else now,
                        finished=now if ended else None,
                        sequence=self._polled,
                    )
                )
            await self._sleep(self._poll_seconds)

    def _take(self, progress: TaskProgress) -> None:
        known = self.tasks.get(progress.task_id)
        if known is not None and known.sequence > progress.sequence:
            return
        self.tasks[progress.task_id] = progress
        for listener in tuple(self._listeners):
            listener(progress)


def failed(task: TaskProgress) -> bool:
    """Whether the task ended with an error."""
    return task.status == "done" and task.outcome is not None and task.outcome >= 300
