"""Whether a picture shows lines of print, decided in milliseconds from its strokes.

Reading a picture takes a second or more. Letters are thin dark strokes on a brighter background (or
the reverse) in level rows; maps, charts and photographs have strokes as well, but few of them in
rows. Scans skewed by a few degrees, or rotated by 90, still show rows.
"""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from backend.partition.runs import Mask, Runs

_SIDES = 900, 400
"""The longer side in pixels: the print of a page, then of a slide, becomes 4 to 24 high."""
_STROKE, _CONTRAST = 11, 40
"""Strokes are thinner than this many pixels and differ by this much from their background."""
_BLANK = 9
"""Pixels: gaps between words up to this width do not end a row."""
_RULE = 40
"""Pixels: longer straight strokes are rules, which would connect the rows of a table."""
_HEIGHT, _LENGTH, _FULL = (4, 24), 4, 0.35
"""For a row: pixels, minimum length in heights, and the share of its box that strokes fill."""
_SHARE = 0.04
"""The minimum share of a printed picture that rows cover."""
_SPARSE, _MOSTLY = 0.002, 0.5
"""The same if most strokes are in rows, as in a note of two lines."""


def shows_print(picture: Image.Image) -> bool:
    """Whether OCR is worth trying."""
    gray = picture.convert("L")
    return any(_shows_rows(_shrunk(gray, side)) for side in _SIDES)


def _shrunk(gray: Image.Image, side: int) -> NDArray[np.uint8]:
    scale = min(1.0, side / max(gray.size))
    size = max(1, round(scale * gray.width)), max(1, round(scale * gray.height))
    return np.asarray(gray.resize(size, Image.Resampling.BOX))


def _shows_rows(gray: NDArray[np.uint8]) -> bool:
    # first dark strokes on a brighter background, then the reverse
    for picture in (gray, 255 - gray):
        ink = _least(_most(picture)) - picture > _CONTRAST
        rules = Runs.of(ink).at_least(_RULE).painted()
        rules |= Runs.of(ink.T).at_least(_RULE).painted().T
        ink &= ~rules
        if _in_rows(ink) or _in_rows(ink.T):
            return True
    return False


def _most(gray: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The maximum brightness around each pixel, within the width of a stroke."""
    reach = _STROKE // 2
    for _ in range(2):
        wide = np.pad(gray, ((reach, reach), (0, 0)))
        size = 1
        while size < _STROKE:
            step = min(size, _STROKE - size)
            wide = np.maximum(wide[:-step], wide[step:])
            size += step
        gray = wide.T
    return gray


def _least(gray: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return 255 - _most(255 - gray)


def _in_rows(ink: Mask) -> bool:
    regions = Runs.of(ink).bridged(_BLANK).regions(corners=False)
    width, height, filled = regions.width, regions.height, regions.filled
    low, high = _HEIGHT
    rows = (height >= low) & (height <= high) & (width >= _LENGTH * height)
    rows &= filled >= _FULL * width * height
    covered = float((width * height)[rows].sum()) / ink.size
    mostly = filled[rows].sum() > _MOSTLY * filled.sum()
    return covered > (_SPARSE if mostly else _SHARE)
