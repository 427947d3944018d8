"""Drawn bullets: small filled shapes in front of lines.

Browsers and some word processors draw the discs and squares of lists, so the text has no sign of
them.
"""

from bisect import bisect_left, bisect_right

from backend.partition.direction import is_leftward
from backend.partition.page import Line, PageContent, Rect, Word

_SMALL, _LARGE = 0.12, 0.75
"""In font sizes: the least and the greatest size of a bullet."""
_REACH = 2.5
"""In font sizes: the most white space between a bullet and its line."""
_MAX_MARKS = 2000


def with_bullets(lines: list[Line], content: PageContent) -> list[Line]:
    """The lines, with a bullet character in front where a bullet is drawn."""
    marks = [shape.box for shape in content.shapes if not shape.open] + content.fills
    marks = [mark for mark in marks if 0.6 * mark.width < mark.height < 1.7 * mark.width]
    if not marks or len(marks) > _MAX_MARKS:
        return lines
    marks.sort(key=lambda mark: mark.mid_y)
    heights = [mark.mid_y for mark in marks]
    out: list[Line] = []
    for line in lines:
        third = 0.3 * line.box.height
        first = bisect_left(heights, line.box.y0 + third)
        last = bisect_right(heights, line.box.y1 - third)
        mark = next((mark for mark in marks[first:last] if _before(mark, line)), None)
        if mark is not None:
            style = line.words[0].style
            bullet = Word("•", mark, style, role=line.role)
            first_left = mark.x0 < line.box.x0
            line = Line.of([bullet, *line.words] if first_left else [*line.words, bullet])
        out.append(line)
    return out


def _before(mark: Rect, line: Line) -> bool:
    size = line.style.size
    leftward = is_leftward(line.text)
    white = mark.x0 - line.box.x1 if leftward else line.box.x0 - mark.x1
    return _SMALL * size < mark.height < _LARGE * size and 0.1 * size < white < _REACH * size
