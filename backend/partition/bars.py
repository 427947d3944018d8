"""Dark bars in the picture of a page, with light letters: titles in forms and heads of tables."""

from itertools import pairwise

import numpy as np

from backend.partition.page import Rect, Rule, Word
from backend.partition.resampling import Pixels, gray
from backend.partition.runs import Mask, Runs

_LOWEST, _HIGHEST, _SHORTEST = 0.005, 0.05, 0.03
"""The height and the least length of a bar, relative to the longer side of the page."""
_LONG = 6.0
"""The least length of a bar, in heights."""
_DARK = 0.5
"""Relative to the brightness of the paper."""
_BLANK = 1.5
"""In font sizes: wider blanks separate the labels of columns."""


def bars_in(pixels: Pixels) -> list[Rect]:
    """The bars of a page, in pixels."""
    brightness = np.asarray(gray(pixels))
    dark: Mask = brightness < _DARK * np.median(brightness)
    side = max(dark.shape)
    regions = Runs.of(dark).at_least(round(_SHORTEST * side)).regions(corners=True)
    places = zip(regions.left, regions.top, regions.width, regions.height, strict=True)
    return [
        Rect(float(left), float(top), float(left + width), float(top + height))
        for left, top, width, height in places
        if _LOWEST * side < height <= _HIGHEST * side and width >= _LONG * height
    ]


def with_bars(rules: list[Rule], bars: list[Rect], words: list[Word]) -> list[Rule]:
    """The rules of a page with the edges of its bars. Titles become bold; they separate the tables
    above and below, so upright rules end there.
    """
    out = list(rules)
    for bar in bars:
        title = _title(bar, words)
        for word in title:
            word.style = word.style._replace(bold=True)
        if title:
            out = [part for rule in out for part in _cut(rule, bar)]
        out += [Rule(True, at, bar.x0, bar.x1) for at in (bar.y0, bar.y1)]
    return out


def _title(bar: Rect, words: list[Word]) -> list[Word]:
    """The words of a bar, unless they are in columns."""
    inside = [word for word in words if bar.holds(word.box.mid_x, word.box.mid_y)]
    inside.sort(key=lambda word: word.box.x0)
    joined = all(b.box.x0 - a.box.x1 < _BLANK * a.style.size for a, b in pairwise(inside))
    return inside if joined else []


def _cut(rule: Rule, bar: Rect) -> list[Rule]:
    """The parts of an upright rule above and below a bar."""
    crosses = bar.x0 - bar.height <= rule.at <= bar.x1 + bar.height
    if rule.horizontal or not crosses or rule.end <= bar.y0 or rule.start >= bar.y1:
        return [rule]
    parts = (rule._replace(end=min(rule.end, bar.y0)), rule._replace(start=max(rule.start, bar.y1)))
    return [part for part in parts if part.end - part.start > bar.height / 2]
