"""DOCX: paragraphs, headings, lists, tables with spans, formulas, pictures, charts and notes.

The XML is read directly: a document of tens of thousands of paragraphs then takes a second, and the
limits against decompression bombs apply as in other office formats. Page breaks are those that the
last layout program recorded, or else the manual ones.
"""

import re

from lxml import etree

from backend.partition.archive import Archive, opened, relation_id
from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats import charts, diagrams
from backend.partition.formats.docx_formatting import headings_by_look
from backend.partition.formats.docx_styles import attribute, read_numbering, read_styles
from backend.partition.formats.docx_text import (
    W,
    cell_words,
    graphics,
    is_formula,
    is_rendered,
    leads_with_graphic,
    local,
    page_ends,
    text_boxes,
    words,
)
from backend.partition.formats.heads import mark_heads
from backend.partition.formats.numerals import span, whole
from backend.partition.selection import selected
from backend.partition.text import line_starts
from workbench.contract.elements import LINE_STARTS, ElementKind, TableCell

_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_WRAPPERS = frozenset(f"{W}{name}" for name in ("sdt", "sdtContent", "ins", "moveTo", "customXml"))
_CAPTIONS = ("caption", "beschriftung", "légende")
_CODE = ("sourcecode", "code", "codeblock", "htmlpreformatted", "plaintext")


def read(request: Request) -> Document:
    flow = request.flow
    with opened(request) as archive:
        flow.title = archive.title()
        main = archive.main("word/document.xml")
        root = archive.xml(main)
        body = root.find(f"{W}body")
        body = root if body is None else body
        rendered = is_rendered(body)
        count = 1 + sum(sum(page_ends(block, rendered)) for block in body)
        selected(request.options.selected_pages, count)
        reader = _Reader(flow, archive, main)
        if all(reader.level(node) is None for node in body.iter(f"{W}p")):
            reader.by_look = headings_by_look(body)
        reader.margin("header", "Page-header")
        for block in body:
            before, after = page_ends(block, rendered)
            for ends, part in ((before, block), (after, None)):
                for _ in range(ends):
                    reader.end_page()
                    request.progress(flow.page - 1, count)
                if part is not None:
                    reader.block(part)
        reader.end_page(last=True)
        reader.margin("footer", "Page-footer")
    request.progress(count, count)
    return Document(flow.elements, count)


class _Reader:
    """Adds the blocks of the body; notes follow at the end of the page that refers to them."""

    def __init__(self, flow: Flow, archive: Archive, main: str) -> None:
        self.flow = flow
        self.archive = archive
        self.main = main
        self.relations = archive.relations(main)
        self.styles = read_styles(archive)
        self.numbering = read_numbering(archive)
        self.footnotes = _notes(archive, "footnotes")
        self.endnotes = _notes(archive, "endnotes")
        self.referred: list[str] = []
        self.code: list[str] = []
        self.by_look: dict[etree._Element, int] = {}
        """Levels of paragraphs that are headings by formatting alone."""

    def end_page(self, *, last: bool = False) -> None:
        """Adds the notes of the page; after the last page, all that are left."""
        self._flush_code()
        due = list(self.footnotes) if last else self.referred
        for key in due:
            self.flow.add("Footnote", self.footnotes.pop(key, ""))
        self.referred = []
        if not last:
            self.flow.page += 1
            return
        for text in self.endnotes.values():
            self.flow.add("Footnote", text)

    def block(self, node: etree._Element) -> None:
        if node.tag == f"{W}p":
            with self.flow.part("a paragraph", node):
                self._paragraph(node)
        elif node.tag == f"{W}tbl":
            self._flush_code()
            with self.flow.part("a table", node):
                self._table(node)
        elif node.tag in _WRAPPERS:
            for child in node:
                self.block(child)

    def margin(self, kind: str, label: ElementKind) -> None:
        """Headers or footers of all sections, each text once."""
        seen: set[str] = set()
        for part in self.archive.related(self.main, kind):
            if part not in self.archive:
                continue
            for paragraph in self.archive.xml(part).iter(f"{W}p"):
                text = words(paragraph)
                if text.strip() and text not in seen:
                    seen.add(text)
                    self.flow.add(label, text)

    def _paragraph(self, node: etree._Element) -> None:
        text = words(node)
        style = attribute(node, f"{W}pPr/{W}pStyle")
        for note in node.iter(f"{W}footnoteReference"):
            self.referred.append(note.get(f"{W}id") or "")
        if self._is_code(node, style, text):
            self.code.append(text)
            return
        self._flush_code()
        graphic_first = leads_with_graphic(node)
        if graphic_first:
            self._graphics(node)
        if text.strip():
            self._words(node, style, text)
        for box in text_boxes(node):
            for child in box:
                self.block(child)
        if not graphic_first:
            self._graphics(node)

    def level(self, node: etree._Element) -> int | None:
        """The level of a heading by its style or outline; None for other paragraphs."""
        outline = whole(attribute(node, f"{W}pPr/{W}outlineLvl"), 9)
        if outline < 9:
            return outline + 1
        return self.styles.level.get(attribute(node, f"{W}pPr/{W}pStyle"))

    def _words(self, node: etree._Element, style: str, text: str) -> None:
        level = self.level(node)
        level = self.by_look.get(node) if level is None else level
        if level is not None:
            self.flow.heading(text, min(level, 6))
        elif is_formula(node):
            self.flow.formula(text)
        elif self.styles.names.get(style, "").lower() in _CAPTIONS:
            self.flow.add("Caption", text)
        elif (listed := self._list_place(node, style)) is not None:
            self.flow.item(text, listed[1], self._count(*listed))
        else:
            self.flow.text(text)

    def _list_place(self, node: etree._Element, style: str) -> tuple[str, int] | None:
        number = attribute(node, f"{W}pPr/{W}numPr/{W}numId")
        if not number and style in self.styles.numbering:
            return self.styles.numbering[style]
        if not number or number == "0":
            return None
        return number, min(8, whole(attribute(node, f"{W}pPr/{W}numPr/{W}ilvl"), 0))

    def _count(self, number: str, level: int) -> int | None:
        """The number of the next item, None for bullets."""
        start = self.numbering.ordered.get((number, level))
        if start is None:
            return None
        counters = self.numbering.counters
        for deeper in range(level + 1, 9):
            counters.pop((number, deeper), None)
        counters[number, level] = counters.get((number, level), start - 1) + 1
        return counters[number, level]

    def _is_code(self, node: etree._Element, style: str, text: str) -> bool:
        """Paragraphs in a style for source code, or in a fixed-width font and looking like it."""
        name = re.sub(r"[\s_-]", "", self.styles.names.get(style, style)).lower()
        if name in _CODE:
            return bool(text.strip()) or bool(self.code)
        runs = [run for run in node.iter(f"{W}r") if words(run).strip()]
        fonts = [attribute(run, f"{W}rPr/{W}rFonts", "ascii").lower() for run in runs]
        mono = bool(fonts) and all(
            any(word in font for word in ("courier", "mono", "consolas", "menlo")) for font in fonts
        )
        return mono and bool(re.search(r"[{}()\[\];=<>*]|^\s{2,}|^\w+:$", text))

    def _flush_code(self) -> None:
        if self.code:
            self.flow.verbatim("\n".join(self.code))
            self.code = []

    def _graphics(self, node: etree._Element) -> None:
        for graphic in graphics(node):
            if local(graphic) == "chart":
                part = self.relations.get(relation_id(graphic, "id"), "")
                charts.read_into(self.flow, self.archive, part)
            elif local(graphic) == "relIds":
                part = self.relations.get(relation_id(graphic, "dm"), "")
                diagrams.read_into(self.flow, self.archive, part)
            else:
                part = self.relations.get(
                    relation_id(graphic, "embed") or relation_id(graphic, "id"), ""
                )
                data = self.archive.read(part) if part in self.archive else None
                self.flow.image(_description(graphic), data)

    def _table(self, node: etree._Element) -> None:
        cells: list[TableCell] = []
        open_above: dict[int, TableCell] = {}
        rows = [row for row in node.iter(f"{W}tr") if next(row.iterancestors(f"{W}tbl")) is node]
        for number, row in enumerate(rows):
            before = attribute(row, f"{W}trPr/{W}gridBefore")
            col = span(before) if whole(before, 0) > 0 else 0
            header = row.find(f"{W}trPr/{W}tblHeader") is not None
            for cell in _cells(row):
                across = span(attribute(cell, f"{W}tcPr/{W}gridSpan"))
                merge = cell.find(f"{W}tcPr/{W}vMerge")
                goes_on = merge is not None and merge.get(f"{W}val") != "restart"
                if goes_on and col in open_above:
                    open_above[col].rows.append(number)
                else:
                    written = cell_words(cell)
                    starts = line_starts(written)
                    made = TableCell(
                        content=written.replace("\n", " "),
                        rows=[number],
                        cols=list(range(col, col + across)),
                        is_header=header,
                        properties={LINE_STARTS: starts} if starts else {},
                    )
                    cells.append(made)
                    open_above.pop(col, None)
                    if merge is not None:
                        open_above[col] = made
                col += across
        if not any(cell.is_header for cell in cells):
            mark_heads(cells)
        self.flow.table(cells)
        self._graphics(node)


def _notes(archive: Archive, kind: str) -> dict[str, str]:
    """The notes of a document by id, without the separators that are stored among them."""
    part = f"word/{kind}.xml"
    if part not in archive:
        return {}
    return {
        note.get(f"{W}id") or "": "\n".join(words(p) for p in note.iter(f"{W}p"))
        for note in archive.xml(part)
        if isinstance(note.tag, str) and note.get(f"{W}type") is None
    }


def _cells(row: etree._Element) -> list[etree._Element]:
    """Cells of a row, those inside content controls included."""
    return [cell for cell in row.iter(f"{W}tc") if next(cell.iterancestors(f"{W}tr")) is row]


def _description(picture: etree._Element) -> str | None:
    """The author's alternative text for the picture."""
    drawing = next(picture.iterancestors(f"{W}drawing"), None)
    names = [] if drawing is None else drawing.iter(f"{_WP}docPr")
    return next((name.get("descr") for name in names if name.get("descr")), None)
