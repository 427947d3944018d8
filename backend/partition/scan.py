"""A picture of a page -> its content: turned upright, made level, then read by OCR.

Which way is up is found from the lines of text: on a page lying on its side they are taller than
wide, and the line direction model says whether they stand on their heads. Levelling turns the
picture by the usual slope of the lines. Boxes are those of the level page, off by about one percent
of the page per degree at its edges, which still shows the right lines.
"""

import numpy as np
from PIL import Image

from backend.partition import ocr
from backend.partition.page import PageContent

_LOOK_SIDE = 1100
"""Pixels of the longer side of the small picture on which lines are looked for."""
_SAMPLE = 12
_MIN_SLOPE, _MAX_SLOPE = 0.15, 15.0
"""Degrees: less is not worth a resampling, more is not a scanning fault."""


def read_scan(image: Image.Image, number: int) -> PageContent:
    """Words in pixels of the upright page; `turn` is how the picture was turned for that."""
    upright, turn = _upright(image)
    words = ocr.read_words(upright)
    return PageContent(number, upright.width, upright.height, words, turn=turn)


def _upright(image: Image.Image) -> tuple[Image.Image, int]:
    scale = min(1.0, _LOOK_SIDE / max(image.size))
    small = image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    quads = ocr.find_lines(small)
    turn = 0
    if len(quads) and _sideways(quads):
        turn = 90
        small, image = _turned(small, 90), _turned(image, 90)
        quads = ocr.find_lines(small)
    if len(quads) and _upside_down(image, quads / scale):
        turn += 180
        image = _turned(image, 180)
    slope = _slope(quads)
    if _MIN_SLOPE < abs(slope) < _MAX_SLOPE:
        # Positive slopes fall to the right; turned by half a circle they still do.
        image = image.rotate(slope, resample=Image.Resampling.BICUBIC, fillcolor="white")
    return image, turn


def _turned(image: Image.Image, clockwise: int) -> Image.Image:
    steps = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180}
    return image.transpose(steps[clockwise])


def _extents(quads: ocr.Quads) -> tuple[ocr.Quads, ocr.Quads]:
    """Widths and heights of the boxes around the lines."""
    sizes = quads.max(axis=1) - quads.min(axis=1)
    return sizes[:, 0], sizes[:, 1]


def _sideways(quads: ocr.Quads) -> bool:
    widths, heights = _extents(quads)
    long = np.maximum(widths, heights) > 3 * np.minimum(widths, heights)
    tall = heights > widths
    return bool(heights[long & tall].sum() > widths[long & ~tall].sum())


def _upside_down(image: Image.Image, quads: ocr.Quads) -> bool:
    """The vote of the widest lines, weighed by how sure the model is of each."""
    widths, _ = _extents(quads)
    votes = [
        ocr.is_upside_down(image.crop(_around(quads[index])))
        for index in np.argsort(-widths)[:_SAMPLE]
    ]
    return float(np.mean(votes)) > 0.5


def _around(quad: ocr.Quads) -> tuple[int, int, int, int]:
    """The middle of a line, in the proportions the direction model looks at."""
    left, top = np.floor(quad.min(axis=0)).astype(int).tolist()
    right, bottom = np.ceil(quad.max(axis=0)).astype(int).tolist()
    half = max(1, min(right - left, 4 * (bottom - top)) // 2)
    middle = (left + right) // 2
    return max(0, middle - half), top, middle + half, max(bottom, top + 1)


def _slope(quads: ocr.Quads) -> float:
    """The usual slope of long lines in degrees, positive where they fall to the right."""
    if not len(quads):
        return 0.0
    run, rise = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]).T / 2
    long = run > 0.5 * run.max()
    return float(np.median(np.degrees(np.arctan2(rise[long], run[long]))))
