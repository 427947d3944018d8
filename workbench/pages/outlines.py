"""Draws boxes on a picture at its final size, so that their lines stay sharp."""

from collections.abc import Iterable

from PIL import Image, ImageDraw, ImageFont

from workbench.pages.grid import MarkedBox

_INK = (107, 85, 201)


def outlined(picture: Image.Image, boxes: Iterable[MarkedBox], letter: int) -> Image.Image:
    """A copy with the boxes on it, strong ones on top; labels are `letter` pixels high."""
    out = picture.copy()
    draw = ImageDraw.Draw(out)
    width, height = out.size
    for marked in sorted(boxes, key=lambda box: box.strong):
        x1, x2 = sorted(round(side * (width - 1)) for side in marked.box[::2])
        y1, y2 = sorted(round(side * (height - 1)) for side in marked.box[1::2])
        ink = marked.ink or _INK
        draw.rectangle((x1, y1, x2, y2), outline=ink, width=3 if marked.strong else 1)
        if marked.label:
            font = ImageFont.load_default(letter * 0.8)
            ground = draw.textbbox((x1, max(0, y1 - letter)), f" {marked.label} ", font=font)
            draw.rectangle(ground, fill=ink)
            draw.text(ground[:2], f" {marked.label} ", fill="white", font=font, anchor="lt")
    return out
