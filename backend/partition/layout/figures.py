"""Figures that are drawn and not embedded: charts and diagrams, with the words inside.

Neighbouring shapes form one drawing. It is a figure if it has features that tables and boxes around
text lack: open curves or slanted lines over axes, bars of different length on one base line, or
several curved shapes with a caption; and if the words inside are labels.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from backend.partition.layout.blocks import CAPTION
from backend.partition.lines import rows, segments
from backend.partition.page import Line, PageContent, Picture, Rect, Rule, Shape, Word, hull
from backend.partition.tables.grid import is_value
from backend.partition.tables.ruled import ruled_grid
from backend.partition.tables.rulings import merged
from backend.partition.tables.shelf import Shelf

_NEAR = 6.0
"""Maximum points between parts of one drawing."""
_MAX_MARKS = 4000
_MANY, _PLENTY = 5, 12
"""Minimum shapes of a drawing with a caption, and of one without."""
_LABEL, _PROSE = 28, 60
"""Letters: of the longest label beside a drawing, and from which a line inside one is prose."""


@dataclass(slots=True)
class _Drawing:
    """Everything drawn inside one box."""

    box: Rect
    rules: list[Rule]
    fills: list[Rect]
    shapes: list[Shape]


def find_figures(content: PageContent, whole: Rect) -> list[Picture]:
    """Pictures with the words in and beside them; these words leave `content`, and so do the rules
    and fills, which would otherwise be mistaken for those of tables.
    """
    drawings = [drawing for drawing in _drawings(content, whole) if _promising(drawing)]
    if not drawings:
        return []
    lines = segments(rows(content.words), [])
    figures: list[Picture] = []
    for drawing in drawings:
        inside = [line for line in lines if _within(drawing.box, line.box)]
        box = _with_labels(drawing.box, lines)
        if _is_chart(drawing) and _has_values(box, lines) and not _holds_text(drawing, inside):
            figures.append(Picture(box, _take_words(content, box, lines), drawing.box))
        elif _is_diagram(drawing, inside, box, lines):
            whole = box if _empty(drawing, inside) else drawing.box
            figures.append(Picture(whole, _take_words(content, whole, lines), drawing.box))
    for figure in figures:
        _take_drawing(content, figure.box)
    return figures


def _promising(drawing: _Drawing) -> bool:
    """A cheap test without the words: most pages have no drawing."""
    return len(drawing.shapes) + len(drawing.fills) >= _MANY or _is_chart(drawing)


def _drawings(content: PageContent, whole: Rect) -> list[_Drawing]:
    """Groups of neighbouring marks that are large enough, without page backgrounds."""
    if not content.shapes and len(content.fills) <= 2:
        return []
    fills = [fill for fill in content.fills if fill.area < 0.5 * whole.area]
    shapes = [shape for shape in content.shapes if shape.box.area < 0.5 * whole.area]
    rules = [(rule, _box_of(rule)) for rule in content.rules]
    marks = [box for _, box in rules] + fills + [shape.box for shape in shapes]
    if len(marks) > _MAX_MARKS:
        return []
    out: list[_Drawing] = []
    for box in _clusters(marks):
        large = box.width > 0.12 * whole.width and box.height > 0.05 * whole.height
        if large and box.shared(whole) > 0.9 * box.area and box.area < 0.8 * whole.area:
            out.append(
                _Drawing(
                    box,
                    [rule for rule, extent in rules if _within(box, extent)],
                    [fill for fill in fills if _within(box, fill)],
                    [shape for shape in shapes if _within(box, shape.box)],
                )
            )
    return out


def _box_of(rule: Rule) -> Rect:
    if rule.horizontal:
        return Rect(rule.start, rule.at, rule.end, rule.at)
    return Rect(rule.at, rule.start, rule.at, rule.end)


def _within(box: Rect, part: Rect) -> bool:
    x0, y0, x1, y1 = part
    return box.holds((x0 + x1) / 2, (y0 + y1) / 2)


def _clusters(marks: list[Rect]) -> list[Rect]:
    """Boxes around groups of marks; boxes close to each other are merged."""
    clusters: list[Rect] = []
    for mark in sorted(marks, key=lambda mark: mark.y0):
        box = mark
        while True:
            x0, y0, x1, y1 = box
            near = [
                other
                for other in clusters
                if other[2] - x0 > -_NEAR
                and x1 - other[0] > -_NEAR
                and other[3] - y0 > -_NEAR
                and y1 - other[1] > -_NEAR
            ]
            if not near:
                break
            box = hull([box, *near])
            clusters = [other for other in clusters if other not in near]
        clusters.append(box)
    return clusters


def _is_chart(drawing: _Drawing) -> bool:
    curves = any(shape.open and _wide(shape) for shape in drawing.shapes)
    return (curves and len(drawing.rules) >= 2) or _has_bars(drawing)


def _has_values(box: Rect, lines: list[Line]) -> bool:
    """Whether there are numbers on the axes; otherwise ornaments look like charts."""
    inside = [line for line in lines if _within(box, line.box)]
    return sum(any(is_value(word.text) for word in line.words) for line in inside) >= 2


def _is_diagram(drawing: _Drawing, inside: list[Line], grown: Rect, lines: list[Line]) -> bool:
    """Many curved shapes around labels, or some shapes or empty boxes with a caption next to them;
    letterheads and boxes around text have a few shapes too."""
    if _holds_text(drawing, inside):
        return False
    longest = max((len(line.text) for line in inside), default=0)
    if len(drawing.shapes) >= _PLENTY and longest <= _LABEL:
        return True
    if len(drawing.shapes) + len(_empty(drawing, inside)) < _MANY:
        return False
    return any(
        CAPTION.match(line.text)
        and line.box.overlap_x(grown) > 0
        and -line.box.overlap_y(grown) < 5 * line.style.size
        for line in lines
    )


def _empty(drawing: _Drawing, inside: list[Line]) -> list[Rect]:
    """Filled boxes without words, as in charts and unlike the cells of tables. Empty unless nearly
    all boxes are such.
    """
    empty = [
        fill
        for fill in drawing.fills
        if not any(fill.holds(line.box.mid_x, line.box.mid_y) for line in inside)
    ]
    return empty if len(empty) > 0.8 * len(drawing.fills) else []


def _wide(shape: Shape) -> bool:
    return max(shape.box.width, shape.box.height) > 8


def _has_bars(drawing: _Drawing) -> bool:
    """At least three separate boxes of different length with a common base line."""
    upright = [(fill.y1, fill.height, fill.x0, fill.x1) for fill in drawing.fills]
    lying = [(fill.x0, fill.width, fill.y0, fill.y1) for fill in drawing.fills]
    return _stand_on_a_line(upright) or _stand_on_a_line(lying)


def _stand_on_a_line(boxes: list[tuple[float, float, float, float]]) -> bool:
    """Boxes as (base, length, start, end along the base)."""
    for base, count in Counter(round(box[0]) for box in boxes).items():
        if count < 3:
            continue
        bars = [box for box in boxes if abs(box[0] - base) <= 1]
        places = sorted((start, end) for _, _, start, end in bars)
        apart = all(right[0] - left[1] > 1 for left, right in pairwise(places))
        lengths = len({round(length) for _, length, _, _ in bars})
        if lengths >= (3 if apart else _MANY):
            return True
    return False


def _holds_text(drawing: _Drawing, inside: list[Line]) -> bool:
    """Whether the drawing is a frame around prose or the grid of a table."""
    if any(len(line.text) > _PROSE for line in inside):
        return True
    covered = sum(line.box.area for line in inside)
    if covered > 0.3 * drawing.box.area:
        return True
    words = [word for line in inside for word in line.words]
    grid = ruled_grid(merged(drawing.rules), Shelf(words))
    return grid is not None and grid.box.area > 0.3 * drawing.box.area


def _with_labels(box: Rect, lines: list[Line]) -> Rect:
    """The box with the short lines beside it, within its width or height: the numbers and names on
    its axes, and their titles.
    """
    grown = box
    rest = [line for line in lines if len(line.text) <= _LABEL]
    for _ in range(4):
        labels = [line for line in rest if _is_label(line, box, grown)]
        if not labels:
            break
        grown = hull([grown, *(line.box for line in labels)])
        rest = [line for line in rest if line not in labels]
    return grown


def _is_label(line: Line, box: Rect, grown: Rect) -> bool:
    size = max(line.style.size, 1.0)
    across, along = -line.box.overlap_x(grown), -line.box.overlap_y(grown)
    value = is_value(line.text)
    if line.box.y0 >= box.y1 - size:
        inside = grown.x0 - 2 * size <= line.box.x0 and line.box.x1 <= grown.x1 + 2 * size
        return inside and -size <= along < (2.0 if value else 1.6) * size
    beside = box.y0 - size <= line.box.mid_y <= box.y1 + size
    return beside and across < (1.5 if value else 1.2) * size


def _take_words(content: PageContent, box: Rect, lines: list[Line]) -> str:
    """The lines inside as one text; their words are no longer words of the page."""
    inside = [line for line in lines if _within(box, line.box)]
    moved = {id(word) for line in inside for word in line.words}
    content.words = [word for word in content.words if id(word) not in moved]
    angled = _angled_beside(content.angled, box)
    content.angled = [word for word in content.angled if word not in angled]
    inside.sort(key=lambda line: (line.box.mid_y, line.box.x0))
    return "\n".join([line.text for line in inside] + [word.text for word in angled])


def _angled_beside(words: list[Word], box: Rect) -> list[Word]:
    """The numbers on upright axes, and then their titles."""
    reach, inside = 0.08 * box.width, [word for word in words if _within(box, word.box)]
    for _ in range(2):
        whole = hull([box, *(word.box for word in inside)])
        around = Rect(whole.x0 - reach, whole.y0, whole.x1 + reach, whole.y1)
        inside = [word for word in words if _within(around, word.box)]
    return inside


def _take_drawing(content: PageContent, box: Rect) -> None:
    content.rules = [rule for rule in content.rules if not _within(box, _box_of(rule))]
    content.fills = [fill for fill in content.fills if not _within(box, fill)]
    content.pictures = [picture for picture in content.pictures if not _within(box, picture.box)]
