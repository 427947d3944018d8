"""DOC (Word 97 to 2003): headings, paragraphs, list items, tables, headers, footers and notes.

Pages end where breaks were set by hand: the file does not say where the others end. Floating
drawings and metafiles keep their place without their pixels.
"""

import re
import struct
from collections.abc import Iterator

from backend.partition.compound import opened
from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats.doc_lists import lists_of
from backend.partition.formats.doc_structure import (
    HEADERS,
    IN_TABLE,
    OUTLINE,
    PAGE_BEFORE,
    ROW_END,
    TABLE,
    Parts,
    Structure,
    new_page_sections,
    places,
    structure_of,
    style_levels,
)
from backend.partition.formats.edges import Row, cells_on_grid
from backend.partition.selection import selected
from workbench.contract.elements import ElementKind

_PARAGRAPH = re.compile("[^\r\x07\x0c]*[\r\x07\x0c]?")
_FIELD = re.compile("\x13[^\x13\x14\x15]*(?:\x14([^\x13\x14\x15]*))?\x15")
_SIGNS = {0x0B: "\n", 0x1E: "-", 0x1F: "", 0xA0: " ", 0x02: "", 0x05: "", 0x200B: ""}
_PICTURES = ("\x01", "\x08")
_DESCRIPTION = 20
"""Bytes about each cell behind the edges of its row."""
_LEFTWARD, _STACKED, _UPWARD = 0x02, 0x60, 0x20


def read(request: Request) -> Document:
    flow = request.flow
    with opened(request.source, "DOC") as compound:
        parts = Parts(compound)
        reader = _Reader(flow, parts, request)
        count = reader.count_pages()
        selected(request.options.selected_pages, count)
        reader.margins(footers=False)
        reader.body()
        reader.notes()
        reader.margins(footers=True)
    request.progress(count, count)
    return Document(flow.elements, count)


class _Reader:
    def __init__(self, flow: Flow, parts: Parts, request: Request) -> None:
        self.flow = flow
        self.request = request
        self.parts = parts
        self.structure: Structure = structure_of(parts)
        self.levels, self.captions = style_levels(parts)
        self.lists = lists_of(parts)
        self.section_ends, self.starting = new_page_sections(parts)
        self.rows: list[Row] = []
        self.row: list[str] = []
        self.cell: list[str] = []
        self.pages = 1

    def count_pages(self) -> int:
        for raw, end in self._paragraphs():
            self.pages += self._starts_page(end, len(raw)) + self._ends_page(raw, end)
        return self.pages

    def _paragraphs(self) -> Iterator[tuple[str, int]]:
        """The paragraphs of the main text with their marks, and the places of those."""
        for match in _PARAGRAPH.finditer(self.structure.text, 0, self.structure.stories[0]):
            if match[0]:
                yield match[0], match.end() - 1

    def _starts_page(self, end: int, length: int) -> bool:
        look = self.structure.look(end)
        first = end + 1 == length
        return look.flag(PAGE_BEFORE) and not look.flag(IN_TABLE) and not first

    def _ends_page(self, raw: str, end: int) -> bool:
        """Whether a break ends a paragraph, and not just a section that continues on its page."""
        is_break = raw.endswith("\x0c")
        return is_break and (end + 1 in self.starting or end + 1 not in self.section_ends)

    def body(self) -> None:
        """The main text: paragraphs, and cells up to the mark that ends their row."""
        for raw, end in self._paragraphs():
            if self._starts_page(end, len(raw)):
                self._end_page()
            with self.flow.part("a paragraph"):
                self._paragraph(raw, end)
            if self._ends_page(raw, end):
                self._end_page()
        self._end_table()

    def _paragraph(self, raw: str, end: int) -> None:
        look = self.structure.look(end)
        text = _clean(raw)
        if look.flag(ROW_END):
            self.rows.append(_row_of(self.row, look.values.get(TABLE, b"")))
            self.row, self.cell = [], []
            return
        if look.flag(IN_TABLE):
            self.cell.append(text)
            if raw.endswith("\x07"):
                self.row.append(" ".join(" ".join(self.cell).split()))
                self.cell = []
            return
        self._end_table()
        level = self.levels.get(look.style)
        if look.number(OUTLINE, 9) < 9:
            level = look.number(OUTLINE, 9) + 1
        if level is not None:
            self.flow.heading(text, min(level, 6))
        elif look.style in self.captions:
            self.flow.add("Caption", text)
        elif (place := self.lists.place(look)) is not None:
            self.flow.item(text, place[1], self.lists.count(*place) if text.strip() else None)
        else:
            self.flow.text(text)
        for index, sign in enumerate(raw):
            if sign in _PICTURES:
                at = self.structure.picture(end - len(raw) + 1 + index)
                self.flow.image(None, None if at is None else self.parts.picture(at))

    def _end_page(self) -> None:
        self._end_table()
        self.request.progress(self.flow.page, self.pages)
        self.flow.page += 1

    def _end_table(self) -> None:
        if self.row or self.cell:
            # The mark at the end of the row is missing.
            self.rows.append(Row([*self.row, *filter(None, [" ".join(self.cell)])]))
            self.row, self.cell = [], []
        rows, self.rows = self.rows, []
        if rows:
            self.flow.table(cells_on_grid(rows))

    def notes(self) -> None:
        """Footnotes and endnotes, which are stories of their own behind the main text."""
        lengths = self.structure.stories
        for story in (1, 5):
            self._story(sum(lengths[:story]), lengths[story], "Footnote")

    def margins(self, *, footers: bool) -> None:
        """Headers or footers of all sections, each text once."""
        lengths = self.structure.stories
        first = sum(lengths[:2])
        ends = places(self.parts.entry(HEADERS), 0)
        seen: set[str] = set()
        # Six notices come before the first section; a section has two headers, two footers and
        # one of each for its first page.
        for index in range(6, len(ends) - 2):
            is_footer = (index - 6) % 6 in (2, 3, 5)
            text = self.structure.text[first + ends[index] : first + ends[index + 1]]
            if is_footer == footers and text not in seen:
                seen.add(text)
                kind: ElementKind = "Page-footer" if footers else "Page-header"
                self._story(first + ends[index], ends[index + 1] - ends[index], kind)

    def _story(self, first: int, length: int, kind: ElementKind) -> None:
        for part in re.split("[\r\x07]", self.structure.text[first : first + length]):
            self.flow.add(kind, _clean(part))


def _clean(raw: str) -> str:
    """The words of a paragraph: results of fields without their codes, and no marks."""
    for _ in range(10):
        raw, count = _FIELD.subn(lambda match: match[1] or "", raw)
        if not count:
            break
    return raw.translate(_SIGNS).strip("\r\x07\x0c")


def _row_of(cells: list[str], definition: bytes) -> Row:
    """A row with the edges of its cells from the left, in twips, and the merges of its cells."""
    if not definition:
        return Row(cells)
    count = definition[0]
    if len(definition) < 3 + 2 * count:
        return Row(cells)
    edges = struct.unpack_from(f"<{count + 1}h", definition, 1)
    start = 3 + 2 * count
    flags = [
        int.from_bytes(definition[at : at + 2], "little")
        for at in range(start, min(len(definition), start + _DESCRIPTION * count), _DESCRIPTION)
    ]
    return Row(
        cells,
        edges,
        leftward=frozenset(i for i, flag in enumerate(flags) if flag & _LEFTWARD),
        upward=frozenset(i for i, flag in enumerate(flags) if flag & _STACKED == _UPWARD),
    )
