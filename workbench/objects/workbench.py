"""The entry point: `connect()` finds or starts a backend, `docsets` leads to everything else."""

import os
from collections.abc import Callable, Iterator
from typing import Any, Self

from workbench.client import AsyncClient, Mistake, TaskResult
from workbench.client.wire import Relocate
from workbench.contract.embeddings import ModelInfo
from workbench.contract.tasks import TaskProgress
from workbench.frames.html import facts
from workbench.objects.arguments import address
from workbench.objects.awaited_workbench import AsyncWorkbench
from workbench.objects.completing import complete_in_ipython
from workbench.objects.docset import DocSet
from workbench.objects.docsets import DocSets, docsets_of
from workbench.objects.engine import Engine
from workbench.objects.plans import PlanDraft
from workbench.objects.task import Task
from workbench.objects.tasks import Tasks


class Workbench:
    """A connection to one server. `docsets` leads to all data; `aio` is the same for await."""

    def __init__(self, url: str, token: str, *, relocate: Relocate | None = None) -> None:
        server = url.rstrip("/") if relocate is None else "local"
        self.engine = Engine(lambda: AsyncClient(url, token, relocate=relocate), server)
        complete_in_ipython()

    @property
    def docsets(self) -> DocSets:
        """The current DocSets as a frame: look one up by name or id, or create one.

        Example: client.docsets["reports"]
        """
        return docsets_of(self.engine)

    @property
    def url(self) -> str:
        """The address of the server."""
        return self.engine.client.base_url

    @property
    def aio(self) -> AsyncWorkbench:
        """The same API for await, in the caller's event loop; `AsyncClient` has the plain calls of
        the service.

        Example: client.aio.docsets
        """
        return AsyncWorkbench(self)

    def plan(self, docset: DocSet, question: str) -> PlanDraft:
        """A plan that answers `question`, in plain words, about `docset`.

        Example: client.plan(docset, "How many reports are there?")
        """
        return docset.plan(question)

    # -- tasks ----------------------------------------------------------------------------------

    @property
    def tasks(self) -> Tasks:
        """Open and recently finished tasks of the server, as a frame.

        Example: client.tasks.to_polars()
        """
        return Tasks(self.engine, self.engine.run(lambda client: client.tasks()))

    def task(self, task_id: str) -> Task:
        """The task with the id `task_id`, for example of an earlier session.

        Example: client.task(task.id).result()
        """
        return Task(self.engine, task_id)

    def task_events(self) -> Iterator[TaskProgress]:
        """Every change of every task as it happens, without end.

        Example: next(client.task_events())
        """
        return self.engine.iterate(lambda client: client.task_events())

    def result(self, task_id: str, *, wait: bool = False) -> TaskResult:
        """The state of the task with the id `task_id`, or with `wait` its final result.

        Example: client.result(task.id, wait=True)
        """
        if wait:
            return self.engine.run(lambda client: client.wait(task_id))
        return self.engine.run(lambda client: client.result(task_id))

    def cancel(self, task_id: str) -> None:
        """Cancels the task with the id `task_id`; finished work is kept.

        Raises NotFound when it has ended.

        Example: client.cancel(docset.submit(b"A note.", name="note.txt").id)
        """
        self.engine.run(lambda client: client.cancel(task_id))

    # -- the server -----------------------------------------------------------------------------

    def capabilities(self) -> dict[str, Any]:
        """The capabilities of the server: formats, OCR, embeddings, language model.

        Example: client.capabilities()["formats"]
        """
        return self.engine.run(lambda client: client.capabilities())

    def models(self) -> list[ModelInfo]:
        """The embedding models of the server, with cost and licence.

        Example: client.models()
        """
        return self.engine.run(lambda client: client.models())

    def close(self) -> None:
        """Closes the connections; the backend keeps running.

        Example: wb.connect().close()
        """
        self.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Workbench({self.url!r})"

    def _repr_html_(self) -> str:
        return facts("Workbench", [("server", self.url), ("next", "iterate over .docsets")])


def connect(
    url: str | None = None,
    token: str | None = None,
    *,
    on_start: Callable[[], None] | None = None,
) -> Workbench:
    """A connection to the server at `url`, else to the bundled backend, started if necessary.

    `token` defaults to that of the bundled backend, or to `WORKBENCH_API_KEY` for a `url`.
    `on_start` is called if the backend has to be started, which takes a few seconds.

    Example: client = wb.connect()
    """
    if url is None:
        from workbench.launch import ensure_backend, relocate

        backend = ensure_backend(on_start=on_start)
        return Workbench(backend.url, token or backend.token, relocate=relocate)
    address(url)
    key = token or os.environ.get("WORKBENCH_API_KEY")
    if not key:
        raise Mistake("A server at a url needs a token: pass one or set WORKBENCH_API_KEY.")
    return Workbench(url, key)
