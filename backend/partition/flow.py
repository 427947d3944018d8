"""Elements of formats without a layout: a builder that readers call from top to bottom.

Elements have the box of the whole page unless a reader places them, since there is no better place
to name. Headings and list items carry their `level` in the properties, so that output keeps the
outline.
"""

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from operator import gt

from lxml import etree

from backend.partition.declaring import declare
from backend.partition.text import cleaned, joined, line_starts
from backend.tasks.guarding import guarded
from workbench.contract.elements import LINE_STARTS, Element, ElementKind, Table, TableCell
from workbench.contract.partition_options import PartitionOptions

_WHOLE = [0.0, 0.0, 1.0, 1.0]
MAX_CELLS = 400_000
"""Of one table; cells beyond are left out with a note."""
_MAX_REPEATED = 20_000_000
"""Characters of a file's cells with the text of an earlier cell: sheets write such a text once, so
that a small file could become gigabytes.
"""
_FILLED = 4
_SMALL = 1_000
"""Empty cells fill a grid of at most `_FILLED` places per cell, and this many more."""


@dataclass
class Flow:
    """Collects elements; `page` may be moved on by formats with slides or sheets."""

    options: PartitionOptions
    elements: list[Element] = field(default_factory=list)
    page: int = 1
    notes: list[str] = field(default_factory=list)
    """Remarks for people on what could not be read."""
    title: str = ""
    """The title in the file's metadata."""
    _cells: set[str] = field(default_factory=set)
    """The texts of the cells so far."""
    _repeated: int = 0

    def declare(self, element: Element | None, name: str, value: str | list[str]) -> None:
        """Records that an element shows a field that the file format calls `name`."""
        plain = [cleaned(one) for one in value] if isinstance(value, list) else cleaned(value)
        if element is not None and plain:
            declare(element, name, plain)

    @contextmanager
    def part(self, name: str, source: etree._Element | None = None) -> Iterator[None]:
        """Reads one part of the file: an unforeseen error in it costs no more than the part.

        Of a part in XML the words are kept, without their structure.
        """
        first = len(self.elements)
        kept = "" if source is None else "its words are kept as text"
        with guarded(self.notes, f"page {self.page}: {name}", kept) as guard:
            yield
        if guard.failed and source is not None:
            del self.elements[first:]
            for text in _plain_words(source):
                self.text(text)

    def add(self, kind: ElementKind, text: str, **properties: object) -> Element | None:
        """Adds an element with text; nothing when the text is blank."""
        keep = self.options.text_extraction_options.remove_line_breaks
        text = cleaned(text)
        if keep and (starts := line_starts(text)):
            properties[LINE_STARTS] = starts
        text = joined(text, remove_line_breaks=keep)
        return self._append(kind, text, dict(properties)) if text else None

    def heading(self, text: str, level: int) -> Element | None:
        """Level 0 is the title of the document, 1 to 6 are sections."""
        return self.add("Title" if level == 0 else "Section-header", text, level=max(1, level))

    def text(self, text: str) -> Element | None:
        return self.add("Text", text)

    def formula(self, text: str) -> None:
        self.add("Formula", text)

    def comment(self, about: str, author: str, text: str) -> None:
        """A comment of a reviewer; some programs begin it with the name of its author."""
        author = author.strip()
        by = "" if not author or text.startswith(author) else f", {author}"
        if text.strip():
            self.add("Footnote", f"{about}{by}: {text}")

    def continue_item(self, item: Element, text: str) -> None:
        """A further paragraph of a list item; plain text where something else came in between."""
        if self.elements[-1] is not item:
            self.text(text)
            return
        keep = self.options.text_extraction_options.remove_line_breaks
        whole = f"{item.text_representation}\n{text}"
        item.properties.pop(LINE_STARTS, None)
        item.text_representation = joined(whole, remove_line_breaks=keep)

    def verbatim(self, text: str) -> None:
        """Source code and the like: line breaks and indentation are kept."""
        if text.strip():
            self._append("Text", text.strip("\n"), {"verbatim": True})

    def item(self, text: str, level: int = 0, number: int | None = None) -> Element | None:
        """A list item; `number` in numbered lists."""
        extra: dict[str, object] = {"level": level}
        if number is not None:
            extra["number"] = number
        return self.add("List-item", text, **extra)

    def table(self, cells: list[TableCell], title: str | None = None) -> None:
        """A table from its cells; nothing when all of them are blank."""
        cells = cells[: self.fitting([cell.content for cell in cells])]
        if not any(cell.content.strip() for cell in cells):
            return
        places = [(cell.rows[0], cell.cols[0]) for cell in cells]
        if any(map(gt, places, islice(places, 1, None))):
            cells = sorted(cells, key=lambda cell: (cell.rows[0], cell.cols[0]))
        rows = max([cell.rows[-1] for cell in cells]) + 1
        cols = max([cell.cols[-1] for cell in cells]) + 1
        element = self._append("table", None, {"title": title, "columns": cols, "rows": rows})
        if self.options.table_mode != "none":
            element.table = Table(cells=cells, caption=title, num_rows=rows, num_cols=cols)

    def fitting(self, texts: Sequence[str]) -> int:
        """How many of a table's texts, from the first on, may still be added to the document."""
        for number, text in enumerate(texts):
            if text not in self._cells:
                self._cells.add(text)
                continue
            self._repeated += len(text)
            if self._repeated > _MAX_REPEATED:
                self.notes.append(
                    f"page {self.page}: a table is cut, because the cells of the file repeat more "
                    f"than {_MAX_REPEATED:,} characters"
                )
                return number
        return len(texts)

    def image(self, text: str | None = None, pixels: bytes | None = None) -> None:
        """A picture with its alternative text; `pixels` is a picture file for later conversion."""
        element = self._append(
            "Image", text, {"image_size": None, "image_mode": None, "image_format": None}
        )
        if pixels is not None:
            element.binary_representation = base64.b64encode(pixels).decode("ascii")

    def place(self, first: int, box: list[float]) -> None:
        """Gives the elements from number `first` on a box, cut to the page."""
        cut = [round(min(1.0, max(0.0, value)), 5) for value in box]
        for element in self.elements[first:]:
            element.bbox = list(cut)

    def settle_outline(self) -> None:
        """Where the outline opens with its only top heading, that is the title of the document.
        The topmost of the other headings then are sections of level 1."""
        heads = [element for element in self.elements if element.type == "Section-header"]
        top = [element for element in heads if element.properties["level"] == 1]
        titled = any(element.type == "Title" for element in self.elements)
        if len(top) == 1 and top[0] is heads[0] and not titled:
            heads.pop(0).type = "Title"
        above = min((element.properties["level"] for element in heads), default=1) - 1
        for element in heads:
            element.properties["level"] -= above

    def _append(
        self, kind: ElementKind, text: str | None, properties: dict[str, object]
    ) -> Element:
        element = Element(
            type=kind,
            bbox=list(_WHOLE),
            properties={"score": 1.0, "page_number": self.page, **properties},
            text_representation=text,
        )
        self.elements.append(element)
        return element


def _plain_words(source: etree._Element) -> list[str]:
    """The text of each paragraph, or all text if there are none."""
    paragraphs = list(source.iter("{*}p"))
    if paragraphs:
        return ["".join(paragraph.itertext()) for paragraph in paragraphs]
    return [" ".join(source.itertext())]


def cells_of_rows(rows: list[list[str]], header_rows: int = 1) -> list[TableCell]:
    """Cells of a plain table without spans; short rows are filled up where `fills_up` allows it."""
    width = max((len(row) for row in rows), default=0)
    filled = fills_up(len(rows), width, sum(map(len, rows)))
    return [
        TableCell(
            content=row[col] if col < len(row) else "",
            rows=[number],
            cols=[col],
            is_header=number < header_rows,
        )
        for number, row in enumerate(rows)
        for col in range(width if filled else len(row))
    ]


def fills_up(rows: int, columns: int, cells: int) -> bool:
    """Whether empty cells may fill the grid of a table with this many cells: one row of 10,000
    values above 10,000 rows of two would become a hundred million cells.
    """
    return rows * columns <= _FILLED * cells + _SMALL
