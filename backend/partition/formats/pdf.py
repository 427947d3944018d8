"""PDF: embedded text, and OCR for pages without any."""

from dataclasses import dataclass, field
from functools import cache, lru_cache

import pypdfium2 as pdfium
from PIL import Image

from backend.partition.collecting import collection_paused
from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.flow import Flow
from backend.partition.illustrations import Pixels, illustrate
from backend.partition.layout.regions import LaidPage, lay_out
from backend.partition.mending import mend
from backend.partition.ocr import LANGUAGES, check_language
from backend.partition.pages import elements_of, turns
from backend.partition.pdf.annotations import MOST
from backend.partition.pdf.attachments import read_invoice
from backend.partition.pdf.comments import Comment, add_comments
from backend.partition.pdf.damage import damaged_parts
from backend.partition.pdf.file import (
    Beside,
    frame_of,
    loaded,
    opened,
    read_page,
    render,
    render_read,
)
from backend.partition.pdf.frame import Frame
from backend.partition.pdf.glyphs import GlyphNames
from backend.partition.pdf.nested_forms import check_forms
from backend.partition.pdf.outline import read_outline
from backend.partition.pdf.picture_budget import PictureBudget
from backend.partition.pdf.unclear import UnclearGlyphs
from backend.partition.pdf.xfa import read_form
from backend.partition.pictured import Clippings
from backend.partition.pictures import cut, turned
from backend.partition.salvage import page_paragraphs
from backend.partition.scan import read_scan
from backend.partition.selection import selected
from backend.partition.textlayer import TextChecks
from backend.tasks.guarding import guarded
from workbench.contract.elements import Element

_OCR_SCALE = 150 / 72
_BARE_SCORE = 0.3
"""Of the text of a page whose layout is not known."""


@dataclass(frozen=True)
class _Senses:
    """State shared by the pages of one document."""

    glyphs: UnclearGlyphs
    clippings: Clippings
    checks: TextChecks
    budget: PictureBudget
    comments: dict[int, tuple[Frame, list[Comment]]] = field(default_factory=dict)
    """By page, with the page's frame in the file."""


def read(request: Request) -> Document:
    """Pages one after the other; only the words of one page are in memory at a time."""
    options = request.options
    notes: list[str] = []
    with opened(request.source) as document:
        count = len(document)
        request.check_pages(count, "The PDF")
        check_forms(request.source)
        numbers = selected(options.selected_pages, count)
        glyphs = UnclearGlyphs(GlyphNames(request.source))
        budget = PictureBudget(request.source.stat().st_size)
        senses = _Senses(glyphs, Clippings(), TextChecks(), budget)
        pages, broken = _read_pages(document, numbers, request, senses, notes)
        elements = elements_of(pages, options, notes)
        _add_bare_text(elements, document, broken, notes)
        if not pages and not elements:
            raise PartitionFailure("No page of the PDF could be read.", 422)
        with guarded(notes, "damage in the file"):
            notes += damaged_parts(request.source)
        corrected: dict[int, int] = {}
        with guarded(notes, "the pictures"):
            corrected = turns(pages, options)
            notes += illustrate(elements, request, _pixels(document, corrected))
        with guarded(notes, "comments"):
            _add_comments(elements, senses, request, corrected)
        with guarded(notes, "the files embedded in the PDF"):
            attached = Flow(options, page=numbers[-1])
            read_invoice(attached, document)
            elements += attached.elements
        with guarded(notes, "the form of the PDF"):
            form = Flow(options, page=numbers[-1], notes=notes)
            read_form(form, document)
            elements += form.elements
        title = ""
        with guarded(notes, "the title in the file's metadata"):
            title = str(document.get_metadata_value("Title") or "")
    return Document(elements, count, notes, corrected, title)


def _read_pages(
    document: pdfium.PdfDocument,
    numbers: list[int],
    request: Request,
    senses: _Senses,
    notes: list[str],
) -> tuple[list[LaidPage], list[int]]:
    """The pages after layout, and the numbers of those whose reader broke."""
    outline: dict[int, dict[str, int]] = {}
    with guarded(notes, "the outline"):
        outline = read_outline(document)
    pages: list[LaidPage] = []
    broken: list[int] = []
    for done, number in enumerate(numbers, 1):
        try:
            with guarded(notes, f"page {number}", "its words are kept as text") as guard:
                with collection_paused():
                    pages.append(_read_page(document, number, request, senses, notes))
                pages[-1].outline = outline.get(number, {})
            if guard.failed:
                broken.append(number)
        except PartitionFailure as failure:
            # One damaged page must not cost the others.
            if len(numbers) == 1 or failure.status_code != 422:
                raise
            notes.append(f"page {number} could not be read: {failure.detail}")
        request.progress(done, len(numbers))
    return pages, broken


def _add_bare_text(
    elements: list[Element], document: pdfium.PdfDocument, broken: list[int], notes: list[str]
) -> None:
    """Adds the words of pages whose reader broke, in the order of the pages."""
    for number in broken:
        with guarded(notes, f"page {number}: its words"):
            elements += [
                Element(
                    type="Text",
                    bbox=[0.0, 0.0, 1.0, 1.0],
                    properties={"score": _BARE_SCORE, "page_number": number},
                    text_representation=" ".join(text.split()),
                )
                for text in page_paragraphs(document, number)
            ]
    if broken:
        elements.sort(key=lambda element: element.page_number)


def _add_comments(
    elements: list[Element], senses: _Senses, request: Request, corrected: dict[int, int]
) -> None:
    """Adds the comments on each page after its content."""
    flow = Flow(request.options)
    for flow.page, (frame, comments) in senses.comments.items():
        add_comments(flow, comments, frame.turned(corrected.get(flow.page, 0)))
    if flow.elements:
        elements += flow.elements
        elements.sort(key=lambda element: element.page_number)


def _pixels(document: pdfium.PdfDocument, corrected: dict[int, int]) -> Pixels:
    """Cuts pictures out of the rendered page: that way masks, colours and rotation are right."""

    @lru_cache(maxsize=1)
    def shown(number: int) -> Image.Image:
        with loaded(document, number) as page:
            return turned(render(page, _OCR_SCALE), corrected.get(number, 0))

    return lambda element: cut(shown(element.page_number), element)


def _read_page(
    document: pdfium.PdfDocument,
    number: int,
    request: Request,
    senses: _Senses,
    notes: list[str],
) -> LaidPage:
    options = request.options
    keep = options.text_extraction_options.word_boxes
    beside = Beside()
    with loaded(document, number, beside) as page:
        senses.comments[number] = frame_of(page), beside.comments
        if beside.is_cut:
            notes.append(f"page {number}: only the first {MOST:,} fields and comments were read")

        @cache
        def shown() -> Image.Image:
            return render_read(page, _OCR_SCALE)

        content = read_page(page, number, senses.glyphs, beside.filled, senses.budget)
        if left_out := senses.budget.left_out:
            notes.append(f"page {number}: {left_out:,} pictures over the limit were left out")
        with guarded(notes, f"page {number}: its picture", "the text in the file is kept"):
            if senses.checks.wants_ocr(content, options.text_mode, shown):
                check_language(options.ocr_language)
                scan = read_scan(shown(), number)
                if scan.words:
                    notes.append(_ocr_note(number, scan.turn))
                    return lay_out(scan, keep_words=keep)
        with guarded(notes, f"page {number}: letters without text"):
            mend(content, senses.glyphs, shown, notes)
        able = options.ocr_language in LANGUAGES
        with guarded(notes, f"page {number}: text in pictures"):
            read = senses.clippings.read(content, shown) if able else 0
            if read:
                notes.append(f"page {number}: text in pictures ({read}) read by OCR")
    return lay_out(content, keep_words=keep)


def _ocr_note(number: int, turn: int) -> str:
    turned = f", turned by {turn} degrees" if turn else ""
    return f"page {number} read by OCR{turned}"
