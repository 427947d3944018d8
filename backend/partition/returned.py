"""The PDF that is returned with an answer (`return_pdf_base64`)."""

import io
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image

from backend.partition import sniff
from backend.partition.formats import image
from backend.partition.pdf.file import opened
from backend.partition.pictures import turned as turned_picture

_DPI = 150.0


def as_pdf(source: Path, kind: str, turned: dict[int, int]) -> bytes | None:
    """The file itself if it is a PDF, with corrected pages rotated; a picture's pages as a PDF.

    None for other formats: they are read as they are, without a PDF in between.
    Raises `PartitionFailure` as reading does.
    """
    if kind == sniff.PDF:
        return _with_turns(source, turned) if turned else source.read_bytes()
    if sniff.is_paged(kind):
        return _of_picture(source, turned)
    return None


def _with_turns(source: Path, turned: dict[int, int]) -> bytes:
    with opened(source) as document:
        for number, degrees in turned.items():
            page: pdfium.PdfPage = document[number - 1]
            page.set_rotation((page.get_rotation() + degrees) % 360)
            page.close()
        buffer = io.BytesIO()
        document.save(buffer)
    return buffer.getvalue()


def _of_picture(source: Path, turned: dict[int, int]) -> bytes:
    with image.opened(source) as picture:
        pages: list[Image.Image] = [
            turned_picture(image.frame(picture, number), turned.get(number, 0))
            for number in range(1, int(getattr(picture, "n_frames", 1)) + 1)
        ]
        buffer = io.BytesIO()
        pages[0].save(buffer, format="PDF", save_all=True, append_images=pages[1:], resolution=_DPI)
    return buffer.getvalue()
