"""The elements of a document as a frame, and its tables as frames of their own."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from backend.contract.documents import Document
from backend.contract.elements import StoredElement, Table
from workbench.frames.columns import boxes, inferred, of_type, table_of
from workbench.frames.frame import Frame

if TYPE_CHECKING:
    import pyarrow as pa


class Elements(Frame):
    """The elements of some documents, in order.

    Columns: doc_id, name (of the document), element_id, ordinal (from 0 in each document), kind,
    page (from 1), bbox (`[x1, y1, x2, y2]` in fractions of the page), text, score.
    """

    def __init__(self, documents: Sequence[Document], limit: int | None = None) -> None:
        every = (
            (document, place) for document in documents for place in enumerate(document.elements)
        )
        self._items = list(islice(every, limit))

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[StoredElement]:
        return (element for _, (_, element) in self._items)

    def __getitem__(self, row: int) -> StoredElement:
        return self._items[row][1][1]

    def __repr__(self) -> str:
        names = dict.fromkeys(_name(document) for document, _ in self._items)
        of = f" of {next(iter(names))}" if len(names) == 1 else f" of {len(names):,} documents"
        return f"Elements({len(self):,}{of})"

    def _table(self) -> "pa.Table":
        documents = [document for document, _ in self._items]
        items = list(self)
        pages = [item.properties.get("page_number") for item in items]
        return table_of(
            {
                "doc_id": of_type([document.id for document in documents], "string"),
                "name": of_type([_name(document) for document in documents], "string"),
                "element_id": of_type([item.id for item in items], "string"),
                "ordinal": of_type([ordinal for _, (ordinal, _) in self._items], "int32"),
                "kind": of_type([item.type for item in items], "string"),
                "page": of_type(pages, "int32"),
                "bbox": boxes([item.bbox for item in items]),
                "text": of_type([item.text_representation for item in items], "string"),
                "score": of_type([item.properties.get("score") for item in items], "float64"),
            }
        )


class TableFrame(Frame):
    """A table of a document with the columns it has on the page. All values are text.

    Header rows become column names (several are joined by ` / `); a cell that spans fills each
    place it covers. Columns without a header are called `column_1` and so on, equal names get
    numbers.
    """

    def __init__(self, table: Table, page: int | None = None) -> None:
        self.table = table
        self.page = page

    def __len__(self) -> int:
        return self.table.num_rows - len(self._header_rows())

    def __repr__(self) -> str:
        place = f" on page {self.page}" if self.page else ""
        title = f" {self.table.caption!r}" if self.table.caption else ""
        return f"TableFrame({len(self)} x {self.table.num_cols}{place}{title})"

    def _table(self) -> "pa.Table":
        grid = self._grid()
        headers = self._header_rows()
        body = [row for number, row in enumerate(grid) if number not in headers]
        heads = [grid[number] for number in sorted(headers)]
        names = _distinct([_joined(head[place] for head in heads) for place in self._places()])
        return table_of({name: inferred([row[i] for row in body]) for i, name in enumerate(names)})

    def _places(self) -> range:
        return range(self.table.num_cols)

    def _grid(self) -> list[list[str | None]]:
        grid: list[list[str | None]] = [
            [None] * self.table.num_cols for _ in range(self.table.num_rows)
        ]
        for cell in self.table.cells:
            for row in cell.rows:
                for column in cell.cols:
                    grid[row][column] = cell.content
        return grid

    def _header_rows(self) -> set[int]:
        """The rows at the top in which every cell is a header."""
        plain = {row for cell in self.table.cells if not cell.is_header for row in cell.rows}
        marked = {row for cell in self.table.cells if cell.is_header for row in cell.rows}
        headers: set[int] = set()
        for row in range(self.table.num_rows):
            if row in plain or row not in marked:
                break
            headers.add(row)
        return headers


def tables_of(document: Document) -> list[TableFrame]:
    """The tables of a document that was fetched with its original elements."""
    originals: Sequence[Mapping[str, Any]] = document.properties.get("_original_elements") or []
    return [
        TableFrame(
            Table.model_validate(original["table"]),
            (original.get("properties") or {}).get("page_number"),
        )
        for original in originals
        if original.get("table")
    ]


def _name(document: Document) -> str:
    return str(document.properties.get("path") or document.id)


def _joined(parts: Iterator[str | None]) -> str:
    """Header cells of one column from top to bottom, a spanning one once."""
    return " / ".join(dict.fromkeys(part.strip() for part in parts if part and part.strip()))


def _distinct(names: Sequence[str]) -> list[str]:
    used: set[str] = set()
    out: list[str] = []
    for place, name in enumerate(names, 1):
        base = name or f"column_{place}"
        title, number = base, 1
        while title in used:
            number += 1
            title = f"{base}_{number}"
        used.add(title)
        out.append(title)
    return out
