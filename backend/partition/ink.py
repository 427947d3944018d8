"""How a line of text in a picture is printed: where its ink is, how large and how heavy.

The OCR models answer text and a rough box. Headings show in size and weight and columns in the
white between words, so these are measured in the pixels of each line.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MIDDLE = 0.15
"""Of the height of a line at its top and bottom, where its neighbours reach in."""
_DENSE = 0.45
"""Rows with this share of the ink of a full row lie between baseline and top of an x."""
_ANY = 0.12
"""The same of digits and capitals, which have no small letters to tell from others."""
_X_HEIGHT, _CAP_HEIGHT, _SIGN_HEIGHT = 0.5, 0.72, 0.9
"""Of the font size: small letters, capitals and digits, signs of scripts without case."""
_OF_LINE, _USUAL = (0.4, 1.5), 0.72
"""Of the height of a line as it was cut out: font sizes that can be, and the one of most lines."""
_RULE = 0.85
"""Of the length of a line: rows with more ink than this are no letters."""
_ALIKE = 1.13
"""Sizes within this factor are one size; pixels and letters without stems make them differ."""
_HEAVY = 1.22
"""Strokes thicker than the usual by this factor are bold."""


@dataclass(slots=True)
class Ink:
    """Pixels along a line; `size` and `stroke` are 0 where there is too little to measure."""

    left: float
    right: float
    blanks: list[tuple[float, float]]
    """White stretches between letters, as (start, end)."""
    size: float
    stroke: float


def measured(line: NDArray[np.uint8], text: str) -> Ink:
    """The ink of a level line (height x width x 3) whose text is known."""
    darkness = _darkness(line)
    mask = darkness > 0.5
    height, width = mask.shape
    edge = int(_MIDDLE * height)
    columns = np.flatnonzero(mask[edge : height - edge].any(axis=0))
    if not len(columns):
        return Ink(0.0, float(width), [], 0.0, 0.0)
    jumps = np.flatnonzero(np.diff(columns) > 1)
    blanks = [(float(columns[at] + 1), float(columns[at + 1])) for at in jumps.tolist()]
    share = _share(text)
    band = _band(_without_rules(mask, columns), _DENSE if share == _X_HEIGHT else _ANY)
    inside = mask[band]
    strokes = int((inside[:, 1:] & ~inside[:, :-1]).sum() + inside[:, 0].sum())
    stroke = float(darkness[band].sum()) / strokes if strokes else 0.0
    size = (band.stop - band.start) / share
    low, high = _OF_LINE
    if not low * height < size < high * height:
        size = _USUAL * height
    return Ink(float(columns[0]), float(columns[-1] + 1), blanks, size, stroke)


def word_extents(ink: Ink, text: str) -> list[tuple[str, float, float]]:
    """The words of a line with start and end: its widest white stretches are its blanks."""
    words = text.split()
    if len(words) - 1 > len(ink.blanks):
        step = (ink.right - ink.left) / max(len(text), 1)
        places = np.cumsum([0] + [len(word) + 1 for word in words]).tolist()
        return [
            (word, ink.left + at * step, ink.left + (at + len(word)) * step)
            for word, at in zip(words, places, strict=False)
        ]
    widest = sorted(ink.blanks, key=lambda blank: blank[0] - blank[1])[: len(words) - 1]
    starts, ends = [ink.left], []
    for end, start in sorted(widest):
        ends.append(end)
        starts.append(start)
    return list(zip(words, starts, [*ends, ink.right], strict=True))


def one_size(sizes: list[float], letters: list[int]) -> list[float]:
    """Sizes that differ by less than measuring can tell made equal, weighed by letters: around the
    size of most letters first, then around that of most of the rest."""
    measures, weights = np.array(sizes), np.maximum(np.array(letters, dtype=float), 1.0)
    out, left = measures.copy(), np.ones(len(sizes), dtype=bool)
    while left.any():
        places = np.flatnonzero(left)
        ratios = measures[places, None] / np.maximum(measures[None, places], 1e-6)
        near = (ratios < _ALIKE) & (ratios > 1 / _ALIKE) | np.eye(len(places), dtype=bool)
        home = places[near[int(np.argmax(near @ weights[places]))]]
        out[home] = round(float(np.average(measures[home], weights=weights[home])), 1)
        left[home] = False
    return [float(size) for size in out]


def bold(inks: list[Ink], letters: list[int]) -> list[bool]:
    """Which lines have thicker strokes than the usual line, each measured against its size."""
    weights = np.array([ink.stroke / ink.size if ink.size else 0.0 for ink in inks])
    known = weights > 0
    if not known.any():
        return [False] * len(inks)
    usual = np.median(np.repeat(weights[known], np.array(letters)[known]))
    return [bool(weight > _HEAVY * usual) for weight in weights]


def _darkness(line: NDArray[np.uint8]) -> NDArray[np.float32]:
    """0 for paper to 1 for ink, also where the letters are lighter than what they stand on."""
    gray = line.astype(np.float32).mean(axis=2)
    low, middle, high = np.percentile(gray, (3, 50, 97)).tolist()
    if high - low < 25:
        return np.zeros_like(gray)
    darkness = (high - gray) / (high - low)
    darkness = darkness if high - middle < middle - low else 1 - darkness
    clipped: NDArray[np.float32] = np.clip(darkness, 0, 1)
    return clipped


def _without_rules(mask: NDArray[np.bool_], columns: NDArray[np.intp]) -> NDArray[np.intp]:
    """The ink of each row, of rules that touch the line none."""
    rows = mask.sum(axis=1)
    rule = rows > _RULE * (columns[-1] + 1 - columns[0])
    return rows if rule.all() else np.where(rule, 0, rows)


def _band(rows: NDArray[np.intp], least: float) -> slice:
    """The rows around the fullest one with `least` of the ink of a full row. The fullest may be a
    mere stroke, as the foot of a 2, so a usual full row is what the others are measured by."""
    inked = rows[rows > 0]
    dense = rows >= max(1.0, least * np.percentile(inked, 75)) if len(inked) else rows > 0
    first = last = int(np.argmax(rows))
    while first > 0 and dense[first - 1]:
        first -= 1
    while last + 1 < len(rows) and dense[last + 1]:
        last += 1
    return slice(first, last + 1)


def _share(text: str) -> float:
    small = sum(char.islower() for char in text)
    cased = small + sum(char.isupper() or char.isdigit() for char in text)
    if cased < 0.5 * len(text.replace(" ", "")):
        return _SIGN_HEIGHT
    return _X_HEIGHT if small > 0.3 * cased else _CAP_HEIGHT
