"""A task of the server as an object: wait for it, await it, follow it, cancel it."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import aclosing, suppress
from typing import Any, cast

from workbench.client import AsyncClient, MissingExtension, TaskResult
from workbench.contract.tasks import TaskProgress
from workbench.objects.engine import Engine

_ENDED = ("done", "cancelled")


class Task:
    """Work on the server, which continues whether or not somebody waits for it.

    `task.result()` waits; `await task` does the same in any event loop; iteration yields its
    progress until it has ended. `last` is the latest known progress; a repr makes no request.
    """

    def __init__(self, engine: Engine, task_id: str) -> None:
        self.engine = engine
        self.id = task_id
        self.last: TaskProgress | None = None

    def result(self, timeout: float | None = None) -> Any:
        """The body of the finished call.

        Raises the exception of the failed call, and ResultPending after `timeout` seconds.

        Example: task.result(timeout=60)
        """
        return _body(self.engine.run(lambda client: client.wait(self.id, timeout)))

    def done(self) -> bool:
        """Whether it has ended, successfully or not.

        Example: task.done()
        """
        return not self.engine.run(lambda client: client.result(self.id)).pending

    def cancel(self) -> None:
        """Cancels it; NotFound if it has ended. Finished work is kept.

        Example: docset.submit(b"A note.", name="note.txt").cancel()
        """
        self.engine.run(lambda client: client.cancel(self.id))

    def __iter__(self) -> Iterator[TaskProgress]:
        """Its progress at each change; nothing against a server that only reports the end."""
        return self.engine.iterate(self._progress)

    def __await__(self) -> Generator[Any, None, Any]:
        return self._awaited().__await__()

    def __repr__(self) -> str:
        last = self.last
        if last is None:
            return f"Task({self.id!r})"
        counted = f", {last.done} of {last.total} {last.unit}" if last.total else ""
        return f"Task({self.id!r}, {last.status}{counted})"

    async def _awaited(self) -> Any:
        return _body(await self.engine.awaiting(lambda client: client.wait(self.id)))

    async def _progress(self, client: AsyncClient) -> AsyncIterator[TaskProgress]:
        if not (await client.result(self.id)).pending:
            return
        with suppress(MissingExtension):
            events = cast("AsyncGenerator[TaskProgress]", client.task_events(after=0))
            async with aclosing(events):
                async for progress in events:
                    if progress.task_id == self.id:
                        self.last = progress
                        yield progress
                        if progress.status in _ENDED:
                            return


def _body(result: TaskResult) -> Any:
    if (failure := result.failure) is not None:
        raise failure
    return result.body
