"""ODT: headings, paragraphs, lists, tables, formulas, pictures and notes.

Page breaks are those that the last layout program recorded, or else the manual ones.
"""

from dataclasses import dataclass, field

from lxml import etree

from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats.numerals import whole
from backend.partition.formats.opendocument import (
    DRAW,
    FO,
    STYLE,
    TABLE,
    TEXT,
    Source,
    add_frame,
    cells_of,
    source_of,
    words,
)
from backend.partition.selection import selected
from workbench.contract.elements import ElementKind

_WRAPPERS = frozenset(
    f"{TEXT}{name}" for name in ("section", "index-body", "table-of-content", "index-title")
)
_SOFT = f"{TEXT}soft-page-break"


@dataclass
class _Styles:
    """The properties of paragraphs and lists from their styles."""

    parent: dict[str, str] = field(default_factory=dict)
    breaking: set[str] = field(default_factory=set)
    ordered: set[tuple[str, int]] = field(default_factory=set)
    """List styles with the levels (from 0) that are numbered."""

    def family(self, name: str) -> list[str]:
        """A style and its ancestors, nearest first, in lower case."""
        out: list[str] = []
        while name and len(out) < 12:
            out.append(name.lower())
            name = self.parent.get(name, "")
        return out


def read(request: Request) -> Document:
    flow = request.flow
    with source_of(request) as source:
        flow.title = source.archive.title() if source.archive is not None else ""
        body = source.body("text")
        reader = _Reader(flow, source, request)
        if body is not None:
            reader.count_pages(body)
            selected(request.options.selected_pages, reader.count)
            reader.margin("header", "Page-header")
            reader.blocks(body, [])
            reader.margin("footer", "Page-footer")
    request.progress(reader.count, reader.count)
    return Document(flow.elements, reader.count)


class _Reader:
    def __init__(self, flow: Flow, source: Source, request: Request) -> None:
        self.flow = flow
        self.source = source
        self.request = request
        self.styles = _read_styles(source)
        self.soft = False
        self.count = 1
        self.first: etree._Element | None = None
        self.numbers: dict[int, int] = {}

    def count_pages(self, body: etree._Element) -> None:
        self.soft = next(body.iter(_SOFT), None) is not None
        marks = list(body.iter(_SOFT, f"{TEXT}p", f"{TEXT}h"))
        # A break before the first paragraph ends no page.
        self.first = marks[0] if marks else None
        self.count = 1 + sum(map(self._ends, marks))

    def _ends(self, node: etree._Element) -> bool:
        if self.soft or node is self.first:
            return bool(node.tag == _SOFT)
        return node.get(f"{TEXT}style-name") in self.styles.breaking

    def _end_page(self) -> None:
        self.flow.page = min(self.count, self.flow.page + 1)
        self.request.progress(self.flow.page - 1, self.count)

    def margin(self, kind: str, label: ElementKind) -> None:
        """Headers or footers of all page styles, each text once."""
        seen: set[str] = set()
        for part in self.source.all_styles(f"{STYLE}{kind}"):
            for paragraph in part.iter(f"{TEXT}p"):
                text = words(paragraph).strip()
                if text and text not in seen:
                    seen.add(text)
                    self.flow.add(label, text)

    def blocks(self, parent: etree._Element, lists: list[str]) -> None:
        """`lists` are the styles of the open lists, outermost first."""
        for node in parent:
            tag = node.tag
            if tag == _SOFT:
                self._end_page()
            elif tag == f"{TEXT}h":
                with self.flow.part("a heading", node):
                    self._heading(node)
            elif tag == f"{TEXT}p":
                with self.flow.part("a paragraph", node):
                    self._paragraph(node, lists)
            elif tag == f"{TEXT}list":
                style = node.get(f"{TEXT}style-name") or (lists[-1] if lists else "")
                if node.get(f"{TEXT}continue-numbering") != "true":
                    self.numbers.pop(len(lists), None)
                self.blocks(node, [*lists, style])
            elif tag in (f"{TEXT}list-item", f"{TEXT}list-header") or tag in _WRAPPERS:
                self.blocks(node, lists)
            elif tag == f"{TABLE}table":
                with self.flow.part("a table", node):
                    self._table(node)
            elif tag == f"{DRAW}frame":
                with self.flow.part("a frame", node):
                    self._frame(node)

    def _heading(self, node: etree._Element) -> None:
        self._break_before(node)
        level = whole(node.get(f"{TEXT}outline-level"), 1)
        self.flow.heading(words(node), min(6, max(1, level)))
        self._beside(node)

    def _paragraph(self, node: etree._Element, lists: list[str]) -> None:
        self._break_before(node)
        text = words(node)
        family = self.styles.family(node.get(f"{TEXT}style-name") or "")
        if "title" in family or "subtitle" in family:
            self.flow.heading(text, 0 if "title" in family else 1)
        elif any(name in ("caption", "illustration", "figure", "drawing") for name in family):
            self.flow.add("Caption", text)
        elif any(name.startswith("preformatted") for name in family):
            self.flow.verbatim(text)
        elif lists and text.strip():
            self.flow.item(text, len(lists) - 1, self._number(lists))
        else:
            self.flow.text(text)
        self._beside(node)

    def _number(self, lists: list[str]) -> int | None:
        level = len(lists) - 1
        if (lists[-1], level) not in self.styles.ordered:
            return None
        self.numbers[level] = self.numbers.get(level, 0) + 1
        return self.numbers[level]

    def _break_before(self, node: etree._Element) -> None:
        if not self.soft and self._ends(node):
            self._end_page()

    def _beside(self, node: etree._Element) -> None:
        """Adds notes and frames anchored to a paragraph, and ends the pages that end within it."""
        for note in node.iter(f"{TEXT}note-body"):
            self.flow.add("Footnote", " ".join(words(p) for p in note.iter(f"{TEXT}p")))
        for frame in node.iter(f"{DRAW}frame"):
            if next(frame.iterancestors(f"{DRAW}frame", f"{TEXT}p", f"{TEXT}h")) is node:
                self._frame(frame)
        for _ in node.iter(_SOFT):
            self._end_page()

    def _frame(self, frame: etree._Element) -> None:
        for box in frame.iterfind(f"{DRAW}text-box"):
            self.blocks(box, [])
        add_frame(self.flow, self.source, frame)

    def _table(self, node: etree._Element) -> None:
        self.flow.table(cells_of(node, self.flow.notes))
        for frame in node.iter(f"{DRAW}frame"):
            add_frame(self.flow, self.source, frame)
        for mark in node.iter(_SOFT, f"{TEXT}p", f"{TEXT}h"):
            if self._ends(mark):
                self._end_page()


def _read_styles(source: Source) -> _Styles:
    styles = _Styles()
    for node in source.all_styles(f"{STYLE}style"):
        name = node.get(f"{STYLE}name") or ""
        styles.parent[name] = node.get(f"{STYLE}parent-style-name") or ""
        look = node.find(f"{STYLE}paragraph-properties")
        if look is not None and look.get(f"{FO}break-before") == "page":
            styles.breaking.add(name)
    for node in source.all_styles(f"{TEXT}list-style"):
        for level in node.iterfind(f"{TEXT}list-level-style-number"):
            if level.get(f"{STYLE}num-format"):
                place = whole(level.get(f"{TEXT}level"), 1) - 1
                styles.ordered.add((node.get(f"{STYLE}name") or "", place))
    return styles
