"""Calls about asynchronous tasks: results, list, progress."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from workbench.client.calls import Calls
from workbench.client.errors import (
    AuthenticationFailed,
    BadAnswer,
    ConnectionFailed,
    NotFound,
    ResultPending,
    WorkbenchError,
    refusal,
)
from workbench.client.events import ServerEvent, read_events
from workbench.client.wire import EXTENSIONS, Call, segment
from workbench.contract.tasks import TaskList, TaskProgress, TaskSummary

_PENDING = 202
_UNKNOWN_TASK = "No such task."
_FIRST_POLL, _LAST_POLL = 0.05, 0.5  # seconds
_RECONNECTS = 8


@dataclass(frozen=True)
class TaskResult:
    """The state of a task. `status` and `body` are those of the finished call.

    The body is None while the task is pending. A failed call has a status of 300 or more; a failed
    partition has status 200 and an `error` in its body.
    """

    pending: bool
    status: int
    body: Any = None

    @property
    def failure(self) -> WorkbenchError | None:
        """What the direct call would have raised; None on success."""
        if self.pending:
            return None
        if self.status >= 300:
            text = self.body if isinstance(self.body, str) else json.dumps(self.body)
            return refusal(self.status, text.encode())
        return body_error(self.body)

    @property
    def error(self) -> str | None:
        """The message of the failure; None on success."""
        failure = self.failure
        return None if failure is None else str(failure)


def body_error(body: Any) -> WorkbenchError | None:
    """The error that a partition reports in its body; its HTTP status is always 200."""
    if not isinstance(body, dict) or not body.get("error"):
        return None
    status = body.get("status_code")
    failed = status if isinstance(status, int) and status >= 400 else 500
    return refusal(failed, str(body["error"]).encode())


class TaskCalls(Calls):
    async def result(self, task_id: str) -> TaskResult:
        """The state of the task; NotFound when it is unknown or was cancelled."""
        call = Call("GET", f"/v1/async/result/{segment(task_id)}")
        response = await self.wire.answer(call, refuse=False)
        status = response.status_code
        if status == _PENDING:
            return TaskResult(True, status)
        try:
            body = response.json()
        except ValueError:
            body = response.text
        result = TaskResult(False, status, body)
        refused = result.failure if status >= 300 else None
        unknown = isinstance(refused, NotFound) and refused.detail == _UNKNOWN_TASK
        if refused is not None and (unknown or isinstance(refused, AuthenticationFailed)):
            raise refused
        return result

    async def wait(
        self,
        task_id: str,
        timeout: float | None = None,  # noqa: ASYNC109 - also for callers without an event loop
    ) -> TaskResult:
        """The result once the task has finished; ResultPending after `timeout` seconds.

        Waits for a server that is restarting.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._finished(task_id)
        except TimeoutError as error:
            message = f"Task {task_id} has not finished; it continues in the background."
            raise ResultPending(message) from error

    async def _finished(self, task_id: str) -> TaskResult:
        pause, failures = _FIRST_POLL, 0
        while True:
            try:
                result = await self.result(task_id)
                if not result.pending:
                    return result
                failures = 0
            except ConnectionFailed:
                failures += 1
                if failures > _RECONNECTS:
                    raise
            await self.wire.pause(pause)
            pause = min(_LAST_POLL, pause * 1.5)

    async def tasks(
        self, path_filter: str | None = None, method_filter: str | None = None
    ) -> dict[str, TaskSummary]:
        """Open and recently finished tasks, by id."""
        params = {"path_filter": path_filter, "method_filter": method_filter}
        return (await self.wire.model(Call("GET", "/v1/async/list", params=params), TaskList)).tasks

    async def cancel(self, task_id: str) -> None:
        """Cancels an unfinished task; NotFound for any other."""
        await self.wire.answer(Call("POST", f"/v1/async/cancel/{segment(task_id)}"))

    async def task_events(
        self, after: int | None = None, *, reconnects: int = _RECONNECTS
    ) -> AsyncIterator[TaskProgress]:
        """Every change of every task that the server knows, or those after number `after`, and then
        new ones as they happen.

        Resumes an interrupted stream; ConnectionFailed after `reconnects` failed attempts in a row.
        MissingExtension against a server that can only be polled.
        """
        failures = 0
        while True:
            headers = {} if after is None else {"Last-Event-ID": str(after)}
            call = Call("GET", f"{EXTENSIONS}tasks/events", headers=headers, patient=True)
            try:
                async with self.wire.pieces(call) as pieces:
                    async for event in read_events(pieces):
                        if event.name == "task":
                            progress = _progress(event)
                            failures, after = 0, progress.sequence
                            yield progress
            except ConnectionFailed:
                failures += 1
                if failures > reconnects:
                    raise
            await self.wire.pause(min(_LAST_POLL, _FIRST_POLL * 2**failures))


def _progress(event: ServerEvent) -> TaskProgress:
    try:
        return TaskProgress.model_validate_json(event.data)
    except ValidationError as error:
        raise BadAnswer("An event of the task stream is not a task.") from error
