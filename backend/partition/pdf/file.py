"""Opening PDF files, reading and rendering single pages, with limits on what is accepted."""

import ctypes
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image

from backend.partition.document import PartitionFailure
from backend.partition.page import PageContent
from backend.partition.pdf import calls
from backend.partition.pdf.annotations import are_too_many
from backend.partition.pdf.comments import Comment, comments_on
from backend.partition.pdf.drawing import Drawing, read_drawing
from backend.partition.pdf.drawn_boxes import read_boxes
from backend.partition.pdf.filled import Filled, is_filled, put_on, with_filled
from backend.partition.pdf.frame import Frame
from backend.partition.pdf.picture_budget import PictureBudget
from backend.partition.pdf.structure import is_tagged, read_roles
from backend.partition.pdf.unclear import UnclearGlyphs
from backend.partition.pdf.words import read_words

# It recommends another build of PDFium for XFA forms, which are read from their data here.
logging.getLogger("pypdfium2").setLevel(logging.ERROR)

MAX_PIXELS = 40_000_000
"""Per rendered page; larger pages are rendered smaller."""
_MAX_SIDE = 20_000
_PDFIUM_WITHIN, _HEADER_WITHIN = 1024, 8192
"""Bytes in which PDFium, and in which we, search for the header."""
_MAX_OBJECTS = 200_000
"""The number of objects per page that are checked for rules and pictures."""


@contextmanager
def opened(source: Path) -> Iterator[pdfium.PdfDocument]:
    """The document, closed afterwards. Raises `PartitionFailure` (422) if it does not open."""
    # PDFium keeps its last error after a success. This sets an error that an existing file cannot
    # have.
    raw.FPDF_LoadDocument(b"", None)
    try:
        document = pdfium.PdfDocument(_without_junk(source))
        document.init_forms()
    except pdfium.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            raise PartitionFailure(
                "The PDF is encrypted and needs a password. Remove the password and send it again.",
                422,
            ) from None
        if error.err_code == raw.FPDF_ERR_FILE:
            raise PartitionFailure("The PDF has no pages.", 422) from None
        raise PartitionFailure(
            "The PDF is damaged and could not be opened. Save it again and send the new file.", 422
        ) from None
    try:
        yield document
    finally:
        document.close()


def _without_junk(source: Path) -> Path | bytes:
    """The file itself, or the part from its header on, if PDFium would not find that."""
    with source.open("rb") as file:
        start = file.read(_HEADER_WITHIN + 5).find(b"%PDF-")
        if start < _PDFIUM_WITHIN:
            return source
        file.seek(start)
        return file.read()


@dataclass
class Beside:
    """Words beside a page that cannot become part of it, and the comments on it."""

    filled: list[Filled] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    is_cut: bool = False
    """Whether there are more of both than were read."""


@contextmanager
def loaded(
    document: pdfium.PdfDocument, number: int, beside: Beside | None = None
) -> Iterator[pdfium.PdfPage]:
    """Page `number` (from 1) with filled-in values. Additional text is added to `beside` when the
    page is loaded for the first time. Raises `PartitionFailure` (422) if that page is damaged.
    """
    try:
        page = document[number - 1]
        if beside is not None:
            beside.comments += comments_on(page)
            beside.is_cut = are_too_many(page)
        if is_filled(page):
            placed = put_on(page)
            if beside is not None:
                beside.filled += placed
            page.close()
            page = document[number - 1]
    except pdfium.PdfiumError:
        raise PartitionFailure(f"Page {number} of the PDF is damaged.", 422) from None
    try:
        yield page
    finally:
        page.close()


def read_page(
    page: pdfium.PdfPage,
    number: int,
    glyphs: UnclearGlyphs,
    filled: list[Filled],
    budget: PictureBudget,
) -> PageContent:
    """The contents of a page with the `filled` words; unclear glyphs have codes of `glyphs`."""
    roles = read_roles(page) if is_tagged(page.pdf) else {}
    frame = frame_of(page)
    text_page = page.get_textpage()
    try:
        words = read_words(calls.handle(text_page.raw), frame, glyphs, roles)
    finally:
        text_page.close()
    frame = frame.turned(words.turn)
    drawing = _drawing(page, frame, budget)
    level = with_filled(words.level, filled, frame) if filled else words.level
    content = PageContent(number, frame.width, frame.height, level, turn=words.turn)
    content.angled, content.unmapped = words.angled, words.unmapped
    content.rules, content.fills = drawing.rules, drawing.fills
    content.pictures, content.shapes = drawing.pictures, drawing.shapes
    if drawing.squares:
        read_boxes(content, drawing.squares)
    return content


def _drawing(page: pdfium.PdfPage, frame: Frame, budget: PictureBudget) -> Drawing:
    handle, count = calls.handle(page.raw), raw.FPDFPage_CountObjects(page.raw)
    drawing = read_drawing(handle, min(count, _MAX_OBJECTS), frame, budget)
    for further in map(calls.page_object, repeat(handle), range(_MAX_OBJECTS, count)):
        if calls.object_kind(further) in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM):
            budget.leave_out(further)
    return drawing


def frame_of(page: pdfium.PdfPage) -> Frame:
    """The visible page. A page without area counts as A4, so that no size is zero."""
    box = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(page.raw, ctypes.byref(box))
    left, bottom, right, top = box.left, box.bottom, box.right, box.top
    if right - left < 1 or top - bottom < 1:
        left, bottom, right, top = 0.0, 0.0, 595.0, 842.0
    return Frame(left, bottom, right, top, page.get_rotation() % 360)


def render(page: pdfium.PdfPage, scale: float) -> Image.Image:
    """The page as an RGB picture of `scale` pixels per point, less to stay within `MAX_PIXELS`.
    Pictures over a page's budget are left out.
    """
    _drawing(page, frame_of(page), PictureBudget())
    return render_read(page, scale)


def render_read(page: pdfium.PdfPage, scale: float) -> Image.Image:
    """The same of a page that `read_page` has read, which left them out already."""
    width, height = page.get_size()
    area = max(width * height, 1.0)
    scale = min(scale, (MAX_PIXELS / area) ** 0.5, _MAX_SIDE / max(width, height, 1.0))
    if min(width, height) * scale < 1:
        raise PartitionFailure("The page is too large and too thin to be rendered.", 422)
    bitmap = page.render(scale=scale, rev_byteorder=True, may_draw_forms=False)
    try:
        shown: Image.Image = bitmap.to_pil()
        return shown.convert("RGB")
    finally:
        bitmap.close()
