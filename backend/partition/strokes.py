"""Straight lines in the picture of a page: the rules of its tables."""

import numpy as np
from PIL import Image, ImageFilter

from backend.partition.page import Rect, Rule
from backend.partition.resampling import Pixels, gray
from backend.partition.runs import Mask, Runs

_SHORTEST = 0.03
"""Relative to the longer side of the page: shorter lines are strokes of letters."""
_THICKEST = 0.005
"""Relative to the longer side: anything thicker is a bar or a picture."""
_BREAK = 5
"""Pixels that noise may remove from a line."""
_COVERED = 0.6
"""If more of a line than this is on words, it consists of their letters."""
_BEYOND = 2.0
"""In word heights: a line that extends this far between and beyond words is a rule."""
_AROUND, _DARKER = 12, 18
"""The radius in pixels of the neighbourhood of a pixel, and how much darker ink is, out of 255."""
_MAX_RULES = 2000


def rules_in(pixels: Pixels, words: list[Rect]) -> list[Rule]:
    """Level and upright lines, in pixels; not those formed by the letters of `words`."""
    light = gray(pixels)
    side = max(light.size)
    whole = inked(light)
    ink = whole.copy()
    for word in words:
        x0, y0, x1, y1 = (round(value) for value in word)
        inset = round(0.2 * (y1 - y0))
        ink[max(0, y0 + inset) : max(0, y1 - inset), max(0, x0) : max(0, x1)] = False
    rules: list[Rule] = []
    sizes = _SHORTEST * side, max(3.0, _THICKEST * side)
    for horizontal in (True, False):
        rules.extend(_lines(ink, horizontal, *sizes, bridge=_BREAK))
    # Values touch the upright rules beside them; an unbroken line is longer than any letter.
    rules.extend(_lines(whole, False, *sizes, bridge=1))
    return [rule for rule in rules if not _of_letters(rule, words)][:_MAX_RULES]


def inked(light: Image.Image) -> Mask:
    """The pixels darker than their neighbourhood, which includes the edges of shaded boxes."""
    around = np.asarray(light.filter(ImageFilter.BoxBlur(_AROUND)), np.int16)
    ink: Mask = around - np.asarray(light) >= _DARKER
    return ink


def _of_letters(rule: Rule, words: list[Rect]) -> bool:
    """The tops of a row of capitals look like a line, but end with the words; so do the stems of
    large letters.
    """
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
    ink: Mask, horizontal: bool, shortest: float, thickest: float, *, bridge: int
) -> list[Rule]:
    ink = ink if horizontal else ink.T
    # Widened across first: a line that is not quite level steps from row to row.
    wide = ink.copy()
    wide[1:] |= ink[:-1]
    wide[:-1] |= ink[1:]
    regions = Runs.of(wide).bridged(bridge).at_least(round(shortest)).regions(corners=True)
    places = zip(regions.left, regions.top, regions.width, regions.height, strict=True)
    return [
        Rule(horizontal, top + across / 2, int(start), int(start + along))
        for start, top, along, across in places
        if across - 2 <= thickest and along >= shortest
    ]
