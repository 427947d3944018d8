"""A document as an object: its values, its contents, and its pages as pictures."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.client import AsyncClient, Mistake
from workbench.contract.documents import Document as Body
from workbench.formats import counted
from workbench.frames.elements import Elements
from workbench.frames.html import facts
from workbench.frames.table_list import Tables
from workbench.frames.tables import tables_of
from workbench.objects.arguments import whole
from workbench.objects.page import Page
from workbench.objects.why import Why

if TYPE_CHECKING:
    from workbench.objects.docset import DocSet

_WIDEST = 4000


class Document:
    """One document, as it was when it was fetched.

    `body` is the complete document as sent by the server, including the elements before they were
    chunked for search (`properties["_original_elements"]`).
    """

    def __init__(self, docset: "DocSet", body: Body) -> None:
        self.docset = docset
        self.body = body

    @property
    def id(self) -> str:
        """The id, which never changes."""
        return self.body.id

    @property
    def name(self) -> str:
        """The file name it was added under."""
        return str(self.body.properties.get("path") or self.id)

    @property
    def properties(self) -> Mapping[str, Any]:
        """The extracted values by name; `evidence()` has their confidence."""
        values: Mapping[str, Any] = self.body.properties.get("entity") or {}
        return values

    @property
    def pages(self) -> int:
        """How many pages it has; 1 for files without pages."""
        counted = self.body.properties.get("page_count") or 1
        stands = (one.properties.get("page_number") or 1 for one in self.body.elements)
        return max(int(counted), *map(int, stands), 1)

    @property
    def remarks(self) -> Sequence[str]:
        """Parts of the file that could not be read, or were read in another way; usually empty."""
        return self.body.remarks

    @property
    def elements(self) -> Elements:
        """Its elements (titles, paragraphs, tables, pictures) in reading order, as a frame."""
        return Elements([self.body])

    @property
    def text(self) -> str:
        """The text of all elements in reading order, with a blank line between them."""
        return "\n\n".join(filter(None, (one.text_representation for one in self.body.elements)))

    def tables(self, *, strict: bool = True) -> Tables:
        """Its tables, each a frame. Without `strict` a column gets the type of most of its cells,
        with the text of the others in a separate column beside it.

        Example: document.tables()[0].to_polars()
        """
        return Tables(tables_of(self.body, strict=strict))

    def page(self, number: int = 1, *, width: int = 1000, boxes: bool = False) -> Page:
        """Page `number`, from 1: its picture, `width` pixels wide (at most 4,000), and its
        elements.

        With `boxes` the elements are outlined. Files without pages have one, without a picture.

        Raises Mistake for a missing page.

        Example: document.page(1, boxes=True)
        """
        whole("width", width, 1, _WIDEST)
        pages = self.pages
        if not isinstance(number, int) or not 1 <= number <= pages:
            last = "its only page is 1" if pages == 1 else f"its last is {pages:,}"
            raise Mistake(f"{self.name} has no page {number!r}: {last}.")
        file = self.original()
        return Page.of(self.body, number, file, width=width, boxes=boxes)

    def evidence(self, *, properties: Sequence[str] | None = None) -> Why:
        """Its values, each with confidence, source, and whether it was corrected.

        `properties` are all by default. Raises UnknownName for one that the schema lacks.

        Example: document.evidence(properties=["state"]).to_polars()
        """
        return self.docset.evidence(self.id, properties=properties)

    def original(self) -> bytes:
        """The original file.

        Example: len(document.original())
        """
        engine = self.docset.engine
        originals = engine.workspace.originals

        async def fetch(client: AsyncClient) -> bytes:
            return await originals.get(self.docset.id, self.id)

        return engine.run(fetch)

    def __repr__(self) -> str:
        pages, values = counted(self.pages, "page"), counted(len(self.properties), "value")
        return f"Document({self.name!r}, {pages}, {values})"

    def _repr_html_(self) -> str:
        pairs: list[tuple[str, object]] = [("doc_id", self.id), ("pages", self.pages)]
        pairs += [(name, value) for name, value in self.properties.items()]
        pairs += [("remark", remark) for remark in self.remarks]
        return facts(f"Document {self.name}", pairs)
