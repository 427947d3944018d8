"""PPTX: one page per slide, with the places of shapes, tables, charts, pictures and remarks."""

from lxml import etree

from backend.partition.archive import Archive, opened, relation_id
from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats import charts, diagrams, mathematics
from backend.partition.formats.heads import mark_heads
from backend.partition.formats.numerals import span, whole
from backend.partition.formats.pptx_places import A, P, Scale, corners_of, layout_of, length
from backend.partition.selection import selected
from workbench.contract.elements import ElementKind, TableCell

_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"
_AUTHORS = "ppt/commentAuthors.xml"
_WIDTH, _HEIGHT = 9144000.0, 6858000.0
"""EMU of a slide that does not say."""
_TITLES = ("title", "ctrTitle")
_MARGINS: dict[str, ElementKind] = {
    "ftr": "Page-footer",
    "sldNum": "Page-footer",
    "dt": "Page-footer",
}


def read(request: Request) -> Document:
    flow = request.flow
    with opened(request) as archive:
        flow.title = archive.title()
        main = archive.main("ppt/presentation.xml")
        root = archive.xml(main)
        size = root.find(f"{P}sldSz")
        width = length(size, "cx", _WIDTH) if size is not None else _WIDTH
        height = length(size, "cy", _HEIGHT) if size is not None else _HEIGHT
        relations = archive.relations(main)
        slides = [relations.get(relation_id(n, "id"), "") for n in root.iter(f"{P}sldId")]
        slides = list(dict.fromkeys(slide for slide in slides if slide in archive))
        extent = (width or _WIDTH, height or _HEIGHT)
        numbers = selected(request.options.selected_pages, len(slides))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            with flow.part("a slide"):
                _Slide(flow, archive, slides[number - 1], extent).read()
            request.progress(done, len(numbers))
    return Document(flow.elements, max(1, len(slides)))


class _Slide:
    def __init__(self, flow: Flow, archive: Archive, part: str, size: tuple[float, float]) -> None:
        self.flow = flow
        self.archive = archive
        self.part = part
        self.size = size
        self.relations = archive.relations(part)
        self.layout = layout_of(archive, part)

    def read(self) -> None:
        tree = self.archive.xml(self.part).find(f"{P}cSld/{P}spTree")
        if tree is not None:
            self._shapes(tree, Scale())
        for notes in self.archive.related(self.part, "notesSlide"):
            self._notes(notes)
        for comments in self.archive.related(self.part, "comments"):
            self._comments(comments)

    def _shapes(self, tree: etree._Element, scale: Scale) -> None:
        for node in tree:
            first = len(self.flow.elements)
            if node.tag == f"{P}grpSp":
                self._shapes(node, scale.inside(node))
                continue
            with self.flow.part("a shape", node):
                self._shape(node)
            self._place(first, node, scale)

    def _shape(self, node: etree._Element) -> None:
        if node.tag == f"{P}sp":
            self._text(node)
        elif node.tag == f"{P}graphicFrame":
            self._table(node)
            self._charts(node)
            for picture in node.iter(f"{P}pic"):
                self._picture(picture)
        elif node.tag == f"{P}pic":
            self._picture(node)

    def _text(self, node: etree._Element) -> None:
        place = node.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
        kind = place.get("type", "body") if place is not None else ""
        everything = node.findall(f"{P}txBody/{A}p")
        paragraphs = [paragraph for paragraph in everything if _words(paragraph).strip()]
        if kind in _TITLES:
            self.flow.heading("\n".join(map(_words, paragraphs)), 0)
            return
        for paragraph in paragraphs:
            if kind in _MARGINS:
                self.flow.add(_MARGINS[kind], _words(paragraph))
            elif (level := _list_level(paragraph, kind, len(everything) > 1)) is not None:
                self.flow.item(_words(paragraph), level)
            else:
                self.flow.text(_words(paragraph))

    def _table(self, node: etree._Element) -> None:
        cells: list[TableCell] = []
        for number, row in enumerate(node.iter(f"{A}tr")):
            for col, cell in enumerate(row.iterfind(f"{A}tc")):
                if cell.get("hMerge") == "1" or cell.get("vMerge") == "1":
                    continue
                down, across = span(cell.get("rowSpan")), span(cell.get("gridSpan"))
                cells.append(
                    TableCell(
                        content=" ".join(_words(p) for p in cell.iter(f"{A}p")).strip(),
                        rows=list(range(number, number + down)),
                        cols=list(range(col, col + across)),
                    )
                )
        mark_heads(cells)
        self.flow.table(cells)

    def _picture(self, node: etree._Element) -> None:
        blip = node.find(f"{P}blipFill/{A}blip")
        part = self.relations.get(relation_id(blip, "embed"), "") if blip is not None else ""
        named = node.find(f"{P}nvPicPr/{P}cNvPr")
        text = named.get("descr") if named is not None else None
        self.flow.image(text, self.archive.read(part) if part in self.archive else None)

    def _notes(self, part: str) -> None:
        if part not in self.archive:
            return
        for shape in self.archive.xml(part).iter(f"{P}sp"):
            place = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
            if place is not None and place.get("type") == "body":
                self.flow.add("Footnote", "\n".join(_words(p) for p in shape.iter(f"{A}p")))

    def _charts(self, node: etree._Element) -> None:
        for chart in node.iter(_CHART):
            part = self.relations.get(relation_id(chart, "id"), "")
            charts.read_into(self.flow, self.archive, part)
        for diagram in node.iter(_DIAGRAM):
            part = self.relations.get(relation_id(diagram, "dm"), "")
            diagrams.read_into(self.flow, self.archive, part)

    def _comments(self, part: str) -> None:
        """Remarks of reviewers with their names; they have no place in the text."""
        if part not in self.archive:
            return
        names: dict[str, str] = {}
        if _AUTHORS in self.archive:
            for author in self.archive.xml(_AUTHORS).iter(f"{P}cmAuthor"):
                names[author.get("id") or ""] = author.get("name") or ""
        for comment in self.archive.xml(part).iter(f"{P}cm"):
            who = names.get(comment.get("authorId") or "", "") or "Comment"
            text = comment.findtext(f"{P}text") or ""
            when = comment.get("dt") or ""
            if text.strip():
                self.flow.add("Footnote", f"{who}{', ' + when if when else ''}: {text}")

    def _place(self, first: int, node: etree._Element, scale: Scale) -> None:
        corners = corners_of(node, self.layout)
        if corners is not None:
            x0, y0, x1, y1 = scale.placed(corners)
            width, height = self.size
            self.flow.place(first, [x0 / width, y0 / height, x1 / width, y1 / height])


def _words(paragraph: etree._Element) -> str:
    parts = []
    for node in paragraph.iter(f"{A}t", f"{A}br", _MATH):
        if node.tag == _MATH:
            parts.append(mathematics.of_omml(node))
        else:
            parts.append("\n" if node.tag == f"{A}br" else node.text or "")
    return "".join(parts)


def _list_level(paragraph: etree._Element, place: str, several: bool) -> int | None:
    """The depth of a list item, None for plain text. In the body of a slide, several paragraphs
    have the bullets of its layout unless they override them.
    """
    properties = paragraph.find(f"{A}pPr")
    level = whole(properties.get("lvl"), 0) if properties is not None else 0
    if properties is not None:
        if properties.find(f"{A}buNone") is not None:
            return None
        if any(properties.find(f"{A}{name}") is not None for name in ("buChar", "buAutoNum")):
            return level
    return level if place == "body" and (several or level > 0) else None
