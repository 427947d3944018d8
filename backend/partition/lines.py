"""Words -> line segments: neighbours on one baseline with ordinary spaces between them.

A wide gap ends a segment, so a row of two columns gives two segments and a justified line with wide
spaces may give several; the reading order joins the latter again.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from itertools import pairwise
from operator import attrgetter

from backend.partition.page import Line, Rule, Word

_SEGMENT_GAP = 1.1
"""Of the font size; ordinary spaces are 0.2 to 0.6, gutters between columns 1 and more."""
_TOUCHING = 0.5
"""Of the font size: the gap of a line that was found in two pieces."""
_SAME_BASELINE = 0.1
"""Of the font size."""
_CELL = 8
"""Points; rows are indexed by stripes of this height."""


def segments(rows: list[list[Word]], rules: list[Rule]) -> list[Line]:
    """Line segments of rows of words; a vertical rule between two words separates them."""
    walls = sorted((rule for rule in rules if not rule.horizontal), key=attrgetter("at"))
    places = [wall.at for wall in walls]
    out: list[Line] = []
    for row in rows:
        first = 0
        for at, (left, right) in enumerate(pairwise(row), 1):
            if _apart(left, right, walls, places):
                out.append(Line.of(row[first:at]))
                first = at
        out.append(Line.of(row[first:]))
    return out


def rows(words: list[Word]) -> list[list[Word]]:
    """Words grouped by baseline, each group sorted from left to right.

    A word joins the row whose middle it covers best; small raised or lowered words (notes, indices)
    join the row of their neighbours.
    """
    if len(words) < 2 or in_one_row(words):
        return [sorted(words, key=_left)] if words else []
    bands: list[_Band] = []
    cells: defaultdict[int, list[_Band]] = defaultdict(list)
    known: dict[tuple[float, float], list[Word]] = {}
    for word in sorted(words, key=_size, reverse=True):
        _, top, _, bottom = word.box
        same = known.get((top, bottom))
        if same is not None:
            same.append(word)
            continue
        middle = (top + bottom) / 2
        near = cells[int(middle // _CELL)]
        home = min(near, key=lambda band: abs(band.mid - middle), default=None)
        if home is None or not home.takes(word):
            home = _Band(word)
            bands.append(home)
            for key in range(int(home.top // _CELL), int(home.bottom // _CELL) + 1):
                cells[key].append(home)
        home.words.append(word)
        if bottom - top >= 0.8 * home.height:
            # Neighbours do not matter for these, so all with the same extent share the row.
            known[top, bottom] = home.words
    return [sorted(band.words, key=_left) for band in bands]


def _left(word: Word) -> float:
    return word.box[0]


def _size(word: Word) -> float:
    return word.style[0]


def in_one_row(words: list[Word]) -> bool:
    """The usual case in the cells of tables: all words share most of their height."""
    _, top, _, bottom = words[0].box
    highest = 0.0
    for word in words:
        _, y0, _, y1 = word.box
        if y0 > top:
            top = y0
        if y1 < bottom:
            bottom = y1
        if bottom <= top:
            return False
        if y1 - y0 > highest:
            highest = y1 - y0
    return bottom - top > 0.7 * highest


class _Band:
    """The height of one row, set by its first and largest word."""

    __slots__ = ("bottom", "first", "height", "mid", "top", "words")

    def __init__(self, word: Word) -> None:
        self.top, self.bottom = word.box.y0, word.box.y1
        self.mid = word.box.mid_y
        self.height = max(word.box.height, 1.0)
        self.first = word
        self.words: list[Word] = []

    def takes(self, word: Word) -> bool:
        shared = min(self.bottom, word.box.y1) - max(self.top, word.box.y0)
        if word.box.height >= 0.8 * self.height or self._is_level(word):
            return shared > 0.6 * min(self.height, word.box.height)
        return shared > 0.6 * word.box.height and any(
            -0.5 * self.height < _gap(word, other) < 1.5 * self.height for other in self.words
        )

    def _is_level(self, word: Word) -> bool:
        """Whether a word of the same size has the same baseline: without descenders its box may be
        much lower than that of the first.
        """
        size = word.style[0]
        both = word.baseline and self.first.baseline and size == self.first.style[0]
        return bool(both) and abs(word.baseline - self.first.baseline) < _SAME_BASELINE * size


def _gap(a: Word, b: Word) -> float:
    return -a.box.overlap_x(b.box)


def _apart(left: Word, right: Word, walls: list[Rule], places: list[float]) -> bool:
    """`walls` are sorted by place; `places` are theirs."""
    end, start = left.box[2], right.box[0]
    size = max(left.style[0], right.style[0])
    if left.line or right.line:
        # The line finder separates columns: its separation holds unless the parts touch.
        return left.line != right.line and start - end > _TOUCHING * size
    if start - end > _SEGMENT_GAP * size:
        return True
    if not walls:
        return False
    middle = left.box.mid_y
    between = walls[bisect_left(places, end - 1) : bisect_right(places, start + 1)]
    return any(wall.start <= middle <= wall.end for wall in between)
