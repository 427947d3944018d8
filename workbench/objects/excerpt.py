"""An element with its text, and a picture of its place on the page."""

import asyncio
from collections.abc import Sequence
from typing import Any

from workbench.client import AsyncClient
from workbench.contract.documents import Document
from workbench.contract.elements import StoredElement
from workbench.frames.html import image, tag
from workbench.sessions.originals import Originals

_WIDTH = 1400  # pixels of the whole page


class Excerpt:
    """An element of a document with the piece of the page around it.

    `picture` is a PNG file, empty for files without pages.
    """

    def __init__(self, name: str, element: StoredElement, picture: bytes = b"") -> None:
        self.name = name
        self.element = element
        self.picture = picture

    @property
    def page(self) -> int:
        """The page number, from 1."""
        return int(self.element.properties.get("page_number") or 1)

    @property
    def text(self) -> str:
        """The text of the element."""
        return self.element.text_representation or ""

    def __repr__(self) -> str:
        words = " ".join(self.text.split())
        short = words if len(words) <= 80 else f"{words[:79]}…"
        return f"Excerpt({self.element.type} on page {self.page} of {self.name}: {short!r})"

    def _repr_html_(self) -> str:
        place = f"{self.element.type} · page {self.page} of {self.name}"
        wide = "max-width:min(46em, 100%)"
        shown = image(self.picture, place, style=wide) if self.picture else None
        words = tag("div", self.text, style="max-width:46em;white-space:pre-wrap")
        return tag("div", tag("div", place, style="font-weight:600"), shown, words)


async def excerpt_of(
    client: AsyncClient,
    originals: Originals,
    docset_id: str,
    doc_id: str,
    element_id: str | None,
    box: Sequence[float] | None = None,
) -> Excerpt:
    """The element with its picture; `element_id` defaults to the first one of the document. `box`
    selects a part of it.

    Raises LookupError if the document has no such element.
    """
    from workbench.pages.raster import page_count

    document, file = await asyncio.gather(
        client.document(docset_id, doc_id), originals.get(docset_id, doc_id)
    )
    element = _element(document, element_id)
    name = str(document.properties.get("path") or doc_id)
    plain = Excerpt(name, element)
    box = box or element.bbox
    if not box or plain.page > await asyncio.to_thread(page_count, file):
        return plain
    return Excerpt(name, element, await asyncio.to_thread(_clipped, file, plain.page, box))


def _element(document: Document, element_id: str | None) -> StoredElement:
    for element in document.elements:
        if element_id in (None, element.id):
            return element
    raise LookupError(f"The document {document.id} has no element {element_id or 'at all'}.")


def _clipped(file: bytes, page: int, box: Any) -> bytes:
    from workbench.pages.marked import clipping
    from workbench.pages.raster import page_picture

    return clipping(page_picture(file, page, _WIDTH), box)
