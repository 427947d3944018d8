"""SVG: the drawing as a picture, its title and description, and its texts with their positions.

Nothing is drawn: texts are placed by their own coordinates and the transformations around them,
and their widths are estimated.
"""

import re
from dataclasses import dataclass

from lxml import etree

from backend.partition.archive import parse_xml
from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats.html import inline_picture
from backend.partition.formats.opendocument import points

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
_NUMBERS = re.compile(_NUMBER)
_STEP = re.compile(r"(matrix|translate|scale)\s*\(([^()]*)\)")
_LINK = "{http://www.w3.org/1999/xlink}href"
_SHAPES = frozenset(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use"])
_UNDRAWN = frozenset(
    ["defs", "symbol", "clipPath", "mask", "pattern", "marker", "style", "script", "metadata"]
)
_LETTER = 0.5
"""Usual width of a letter, of the font size."""
_MAX_DEPTH = 200


@dataclass(frozen=True)
class _Matrix:
    """`(a x + c y + e, b x + d y + f)`"""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def then(self, inner: "_Matrix") -> "_Matrix":
        """First `inner`, then this one."""
        e, f = self.at(inner.e, inner.f)
        return _Matrix(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            e,
            f,
        )


def read(request: Request) -> Document:
    flow = request.flow
    root = parse_xml(request.source.read_bytes(), flow.notes)
    title = root.find("{*}title")
    if title is not None:
        flow.heading(_words(title), 0)
    described = root.find("{*}desc")
    if described is not None:
        flow.text(_words(described))
    if any(_name(node) in _SHAPES for node in root.iter()):
        flow.image()
    _Walk(flow, _view(root)).walk(root, _Matrix(), 16.0, 0)
    request.progress(1, 1)
    return Document(flow.elements)


class _Walk:
    def __init__(self, flow: Flow, view: tuple[float, float, float, float]) -> None:
        self.flow = flow
        self.view = view

    def walk(self, parent: etree._Element, outer: _Matrix, size: float, depth: int) -> None:
        for node in parent if depth < _MAX_DEPTH else ():
            name = _name(node)
            if not name or name in _UNDRAWN:
                continue
            matrix = outer.then(_matrix(node.get("transform")))
            here = _font_size(node, size)
            first = len(self.flow.elements)
            if name == "text":
                self.flow.text(_words(node))
                self._place(first, node, matrix, here)
            elif name == "image":
                link = node.get("href") or node.get(_LINK) or ""
                self.flow.image(None, inline_picture(link))
                box = [_first(node.get(key)) for key in ("x", "y", "width", "height")]
                self._box(first, matrix, box[0], box[1], box[0] + box[2], box[1] + box[3])
            else:
                self.walk(node, matrix, here, depth + 1)

    def _place(self, first: int, node: etree._Element, matrix: _Matrix, size: float) -> None:
        spans = [node, *node.iter("{*}tspan")]
        placed = next((span for span in spans if span.get("x")), node)
        x, y = _first(placed.get("x")), _first(placed.get("y"))
        width = _LETTER * size * len(_words(node))
        x -= {"middle": width / 2, "end": width}.get(_style(node, "text-anchor"), 0.0)
        self._box(first, matrix, x, y - size, x + width, y + 0.25 * size)

    def _box(self, first: int, matrix: _Matrix, x0: float, y0: float, x1: float, y1: float) -> None:
        left, top, width, height = self.view
        corners = [matrix.at(x, y) for x in (x0, x1) for y in (y0, y1)]
        across = [(x - left) / width for x, _ in corners]
        down = [(y - top) / height for _, y in corners]
        self.flow.place(first, [min(across), min(down), max(across), max(down)])


def _view(root: etree._Element) -> tuple[float, float, float, float]:
    """Left, top, width and height of the drawing in its own units."""
    numbers = [float(n) for n in _NUMBERS.findall(root.get("viewBox") or "")][:4]
    if len(numbers) == 4 and numbers[2] > 0 and numbers[3] > 0:
        return numbers[0], numbers[1], numbers[2], numbers[3]
    # Without a view box, a unit is a pixel.
    width, height = ((points(root.get(key)) or 0.0) / 0.75 for key in ("width", "height"))
    width, height = width or _first(root.get("width")), height or _first(root.get("height"))
    return 0.0, 0.0, width if width > 0 else 300.0, height if height > 0 else 150.0


def _matrix(text: str | None) -> _Matrix:
    """Turns and skews are left out: boxes need not be exact."""
    out = _Matrix()
    for name, inside in _STEP.findall(text or ""):
        n = [float(number) for number in _NUMBERS.findall(inside)]
        if name == "matrix" and len(n) == 6:
            out = out.then(_Matrix(*n))
        elif name == "translate" and n:
            out = out.then(_Matrix(e=n[0], f=n[1] if len(n) > 1 else 0.0))
        elif name == "scale" and n:
            out = out.then(_Matrix(a=n[0], d=n[1] if len(n) > 1 else n[0]))
    return out


def _words(node: etree._Element) -> str:
    """Lines of a text are spans with a place or a step downwards."""
    parts = [node.text or ""]
    begun = bool(parts[0].strip())
    for child in node:
        begun = begun or any(part.strip() for part in parts[-2:])
        if _name(child) == "tspan":
            apart = child.get("x") is not None or child.get("dy") is not None
            parts.append(("\n" if apart and begun else "") + _words(child))
        elif _name(child) in ("textPath", "a"):
            parts.append(_words(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _style(node: etree._Element, name: str) -> str:
    match = re.search(rf"(?:^|;)\s*{name}\s*:\s*([^;]+)", node.get("style") or "")
    return match[1].strip() if match else node.get(name) or ""


def _font_size(node: etree._Element, outer: float) -> float:
    size = _first(_style(node, "font-size"))
    return size if 0 < size < 10_000 else outer


def _first(text: str | None) -> float:
    """The first number of a list; zero without one."""
    match = _NUMBERS.search(text or "")
    return float(match[0]) if match else 0.0


def _name(node: etree._Element) -> str:
    return etree.QName(node).localname if isinstance(node.tag, str) else ""
