"""Rows with wrapped cells, detected before the columns are known, by lines at half heights.

Next to a cell of two lines, a vertically centred cell of one line is level with the white space
between the two, so reading line by line splits the row into three. A cell of three lines has one
above and one below those of its neighbours.
"""

from itertools import chain
from math import inf

from backend.partition.page import Word, hull
from backend.partition.tables.columns import stretches
from backend.partition.tables.grid import is_value

Line = list[Word]

SHARED = 0.35
"""In font sizes: the vertical overlap of two lines of one row, which consecutive lines do not have
even if they are tight.
"""
_TIGHT = 0.35
"""In font sizes: the maximum white space between two lines of one cell."""
_LOOSER = 0.15
"""In font sizes: how much more white space is between rows."""
_GAP = 1.1
"""In font sizes: the white space between two cells."""
_MOST = 6
"""Maximum lines of a row; a longer chain is two columns of text whose lines are not level."""


class Measured:
    """A line with its box, and the pieces of text in it."""

    __slots__ = ("box", "parts", "words")

    def __init__(self, words: Line, size: float) -> None:
        self.words = words
        self.box = hull([word.box for word in words])
        self.parts = stretches(words, _GAP * size)


def in_rows(lines: list[Line], size: float) -> list[list[Measured]]:
    """Lines from the top, grouped where wrapped cells make them one row."""
    rows: list[list[Measured]] = []
    for line in lines:
        measured = Measured(line, size)
        if rows and _is_between(rows[-1], measured, size):
            rows[-1].append(measured)
        else:
            rows.append([measured])
    parted = [[row] if len(row) <= _MOST else [[line] for line in row] for row in rows]
    return _with_lines_around(list(chain(*parted)), size)


def joined(row: list[Measured], size: float) -> Measured:
    """A row as one line from left to right."""
    if len(row) == 1:
        return row[0]
    return Measured(sorted(chain(*(line.words for line in row)), key=_left), size)


def _left(word: Word) -> float:
    return word.box.x0


def _is_between(row: list[Measured], line: Measured, size: float) -> bool:
    """Whether a line is beside the last line of a row, at half its height, and tight below the
    lines before that.
    """
    if -_white(row[-1], line) <= SHARED * size or not _is_beside(row[-1], line, size):
        return False
    return all(
        _is_beside(other, line, size) or _white(other, line) < _TIGHT * size for other in row[:-1]
    )


def _with_lines_around(rows: list[list[Measured]], size: float) -> list[list[Measured]]:
    """The rows, with the lines above and below a fuller line added to it if they are closer to it
    than to the others.
    """
    out = list(rows)
    at = 1
    while at < len(out) - 1:
        upper, row, lower = out[at - 1 : at + 2]
        if len(upper) == len(row) == len(lower) == 1:
            above = _white(out[at - 2][-1], upper[0]) if at > 1 else inf
            below = _white(lower[0], out[at + 2][0]) if at + 2 < len(out) else inf
            inner = max(_white(upper[0], row[0]), _white(row[0], lower[0]))
            tight = inner < _TIGHT * size and inner < min(above, below) - _LOOSER * size
            if tight and _wraps(upper[0], row[0], lower[0]):
                out[at - 1 : at + 2] = [[*upper, *row, *lower]]
                continue
        at += 1
    return out


def _wraps(upper: Measured, row: Measured, lower: Measured) -> bool:
    """Whether text continues from the upper line through the row to the lower one."""
    if not all(
        len(line.parts) < len(row.parts) and all(_covered(one, row.parts) for one in line.parts)
        for line in (upper, lower)
    ):
        return False
    return not any(
        is_value(" ".join([word.text for word in line.words])) for line in (upper, lower)
    )


def _covered(part: tuple[float, float], whole: list[tuple[float, float]]) -> bool:
    return sum(min(part[1], end) > max(part[0], start) for start, end in whole) == 1


def _is_beside(one: Measured, other: Measured, size: float) -> bool:
    return all(
        end + size / 4 < start or stop + size / 4 < begin
        for begin, end in one.parts
        for start, stop in other.parts
    )


def _white(above: Measured, below: Measured) -> float:
    return below.box[1] - above.box[3]
