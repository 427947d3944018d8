"""Boxes to tick that are drawn instead of written: they become the words ☐ and ☒ of their page."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from backend.partition.page import Rect, Style, Word

EMPTY, TICKED = "☐", "☒"
_LARGEST = 12.0
"""The maximum font size of a box, which may be as large as a page."""
_ABOVE_EDGE = 0.15
"""The baseline of a box, relative to its height."""
_LEAST, _MOST, _SQUARE = 5.0, 17.0, 0.15
"""Points: the sides of a box; and how much they may differ, as a share."""
_LABEL, _LEVEL = 3.0, 0.3
"""In box widths: how far the label of a box may be; and how far they must be level."""


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
        baseline = self.box.y1 - _ABOVE_EDGE * height
        if label is None:
            return Word(sign, self.box, Style(max(1.0, min(height, _LARGEST))), baseline=baseline)
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


def labelled_signs(boxes: Iterable[TickBox], words: list[Word]) -> list[Word]:
    """The signs of drawn squares. Those without a label beside them are no boxes to tick but
    ornaments or cells.
    """
    labels = [(one, _label(one.box, words)) for one in boxes]
    return [one.word(label) for one, label in labels if label is not None]


def _label(box: Rect, words: list[Word]) -> Word | None:
    """The word nearest to a box on its line."""
    level = [w for w in words if box.overlap_y(w.box) > _LEVEL * min(box.height, w.box.height)]
    nearest = min(level, key=lambda word: -box.overlap_x(word.box), default=None)
    if nearest is None or -box.overlap_x(nearest.box) > _LABEL * box.width:
        return None
    return nearest
