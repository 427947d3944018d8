"""How a line of text in a picture is printed: where its ink is, how large and how heavy.

The OCR models answer text and a rough box. Headings show in size and weight and columns in the
white between words, so these are measured in the pixels of each line.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MIDDLE = 0.15
"""Of the height of a line at its top and bottom, where its neighbours reach in."""
_DENSE = 0.45
"""Rows with this share of a full row's ink are between the baseline and the top of an x."""
_ANY = 0.12
"""The same for digits and capitals, which have no lower-case letters to compare with."""
_X_HEIGHT, _CAP_HEIGHT, _SIGN_HEIGHT = 0.56, 0.72, 0.9
"""Of the font size, with the gray of their edges: small letters without stems, letters with stems,
capitals and digits, signs of scripts without case."""
_TALL = re.compile(r"[bdfhklß\d]|[^\W_a-z]")
_OF_TALL = 0.4
"""The ink above the small letters, relative to a full row and to the share of tall letters."""
_OF_LINE, _USUAL = (0.4, 1.5), 0.72
"""Relative to the height of a line image: possible font sizes, and the usual one."""
_RULE = 0.85
"""As a share of a line's length: rows with more ink than this are not letters."""
_ACROSS, _THICK = 0.9, 0.15
"""How much of the picture of a line, which has a margin, the rules of a table cross, and how thick
they may be, relative to its height.
"""
_STEP = 2
"""Pixels: how far such a rule may fall or lean within the line."""
_ALIKE = 1.13
"""Sizes within this factor are one size; pixels and letters without stems make them differ."""
_STEM, _PAPER = 0.4, 0.15
"""The quantile of all strokes that is a stem, and the darkness up to which a pixel is paper."""
_HEAVY = 1.18
"""Strokes thicker than the usual by this factor are bold."""


@dataclass(slots=True)
class Ink:
    """Pixels along a line; `size` and `stroke` are 0 if there is too little to measure."""

    left: float
    right: float
    blanks: list[tuple[float, float]]
    """White stretches between letters, as (start, end)."""
    size: float
    stroke: float
    foot: float = 0.0
    """The distance of the baseline from the upper edge of the line."""


def measured(line: NDArray[np.uint8], text: str) -> Ink:
    """The ink of a level line (height x width x 3) with known text."""
    darkness = _without_frame(_darkness(line))
    mask = darkness > 0.5
    height, width = mask.shape
    edge = int(_MIDDLE * height)
    columns = np.flatnonzero(mask[edge : height - edge].any(axis=0))
    if not len(columns):
        return Ink(0.0, float(width), [], 0.0, 0.0)
    jumps = np.flatnonzero(np.diff(columns) > 1)
    blanks = [(float(columns[at] + 1), float(columns[at + 1])) for at in jumps.tolist()]
    rows, share = _without_rules(mask, columns), _share(text)
    band = _band(rows, _DENSE if share == _X_HEIGHT else _ANY)
    stroke = _stroke(darkness[band])
    size = (band.stop - band.start) / share
    tall = len(_TALL.findall(text)) / max(1, len(text.replace(" ", "")))
    if share == _X_HEIGHT and tall:
        size = (band.stop - _top(rows, band.start, tall)) / _CAP_HEIGHT
    low, high = _OF_LINE
    foot = float(band.stop)
    if not low * height < size < high * height:
        size, foot = _USUAL * height, 0.0
    return Ink(float(columns[0]), float(columns[-1] + 1), blanks, size, stroke, foot)


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
    """Makes sizes equal that differ by less than the measuring error, weighted by letters: around
    the size of most letters first, then around that of most of the rest.
    """
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


def bold(strokes: list[float], sizes: list[float], letters: list[int]) -> list[bool]:
    """Which lines have thicker strokes than the usual one, relative to their size."""
    weights = np.array(strokes) / np.maximum(np.array(sizes), 1e-6)
    known = weights > 0
    if not known.any():
        return [False] * len(strokes)
    usual = np.median(np.repeat(weights[known], np.array(letters)[known]))
    return [bool(weight > _HEAVY * usual) for weight in weights]


def _darkness(line: NDArray[np.uint8]) -> NDArray[np.float32]:
    """0 for paper to 1 for ink, also for light letters on a dark background."""
    gray = line.astype(np.float32).mean(axis=2)
    low, middle, high = np.percentile(gray, (3, 50, 97)).tolist()
    if high - low < 25:
        return np.zeros_like(gray)
    darkness = (high - gray) / (high - low)
    darkness = darkness if high - middle < middle - low else 1 - darkness
    clipped: NDArray[np.float32] = np.clip(darkness, 0, 1)
    return clipped


def _without_frame(darkness: NDArray[np.float32]) -> NDArray[np.float32]:
    """Paper instead of the rules around the cell of a table, which cross the whole line."""
    thickest = max(2.0, _THICK * len(darkness))
    mask, out = darkness > 0.5, darkness.copy()
    for across, cleared in ((mask, out), (mask.T, out.T)):
        for first, after in _crossed(across, thickest):
            cleared[first:after] = 0
    return out


def _crossed(mask: NDArray[np.bool_], thickest: float) -> list[tuple[int, int]]:
    """The rows of rules with the gray of their edges; a slanted rule steps from row to row."""
    near = np.pad(mask, ((2 * _STEP, 2 * _STEP), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(near, 2 * _STEP + 1, axis=0)
    steps = np.diff(np.pad(windows.any(axis=-1).mean(axis=1) > _ACROSS, 1).astype(np.int8))
    starts, ends = np.flatnonzero(steps > 0), np.flatnonzero(steps < 0)
    return [
        (max(0, first - _STEP), after - _STEP + 1)
        for first, after in zip(starts.tolist(), ends.tolist(), strict=True)
        if after - first <= thickest + 2 * _STEP
    ]


def _without_rules(mask: NDArray[np.bool_], columns: NDArray[np.intp]) -> NDArray[np.intp]:
    """The ink of each row, of rules that touch the line none."""
    rows = mask.sum(axis=1)
    rule = rows > _RULE * (columns[-1] + 1 - columns[0])
    return rows if rule.all() else np.where(rule, 0, rows)


def _band(rows: NDArray[np.intp], least: float) -> slice:
    """The rows around the fullest one with at least the share `least` of the ink of a full row. The
    fullest may be a mere stroke, such as the foot of a 2, so the reference is a typical full row.
    """
    inked = rows[rows > 0]
    dense = rows >= max(1.0, least * np.percentile(inked, 75)) if len(inked) else rows > 0
    first = last = int(np.argmax(rows))
    while first > 0 and dense[first - 1]:
        first -= 1
    while last + 1 < len(rows) and dense[last + 1]:
        last += 1
    return slice(first, last + 1)


def _top(rows: NDArray[np.intp], start: int, tall: float) -> int:
    """The row where the tall letters of a line begin; `tall` is their share of the letters."""
    least = max(1.0, min(_ANY, _OF_TALL * tall) * float(np.percentile(rows[rows > 0], 75)))
    while start > 0 and rows[start - 1] >= least:
        start -= 1
    return start


def _stroke(darkness: NDArray[np.float32]) -> float:
    """How wide the stems of letters are. The ink of a row of pixels from white to white is a stem
    in most places; arms and feet of letters are longer, so the middle is too high a guess."""
    flat = np.pad(np.where(darkness > _PAPER, darkness, 0), ((0, 0), (1, 0))).ravel()
    starts = np.flatnonzero((flat[1:] > 0) & (flat[:-1] == 0)) + 1
    if not len(starts):
        return 0.0
    inked = np.maximum.reduceat(flat, starts) > 0.5
    widths = np.add.reduceat(flat, starts)[inked]
    return float(np.quantile(widths, _STEM)) if len(widths) else 0.0


def _share(text: str) -> float:
    small = sum(char.islower() for char in text)
    cased = small + sum(char.isupper() or char.isdigit() for char in text)
    if cased < 0.5 * len(text.replace(" ", "")):
        return _SIGN_HEIGHT
    return _X_HEIGHT if small > 0.3 * cased else _CAP_HEIGHT
