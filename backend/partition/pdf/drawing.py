"""Drawing of a PDF page -> rules, filled boxes and pictures.

Straight lines along the axes matter to tables; of anything else only the position is kept. A thin
filled box is a rule like a stroked line. Counts are bounded: a page drawn with a hundred thousand
strokes is a picture, not a table.
"""

import ctypes
from dataclasses import dataclass, field
from itertools import repeat

import pypdfium2.raw as raw

from backend.partition.page import Picture, Rect, Rule, Shape
from backend.partition.pdf import calls
from backend.partition.pdf.frame import Frame
from backend.partition.pdf.picture_budget import PictureBudget
from backend.partition.tick_boxes import is_square

_MAX_OBJECTS = 60_000
_MAX_SEGMENTS = 20_000
_MAX_DEPTH = 6
_MAX_VISITED = 400_000
"""Objects after which only the pictures outside forms are looked at, since PDFium draws them."""
_THIN = 2.5
"""Points: thinner filled boxes are rules."""
_SLOPE = 0.15
"""Lines that rise by more than this share of their run are slanted, however short."""
_LIGHT = 230
"""Of 255: the darkest filling of a box to tick."""
_STEPS = 6
"""Segments of an unbroken open line: frames have fewer."""

SCAN_SHARE, SCAN_DOTS = 0.08, 90
"""The share of a page, and dots per inch: smaller or coarser pictures have no readable print."""
_GRAY = (raw.FPDF_COLORSPACE_DEVICEGRAY, raw.FPDF_COLORSPACE_CALGRAY)

Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

_floats = (ctypes.c_float * 6)()
_at = [calls.Handle(ctypes.addressof(_floats) + 4 * i) for i in range(6)]
_ints = (ctypes.c_int * 2)()
_rgba = (ctypes.c_uint * 4)()
_rgba_at = [calls.Handle(ctypes.addressof(_rgba) + 4 * i) for i in range(4)]
_int_at = [calls.Handle(ctypes.addressof(_ints) + 4 * i) for i in range(2)]


@dataclass
class Drawing:
    rules: list[Rule] = field(default_factory=list)
    fills: list[Rect] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    squares: list[Rect] = field(default_factory=list)
    """Drawn frames that may be boxes to tick; their sides are no rules."""


@dataclass
class _Walk:
    page: calls.Handle
    frame: Frame
    out: Drawing
    budget: PictureBudget
    objects: int = 0
    segments: int = 0


def read_drawing(page: calls.Handle, count: int, frame: Frame, budget: PictureBudget) -> Drawing:
    """Everything drawn on the page that is not text, forms included; pictures within the budget."""
    budget.begin_page()
    walk = _Walk(page, frame, Drawing(), budget)
    _visit(walk, list(map(calls.page_object, repeat(page), range(count))), _IDENTITY, 0)
    return walk.out


def _visit(walk: _Walk, objects: list[calls.Handle], matrix: Matrix, depth: int) -> None:
    """Most objects are text, and some pages have one per letter: these only cost a type check."""
    kinds = map(calls.object_kind, objects)
    for handle, kind in zip(objects, kinds, strict=True):
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            continue
        walk.objects += 1
        if kind == raw.FPDF_PAGEOBJ_PATH:
            if walk.objects <= _MAX_OBJECTS:
                _path(walk, handle, matrix)
        elif kind == raw.FPDF_PAGEOBJ_IMAGE:
            box = _bounds(walk.frame, handle, matrix)
            if box is not None and (picture := _picture(walk, handle, box)) is not None:
                walk.out.pictures.append(picture)
        elif kind == raw.FPDF_PAGEOBJ_FORM:
            if depth >= _MAX_DEPTH or walk.objects > _MAX_VISITED:
                walk.budget.leave_out(handle)
                continue
            calls.object_matrix(handle, _at[0])
            inner = _times(_six(), matrix)
            count = calls.form_count(handle)
            parts = list(map(calls.form_object, repeat(handle), range(count)))
            _visit(walk, parts, inner, depth + 1)


def _picture(walk: _Walk, handle: calls.Handle, box: Rect) -> Picture | None:
    """A picture, None if it is over the budget."""
    size = (ctypes.c_uint * 2)()
    where = ctypes.addressof(size)
    is_sized = calls.image_size(handle, where, where + 4)
    shown = box.shared(Rect(0, 0, walk.frame.width, walk.frame.height))
    share = shown / max(walk.frame.width * walk.frame.height, 1.0)
    if not walk.budget.admits(handle, size[0] * size[1], share):
        return None
    if not is_sized:
        return Picture(box)
    dots = 72 * size[0] / max(1.0, box.width)
    # Checking the colours decompresses a picture, so this is limited to possible scans.
    if share < SCAN_SHARE or dots < SCAN_DOTS:
        return Picture(box, dots=dots)
    facts = raw.FPDF_IMAGEOBJ_METADATA()
    calls.image_facts(handle, walk.page, ctypes.addressof(facts))
    gray = facts.bits_per_pixel == 1 or facts.colorspace in _GRAY
    return Picture(box, gray=gray, dots=dots)


def _bounds(frame: Frame, handle: calls.Handle, matrix: Matrix) -> Rect | None:
    if not calls.object_bounds(handle, *_at[:4]):
        return None
    x0, y0, x1, y1 = _floats[:4]
    if matrix == _IDENTITY:
        return frame.rect(x0, y0, x1, y1)
    corners = [_apply(matrix, x, y) for x, y in ((x0, y0), (x1, y0), (x0, y1), (x1, y1))]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return frame.rect(min(xs), min(ys), max(xs), max(ys))


def _path(walk: _Walk, handle: calls.Handle, matrix: Matrix) -> None:
    calls.draw_mode(handle, *_int_at)
    filled, stroked = _ints
    if not filled and not stroked:
        return
    box = _bounds(walk.frame, handle, matrix)
    if box is None or box.x1 < 0 or box.y1 < 0:
        return
    # Bounds of a stroked path include half the line width on each side.
    short, long = box.x1 - box.x0, box.y1 - box.y0
    if min(short, long) <= _THIN and max(short, long) > _THIN:
        walk.out.rules.append(_thin(box))
        return
    count = calls.segment_count(handle)
    walk.segments += count
    if walk.segments > _MAX_SEGMENTS:
        walk.out.shapes.append(Shape(box, False))
        return
    calls.object_matrix(handle, _at[0])
    lines, straight = _segments(walk.frame, handle, count, _times(_six(), matrix))
    if straight and filled:
        _filled(walk.out, lines, box)
    if straight and stroked:
        frame = _frame(lines)
        if frame is not None and is_square(frame) and (not filled or _is_light(handle)):
            walk.out.squares.append(frame)
        else:
            walk.out.rules.extend(lines)
    elif not straight:
        last = calls.path_segment(handle, count - 1)
        walk.out.shapes.append(Shape(box, not filled and not calls.segment_closes(last)))


def _frame(lines: list[Rule]) -> Rect | None:
    """The rectangle that four lines form."""
    flat = [line.at for line in lines if line.horizontal]
    tall = [line.at for line in lines if not line.horizontal]
    if len(flat) != 2 or len(tall) != 2:
        return None
    return Rect(min(tall), min(flat), max(tall), max(flat))


def _is_light(handle: calls.Handle) -> bool:
    """Whether an object is filled with white or nearly so."""
    return not calls.fill_color(handle, *_rgba_at) or min(_rgba[:3]) >= _LIGHT


def _filled(out: Drawing, lines: list[Rule], box: Rect) -> None:
    """Boxes painted by one path: each closed box of four lines, thin ones being rules."""
    for start in range(0, len(lines) - len(lines) % 4, 4):
        rect = _frame(lines[start : start + 4])
        if rect is None:
            out.fills.append(box)
            return
        if min(rect.width, rect.height) <= _THIN:
            out.rules.append(_thin(rect))
        else:
            out.fills.append(rect)


def _thin(box: Rect) -> Rule:
    x0, y0, x1, y1 = box
    if x1 - x0 >= y1 - y0:
        return Rule(True, (y0 + y1) / 2, x0, x1)
    return Rule(False, (x0 + x1) / 2, y0, y1)


def _segments(
    frame: Frame, handle: calls.Handle, count: int, matrix: Matrix
) -> tuple[list[Rule], bool]:
    """The axis-parallel lines of a path, and whether it has slants, curves or steps too."""
    lines: list[Rule] = []
    start = here = frame.point(0.0, 0.0)
    steps = 0
    for index in range(count):
        segment = calls.path_segment(handle, index)
        kind = calls.segment_kind(segment)
        if kind == raw.FPDF_SEGMENT_BEZIERTO:
            return [], False
        calls.segment_point(segment, _at[0], _at[1])
        point = frame.point(*_apply(matrix, _floats[0], _floats[1]))
        if kind == raw.FPDF_SEGMENT_MOVETO:
            start, steps = point, 0
        elif not _add(lines, here, point):
            return [], False
        here, steps = point, steps + 1
        if calls.segment_closes(segment):
            if not _add(lines, here, start):
                return [], False
            here, steps = start, 0
        if steps > _STEPS and here != start:
            return [], False
    return lines, True


def _add(lines: list[Rule], a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Adds the line from a to b on the visible page; False if it is slanted."""
    (ax, ay), (bx, by) = a, b
    width, height = abs(bx - ax), abs(by - ay)
    short, long = (width, height) if width < height else (height, width)
    if short > 0.7 or (short > 0.1 and short > _SLOPE * long):
        return False
    if long > 0.1:
        if width >= height:
            lines.append(Rule(True, (ay + by) / 2, *((ax, bx) if ax < bx else (bx, ax))))
        else:
            lines.append(Rule(False, (ax + bx) / 2, *((ay, by) if ay < by else (by, ay))))
    return True


def _six() -> Matrix:
    a, b, c, d, e, f = _floats
    return a, b, c, d, e, f


def _apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _times(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )
