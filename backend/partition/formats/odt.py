"""ODT: headings, paragraphs, lists, tables and notes of an OpenDocument text."""

from lxml import etree

from backend.contract.elements import TableCell
from backend.partition.archive import Archive, opened
from backend.partition.document import Document, Request
from backend.partition.flow import Flow

_NAMES = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _TABLE, _OFFICE = (
    f"{{{_NAMES}text:1.0}}",
    f"{{{_NAMES}table:1.0}}",
    f"{{{_NAMES}office:1.0}}",
)
_DRAW, _SVG = f"{{{_NAMES}drawing:1.0}}", f"{{{_NAMES}svg-compatible:1.0}}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_MAX_REPEAT = 1000


def read(request: Request) -> Document:
    flow = Flow(request.options)
    with opened(request.source) as archive:
        body = archive.xml("content.xml").find(f".//{_OFFICE}text")
        if body is not None:
            _Reader(flow, archive).blocks(body, -1)
    request.progress(1, 1)
    return Document(flow.elements)


class _Reader:
    def __init__(self, flow: Flow, archive: Archive) -> None:
        self.flow = flow
        self.archive = archive

    def blocks(self, parent: etree._Element, level: int) -> None:
        for node in parent:
            tag = node.tag
            if tag == f"{_TEXT}h":
                outline = node.get(f"{_TEXT}outline-level") or "1"
                self.flow.heading(_words(node), min(6, int(outline)) if outline.isdigit() else 1)
            elif tag == f"{_TEXT}p":
                self._paragraph(node, level)
            elif tag in (f"{_TEXT}list", f"{_TEXT}list-item", f"{_TEXT}list-header"):
                self.blocks(node, level + (tag == f"{_TEXT}list"))
            elif tag in (f"{_TEXT}section", f"{_TEXT}index-body", f"{_TEXT}table-of-content"):
                self.blocks(node, level)
            elif tag == f"{_TABLE}table":
                self._table(node)

    def _paragraph(self, node: etree._Element, level: int) -> None:
        text = _words(node)
        style = (node.get(f"{_TEXT}style-name") or "").lower()
        if style in ("title", "subtitle"):
            self.flow.heading(text, 0 if style == "title" else 1)
        elif level >= 0:
            self.flow.item(text, level)
        else:
            self.flow.text(text)
        for note in node.iter(f"{_TEXT}note-body"):
            self.flow.add("Footnote", " ".join(_words(p) for p in note.iter(f"{_TEXT}p")))
        for frame in node.iter(f"{_DRAW}frame"):
            image = frame.find(f"{_DRAW}image")
            part = image.get(_LINK) or "" if image is not None else ""
            if image is not None:
                data = self.archive.read(part) if part in self.archive else None
                self.flow.image(frame.findtext(f"{_SVG}desc"), data)

    def _table(self, node: etree._Element) -> None:
        cells: list[TableCell] = []
        number = 0
        for row in node.iter(f"{_TABLE}table-row"):
            if next(row.iterancestors(f"{_TABLE}table")) is not node:
                continue
            in_head = next(row.iterancestors(f"{_TABLE}table-header-rows"), None) is not None
            col = 0
            for cell in row:
                repeat = _count(cell, "number-columns-repeated")
                if cell.tag == f"{_TABLE}covered-table-cell":
                    col += repeat
                    continue
                text = " ".join(_words(p) for p in cell.iter(f"{_TEXT}p"))
                for _ in range(repeat):
                    across, down = (
                        _count(cell, "number-columns-spanned"),
                        _count(cell, "number-rows-spanned"),
                    )
                    cells.append(
                        TableCell(
                            content=text,
                            rows=list(range(number, number + down)),
                            cols=list(range(col, col + across)),
                            is_header=in_head or number == 0,
                        )
                    )
                    col += 1
            number += 1
        self.flow.table(cells)


def _words(node: etree._Element) -> str:
    """The text of a paragraph without notes and drawings."""
    parts = [node.text or ""]
    for child in node:
        if child.tag == f"{_TEXT}s":
            parts.append(" ")
        elif child.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
            parts.append("\t" if child.tag == f"{_TEXT}tab" else "\n")
        elif child.tag not in (f"{_TEXT}note", f"{_DRAW}frame", f"{_OFFICE}annotation"):
            parts.append(_words(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _count(node: etree._Element, name: str) -> int:
    value = node.get(f"{_TABLE}{name}") or "1"
    return min(int(value), _MAX_REPEAT) if value.isdigit() else 1
