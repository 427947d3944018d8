"""A page, or a piece of one, with element boxes drawn on it, as a PNG file."""

import io
from collections.abc import Iterable, Sequence

from PIL import Image

from workbench.pages.grid import MarkedBox
from workbench.pages.outlines import outlined

Box = Sequence[float]
"""`[x1, y1, x2, y2]` in fractions of the page, from the top left."""

_LINE = (22, 104, 193)
_CHOSEN = (210, 64, 30)
_MARGIN = 0.015  # of the width of the page


def marked_page(picture: Image.Image, boxes: Iterable[Box], chosen: Box | None = None) -> bytes:
    """The whole page; the chosen box stands out."""
    marks = [MarkedBox(_ordered(box), ink=_LINE) for box in boxes]
    if chosen is not None:
        marks.append(MarkedBox(_ordered(chosen), ink=_CHOSEN, strong=True))
    return _png(outlined(picture, marks, 0))


def clipping(picture: Image.Image, box: Box) -> bytes:
    """The piece of the page around a box, with the box outlined."""
    near, far = _grown(picture, box, _MARGIN / 4), _grown(picture, box, _MARGIN)
    page = outlined(picture, [MarkedBox(near, ink=_CHOSEN, strong=True)], 0)
    left, top = int(far[0] * page.width), int(far[1] * page.height)
    right, bottom = round(far[2] * page.width), round(far[3] * page.height)
    return _png(page.crop((left, top, max(left + 1, right), max(top + 1, bottom))))


def _ordered(box: Box) -> tuple[float, float, float, float]:
    """The box with its corners in order, clipped to the page."""
    x1, y1, x2, y2 = (min(1.0, max(0.0, side)) for side in box)
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _grown(picture: Image.Image, box: Box, margin: float) -> tuple[float, float, float, float]:
    """The box with a margin (a fraction of the width) on all sides, clipped to the page."""
    down = margin * picture.width / picture.height
    x1, y1, x2, y2 = _ordered(box)
    return _ordered((x1 - margin, y1 - down, x2 + margin, y2 + down))


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()
