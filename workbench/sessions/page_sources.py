"""The sources of page pictures, fetched before they are shown."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.client.errors import WorkbenchError
from workbench.contract.elements import StoredElement

if TYPE_CHECKING:
    from workbench.sessions.originals import Originals

_KEPT = 16


@dataclass(frozen=True)
class PageSource:
    """The original file and its number of drawable pages: none for texts and mails."""

    data: bytes
    pages: int
    elements: Sequence[StoredElement] = ()


class PageSources:
    """Recently viewed page sources, and prefetched ones."""

    def __init__(self, originals: "Originals", docset_id: str) -> None:
        self._originals = originals
        self._docset_id = docset_id
        self._kept: OrderedDict[str, asyncio.Task[PageSource]] = OrderedDict()

    def prefetch(self, doc_ids: Sequence[str]) -> None:
        """Starts fetching what is missing, in that order."""
        for doc_id in doc_ids:
            self._task(doc_id)

    def ready(self, doc_id: str) -> PageSource | None:
        """The source if it has been fetched."""
        task = self._kept.get(doc_id)
        done = task is not None and task.done() and not task.cancelled()
        return task.result() if task and done and task.exception() is None else None

    async def get(self, doc_id: str) -> PageSource:
        """Waits for the source. Raises the client's errors; the next call tries again."""
        try:
            return await asyncio.shield(self._task(doc_id))
        except WorkbenchError:
            self._kept.pop(doc_id, None)
            raise

    def close(self) -> None:
        """Cancels running fetches."""
        for task in self._kept.values():
            task.cancel()

    def _task(self, doc_id: str) -> "asyncio.Task[PageSource]":
        if doc_id not in self._kept:
            self._kept[doc_id] = asyncio.ensure_future(self._fetch(doc_id))
            self._kept[doc_id].add_done_callback(_mark_retrieved)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)[1].cancel()
        self._kept.move_to_end(doc_id)
        return self._kept[doc_id]

    async def _fetch(self, doc_id: str) -> PageSource:
        from workbench.pages.raster import page_count  # loads pdfium

        data = await self._originals.get(self._docset_id, doc_id)
        pages = await asyncio.to_thread(page_count, data)
        if pages:
            return PageSource(data, pages)
        document = await self._originals.client.document(self._docset_id, doc_id)
        return PageSource(data, 0, document.elements)


def _mark_retrieved(task: "asyncio.Task[PageSource]") -> None:
    """Marks the error of a prefetch as retrieved: it is raised by the next `get`."""
    if not task.cancelled():
        task.exception()
