"""Straight lines in the picture of a page: the rules of its tables."""

import cv2
import numpy as np
from numpy.typing import NDArray

from backend.partition.page import Rect, Rule

_SHORTEST = 0.03
"""Of the longer side of the page: shorter lines are strokes of letters."""
_THICKEST = 0.005
"""Of the longer side: what is thicker is a bar or a picture."""
_BREAK = 5
"""Pixels that noise may take out of a line."""
_COVERED = 0.6
"""Of a line: more lies on words where it is made of their letters."""
_BEYOND = 2.0
"""Heights of a word by which a line that goes on between and beyond words is a rule."""
_MAX_RULES = 2000


def rules_in(pixels: NDArray[np.uint8], words: list[Rect]) -> list[Rule]:
    """Level and upright lines, in pixels; not those made of the letters of `words`."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    side = max(gray.shape)
    # Darker than the neighbourhood: also the edges of shaded boxes, which are rules as well.
    darker = cv2.adaptiveThreshold(
        gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 25, 18
    )
    whole = np.asarray(darker, dtype=np.uint8)
    ink = whole.copy()
    for word in words:
        x0, y0, x1, y1 = (round(value) for value in word)
        inset = round(0.2 * (y1 - y0))
        ink[max(0, y0 + inset) : max(0, y1 - inset), max(0, x0) : max(0, x1)] = 0
    rules: list[Rule] = []
    sizes = _SHORTEST * side, max(3.0, _THICKEST * side)
    for horizontal in (True, False):
        rules.extend(_lines(ink, horizontal, *sizes, bridge=_BREAK))
    # Values touch the upright rules beside them; an unbroken line is longer than any letter.
    rules.extend(_lines(whole, False, *sizes, bridge=1))
    return [rule for rule in rules if not _of_letters(rule, words)][:_MAX_RULES]


def _of_letters(rule: Rule, words: list[Rect]) -> bool:
    """The heads of a row of capitals look like a line, but end with the words; so do the stems of
    large letters."""
    length = rule.end - rule.start
    if not rule.horizontal:
        return any(
            word.x0 < rule.at < word.x1
            and min(rule.end, word.y1) - max(rule.start, word.y0) > _COVERED * length
            for word in words
        )
    beside = [word for word in words if word.y0 < rule.at < word.y1]
    covered = sum(max(0.0, min(rule.end, w.x1) - max(rule.start, w.x0)) for w in beside)
    height = max((word.height for word in beside), default=0.0)
    return covered > _COVERED * length and length - covered < _BEYOND * height


def _lines(
    ink: NDArray[np.uint8], horizontal: bool, shortest: float, thickest: float, *, bridge: int
) -> list[Rule]:
    length = round(shortest)
    bridging, long, wide = (
        np.ones(shape if horizontal else shape[::-1], dtype=np.uint8)
        for shape in ((1, bridge), (1, length), (3, 1))
    )
    # Widened across first: a line that is not quite level steps from row to row.
    found = cv2.morphologyEx(cv2.dilate(ink, wide), cv2.MORPH_CLOSE, bridging)
    found = cv2.morphologyEx(found, cv2.MORPH_OPEN, long)
    _, _, stats, _ = cv2.connectedComponentsWithStats(found, connectivity=8)
    out: list[Rule] = []
    for x, y, width, height, _ in stats[1:].tolist():
        along, across = (width, height) if horizontal else (height, width)
        if across - 2 <= thickest and along >= shortest:
            at, start = (y + height / 2, x) if horizontal else (x + width / 2, y)
            out.append(Rule(horizontal, at, start, start + along))
    return out
