"""The pixels of Image elements in the requested form."""

import base64
import io

from PIL import Image

from workbench.contract.elements import Element
from workbench.contract.partition_options import ImageFormat

MAX_PICTURES = 1000
"""Per document; further ones are listed but not extracted."""


def attach(element: Element, image: Image.Image, wished: ImageFormat) -> None:
    """Puts the pixels into `binary_representation`.

    PPM means the bare buffer, width x height x 3 bytes, with `image_format` null; PNG and JPEG are
    whole files.
    """
    image = image.convert("RGB")
    if wished == "PPM":
        data = image.tobytes()
    else:
        buffer = io.BytesIO()
        image.save(buffer, format=wished)
        data = buffer.getvalue()
    element.binary_representation = base64.b64encode(data).decode("ascii")
    element.properties.update(
        image_size=list(image.size),
        image_mode=image.mode,
        image_format=None if wished == "PPM" else wished,
    )


def cut(page: Image.Image, element: Element) -> Image.Image:
    """The part of a page picture inside the box of an element, at least one pixel."""
    x0, y0, x1, y1 = element.bbox
    left, top = int(x0 * page.width), int(y0 * page.height)
    right = min(page.width, max(left + 1, round(x1 * page.width)))
    bottom = min(page.height, max(top + 1, round(y1 * page.height)))
    return page.crop((min(left, right - 1), min(top, bottom - 1), right, bottom))


def turned(image: Image.Image, clockwise: int) -> Image.Image:
    """Rotated by 0, 90, 180 or 270 degrees."""
    steps = {
        90: Image.Transpose.ROTATE_270,
        180: Image.Transpose.ROTATE_180,
        270: Image.Transpose.ROTATE_90,
    }
    return image.transpose(steps[clockwise]) if clockwise else image
