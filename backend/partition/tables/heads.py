"""Table headers above the first rule."""

from bisect import bisect_right

from backend.partition.page import Rect, Word, hull
from backend.partition.tables.columns import stretches
from backend.partition.tables.grid import is_value, is_year, rows_in_order
from backend.partition.tables.shelf import Shelf

_LINES = 7
"""In line heights: the search range above the first rule."""
_FAR = 200.0
"""In points: the same as an absolute limit."""
_BLANK = 0.45
"""In font sizes: words farther apart may belong to neighbouring columns of a header."""

_NEARER = 0.5
"""In font sizes: how much closer a heading is to the table below it than to that above; the name of
a section is in the middle between the rules of its row."""
_LARGER, _LARGER_BOLD = 1.15, 1.05
"""Relative to the text size of a table: such a line is a heading between two tables."""


def is_heading(line: list[Word], size: float) -> bool:
    """Whether a line is larger than the text of a table in that size."""
    bold = all(word.style.bold for word in line)
    return line[0].style.size > (_LARGER_BOLD if bold else _LARGER) * size


def is_of_next(lines: list[list[Word]], band: Rect) -> bool:
    """Whether the last line between two rules belongs to the table below them, as its heading or as
    the names of its columns: bold, without values, and closer to the second rule than to what is
    above it.
    """
    size = lines[-1][0].style.size
    named = len(lines) > 1 and len(stretches(lines[-1], 1.1 * size)) > 1 and are_names(lines[-1])
    if named and len(lines) < 3 and len(stretches(lines[0], 1.1 * size)) > 1:
        return False
    box = hull([word.box for word in lines[-1]])
    top = hull([word.box for word in lines[-2]]).y1 if len(lines) > 1 else band.y0
    nearer = box.y0 - top > band.y1 - box.y1 + _NEARER * size
    return nearer or _is_bold(lines[-2], size) if named else nearer and _is_bold(lines[-1], size)


def _is_bold(line: list[Word], size: float) -> bool:
    """Whether a line is a bold text that is alone."""
    return all(word.style.bold for word in line) and len(stretches(line, 1.1 * size)) == 1


def are_names(line: list[Word]) -> bool:
    """Whether a line may be the names of columns: bold, without values other than years."""
    return all(w.style.bold and (is_year(w.text) or not is_value(w.text)) for w in line)


def head_top(
    top: float, joints: list[float], words: Shelf, *, reach: float, floor: float = 0.0
) -> float | None:
    """The upper edge of lines right above the rule at `top` that respect the columns between the
    `joints` and fill more than one; None if there are none. The lowest may end `reach` times its
    height above the rule; above `floor` is another table.
    """
    near = words.inside(Rect(joints[0] - 1, max(floor, top - _FAR), joints[-1] + 1, top))
    above = [word for word in near if top - _LINES * word.box.height <= word.box.mid_y < top]
    result: float | None = None
    columns: set[int] = set()
    limit = top
    size = 0.0
    for line in reversed(rows_in_order(above)):
        box = hull([word.box for word in line])
        parts = stretches(line, _BLANK * line[0].style.size)
        if size and is_heading(line, size):
            break
        size = line[0].style.size
        crossing = any(a + 1 < x < b - 1 for a, b in parts for x in joints[1:-1])
        if crossing or limit - box.y1 > (reach if limit == top else 0.5) * box.height:
            break
        limit = box.y0
        columns |= {bisect_right(joints, (a + b) / 2) for a, b in parts}
        if len(columns) > 1:
            result = limit
    return None if result is None else result - 1
