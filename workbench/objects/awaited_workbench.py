"""`client.aio`: the same API to be awaited, in the event loop of whoever uses it.

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
        """The DocSets that there are now, as a frame."""
        return await awaited(lambda: self.sync.docsets)

    async def __getitem__(self, name_or_id: str) -> AsyncDocSet:
        """The DocSet of that name or id. Raises UnknownName or AmbiguousName."""
        return AsyncDocSet((await self.listed())[name_or_id])

    async def get(self, name_or_id: str) -> AsyncDocSet | None:
        """The same, or None. Raises AmbiguousName when several have the name."""
        found = await awaited((await self.listed()).get, name_or_id)
        return None if found is None else AsyncDocSet(found)

    async def create(
        self,
        name: str,
        *,
        schema: SchemaLike | None = None,
        exist_ok: bool = False,
        properties: Mapping[str, Any] | None = None,
        embedding: str | None = None,
    ) -> AsyncDocSet:
        """A new, empty DocSet, or with `exist_ok` the one of that name; see `DocSets.create`."""
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
    """`Workbench`, awaited. It has the connections of the other, which closes both."""

    def __init__(self, sync: "Workbench") -> None:
        self.sync = sync

    @property
    def url(self) -> str:
        """The address of the server."""
        return self.sync.url

    @property
    def docsets(self) -> AsyncDocSets:
        """Leads to all data: `await client.aio.docsets["reports"]`."""
        return AsyncDocSets(self.sync)

    async def plan(self, docset: AsyncDocSet, question: str) -> AsyncPlanDraft:
        """A plan that answers the question about the DocSet."""
        return await docset.plan(question)

    async def tasks(self) -> Tasks:
        """The tasks of the server as a frame."""
        return await awaited(lambda: self.sync.tasks)

    def task(self, task_id: str) -> AsyncTask:
        """One task by its id, for instance of an earlier session."""
        return AsyncTask(self.sync.task(task_id))

    def task_events(self) -> AsyncIterator[TaskProgress]:
        """Every change of every task as it comes, without end."""
        return each(self.sync.task_events)

    async def result(self, task_id: str, *, wait: bool = False) -> TaskResult:
        """What a task has come to, or with `wait` what it will have come to."""
        return await awaited(self.sync.result, task_id, wait=wait)

    async def cancel(self, task_id: str) -> None:
        """Cancels a task that has not finished; what it did before is kept."""
        await awaited(self.sync.cancel, task_id)

    async def capabilities(self) -> dict[str, Any]:
        """What the server can do: formats, OCR, embeddings, language model."""
        return await awaited(self.sync.capabilities)

    async def models(self) -> list[ModelInfo]:
        """What can make vectors on the server, and what each takes."""
        return await awaited(self.sync.models)

    async def close(self) -> None:
        """Closes the connections, also those of the synchronous face; the backend goes on."""
        await awaited(self.sync.close)

    def __repr__(self) -> str:
        return f"AsyncWorkbench({self.url!r})"
