"""Resampling of pictures: reduced, rotated, and cut out at an angle.

Positions between pixels are interpolated without blurring first, as in the training of the OCR
models.
"""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
"""height x width x 3."""
Points = NDArray[np.float64]

_MARGIN = 4
"""Pixels around a cut that cubic interpolation needs."""
_CENTRE = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
"""Pillow's origin is the corner of the first pixel; here it is the centre."""


def resized(pixels: Pixels, width: int, height: int) -> Pixels:
    """The whole picture scaled to this size."""
    if pixels.shape[1::-1] == (width, height):
        return pixels
    across, down = pixels.shape[1] / width, pixels.shape[0] / height
    return _transformed(
        pixels,
        (width, height),
        Image.Transform.AFFINE,
        [across, 0, 0, 0, down, 0],
        Image.Resampling.BILINEAR,
    )


def moved(pixels: Pixels, matrix: Points) -> Pixels:
    """The picture transformed by `matrix` (2 x 3); uncovered areas are white."""
    if np.array_equal(matrix, np.eye(2, 3)):
        return pixels
    back = _CENTRE @ np.linalg.inv(np.vstack([matrix, [0, 0, 1]])) @ np.linalg.inv(_CENTRE)
    height, width = pixels.shape[:2]
    return _transformed(
        pixels,
        (width, height),
        Image.Transform.AFFINE,
        back.ravel()[:6].tolist(),
        Image.Resampling.BILINEAR,
    )


def rotation(centre: tuple[float, float], degrees: float) -> Points:
    """The 2 x 3 matrix that rotates about a point, counterclockwise in the picture."""
    angle, (x, y) = np.radians(degrees), centre
    if not degrees:
        return np.eye(2, 3)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, sin, (1 - cos) * x - sin * y], [-sin, cos, sin * x + (1 - cos) * y]])


def cut_out(pixels: Pixels, quad: Points) -> Pixels:
    """A quadrilateral (4 corners, clockwise from the upper left) as a level rectangle; at least one
    pixel. Outside the picture its edge pixels are repeated.
    """
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    width, height = max(1, int(sides[[0, 2]].max())), max(1, int(sides[[1, 3]].max()))
    x0, y0 = (int(value) for value in np.floor(quad.min(axis=0)))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    if np.array_equal(quad - [x0, y0], corners):
        return _with_edges(pixels, x0, y0, x0 + width, y0 + height)
    x0, y0 = x0 - _MARGIN, y0 - _MARGIN
    x1, y1 = (int(value) + _MARGIN + 1 for value in np.ceil(quad.max(axis=0)))
    part = _with_edges(pixels, x0, y0, x1, y1)
    back = _CENTRE @ _perspective(corners, quad - [x0, y0]) @ np.linalg.inv(_CENTRE)
    return _transformed(
        part,
        (width, height),
        Image.Transform.PERSPECTIVE,
        (back / back[2, 2]).ravel()[:8].tolist(),
        Image.Resampling.BICUBIC,
    )


def gray(pixels: Pixels) -> Image.Image:
    """The perceived brightness of blue, green and red pixels."""
    return Image.fromarray(np.ascontiguousarray(pixels[:, :, ::-1])).convert("L")


def _with_edges(pixels: Pixels, x0: int, y0: int, x1: int, y1: int) -> Pixels:
    """A part of the picture, which may extend beyond it."""
    height, width = pixels.shape[:2]
    if x0 >= 0 and y0 >= 0 and x1 <= width and y1 <= height:
        return pixels[y0:y1, x0:x1]
    rows = np.clip(np.arange(y0, y1), 0, height - 1)
    return pixels[rows][:, np.clip(np.arange(x0, x1), 0, width - 1)]


def _perspective(places: Points, targets: Points) -> Points:
    """The 3 x 3 matrix that maps four positions to four targets."""
    equations = []
    for (x, y), (u, v) in zip(places.tolist(), targets.tolist(), strict=True):
        equations.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        equations.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    # Least squares, since corners of a narrow quadrilateral may coincide.
    numbers = np.linalg.lstsq(np.array(equations), targets.ravel(), rcond=None)[0]
    return np.append(numbers, 1.0).reshape(3, 3)


def _transformed(
    pixels: Pixels,
    size: tuple[int, int],
    how: Image.Transform,
    numbers: list[float],
    between: Image.Resampling,
) -> Pixels:
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    white = (255, 255, 255)
    return np.asarray(picture.transform(size, how, numbers, between, fillcolor=white))
