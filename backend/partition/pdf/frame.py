"""From PDF user space to the visible page: crop box, page rotation, and an additional rotation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.partition.page import Rect

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Frame:
    """The visible box in user space and its rotation, in degrees clockwise."""

    left: float
    bottom: float
    right: float
    top: float
    degrees: int = 0

    @property
    def width(self) -> float:
        sideways = self.degrees in (90, 270)
        return self.top - self.bottom if sideways else self.right - self.left

    @property
    def height(self) -> float:
        sideways = self.degrees in (90, 270)
        return self.right - self.left if sideways else self.top - self.bottom

    def turned(self, degrees: int) -> "Frame":
        return Frame(self.left, self.bottom, self.right, self.top, (self.degrees + degrees) % 360)

    def points(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """User space to points from the top left, y downwards."""
        if self.degrees == 0:
            return x - self.left, self.top - y
        if self.degrees == 90:
            return y - self.bottom, x - self.left
        if self.degrees == 180:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def boxes(self, corners: Floats) -> Floats:
        """User space boxes (n x 4, corners in any order) on the visible page."""
        x0, y0 = self.points(corners[:, 0], corners[:, 1])
        x1, y1 = self.points(corners[:, 2], corners[:, 3])
        low, high = (
            (np.minimum(x0, x1), np.minimum(y0, y1)),
            (np.maximum(x0, x1), np.maximum(y0, y1)),
        )
        return np.stack((*low, *high), axis=1)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """The same for one point, without the cost of arrays."""
        if self.degrees == 0:
            return x - self.left, self.top - y
        if self.degrees == 90:
            return y - self.bottom, x - self.left
        if self.degrees == 180:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def rect(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """A user space box, corners in any order."""
        ax, ay = self.point(x0, y0)
        bx, by = self.point(x1, y1)
        if ax > bx:
            ax, bx = bx, ax
        if ay > by:
            ay, by = by, ay
        return Rect(ax, ay, bx, by)

    def heading(self, dx: float, dy: float) -> int:
        """The direction of a user space vector on the visible page: 0 reads left to right, 90
        downwards, 180, 270 upwards; -1 for anything slanted by more than about 6 degrees."""
        for _ in range(self.degrees // 90):
            dx, dy = dy, -dx
        if abs(dy) <= 0.1 * abs(dx):
            return 0 if dx > 0 else 180
        if abs(dx) <= 0.1 * abs(dy):
            return 270 if dy > 0 else 90
        return -1


def turn_back(box: Rect, turn: int, width: float, height: float) -> Rect:
    """A box on content rotated clockwise by `turn`, on the page (`width`, `height`) before that."""
    if turn == 90:
        return Rect(box.y0, width - box.x1, box.y1, width - box.x0)
    if turn == 180:
        return Rect(width - box.x1, height - box.y1, width - box.x0, height - box.y0)
    if turn == 270:
        return Rect(height - box.y1, box.x0, height - box.y0, box.x1)
    return box
