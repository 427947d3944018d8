"""Small files of the kinds that the tests partition, made when they are needed."""

import io
from collections.abc import Sequence

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas


def pdf(
    pages: Sequence[str], *, picture: bytes | None = None, password: str | None = None
) -> bytes:
    """A PDF with one line of text on each page, and a picture below it if there is one."""
    out = io.BytesIO()
    canvas = Canvas(out, encrypt=password, invariant=1)
    for text in pages:
        canvas.drawString(72, 700, text)
        if picture is not None:
            canvas.drawImage(ImageReader(io.BytesIO(picture)), 72, 400, 240, 180)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def png(width: int, height: int) -> bytes:
    """A picture of a colour gradient."""
    image = Image.linear_gradient("L").resize((width, height)).convert("RGB")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
