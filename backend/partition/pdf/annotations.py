"""PDF annotations: form fields, typed notes, comments, links."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

_HIDDEN = raw.FPDF_ANNOT_FLAG_INVISIBLE | raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_END = 2
"""The terminator of a text in bytes; an empty one has nothing else."""
MOST = 20_000
"""The most annotations that are read of a page."""


class Place(NamedTuple):
    """A box in user space."""

    left: float
    bottom: float
    right: float
    top: float


def annotations(page: pdfium.PdfPage) -> Iterator["raw.FPDF_ANNOTATION"]:
    """The annotations of a page; each is closed when the next one is requested."""
    for number in range(min(raw.FPDFPage_GetAnnotCount(page.raw), MOST)):
        with _annotation(page, number) as note:
            if note:
                yield note


def are_too_many(page: pdfium.PdfPage) -> bool:
    """Whether a page has more annotations than are read."""
    return bool(raw.FPDFPage_GetAnnotCount(page.raw) > MOST)


def is_hidden(note: "raw.FPDF_ANNOTATION") -> bool:
    """Whether viewers hide an annotation."""
    return bool(raw.FPDFAnnot_GetFlags(note) & _HIDDEN)


def is_drawn(note: "raw.FPDF_ANNOTATION") -> bool:
    """Whether the file defines the appearance of an annotation."""
    size: int = raw.FPDFAnnot_GetAP(note, raw.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None, 0)
    return size > _END


def place_of(note: "raw.FPDF_ANNOTATION") -> Place:
    """Where an annotation is on its page."""
    box = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(note, ctypes.byref(box))
    return Place(box.left, box.bottom, box.right, box.top)


def text_of(note: "raw.FPDF_ANNOTATION", key: bytes) -> str:
    """The text of an annotation under `key`, without extra blanks; empty if there is none."""
    size = raw.FPDFAnnot_GetStringValue(note, key, None, 0)
    room = ctypes.create_string_buffer(max(size, _END))
    start = ctypes.cast(room, ctypes.POINTER(raw.FPDF_WCHAR))
    raw.FPDFAnnot_GetStringValue(note, key, start, size)
    text = room.raw[:-_END].decode("utf-16-le", "replace")
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))


@contextmanager
def _annotation(page: pdfium.PdfPage, number: int) -> Iterator["raw.FPDF_ANNOTATION"]:
    note = raw.FPDFPage_GetAnnot(page.raw, number)
    try:
        yield note
    finally:
        raw.FPDFPage_CloseAnnot(note)
