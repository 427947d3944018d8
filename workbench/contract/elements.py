"""Elements: the typed pieces of a document, with their place on the page.

Boxes are `[x1, y1, x2, y2]` as fractions of the width and height of the visible page, origin at
the top left. Page numbers start at 1 and are those of the original file. Input without pages
(text, CSV, HTML) is one page whose box is `[0, 0, 1, 1]`.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

ElementKind = Literal[
    "Title", "Section-header", "Text", "List-item", "table", "Image", "Caption", "Footnote",
    "Formula", "Page-header", "Page-footer", "Section",
]  # fmt: skip
"""`table` is the only one in lower case; `Section` is produced by chunking."""

LINE_STARTS = "line_starts"
"""The property of an element or a cell with the offsets, in its text without line breaks, at which
lines of an address or a form begin. Running text has none."""

WORDS = "words"
"""The property of an element or a cell with its words and their boxes, where the option
`text_extraction_options.word_boxes` asks for them: objects with `text` and `bbox`."""

CONTINUED_FROM = "continued_from"
"""The property of a table that continues another: `page_number` and `bbox` of that one. Its
`column_headers` are the labels of that table's header.
"""

Box = Annotated[list[float], Field(min_length=4, max_length=4)]


class CellBox(BaseModel):
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(slots=True)
class TableCell:
    """A cell; `rows` and `cols` are contiguous lists of indexes, longer for a spanning cell.

    A dataclass: a sheet has hundreds of thousands, and pydantic models would take four times as
    long to create.
    """

    content: str
    rows: list[int]
    cols: list[int]
    is_header: bool = False
    bbox: CellBox | None = None
    properties: dict[str, Any] = field(default_factory=dict)


class Table(BaseModel):
    """The structure of a table; cells sorted by row, then column."""

    cells: list[TableCell]
    caption: str | None = None
    num_rows: int
    num_cols: int
    column_headers: list[str] | None = None

    def text(self) -> str:
        """The caption, then a line for each row, its cells between bars.

        A cell that spans several rows or columns appears once, at its first position.
        """
        lines: list[list[str]] = [[] for _ in range(self.num_rows)]
        for cell in self.cells:
            if cell.rows and cell.cols:
                line, col, text = lines[cell.rows[0]], cell.cols[0], cell.content
                if not text.isalnum():
                    text = " ".join(text.split())
                if col < len(line):
                    line[col] = text
                else:
                    line += [""] * (col - len(line))
                    line.append(text)
        rows = (" | ".join(line).rstrip(" |") for line in lines)
        return "\n".join(filter(None, [self.caption, *rows]))


class Element(BaseModel):
    """An element as the partitioner returns it.

    `properties` holds at least `score` (0..1) and `page_number`. `table` is written only for
    tables, where the key must exist: null when the structure was not extracted.
    `binary_representation` is base64.
    """

    model_config = ConfigDict(extra="allow")

    type: str
    bbox: Box
    properties: dict[str, Any]
    text_representation: str | None = None
    binary_representation: str | None = None
    table: Table | None = None

    @property
    def page_number(self) -> int:
        return int(self.properties.get("page_number", 1))

    def wire(self) -> dict[str, Any]:
        """The JSON object of the contract: optional keys only where they apply."""
        out: dict[str, Any] = {
            "type": self.type,
            "bbox": self.bbox,
            "properties": self.properties,
            "text_representation": self.text_representation,
        }
        if self.binary_representation is not None:
            out["binary_representation"] = self.binary_representation
        if self.type == "table":
            out["table"] = None if self.table is None else self.table.model_dump()
        out.update(self.model_extra or {})
        return out


class StoredElement(BaseModel):
    """An element of a stored document, as Get Doc and search return it."""

    id: str
    type: str
    text_representation: str | None
    embedding: list[float] | None
    properties: dict[str, Any] = Field(default_factory=dict)
    bbox: Box
