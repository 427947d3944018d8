"""PPTX: one page per slide, with the places of shapes, tables, charts, pictures and remarks."""

from dataclasses import dataclass

from lxml import etree

from backend.contract.elements import Element, ElementKind, TableCell
from backend.partition.archive import Archive, opened, relation_id
from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats import charts
from backend.partition.selection import selected

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_MAIN = "ppt/presentation.xml"
_AUTHORS = "ppt/commentAuthors.xml"
_TITLES = ("title", "ctrTitle")
_MARGINS: dict[str, ElementKind] = {
    "ftr": "Page-footer",
    "sldNum": "Page-footer",
    "dt": "Page-footer",
}


@dataclass(frozen=True)
class _Scale:
    """Group coordinates to slide coordinates: `at * factor + shift`, per axis, in EMU."""

    factor_x: float = 1.0
    factor_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0


def read(request: Request) -> Document:
    flow = Flow(request.options)
    with opened(request.source) as archive:
        root = archive.xml(_MAIN)
        size = root.find(f"{_P}sldSz")
        width = float(size.get("cx") or 9144000) if size is not None else 9144000.0
        height = float(size.get("cy") or 6858000) if size is not None else 6858000.0
        relations = archive.relations(_MAIN)
        slides = [relations.get(relation_id(n, "id"), "") for n in root.iter(f"{_P}sldId")]
        slides = [slide for slide in slides if slide in archive]
        numbers = selected(request.options.selected_pages, len(slides))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            _Slide(flow, archive, slides[number - 1], (width, height)).read()
            request.progress(done, len(numbers))
    return Document(flow.elements, max(1, len(slides)))


class _Slide:
    def __init__(self, flow: Flow, archive: Archive, part: str, size: tuple[float, float]) -> None:
        self.flow = flow
        self.archive = archive
        self.part = part
        self.size = size
        self.relations = archive.relations(part)

    def read(self) -> None:
        tree = self.archive.xml(self.part).find(f"{_P}cSld/{_P}spTree")
        if tree is not None:
            self._shapes(tree, _Scale())
        for notes in self.archive.related(self.part, "notesSlide"):
            self._notes(notes)
        for comments in self.archive.related(self.part, "comments"):
            self._comments(comments)

    def _shapes(self, tree: etree._Element, scale: _Scale) -> None:
        for node in tree:
            first = len(self.flow.elements)
            if node.tag == f"{_P}grpSp":
                self._shapes(node, _inner(node, scale))
                continue
            if node.tag == f"{_P}sp":
                self._text(node)
            elif node.tag == f"{_P}graphicFrame":
                self._table(node)
                self._charts(node)
            elif node.tag == f"{_P}pic":
                self._picture(node)
            self._place(self.flow.elements[first:], node, scale)

    def _text(self, node: etree._Element) -> None:
        place = node.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
        kind = place.get("type", "body") if place is not None else ""
        paragraphs = [p for p in node.iterfind(f"{_P}txBody/{_A}p") if _words(p).strip()]
        if kind in _TITLES:
            self.flow.heading("\n".join(map(_words, paragraphs)), 1)
            return
        for paragraph in paragraphs:
            if kind in _MARGINS:
                self.flow.add(_MARGINS[kind], _words(paragraph))
            elif (level := _list_level(paragraph, kind)) is not None:
                self.flow.item(_words(paragraph), level)
            else:
                self.flow.text(_words(paragraph))

    def _table(self, node: etree._Element) -> None:
        cells: list[TableCell] = []
        for number, row in enumerate(node.iter(f"{_A}tr")):
            for col, cell in enumerate(row.iterfind(f"{_A}tc")):
                if cell.get("hMerge") == "1" or cell.get("vMerge") == "1":
                    continue
                down, across = int(cell.get("rowSpan") or 1), int(cell.get("gridSpan") or 1)
                cells.append(
                    TableCell(
                        content=" ".join(_words(p) for p in cell.iter(f"{_A}p")).strip(),
                        rows=list(range(number, number + down)),
                        cols=list(range(col, col + across)),
                        is_header=number == 0,
                    )
                )
        self.flow.table(cells)

    def _picture(self, node: etree._Element) -> None:
        blip = node.find(f"{_P}blipFill/{_A}blip")
        part = self.relations.get(relation_id(blip, "embed"), "") if blip is not None else ""
        named = node.find(f"{_P}nvPicPr/{_P}cNvPr")
        text = named.get("descr") if named is not None else None
        self.flow.image(text, self.archive.read(part) if part in self.archive else None)

    def _notes(self, part: str) -> None:
        if part not in self.archive:
            return
        for shape in self.archive.xml(part).iter(f"{_P}sp"):
            place = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
            if place is not None and place.get("type") == "body":
                self.flow.add("Footnote", "\n".join(_words(p) for p in shape.iter(f"{_A}p")))

    def _charts(self, node: etree._Element) -> None:
        for chart in node.iter(f"{_CHART}chart"):
            charts.read_into(
                self.flow, self.archive, self.relations.get(relation_id(chart, "id"), "")
            )

    def _comments(self, part: str) -> None:
        """Remarks of reviewers with their names; they have no place in the text."""
        if part not in self.archive:
            return
        names: dict[str, str] = {}
        if _AUTHORS in self.archive:
            for author in self.archive.xml(_AUTHORS).iter(f"{_P}cmAuthor"):
                names[author.get("id") or ""] = author.get("name") or ""
        for comment in self.archive.xml(part).iter(f"{_P}cm"):
            who = names.get(comment.get("authorId") or "", "") or "Comment"
            text = comment.findtext(f"{_P}text") or ""
            if text.strip():
                self.flow.add("Footnote", f"{who}: {text}")

    def _place(self, elements: list[Element], node: etree._Element, scale: _Scale) -> None:
        frame = next(node.iter(f"{_A}xfrm", f"{_P}xfrm"), None)
        offset = frame.find(f"{_A}off") if frame is not None else None
        extent = frame.find(f"{_A}ext") if frame is not None else None
        if offset is None or extent is None:
            return
        x, y = _number(offset, "x"), _number(offset, "y")
        x1, y1 = x + _number(extent, "cx"), y + _number(extent, "cy")
        corners = (
            (x * scale.factor_x + scale.shift_x) / self.size[0],
            (y * scale.factor_y + scale.shift_y) / self.size[1],
            (x1 * scale.factor_x + scale.shift_x) / self.size[0],
            (y1 * scale.factor_y + scale.shift_y) / self.size[1],
        )
        for element in elements:
            element.bbox = [round(min(1.0, max(0.0, value)), 5) for value in corners]


def _inner(group: etree._Element, outer: _Scale) -> _Scale:
    frame = group.find(f"{_P}grpSpPr/{_A}xfrm")
    if frame is None:
        return outer
    offset, extent = frame.find(f"{_A}off"), frame.find(f"{_A}ext")
    child, inside = frame.find(f"{_A}chOff"), frame.find(f"{_A}chExt")
    if offset is None or extent is None or child is None or inside is None:
        return outer
    fx = _number(extent, "cx") / (_number(inside, "cx") or 1.0)
    fy = _number(extent, "cy") / (_number(inside, "cy") or 1.0)
    dx = _number(offset, "x") - _number(child, "x") * fx
    dy = _number(offset, "y") - _number(child, "y") * fy
    return _Scale(
        fx * outer.factor_x,
        fy * outer.factor_y,
        dx * outer.factor_x + outer.shift_x,
        dy * outer.factor_y + outer.shift_y,
    )


def _words(paragraph: etree._Element) -> str:
    parts = []
    for node in paragraph.iter(f"{_A}t", f"{_A}br"):
        parts.append("\n" if node.tag == f"{_A}br" else node.text or "")
    return "".join(parts)


def _list_level(paragraph: etree._Element, place: str) -> int | None:
    """The depth of a list item, None for plain text. In the body of a slide paragraphs have the
    bullets of its layout unless they say otherwise."""
    properties = paragraph.find(f"{_A}pPr")
    level = int(properties.get("lvl") or 0) if properties is not None else 0
    if properties is not None:
        if properties.find(f"{_A}buNone") is not None:
            return None
        if any(properties.find(f"{_A}{name}") is not None for name in ("buChar", "buAutoNum")):
            return level
    siblings = paragraph.getparent()
    several = siblings is not None and len(siblings.findall(f"{_A}p")) > 1
    return level if place == "body" and (several or level > 0) else None


def _number(node: etree._Element, name: str) -> float:
    try:
        return float(node.get(name) or 0)
    except ValueError:
        return 0.0
