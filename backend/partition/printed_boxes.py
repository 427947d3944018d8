"""Boxes to tick in the picture of a page: small squares with a closed frame and white around."""

import numpy as np
from numpy.typing import NDArray

from backend.partition.page import Rect
from backend.partition.resampling import Pixels, gray
from backend.partition.runs import Mask, Runs
from backend.partition.strokes import inked
from backend.partition.tick_boxes import MAX_BOXES, TickBox

_LEAST, _MOST = 0.006, 0.03
"""The sides of a box, relative to the longer side of the page."""
_SMALLEST = 14
"""Pixels: smaller boxes look like letters."""
_SLANTS = np.linspace(0.85, 1.15, 7)
"""Heights of a box, relative to its width."""
_DRAWN, _BLANK = 0.9, 0.15
"""The least share of ink along its frame, and the most around it."""
_MARGIN, _ASIDE, _INSET = 0.15, 0.8, 0.22
"""The white around a box and beyond it, and its frame's width, relative to its side."""
_FREE = 0.1
"""The most ink on that other side: a letter has letters on both sides."""
_TICK, _FULL = 0.08, 0.85
"""The share of ink inside from which it is ticked, and above which it is a bullet."""
_BLUR = 2
"""Pixels beside an upright rule that may be its own."""


def boxes_in(pixels: Pixels) -> list[TickBox]:
    """The boxes of a page, in pixels."""
    ink = inked(gray(pixels))
    side = max(ink.shape)
    runs = Runs.of(ink).bridged(3)
    width = runs.end - runs.start
    fitting = (width >= max(_SMALLEST, _LEAST * side)) & (width <= _MOST * side)
    top, left, right = runs.row[fitting], runs.start[fitting], runs.end[fitting]
    frames = _Frames(ink)
    drawn = frames.drawn(top, left, right) >= _DRAWN
    highest = len(_SLANTS) - 1 - drawn[:, ::-1].argmax(axis=1)  # its outer edge
    bottom = top + np.round((right - left) * _SLANTS[highest]).astype(np.intp)
    kept = np.flatnonzero(drawn.any(axis=1))
    out: list[TickBox] = []
    for at in kept.tolist():
        box = Rect(float(left[at]), float(top[at]), float(right[at]), float(bottom[at]))
        inside = frames.inside(box)
        alone = not any(box.shared(other.box) > 0 for other in out)
        apart = frames.around(box) <= _BLANK and frames.beside(box) <= _FREE
        if alone and apart and inside <= _FULL:
            out.append(TickBox(box, inside >= _TICK))
        if len(out) > MAX_BOXES:
            return []
    return out


def erased(pixels: Pixels, boxes: list[TickBox]) -> Pixels:
    """The picture with paper instead of the boxes, for reading the words beside them."""
    out = pixels.copy()
    for x0, y0, x1, y1 in (one.box for one in boxes):
        margin = round(_MARGIN * (x1 - x0))
        rows = slice(max(0, round(y0) - margin), round(y1) + margin)
        columns = slice(max(0, round(x0) - margin), round(x1) + margin)
        part = out[rows, columns]
        out[rows, columns] = np.percentile(part.reshape(-1, 3), 90, axis=0).astype(np.uint8)
    return out


class _Frames:
    """Sums of ink along rows, columns and areas of a page."""

    def __init__(self, ink: Mask) -> None:
        self._shape = ink.shape
        thick = ink.copy()
        thick[1:] |= ink[:-1]
        thick[:-1] |= ink[1:]
        self._along = np.pad(np.cumsum(thick, axis=1, dtype=np.int32), ((0, 0), (1, 0)))
        thick = ink.copy()
        thick[:, 1:] |= ink[:, :-1]
        thick[:, :-1] |= ink[:, 1:]
        self._down = np.pad(np.cumsum(thick, axis=0, dtype=np.int32), ((1, 0), (0, 0)))
        whole = np.cumsum(np.cumsum(ink, axis=0, dtype=np.int32), axis=1, dtype=np.int32)
        self._areas = np.pad(whole, ((1, 0), (1, 0)))

    def drawn(
        self, top: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """For each upper edge and each of `_SLANTS` the ink along the least inked other edge."""
        height, width = self._shape
        out = np.zeros((len(top), len(_SLANTS)))
        inner, outer = left + 1, np.minimum(right, width) - 2
        for at, slant in enumerate(_SLANTS):
            bottom = top + np.round((right - left) * slant).astype(np.intp)
            inside = bottom < height - 1
            low = np.where(inside, bottom, top + 1)
            long = (low - top).astype(np.float64)
            foot = self._along[low - 1, right] - self._along[low - 1, left]
            sides = [self._down[low, edge] - self._down[top, edge] for edge in (inner, outer)]
            least = np.minimum.reduce([foot / (right - left), *(one / long for one in sides)])
            out[:, at] = np.where(inside, least, 0.0)
        return out

    def inside(self, box: Rect) -> float:
        """The share of ink within the frame of a box."""
        inset = round(_INSET * box.width)
        x0, y0, x1, y1 = map(round, box)
        return self._share(y0 + inset, y1 - inset, x0 + inset, x1 - inset)

    def around(self, box: Rect) -> float:
        """The share of ink on that side of a box where there is most."""
        x0, y0, x1, y1 = map(round, box)
        margin = max(2, round(_MARGIN * box.width))
        return max(
            self._share(y0 - 2 - margin, y0 - 2, x0, x1),
            self._share(y1 + 2, y1 + 2 + margin, x0, x1),
            self._share(y0, y1, x0 - 2 - margin, x0 - 2),
            self._share(y0, y1, x1 + 2, x1 + 2 + margin),
        )

    def beside(self, box: Rect) -> float:
        """The share of ink on that side, left or right, where there is less; without rules."""
        x0, y0, x1, y1 = map(round, box)
        reach = round(_ASIDE * box.width)
        return min(
            self._unruled(y0, y1, x0 - 2 - reach, x0 - 2),
            self._unruled(y0, y1, x1 + 2, x1 + 2 + reach),
        )

    def _unruled(self, top: int, bottom: int, left: int, right: int) -> float:
        """The share of ink in an area without the upright rules that run through it."""
        height, width = self._shape
        left, right = max(0, left), min(width, right)
        if left >= right:
            return 0.0
        more = round(_ASIDE * (bottom - top))
        high, low = max(0, top - more), min(height, bottom + more)
        long = self._down[low, left:right] - self._down[high, left:right]
        ruled = long >= _DRAWN * (low - high)
        near = np.convolve(ruled, np.ones(2 * _BLUR + 1), mode="same") > 0
        ink = self._down[bottom, left:right] - self._down[top, left:right]
        return float(ink[~near].sum()) / ((right - left) * (bottom - top))

    def _share(self, top: int, bottom: int, left: int, right: int) -> float:
        height, width = self._shape
        top, bottom = max(0, top), min(height, bottom)
        left, right = max(0, left), min(width, right)
        if top >= bottom or left >= right:
            return 0.0
        areas = self._areas
        ink = areas[bottom, right] - areas[top, right] - areas[bottom, left] + areas[top, left]
        return float(ink) / ((bottom - top) * (right - left))
