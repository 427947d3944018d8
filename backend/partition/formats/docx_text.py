"""Words, page ends and graphics in the nodes of a DOCX body."""

from collections.abc import Iterator

from lxml import etree

from backend.partition.formats import mathematics

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_VML = "{urn:schemas-microsoft-com:vml}imagedata"
_SIGNS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_UNREAD = frozenset({"del", "moveFrom", "pPr", "rPr", "drawing", "pict", "object"})


def local(node: etree._Element) -> str:
    """The name of a tag without its namespace, empty for comments."""
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def words(node: etree._Element) -> str:
    """The words of a paragraph; deleted text and text boxes are left out."""
    parts: list[str] = []
    for child in node:
        tag = child.tag
        if tag == f"{W}t":
            parts.append(child.text or "")
        elif tag in _SIGNS:
            parts.append("" if child.get(f"{W}type") == "page" else _SIGNS[tag])
        elif tag == MATH:
            parts.append(mathematics.of_omml(child))
        elif isinstance(tag, str) and local(child) not in _UNREAD:
            parts.append(words(child))
    return "".join(parts)


def is_formula(node: etree._Element) -> bool:
    """Whether a paragraph is formulas and nothing else."""
    if next(node.iter(MATH), None) is None:
        return False
    return not any(
        (text.text or "").strip() and next(text.iterancestors(MATH), None) is None
        for text in node.iter(f"{W}t")
    )


def cell_words(cell: etree._Element) -> str:
    """The words of a cell, one line for each of its paragraphs and line breaks."""
    lines = (line for p in cell.iter(f"{W}p") for line in words(p).split("\n"))
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))


def text_boxes(node: etree._Element) -> list[etree._Element]:
    """The text boxes of a paragraph, without those inside of them: each is read with its own
    paragraph, once."""
    boxes: list[etree._Element] = []
    waiting = [node]
    while waiting:
        place = waiting.pop()
        if place.tag == f"{W}txbxContent":
            boxes.append(place)
        else:
            waiting.extend(reversed(place))
    return boxes


def graphics(node: etree._Element) -> Iterator[etree._Element]:
    """Pictures, charts and diagrams of a paragraph or table, without those in text boxes."""
    for graphic in node.iter(f"{_A}blip", _VML, _CHART, _DIAGRAM):
        if not _in_box(graphic, node):
            yield graphic


def leads_with_graphic(node: etree._Element) -> bool:
    """Whether a graphic is set before the first word of a paragraph."""
    for inner in node.iter(f"{W}t", f"{_A}blip", _VML, _CHART, _DIAGRAM):
        if inner.tag != f"{W}t":
            return not _in_box(inner, node)
        if (inner.text or "").strip() and not _in_box(inner, node):
            return False
    return False


def is_rendered(root: etree._Element) -> bool:
    """Whether the program that laid the document out has noted where its pages end."""
    return next(root.iter(f"{W}lastRenderedPageBreak"), None) is not None


def page_ends(node: etree._Element, rendered: bool) -> tuple[int, int]:
    """How many pages end before the first word of a block, and after it."""
    before = after = 0
    worded = False
    for inner in node.iter(f"{W}lastRenderedPageBreak", f"{W}br", f"{W}pageBreakBefore", f"{W}t"):
        if inner.tag == f"{W}t":
            worded = worded or bool((inner.text or "").strip())
        elif _ends_page(inner, rendered):
            before, after = (before, after + 1) if worded else (before + 1, after)
    return before, after


def _ends_page(node: etree._Element, rendered: bool) -> bool:
    if rendered:
        return node.tag == f"{W}lastRenderedPageBreak"
    if node.tag == f"{W}br":
        return node.get(f"{W}type") == "page"
    return node.tag == f"{W}pageBreakBefore" and node.get(f"{W}val") not in ("0", "false")


def _in_box(node: etree._Element, top: etree._Element) -> bool:
    for parent in node.iterancestors():
        if parent is top:
            return False
        if parent.tag == f"{W}txbxContent":
            return True
    return False
