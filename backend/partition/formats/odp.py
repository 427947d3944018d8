"""ODP and ODG: one page per slide or drawing, with the places of shapes, tables and pictures."""

from lxml import etree

from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats.opendocument import (
    DRAW,
    FO,
    PRESENTATION,
    STYLE,
    SVG,
    TABLE,
    TEXT,
    Source,
    add_frame,
    cells_of,
    points,
    source_of,
    words,
)
from backend.partition.selection import selected

_SIZE = (793.7, 595.3)
"""Points of a page that does not say."""
_MARGINS = frozenset({"footer", "date-time", "page-number", "header"})


def read(request: Request) -> Document:
    flow = request.flow
    with source_of(request) as source:
        body = source.body("presentation")
        body = source.body("drawing") if body is None else body
        pages = list(body.iterfind(f"{DRAW}page")) if body is not None else []
        numbers = selected(request.options.selected_pages, max(1, len(pages)))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            if pages:
                page = pages[number - 1]
                with flow.part("a slide", page):
                    _Page(flow, source, _page_size(source, page)).shapes(page)
            request.progress(done, len(numbers))
    return Document(flow.elements, max(1, len(pages)))


class _Page:
    def __init__(self, flow: Flow, source: Source, size: tuple[float, float]) -> None:
        self.flow = flow
        self.source = source
        self.size = size

    def shapes(self, parent: etree._Element) -> None:
        for node in parent:
            first = len(self.flow.elements)
            if node.tag == f"{DRAW}g":
                self.shapes(node)
            elif node.tag == f"{PRESENTATION}notes":
                self._notes(node)
            elif isinstance(node.tag, str) and node.tag.startswith(DRAW):
                with self.flow.part("a shape", node):
                    self._shape(node)
                self._place(first, node)

    def _shape(self, node: etree._Element) -> None:
        role = node.get(f"{PRESENTATION}class") or ""
        for table in node.iterfind(f"{TABLE}table"):
            self.flow.table(cells_of(table, self.flow.notes))
        box = node.find(f"{DRAW}text-box")
        self._text(node if box is None else box, role, -1)
        add_frame(self.flow, self.source, node)

    def _text(self, parent: etree._Element, role: str, level: int) -> None:
        for node in parent:
            if node.tag in (f"{TEXT}list", f"{TEXT}list-item", f"{TEXT}list-header"):
                self._text(node, role, level + (node.tag == f"{TEXT}list"))
            elif node.tag in (f"{TEXT}p", f"{TEXT}h"):
                text = words(node)
                if role == "title":
                    self.flow.heading(text, 0)
                elif role in _MARGINS:
                    self.flow.add("Page-footer", text)
                elif level >= 0:
                    self.flow.item(text, level)
                else:
                    self.flow.text(text)

    def _notes(self, node: etree._Element) -> None:
        for frame in node.iterfind(f"{DRAW}frame"):
            texts = [words(p) for p in frame.iter(f"{TEXT}p")]
            self.flow.add("Footnote", "\n".join(texts))

    def _place(self, first: int, node: etree._Element) -> None:
        x, y = points(node.get(f"{SVG}x")), points(node.get(f"{SVG}y"))
        width, height = points(node.get(f"{SVG}width")), points(node.get(f"{SVG}height"))
        if x is None or y is None or width is None or height is None:
            return
        across, down = self.size
        self.flow.place(first, [x / across, y / down, (x + width) / across, (y + height) / down])


def _page_size(source: Source, page: etree._Element) -> tuple[float, float]:
    """Width and height in points, by way of the master of a page."""
    master = page.get(f"{DRAW}master-page-name")
    layouts = {
        node.get(f"{STYLE}name"): node.get(f"{STYLE}page-layout-name")
        for node in source.all_styles(f"{STYLE}master-page")
    }
    for node in source.all_styles(f"{STYLE}page-layout"):
        look = node.find(f"{STYLE}page-layout-properties")
        if node.get(f"{STYLE}name") == layouts.get(master) and look is not None:
            width = points(look.get(f"{FO}page-width"))
            height = points(look.get(f"{FO}page-height"))
            if width and height:
                return width, height
    return _SIZE
