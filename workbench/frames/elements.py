"""The elements of documents as a frame."""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from workbench.contract.documents import Document
from workbench.contract.elements import StoredElement
from workbench.formats import counted
from workbench.frames.columns import boxes, of_type, table_of
from workbench.frames.frame import Rows

if TYPE_CHECKING:
    import polars as pl


class Elements(Rows[StoredElement]):
    """The elements of some documents, in order.

    Columns: doc_id, name (of the document), element_id, ordinal (from 0 in each document), kind,
    page (from 1), bbox (`[x1, y1, x2, y2]` in fractions of the page), text, score.
    """

    def __init__(self, documents: Sequence[Document], limit: int | None = None) -> None:
        every = (
            (document, place) for document in documents for place in enumerate(document.elements)
        )
        first = list(islice(every, limit))
        self._items = [element for _, (_, element) in first]
        self._homes = [(document, ordinal) for document, (ordinal, _) in first]

    def _cut(self, rows: range) -> None:
        super()._cut(rows)
        self._homes = [self._homes[at] for at in rows]

    def title(self) -> str:
        names = dict.fromkeys(_name(document) for document, _ in self._homes)
        of = (
            f" of {next(iter(names))}"
            if len(names) == 1
            else f" of {counted(len(names), 'document')}"
        )
        return f"Elements({len(self):,}{of})"

    def _table(self) -> "pl.DataFrame":
        documents = [document for document, _ in self._homes]
        items = self._items
        pages = [item.properties.get("page_number") for item in items]
        return table_of(
            {
                "doc_id": of_type([document.id for document in documents], "string"),
                "name": of_type([_name(document) for document in documents], "string"),
                "element_id": of_type([item.id for item in items], "string"),
                "ordinal": of_type([ordinal for _, ordinal in self._homes], "int32"),
                "kind": of_type([item.type for item in items], "string"),
                "page": of_type(pages, "int32"),
                "bbox": boxes([item.bbox for item in items]),
                "text": of_type([item.text_representation for item in items], "string"),
                "score": of_type([item.properties.get("score") for item in items], "float64"),
            }
        )


def _name(document: Document) -> str:
    return str(document.properties.get("path") or document.id)
