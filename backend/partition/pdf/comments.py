"""Reviewers' comments on a PDF: sticky notes, and notes on highlighted or struck words.

A viewer shows them on a click, so they are not part of the page.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from backend.partition.flow import Flow
from backend.partition.page import Rect
from backend.partition.pdf.annotations import Place, annotations, is_hidden, place_of, text_of
from backend.partition.pdf.frame import Frame

_KINDS = frozenset(
    {
        raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE,
        raw.FPDF_ANNOT_SQUIGGLY, raw.FPDF_ANNOT_STRIKEOUT, raw.FPDF_ANNOT_CARET,
        raw.FPDF_ANNOT_LINE, raw.FPDF_ANNOT_SQUARE, raw.FPDF_ANNOT_CIRCLE,
        raw.FPDF_ANNOT_POLYGON, raw.FPDF_ANNOT_POLYLINE, raw.FPDF_ANNOT_INK,
        raw.FPDF_ANNOT_FILEATTACHMENT,
    }
)  # fmt: skip
"""The kinds of annotations with comments; the text of others is on the page."""


class Comment(NamedTuple):
    """What somebody wrote about a place on a page."""

    place: Place
    author: str
    text: str


def comments_on(page: pdfium.PdfPage) -> Iterator[Comment]:
    """The comments on a page that has just been loaded, in the order of the file."""
    for note in annotations(page):
        if raw.FPDFAnnot_GetSubtype(note) not in _KINDS or is_hidden(note):
            continue
        text = text_of(note, b"Contents")
        if text:
            yield Comment(place_of(note), text_of(note, b"T"), text)


def add_comments(flow: Flow, comments: list[Comment], frame: Frame) -> None:
    """Adds comments to the page of `flow`, each at its position."""
    for comment in comments:
        first = len(flow.elements)
        flow.comment("Comment", comment.author, comment.text)
        box: Rect = frame.rect(*comment.place)
        width, height = frame.width, frame.height
        flow.place(first, [box.x0 / width, box.y0 / height, box.x1 / width, box.y1 / height])
