"""The documents of a DocSet, fetched page by page as the user scrolls, and narrowed by a filter."""

import re
from typing import TYPE_CHECKING, Any

from workbench.contract.documents import DocumentMetadata
from workbench.sessions.fitting import fitting_documents

if TYPE_CHECKING:
    from workbench.client import AsyncClient

_CONDITION = re.compile(r"[=<>]|\blike\b|\bin\b", re.IGNORECASE)


class DocumentList:
    """`rows` grows with `reach()`; `total` is the total number, as far as it is known."""

    def __init__(self, client: "AsyncClient", docset_id: str, size: int | None) -> None:
        self.client = client
        self.docset_id = docset_id
        self.rows: list[DocumentMetadata] = []
        self.complete = False
        self._size = size or 0
        self._token: str | None = None

    @property
    def total(self) -> int:
        return len(self.rows) if self.complete else max(len(self.rows) + 1, self._size)

    async def reach(self, index: int, *, page_size: int = 300) -> bool:
        """Fetches pages until row `index` is there; whether anything was fetched."""
        before = len(self.rows)
        while not self.complete and len(self.rows) <= index:
            page = await self.client.documents_page(self.docset_id, page_size, self._token)
            self.rows.extend(page.items)
            self._token = page.next_page_token
            self.complete = self._token is None
        return len(self.rows) > before or self.complete

    async def narrowed(self, text: str) -> list[DocumentMetadata]:
        """The documents whose name contains `text`, or that fulfil it when it is a condition.

        Raises Invalid, with the place, for a condition that cannot be read.
        """
        while not self.complete:
            await self.reach(len(self.rows))
        if is_condition(text):
            wanted = set(await fitting_documents(self.client, self.docset_id, text))
            return [row for row in self.rows if row.doc_id in wanted]
        return [row for row in self.rows if text.lower() in row.name.lower()]

    def property_names(self) -> list[str]:
        """The names of the properties of the loaded documents, in order of first occurrence."""
        names: dict[str, None] = {}
        for row in self.rows[:1000]:
            names.update(dict.fromkeys(entity(row)))
        return list(names)


def entity(document: DocumentMetadata) -> dict[str, Any]:
    """The extracted properties of a document."""
    entity = (document.properties or {}).get("entity")
    return entity if isinstance(entity, dict) else {}


def is_condition(text: str) -> bool:
    """Whether a filter is meant as a condition on properties rather than as a part of a name."""
    return _CONDITION.search(text) is not None
