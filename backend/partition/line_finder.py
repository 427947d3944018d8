"""Finds lines of text in a picture: a model gives each pixel's probability of belonging to the core
of a line, and the boxes of lines are grown from these cores.
"""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from backend.partition import ocr_models
from backend.partition.rectangles import Rectangle, clockwise, least_rectangle
from backend.partition.resampling import Pixels, Points, resized
from backend.partition.runs import Runs

Quads = Points
"""n x 4 corners x 2, clockwise from the corner where reading begins."""

_SIDE, _STEP = 1280, 32
"""Pixels: the longer side that pictures are shrunk to, which the model wants in steps. At full
size it takes twice the memory and finds nothing more."""
_FAINT = 16
"""Of 255: a picture whose pixels differ less is blank, which needs no model."""
_CORE, _SURE = 0.3, 0.5
"""Probabilities: of a pixel of a core, and of a box in the mean."""
_GROWTH = 1.6
"""A line extends beyond its core by this factor times the core's area over its circumference."""
_NARROW, _LEAST = 3, 4
"""Pixels: the sides of cores and of lines are not shorter."""
_MOST = 1000
"""Lines of a picture; more is noise."""
_ROW = 10
"""Pixels: boxes that begin less than this below each other are in one row, left to right."""
_FLAT, _MIN_HEIGHT = 8, 30
"""Pictures flatter than 1 : 8 or lower than this get a black margin above and below."""

Probabilities = NDArray[np.float32]


def find_lines(pixels: Pixels) -> Quads:
    """The positions of lines of text in pixels, row by row, without reading them."""
    if np.ptp(pixels) < _FAINT:
        return np.zeros((0, 4, 2))
    height, width = pixels.shape[:2]
    margin = _margin(width, height)
    if margin:
        pixels = np.pad(pixels, ((margin, margin), (0, 0), (0, 0)))
    full = np.array([width, height + 2 * margin])
    scale = min(1.0, _SIDE / full.max())
    size = [max(_STEP, round(int(side * scale) / _STEP) * _STEP) for side in full.tolist()]
    probabilities = ocr_models.text_probabilities(resized(pixels, *size))
    quads = [_fitted(box * full / size, full) for box in _boxes(probabilities)]
    large = [quad for quad in quads if _sides(quad) >= _LEAST]
    if not large:
        return np.zeros((0, 4, 2))
    ordered = _in_rows(np.array(large)) - [0, margin]
    return np.clip(ordered, 0, [width, height])


def _margin(width: int, height: int) -> int:
    if height > _MIN_HEIGHT and width <= _FLAT * height:
        return 0
    return abs(2 * max(width // _FLAT, _MIN_HEIGHT) - height) // 2


def _boxes(probabilities: Probabilities) -> list[Points]:
    """The corners of each line, in pixels of the model's input."""
    core = probabilities > _CORE
    # Widened by a pixel each way, so that cores of scattered single pixels are connected.
    core[1:] |= core[:-1]
    core[:, 1:] |= core[:, :-1]
    runs = Runs.of(core)
    regions = runs.regions(corners=True)
    order = np.argsort(regions.label, kind="stable")
    ends = np.cumsum(np.bincount(regions.label, minlength=len(regions.left)))
    boxes: list[Points] = []
    for members in np.split(order, ends[:-1])[-_MOST:] if len(order) else []:
        rows = runs.row[members]
        sides = np.stack([runs.start[members], runs.end[members] - 1])
        points = np.stack([sides, np.stack([rows, rows])], axis=2).reshape(-1, 2).astype(float)
        least = least_rectangle(points)
        if min(least.length, least.breadth) < _NARROW or _mean(probabilities, least) < _SURE:
            continue
        growth = least.length * least.breadth * _GROWTH / (2 * (least.length + least.breadth))
        boxes.append(least.grown(growth))
    return boxes


def _mean(probabilities: Probabilities, box: Rectangle) -> float:
    """Of the pixels inside a box."""
    last = np.array(probabilities.shape[::-1]) - 1
    x0, y0 = np.clip(np.floor(box.corners.min(axis=0)), 0, last).astype(int).tolist()
    x1, y1 = np.clip(np.ceil(box.corners.max(axis=0)), 0, last).astype(int).tolist()
    part = probabilities[y0 : y1 + 1, x0 : x1 + 1]
    mask = Image.new("1", part.shape[::-1])
    outline = (box.corners - [x0, y0]).astype(int)
    ImageDraw.Draw(mask).polygon([tuple(p) for p in outline.tolist()], fill=1, outline=1)
    inside = part[np.asarray(mask)]
    return float(inside.mean()) if len(inside) else 0.0


def _fitted(box: Points, size: NDArray[np.int64]) -> Points:
    """On whole pixels of the picture, in order, and inside it."""
    whole = np.clip(np.round(box), 0, size)
    return np.clip(clockwise(whole), 0, size - 1)


def _sides(quad: Points) -> int:
    return int(min(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[0] - quad[3])))


def _in_rows(quads: Quads) -> Quads:
    by_top = quads[np.argsort(quads[:, 0, 1], kind="stable")]
    row = np.concatenate([[0], np.cumsum(np.diff(by_top[:, 0, 1]) >= _ROW)])
    return by_top[np.lexsort((by_top[:, 0, 0], row))]
