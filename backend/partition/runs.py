"""A black and white picture as runs of black pixels in its rows.

A page has millions of pixels and some thousand runs. Closing gaps, dropping short strokes and
connecting regions on the runs takes a few milliseconds and negligible memory.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Regions:
    """Groups of runs that touch each other: the boxes around them and their black pixels.

    `label` is the group of each run; the other arrays have one entry for each group.
    """

    label: Indices
    left: Indices
    top: Indices
    width: Indices
    height: Indices
    filled: Indices


@dataclass(frozen=True, slots=True)
class Runs:
    """Sorted by row, then by start; `end` is the first pixel behind a run."""

    row: Indices
    start: Indices
    end: Indices
    shape: tuple[int, int]

    @classmethod
    def of(cls, mask: Mask) -> Self:
        """The runs of a picture of height x width."""
        height, width = mask.shape
        framed = np.zeros((height, width + 2), np.int8)
        framed[:, 1:-1] = mask
        # Rows end in white, so that a run never continues on the next row.
        steps = np.diff(framed.ravel())
        row, start = np.divmod(np.flatnonzero(steps == 1), width + 2)
        end = np.flatnonzero(steps == -1) % (width + 2)
        return cls(row, start, end, (height, width))

    def at_least(self, length: float) -> Self:
        """Without the runs shorter than this many pixels."""
        return self._only(self.end - self.start >= length)

    def bridged(self, gap: int) -> Self:
        """Fills white gaps between two runs of a row that are narrower than `gap`."""
        if not len(self.row):
            return self
        apart = (self.row[1:] != self.row[:-1]) | (self.start[1:] - self.end[:-1] >= gap)
        first, last = np.append(True, apart), np.append(apart, True)
        return type(self)(self.row[first], self.start[first], self.end[last], self.shape)

    def painted(self) -> Mask:
        """The picture of these runs."""
        height, width = self.shape
        steps = np.zeros((height, width + 1), np.int8)
        steps[self.row, self.start] = 1
        steps[self.row, self.end] = -1
        return np.cumsum(steps, axis=1, dtype=np.int8)[:, :-1].astype(bool)

    def regions(self, *, corners: bool) -> Regions:
        """Connected regions; with `corners` pixels that touch at a corner are connected."""
        roots = _roots(len(self.row), *self._neighbours(int(corners)))
        known, label = np.unique(roots, return_inverse=True)
        far = np.iinfo(np.int64).max
        left, top = np.full(len(known), far), np.full(len(known), far)
        right, bottom = np.zeros(len(known), np.int64), np.zeros(len(known), np.int64)
        np.minimum.at(left, label, self.start)
        np.maximum.at(right, label, self.end)
        np.minimum.at(top, label, self.row)
        np.maximum.at(bottom, label, self.row + 1)
        filled = np.bincount(label, self.end - self.start, len(known)).astype(np.int64)
        return Regions(label, left, top, right - left, bottom - top, filled)

    def _only(self, kept: Mask) -> Self:
        return type(self)(self.row[kept], self.start[kept], self.end[kept], self.shape)

    def _neighbours(self, reach: int) -> tuple[Indices, Indices]:
        """Pairs of runs, one below the other, that overlap or are `reach` apart at a corner."""
        wide = self.shape[1] + 2
        above, starts, ends = self.row - 1, self.row * wide + self.start, self.row * wide + self.end
        first = np.searchsorted(ends, above * wide + self.start - reach, side="right")
        behind = np.searchsorted(starts, above * wide + self.end + reach, side="left")
        count = np.maximum(behind - first, 0)
        below = np.repeat(np.arange(len(self.row)), count)
        offset = np.arange(len(below)) - np.repeat(np.cumsum(count) - count, count)
        return below, np.repeat(first, count) + offset


def _roots(size: int, one: Indices, other: Indices) -> Indices:
    """For each of `size` items the smallest item it is connected to, directly or indirectly."""
    root = np.arange(size)
    while True:
        a, b = root[one], root[other]
        if (a == b).all():
            return root
        np.minimum.at(root, np.maximum(a, b), np.minimum(a, b))
        while (root[root] != root).any():
            root = root[root]
