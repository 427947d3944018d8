"""Additions to a page of a PDF: form values, ticked boxes, typed notes.

PDFium keeps all that apart from the page. This module makes it part of the page, for everything
that reads or draws it. Whatever viewers hide stays hidden. The form tells whether a box is ticked:
the ways to draw ticks are too many to recognise.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from backend.partition.page import Rect, Style, Word
from backend.partition.pdf.annotations import (
    Place,
    annotations,
    is_drawn,
    is_hidden,
    place_of,
    text_of,
)
from backend.partition.pdf.frame import Frame
from backend.partition.tick_boxes import (
    ABOVE_EDGE,
    EMPTY,
    LARGEST,
    TICKED,
    TickBox,
    with_signs,
)

_WRITTEN = frozenset({raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP})
"""Kinds of annotations whose words belong to the page."""
_BOXES = frozenset({raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON})


class Filled(NamedTuple):
    """A check box, or a typed note without an appearance."""

    place: Place
    text: str


def is_filled(page: pdfium.PdfPage) -> bool:
    """Whether a page has anything that `put_on` makes part of it."""
    return any(raw.FPDFAnnot_GetSubtype(note) in _WRITTEN for note in annotations(page))


def put_on(page: pdfium.PdfPage) -> list[Filled]:
    """Makes visible annotations part of the page, to be loaded again; returns words to add."""
    beside = list(_beside(page))
    raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY)
    return beside


def with_filled(words: list[Word], beside: list[Filled], frame: Frame) -> list[Word]:
    """The words of a page with those beside it: ☒ and ☐ instead of the drawn tick."""
    boxes = [each for each in beside if each.text in (EMPTY, TICKED)]
    signs = [TickBox(frame.rect(*each.place), each.text == TICKED).word() for each in boxes]
    notes = [each for each in beside if each not in boxes]
    return with_signs(words, signs) + [word for each in notes for word in _lines_of(each, frame)]


def _lines_of(filled: Filled, frame: Frame) -> Iterator[Word]:
    place = frame.rect(*filled.place)
    lines = filled.text.split("\n")
    height = place.height / len(lines)
    style = Style(max(1.0, min(height, LARGEST)))
    for number, line in enumerate(lines):
        low = place.y0 + number * height
        box = Rect(place.x0, low, place.x1, low + height)
        yield Word(line, box, style, baseline=box.y1 - ABOVE_EDGE * height)


def _beside(page: pdfium.PdfPage) -> Iterator[Filled]:
    for note in annotations(page):
        text = "" if is_hidden(note) else _text_beside(page.formenv, note)
        if text:
            yield Filled(place_of(note), text)


def _text_beside(form: pdfium.PdfFormEnv | None, note: "raw.FPDF_ANNOTATION") -> str:
    """The character for a check box, or the text of a note without an appearance; else nothing."""
    if form is not None and raw.FPDFAnnot_GetFormFieldType(form.raw, note) in _BOXES:
        return TICKED if raw.FPDFAnnot_IsChecked(form.raw, note) else EMPTY
    if raw.FPDFAnnot_GetSubtype(note) != raw.FPDF_ANNOT_FREETEXT or is_drawn(note):
        return ""
    return text_of(note, b"Contents")
