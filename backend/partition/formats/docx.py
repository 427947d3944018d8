"""DOCX: paragraphs, headings, numbered and bulleted lists, tables with spans, pictures, notes.

The XML is read directly: a document of tens of thousands of paragraphs then takes a second, and the
same limits against bombs hold as for the other office formats.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from lxml import etree

from backend.contract.elements import ElementKind, TableCell
from backend.partition.archive import Archive, opened, relation_id
from backend.partition.document import Document, Request
from backend.partition.flow import Flow

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_V = "{urn:schemas-microsoft-com:vml}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_MAIN = "word/document.xml"
_HEADING = re.compile(r"^(?:heading|überschrift|titre|título|titolo)\s*(\d)", re.I)


@dataclass
class _Styles:
    """Paragraph styles: the outline level (0 title, 1..9 heading) and list numbering they bring."""

    level: dict[str, int] = field(default_factory=dict)
    numbering: dict[str, tuple[str, int]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


@dataclass
class _Numbering:
    """Per numbering id and level: whether numbered, and where counting starts."""

    ordered: dict[tuple[str, int], int] = field(default_factory=dict)
    counters: defaultdict[tuple[str, int], int] = field(default_factory=lambda: defaultdict(int))


def read(request: Request) -> Document:
    flow = Flow(request.options)
    with opened(request.source) as archive:
        root = archive.xml(_MAIN)
        reader = _Reader(flow, archive)
        reader.margin("header", "Page-header")
        body = root.find(f"{_W}body")
        reader.blocks(body if body is not None else root)
        reader.notes("footnotes")
        reader.notes("endnotes")
        reader.margin("footer", "Page-footer")
    request.progress(1, 1)
    return Document(flow.elements)


class _Reader:
    def __init__(self, flow: Flow, archive: Archive) -> None:
        self.flow = flow
        self.archive = archive
        self.relations = archive.relations(_MAIN)
        self.styles = _read_styles(archive)
        self.numbering = _read_numbering(archive)
        self.code: list[str] = []

    def blocks(self, parent: etree._Element) -> None:
        for node in parent:
            if node.tag == f"{_W}p":
                self._paragraph(node)
            elif node.tag == f"{_W}tbl":
                self._flush_code()
                self._table(node)
            elif node.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"):
                self.blocks(node)
        self._flush_code()

    def margin(self, kind: str, label: ElementKind) -> None:
        """Headers or footers of all sections, each text once."""
        seen: set[str] = set()
        for part in self.archive.related(_MAIN, kind):
            if part not in self.archive:
                continue
            for paragraph in self.archive.xml(part).iter(f"{_W}p"):
                text = _text(paragraph)
                if text.strip() and text not in seen:
                    seen.add(text)
                    self.flow.add(label, text)

    def notes(self, kind: str) -> None:
        part = f"word/{kind}.xml"
        if part not in self.archive:
            return
        for note in self.archive.xml(part):
            if isinstance(note.tag, str) and note.get(f"{_W}type") is None:
                self.flow.add("Footnote", "\n".join(_text(p) for p in note.iter(f"{_W}p")))

    def _paragraph(self, node: etree._Element) -> None:
        text = _text(node)
        style = _attribute(node, f"{_W}pPr/{_W}pStyle")
        if self._is_code(node, style, text):
            self.code.append(text)
            return
        self._flush_code()
        if text.strip():
            self._words(node, style, text)
        for box in _text_boxes(node):
            self.blocks(box)
        self._pictures(node)

    def _words(self, node: etree._Element, style: str, text: str) -> None:
        outline = _attribute(node, f"{_W}pPr/{_W}outlineLvl")
        level = self.styles.level.get(style)
        if outline.isdigit() and int(outline) < 9:
            level = int(outline) + 1
        if level is not None:
            self.flow.heading(text, min(level, 6))
        elif self.styles.names.get(style, "").lower() in ("caption", "beschriftung", "légende"):
            self.flow.add("Caption", text)
        elif (listed := self._list_place(node, style)) is not None:
            self.flow.item(text, listed[1], self._count(*listed))
        else:
            self.flow.text(text)

    def _list_place(self, node: etree._Element, style: str) -> tuple[str, int] | None:
        number = _attribute(node, f"{_W}pPr/{_W}numPr/{_W}numId")
        level = _attribute(node, f"{_W}pPr/{_W}numPr/{_W}ilvl")
        if not number and style in self.styles.numbering:
            return self.styles.numbering[style]
        if not number or number == "0":
            return None
        return number, int(level) if level.isdigit() else 0

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
        if name in ("sourcecode", "code", "codeblock", "htmlpreformatted", "plaintext"):
            return bool(text.strip()) or bool(self.code)
        runs = [run for run in node.iter(f"{_W}r") if _text(run).strip()]
        fonts = [_attribute(run, f"{_W}rPr/{_W}rFonts", "ascii").lower() for run in runs]
        mono = bool(fonts) and all(
            any(word in font for word in ("courier", "mono", "consolas", "menlo")) for font in fonts
        )
        return mono and bool(re.search(r"[{}()\[\];=<>*]|^\s{2,}|^\w+:$", text))

    def _flush_code(self) -> None:
        if self.code:
            self.flow.verbatim("\n".join(self.code))
            self.code = []

    def _pictures(self, node: etree._Element) -> None:
        # Word writes a second, older form of each drawing as a fallback.
        for blip in node.iter(f"{_A}blip", f"{_V}imagedata"):
            if any(
                _local(parent) in ("Fallback", "txbxContent") for parent in blip.iterancestors()
            ):
                continue
            part = self.relations.get(relation_id(blip, "embed") or relation_id(blip, "id"), "")
            named = next((p.get("descr") for p in _drawing_names(blip) if p.get("descr")), None)
            data = self.archive.read(part) if part in self.archive else None
            self.flow.image(named, data)

    def _table(self, node: etree._Element) -> None:
        cells: list[TableCell] = []
        open_above: dict[int, TableCell] = {}
        rows = [row for row in node.iter(f"{_W}tr") if _owner(row) is node]
        for number, row in enumerate(rows):
            col = _number(_attribute(row, f"{_W}trPr/{_W}gridBefore"), 0)
            header = number == 0 or row.find(f"{_W}trPr/{_W}tblHeader") is not None
            for cell in _cells(row):
                across = max(1, _number(_attribute(cell, f"{_W}tcPr/{_W}gridSpan"), 1))
                merge = cell.find(f"{_W}tcPr/{_W}vMerge")
                goes_on = merge is not None and merge.get(f"{_W}val") != "restart"
                if goes_on and col in open_above:
                    open_above[col].rows.append(number)
                else:
                    made = TableCell(
                        content=_cell_text(cell),
                        rows=[number],
                        cols=list(range(col, col + across)),
                        is_header=header,
                    )
                    cells.append(made)
                    open_above.pop(col, None)
                    if merge is not None:
                        open_above[col] = made
                col += across
        self.flow.table(cells)


def _read_styles(archive: Archive) -> _Styles:
    styles = _Styles()
    if "word/styles.xml" not in archive:
        return styles
    nodes = {
        n.get(f"{_W}styleId", ""): n for n in archive.xml("word/styles.xml").iter(f"{_W}style")
    }
    for key, node in nodes.items():
        name = _attribute(node, f"{_W}name")
        styles.names[key] = name
        for ancestor in _lineage(nodes, key):
            found = _HEADING.match(_attribute(ancestor, f"{_W}name"))
            outline = _attribute(ancestor, f"{_W}pPr/{_W}outlineLvl")
            if _attribute(ancestor, f"{_W}name").lower() == "title":
                styles.level.setdefault(key, 0)
            elif found:
                styles.level.setdefault(key, int(found[1]))
            elif outline.isdigit() and int(outline) < 9:
                styles.level.setdefault(key, int(outline) + 1)
            number = _attribute(ancestor, f"{_W}pPr/{_W}numPr/{_W}numId")
            if number and number != "0" and key not in styles.numbering:
                level = _number(_attribute(ancestor, f"{_W}pPr/{_W}numPr/{_W}ilvl"), 0)
                styles.numbering[key] = (number, level)
    return styles


def _lineage(nodes: dict[str, etree._Element], key: str) -> list[etree._Element]:
    """A style and the styles it is based on, nearest first."""
    out: list[etree._Element] = []
    while key in nodes and len(out) < 12:
        out.append(nodes[key])
        key = _attribute(nodes[key], f"{_W}basedOn")
    return out


def _read_numbering(archive: Archive) -> _Numbering:
    numbering = _Numbering()
    if "word/numbering.xml" not in archive:
        return numbering
    root = archive.xml("word/numbering.xml")
    abstract = {n.get(f"{_W}abstractNumId", ""): n for n in root.iter(f"{_W}abstractNum")}
    for number in root.iter(f"{_W}num"):
        found = abstract.get(_attribute(number, f"{_W}abstractNumId"))
        for level in found.iter(f"{_W}lvl") if found is not None else ():
            if _attribute(level, f"{_W}numFmt") not in ("bullet", "none", ""):
                key = (number.get(f"{_W}numId", ""), _number(level.get(f"{_W}ilvl") or "", 0))
                numbering.ordered[key] = _number(_attribute(level, f"{_W}start"), 1)
    return numbering


def _text(node: etree._Element) -> str:
    """The words of a paragraph; deleted text and text boxes are left out."""
    parts: list[str] = []
    for child in node:
        tag = child.tag
        if tag == f"{_W}t":
            parts.append(child.text or "")
        elif tag == f"{_W}tab":
            parts.append("\t")
        elif tag in (f"{_W}br", f"{_W}cr"):
            parts.append("\n")
        elif tag == f"{_W}noBreakHyphen":
            parts.append("-")
        elif tag in (f"{_W}del", f"{_W}pPr", f"{_W}rPr", f"{_W}drawing", f"{_W}pict"):
            continue
        elif isinstance(tag, str) and _local(child) not in ("AlternateContent", "object"):
            parts.append(_text(child))
    return "".join(parts)


def _cell_text(cell: etree._Element) -> str:
    return " ".join(" ".join(_text(p).split()) for p in cell.iter(f"{_W}p")).strip()


def _cells(row: etree._Element) -> list[etree._Element]:
    """Cells of a row, those inside content controls included."""
    return [cell for cell in row.iter(f"{_W}tc") if next(cell.iterancestors(f"{_W}tr")) is row]


def _owner(row: etree._Element) -> etree._Element:
    return next(row.iterancestors(f"{_W}tbl"))


def _text_boxes(node: etree._Element) -> list[etree._Element]:
    return [
        box
        for box in node.iter(f"{_W}txbxContent")
        if not any(_local(parent) == "Fallback" for parent in box.iterancestors())
    ]


def _drawing_names(blip: etree._Element) -> list[etree._Element]:
    drawing = next(blip.iterancestors(f"{_W}drawing"), None)
    return [] if drawing is None else list(drawing.iter(f"{_WP}docPr"))


def _attribute(node: etree._Element, path: str, name: str = "val") -> str:
    found = node.find(path)
    return "" if found is None else found.get(f"{_W}{name}") or ""


def _number(value: str, default: int) -> int:
    return int(value) if value.isdigit() else default


def _local(node: etree._Element) -> str:
    return etree.QName(node).localname if isinstance(node.tag, str) else ""
