"""Pictures (PNG, JPEG, TIFF with several pages, BMP, WEBP): every page is read by OCR."""

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from backend.partition import ocr_models
from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.illustrations import illustrate, on_white
from backend.partition.layout.regions import LaidPage, lay_out
from backend.partition.ocr import check_language
from backend.partition.page import Picture, Rect
from backend.partition.pages import elements_of, turns
from backend.partition.pictures import cut, turned
from backend.partition.scan import read_scan
from backend.partition.selection import selected
from backend.partition.tiff_pages import tiff_pages
from backend.tasks.guarding import guarded

MAX_PIXELS = 100_000_000
"""Of one page as stored; a larger picture is refused before it is unpacked."""
_SHOWN = 40_000_000
"""Pixels: a larger page is made smaller before anything is done with it. Letters are read at a
fraction of that, and every copy of a picture counts against the memory of its process."""
_EVEN = ("L", "LA", "RGB", "RGBA", "CMYK", "YCbCr", "LAB", "HSV")
_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP")


def read(request: Request) -> Document:
    options = request.options
    if not ocr_models.installed():
        raise PartitionFailure(f"Pictures are read by OCR. {ocr_models.NOT_INSTALLED}", 422)
    check_language(options.ocr_language)
    keep = options.text_extraction_options.word_boxes
    pages: list[LaidPage] = []
    notes: list[str] = []
    request.check_pages(tiff_pages(request.source), "The picture")
    with opened(request.source) as picture:
        count = int(getattr(picture, "n_frames", 1))
        numbers = selected(options.selected_pages, count)
        for done, number in enumerate(numbers, 1):
            with guarded(notes, f"page {number}"):
                pages.append(_read_page(frame(picture, number), number, keep))
                notes.append(f"page {number} read by OCR")
            request.progress(done, len(numbers))
        if not pages:
            raise PartitionFailure("No page of the picture could be read.", 422)
        elements = elements_of(pages, options, notes)
        corrected = turns(pages, options)

        @lru_cache(maxsize=1)
        def shown(number: int) -> Image.Image:
            return turned(frame(picture, number), corrected.get(number, 0))

        notes += illustrate(elements, request, lambda e: cut(shown(e.page_number), e))
    return Document(elements, count, notes, corrected)


def _read_page(page: Image.Image, number: int, keep: bool) -> LaidPage:
    content = read_scan(page, number)
    if not content.words:
        content.pictures.append(Picture(Rect(0, 0, content.width, content.height)))
    return lay_out(content, keep_words=keep)


@contextmanager
def opened(source: Path) -> Iterator[Image.Image]:
    """The picture, unread beyond its head. Raises `PartitionFailure` (422)."""
    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures; the limit here is our own.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(source, formats=_FORMATS) as picture:
                if picture.width * picture.height > MAX_PIXELS:
                    raise PartitionFailure(
                        f"The picture has {picture.width} x {picture.height} pixels; at most "
                        f"{MAX_PIXELS // 1_000_000} million are read.",
                        422,
                    )
                yield picture
    except Image.DecompressionBombError:
        most = MAX_PIXELS // 1_000_000
        raise PartitionFailure(
            f"The picture has too many pixels; at most {most} million are read.", 422
        ) from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise PartitionFailure("The picture is damaged and could not be opened.", 422) from None


def frame(picture: Image.Image, number: int) -> Image.Image:
    """Page `number` (from 1) as RGB on white, turned upright as its camera recorded."""
    picture.seek(number - 1)
    if picture.width * picture.height > MAX_PIXELS:
        raise PartitionFailure(f"Page {number} of the picture has too many pixels.", 422)
    upright = picture.getexif().get(ExifTags.Base.Orientation, 1) == 1
    factor = _factor(picture)
    if factor > 1:
        # A JPEG can be unpacked at half of its size.
        picture.draft("RGB", (picture.width // factor, picture.height // factor))
    return on_white(_smaller(picture if upright else ImageOps.exif_transpose(picture)))


def _factor(picture: Image.Image) -> int:
    """The whole number by which both sides are divided to have no more than `_SHOWN` pixels."""
    return math.ceil(math.sqrt(picture.width * picture.height / _SHOWN))


def _smaller(picture: Image.Image) -> Image.Image:
    factor = _factor(picture)
    if factor == 1:
        return picture
    if picture.mode == "1":
        return picture.convert("L").reduce(factor)
    if picture.mode in ("P", "PA"):
        return picture.convert("RGBA").reduce(factor)
    # Signs of 16 or 32 bits have no mean here.
    return picture.reduce(factor) if picture.mode in _EVEN else picture
