"""The smallest rectangle around points, at any slope."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


class Rectangle(NamedTuple):
    """`corners` (4 x 2) start where `along` and `across` both begin, the unit vectors of its sides,
    and go first along, then across.
    """

    corners: Points
    along: Points
    across: Points
    length: float
    breadth: float

    def grown(self, by: float) -> Points:
        """The corners of the rectangle that is `by` larger on every side."""
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        return self.corners + by * signs @ np.stack([self.along, self.across])


def least_rectangle(points: Points) -> Rectangle:
    """One of its sides lies on a side of the convex hull of the points (n x 2, n >= 1)."""
    hull = _hull(points)
    edges = np.roll(hull, -1, axis=0) - hull
    lengths = np.hypot(*edges.T)
    directions = edges[lengths > 0] / lengths[lengths > 0, None]
    if not len(directions):
        directions = np.array([[1.0, 0.0]])
    normals = np.stack([-directions[:, 1], directions[:, 0]], axis=1)
    along, across = hull @ directions.T, hull @ normals.T
    best = int(np.argmin(np.ptp(along, axis=0) * np.ptp(across, axis=0)))
    d, n = directions[best], normals[best]
    a, b = along[:, best], across[:, best]
    spans = ((a.min(), b.min()), (a.max(), b.min()), (a.max(), b.max()), (a.min(), b.max()))
    corners = np.array([d * u + n * v for u, v in spans])
    return Rectangle(corners, d, n, float(np.ptp(a)), float(np.ptp(b)))


def clockwise(corners: Points) -> Points:
    """Four corners clockwise, beginning with the upper one of the two on the left."""
    by_x = corners[np.argsort(corners[:, 0], kind="stable")]
    left, right = (pair[np.argsort(pair[:, 1], kind="stable")] for pair in (by_x[:2], by_x[2:]))
    return np.array([left[0], right[0], right[1], left[1]])


def _hull(points: Points) -> Points:
    """The corners of the convex hull of all points, in order."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))].tolist()
    if len(ordered) < 3:
        return np.array(ordered)
    return np.array(_half(ordered)[:-1] + _half(ordered[::-1])[:-1])


def _half(ordered: list[list[float]]) -> list[list[float]]:
    """One side of the hull of points that are sorted from one end to the other."""
    out: list[list[float]] = []
    for x, y in ordered:
        while len(out) > 1:
            (x0, y0), (x1, y1) = out[-2:]
            if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0:
                break
            out.pop()
        out.append([x, y])
    return out
