"""Boxes to tick that are drawn instead of written: they become the words ☐ and ☒ of their page."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from backend.partition.page import Rect, Style, Word

EMPTY, TICKED = "☐", "☒"
SIGNS = frozenset({EMPTY, TICKED})
LARGEST = 12.0
"""The maximum font size of a box, which may be as large as a page."""
ABOVE_EDGE = 0.15
"""The baseline of a box, relative to its height."""
MAX_BOXES = 500
"""Per page; more squares are a pattern."""
_LEAST, _MOST, _SQUARE = 5.0, 17.0, 0.15
"""Points: the sides of a box; and how much they may differ, as a share."""
_LABEL, _LEVEL = 3.0, 0.3
"""In box widths: how far the label of a box may be; and how far they must be level."""
_BLANK = 1.0
"""In font sizes: wider blanks end an option."""
_ALIGNED = 0.6
"""In box widths: how far squares of one row or column may be out of line."""


def is_square(box: Rect) -> bool:
    """Whether a rectangle on a page, in points, has the form and size of a box to tick."""
    long, short = max(box.width, box.height), min(box.width, box.height)
    return short >= _LEAST and long <= _MOST and long - short <= _SQUARE * long


class TickBox(NamedTuple):
    box: Rect
    ticked: bool

    def word(self, label: Word | None = None) -> Word:
        """The sign for it, in the line and the size of its label."""
        sign, height = TICKED if self.ticked else EMPTY, self.box.height
        baseline = self.box.y1 - ABOVE_EDGE * height
        if label is None:
            return Word(sign, self.box, Style(max(1.0, min(height, LARGEST))), baseline=baseline)
        return replace(label, text=sign, box=self.box, baseline=label.baseline or baseline)


def with_signs(words: list[Word], signs: list[Word]) -> list[Word]:
    """The words of a page with signs of boxes instead of the ticks in them."""
    kept = [
        word
        for word in words
        if len(word.text) > 1
        or not any(sign.box.holds(word.box.mid_x, word.box.mid_y) for sign in signs)
    ]
    return kept + signs


def signs_of(squares: Sequence[TickBox], words: list[Word]) -> list[Word]:
    """The signs of squares beside a label or in a table's columns; other squares are ornaments."""
    return [
        one.word(label)
        for at, one in enumerate(squares)
        if (label := _label(one.box, words)) is not None or _in_grid(at, squares)
    ]


def put_in_rows(words: list[Word], signs: list[Word]) -> None:
    """Keeps several options on one line together, however far apart they are."""
    number = 1 + max((word.line for word in words), default=0)
    left = sorted(signs, key=lambda sign: sign.box.mid_y)
    while left:
        first = left[0].box
        row = [sign for sign in left if abs(sign.box.mid_y - first.mid_y) < _ALIGNED * first.width]
        left = [sign for sign in left if sign not in row]
        options = [_option(sign, words) for sign in row]
        if len(row) > 1 and all(len(option) > 1 for option in options):
            for word in (word for option in options for word in option):
                word.line = number
            number += 1


def _option(sign: Word, words: list[Word]) -> list[Word]:
    """A sign and the words behind it up to a wide blank or the next sign."""
    out, end = [sign], sign.box.x1 + _LABEL * sign.box.width
    level = [
        w for w in words if sign.box.overlap_y(w.box) > _LEVEL * min(sign.box.height, w.box.height)
    ]
    for word in sorted(level, key=lambda word: word.box.x0):
        if word.box.x0 >= sign.box.mid_x and word is not sign:
            if word.box.x0 > end or word.text in SIGNS:
                break
            out.append(word)
            end = word.box.x1 + _BLANK * word.style.size
    return out


def _in_grid(at: int, squares: Sequence[TickBox]) -> bool:
    """Whether other squares are level with one and others above or below it, none of them near."""
    own = squares[at].box
    others = [one.box for number, one in enumerate(squares) if number != at]
    if any(max(-other.overlap_x(own), -other.overlap_y(own)) < own.width / 2 for other in others):
        return False
    near = _ALIGNED * own.width
    level = sum(abs(other.mid_y - own.mid_y) < near for other in others)
    upright = sum(abs(other.mid_x - own.mid_x) < near for other in others)
    return level > 0 and upright > 0


def _label(box: Rect, words: list[Word]) -> Word | None:
    """The word nearest to a box on its line."""
    level = [w for w in words if box.overlap_y(w.box) > _LEVEL * min(box.height, w.box.height)]
    nearest = min(level, key=lambda word: -box.overlap_x(word.box), default=None)
    if nearest is None or -box.overlap_x(nearest.box) > _LABEL * box.width:
        return None
    return nearest
