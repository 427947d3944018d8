"""A page, or a piece of one, with the boxes of its elements drawn on it."""

import io
from collections.abc import Iterable, Sequence

from PIL import Image, ImageDraw

Box = Sequence[float]
"""`[x1, y1, x2, y2]` in fractions of the page, from the top left."""

_LINE = (22, 104, 193)
_CHOSEN = (210, 64, 30)
_MARGIN = 0.015  # of the width of the page


def marked_page(picture: Image.Image, boxes: Iterable[Box], chosen: Box | None = None) -> bytes:
    """The page as a PNG file; the chosen box stands out."""
    page = picture.copy()
    draw = ImageDraw.Draw(page)
    for box in boxes:
        draw.rectangle(_pixels(page, box), outline=_LINE, width=1)
    if chosen is not None:
        draw.rectangle(_pixels(page, chosen), outline=_CHOSEN, width=3)
    return _png(page)


def clipping(picture: Image.Image, box: Box) -> bytes:
    """The piece of the page around a box as a PNG file, the box outlined."""
    page = picture.copy()
    left, top, right, bottom = _pixels(page, box)
    margin = round(_MARGIN * page.width)
    line = margin // 4
    around = (left - line, top - line, right + line, bottom + line)
    ImageDraw.Draw(page).rectangle(around, outline=_CHOSEN, width=2)
    return _png(
        page.crop(
            (
                max(0, left - margin),
                max(0, top - margin),
                min(page.width, right + margin),
                min(page.height, bottom + margin),
            )
        )
    )


def _pixels(page: Image.Image, box: Box) -> tuple[int, int, int, int]:
    """The box in pixels, on the page and at least one pixel in size."""
    x1, y1, x2, y2 = (min(1.0, max(0.0, side)) for side in box)
    left, top = int(min(x1, x2) * (page.width - 1)), int(min(y1, y2) * (page.height - 1))
    right, bottom = round(max(x1, x2) * page.width), round(max(y1, y2) * page.height)
    return left, top, max(left + 1, right), max(top + 1, bottom)


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()
