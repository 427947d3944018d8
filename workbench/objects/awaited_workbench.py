"""`client.aio`: the same API for await, in the caller's event loop.

Example: docset = await client.aio.docsets["reports"]
"""

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from workbench.client import TaskResult
from workbench.contract.embeddings import ModelInfo
from workbench.contract.tasks import TaskProgress
from workbench.objects.awaited import AsyncDocSet, AsyncPlanDraft
from workbench.objects.awaited_run import AsyncTask
from workbench.objects.awaiting import awaited, each
from workbench.objects.docsets import DocSets
from workbench.objects.schemas import SchemaLike
from workbench.objects.tasks import Tasks

if TYPE_CHECKING:
    from workbench.objects.workbench import Workbench


class AsyncDocSets:
    """`DocSets`, awaited: `await docsets["reports"]`, `async for docset in docsets`."""

    def __init__(self, sync: "Workbench") -> None:
        self.sync = sync

    async def listed(self) -> DocSets:
        """The current DocSets, as a frame."""
        return await awaited(lambda: self.sync.docsets)

    async def __getitem__(self, name_or_id: str) -> AsyncDocSet:
        """The DocSet with that name or id. Raises UnknownName or AmbiguousName."""
        return AsyncDocSet((await self.listed())[name_or_id])

    async def get(self, name_or_id: str) -> AsyncDocSet | None:
        """The same, or None. Raises AmbiguousName when several have the name."""
        docset = await awaited((await self.listed()).get, name_or_id)
        return None if docset is None else AsyncDocSet(docset)

    async def create(
        self,
        name: str,
        *,
        schema: SchemaLike | None = None,
        exist_ok: bool = False,
        properties: Mapping[str, Any] | None = None,
        embedding: str | None = None,
    ) -> AsyncDocSet:
        """A new, empty DocSet, or with `exist_ok` the existing one; see `DocSets.create`."""
        docsets = await self.listed()
        made = await awaited(
            docsets.create,
            name,
            schema=schema,
            exist_ok=exist_ok,
            properties=properties,
            embedding=embedding,
        )
        return AsyncDocSet(made)

    async def __aiter__(self) -> AsyncIterator[AsyncDocSet]:
        for docset in await self.listed():
            yield AsyncDocSet(docset)


class AsyncWorkbench:
    """`Workbench`, awaited. It shares the other's connections; closing one closes both."""

    def __init__(self, sync: "Workbench") -> None:
        self.sync = sync

    @property
    def url(self) -> str:
        """The address of the server."""
        return self.sync.url

    @property
    def docsets(self) -> AsyncDocSets:
        """The entry point to all data: `await client.aio.docsets["reports"]`."""
        return AsyncDocSets(self.sync)

    async def plan(self, docset: AsyncDocSet, question: str) -> AsyncPlanDraft:
        """A plan that answers the question about the DocSet."""
        return await docset.plan(question)

    async def tasks(self) -> Tasks:
        """The tasks of the server as a frame."""
        return await awaited(lambda: self.sync.tasks)

    def task(self, task_id: str) -> AsyncTask:
        """One task by its id, for example of an earlier session."""
        return AsyncTask(self.sync.task(task_id))

    def task_events(self) -> AsyncIterator[TaskProgress]:
        """Every change of every task as it happens, without end."""
        return each(self.sync.task_events)

    async def result(self, task_id: str, *, wait: bool = False) -> TaskResult:
        """The state of a task, or with `wait` its final result."""
        return await awaited(self.sync.result, task_id, wait=wait)

    async def cancel(self, task_id: str) -> None:
        """Cancels an unfinished task; finished work is kept."""
        await awaited(self.sync.cancel, task_id)

    async def capabilities(self) -> dict[str, Any]:
        """The capabilities of the server: formats, OCR, embeddings, language model."""
        return await awaited(self.sync.capabilities)

    async def models(self) -> list[ModelInfo]:
        """The embedding models of the server, with cost and licence."""
        return await awaited(self.sync.models)

    async def close(self) -> None:
        """Closes the connections, including those of the synchronous interface; the backend keeps
        running.
        """
        await awaited(self.sync.close)

    def __repr__(self) -> str:
        return f"AsyncWorkbench({self.url!r})"
