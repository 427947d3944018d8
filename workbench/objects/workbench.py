"""The way in: `connect()` finds or starts a backend, and `docsets` leads to everything else."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

from backend.contract.docsets import DocSetMetadata
from backend.contract.embeddings import ModelInfo
from backend.contract.schema import Schema
from backend.contract.tasks import TaskProgress, TaskSummary
from workbench.client import AsyncClient, NotFound, TaskResult
from workbench.client.wire import Relocate
from workbench.frames.html import facts
from workbench.objects.docset import DocSet
from workbench.objects.engine import Engine
from workbench.objects.plans import PlanDraft
from workbench.objects.task import Task


class DocSets:
    """The DocSets of the account: iterate over them, or take one by name or id."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __iter__(self) -> Iterator[DocSet]:
        for metadata in self.engine.iterate(lambda client: client.docsets()):
            yield DocSet(self.engine, metadata)

    def __getitem__(self, name_or_id: str) -> DocSet:
        """The DocSet of that name, the newest of several, or of that id; KeyError without one."""
        if (found := self.get(name_or_id)) is None:
            raise KeyError(f"There is no DocSet {name_or_id!r}.")
        return found

    def get(self, name_or_id: str) -> DocSet | None:
        metadata = self.engine.run(lambda client: find_docset(client, name_or_id))
        return None if metadata is None else DocSet(self.engine, metadata)

    def __contains__(self, name_or_id: str) -> bool:
        return self.get(name_or_id) is not None

    def create(
        self,
        name: str,
        *,
        schema: Schema | Mapping[str, Any] | None = None,
        properties: Mapping[str, Any] | None = None,
        embedding: str | None = None,
    ) -> DocSet:
        """A new, empty DocSet; the properties of its schema are read from whatever is added.

        `embedding` is the model of its vectors, one of `Workbench.models`.
        """
        return DocSet(
            self.engine,
            self.engine.run(
                lambda client: client.create_docset(
                    name, schema=schema, properties=properties, embedding=embedding
                )
            ),
        )

    def __repr__(self) -> str:
        return f"DocSets of {self.engine.client.base_url} (iterate, or take one by name)"


class Workbench:
    """A connection to one server. `docsets` leads to all data, `aio` is the asynchronous client."""

    def __init__(self, url: str, token: str, *, relocate: Relocate | None = None) -> None:
        server = url.rstrip("/") if relocate is None else "local"
        self.engine = Engine(lambda: AsyncClient(url, token, relocate=relocate), server)
        self._aio: AsyncClient | None = None
        self.docsets = DocSets(self.engine)

    @property
    def url(self) -> str:
        return self.engine.client.base_url

    @property
    def aio(self) -> AsyncClient:
        """The same calls to be awaited, in the event loop of whoever uses it (one at a time)."""
        if self._aio is None:
            self._aio = self.engine.connect()
        return self._aio

    def plan(self, docset: DocSet, question: str) -> PlanDraft:
        """A plan that answers the question about the DocSet."""
        return docset.plan(question)

    # -- tasks ----------------------------------------------------------------------------------

    def tasks(self) -> dict[str, TaskSummary]:
        """The tasks of the server by id: the open ones and those that finished lately."""
        return self.engine.run(lambda client: client.tasks())

    def task(self, task_id: str) -> Task:
        """One task by its id, for instance of an earlier session."""
        return Task(self.engine, task_id)

    def task_events(self) -> Iterator[TaskProgress]:
        """Every change of every task as it comes, without end."""
        return self.engine.iterate(lambda client: client.task_events())

    def result(self, task_id: str, *, wait: bool = False) -> TaskResult:
        """What a task has come to, or with `wait` what it will have come to."""
        if wait:
            return self.engine.run(lambda client: client.wait(task_id))
        return self.engine.run(lambda client: client.result(task_id))

    def cancel(self, task_id: str) -> None:
        """Cancels a task that has not finished; what it did before is kept."""
        self.engine.run(lambda client: client.cancel(task_id))

    # -- the server -----------------------------------------------------------------------------

    def capabilities(self) -> dict[str, Any]:
        """What the server can do: formats, OCR, embeddings, language model."""
        return self.engine.run(lambda client: client.capabilities())

    def models(self) -> list[ModelInfo]:
        """What can make vectors on the server, and what each takes."""
        return self.engine.run(lambda client: client.models())

    def close(self) -> None:
        """Closes the connections; the backend goes on."""
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
    """A connection to the server at `url`, else to the bundled backend, started if need be.

    Without a `token`, that of the bundled backend is used, or `WORKBENCH_API_KEY` for a `url`.
    `on_start` is called when the backend has to be started, which takes a few seconds.
    """
    if url is None:
        from workbench.launch import ensure_backend, relocate

        found = ensure_backend(on_start=on_start)
        return Workbench(found.url, token or found.token, relocate=relocate)
    key = token or os.environ.get("WORKBENCH_API_KEY")
    if not key:
        raise ValueError("A server of your own needs a token: pass one or set WORKBENCH_API_KEY.")
    return Workbench(url, key)


async def find_docset(client: AsyncClient, name_or_id: str) -> DocSetMetadata | None:
    """The newest DocSet of that name, else the one of that id."""
    named = [found async for found in client.docsets(name_eq=name_or_id)]
    if named:
        return max(named, key=lambda found: found.created_at)
    try:
        return await client.docset(name_or_id)
    except NotFound:
        return None
