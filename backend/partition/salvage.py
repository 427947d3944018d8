"""The bare text of a file whose reader failed: paragraphs without layout, tables or headings.

It uses nothing from the readers, so that it does not fail for the same reason. Old Office files and
pictures yield no text without their reader.
"""

import html
import re
from collections.abc import Callable, Iterator
from itertools import chain

import pypdfium2 as pdfium
from lxml import etree

from backend.partition import sniff
from backend.partition.archive import Archive, opened
from backend.partition.document import Request

_PARTS = re.compile(r"(?:(?:word|ppt|xl)/.*|content)\.xml$|.*\.x?html?$")
_SHOWN = ("document", "footnotes", "endnotes", "sld", "worksheet", "document-content", "html")
"""Root elements of the visible parts."""
_STRINGS = "xl/sharedStrings.xml"
_DIGITS = re.compile(r"(\d+)")
_UNSEEN = re.compile(
    r"(?is)<(script|style|title)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<![^>]*(?:>|\Z)"
    r"|<\?.*?(?:\?>|\Z)"
)
_BLOCK_END = re.compile(r"(?i)</?(?:p|div|li|tr|h[1-6]|br|table|text)\b[^<>]*>")
_TAG = re.compile(r"<[^<>]*>")
_PARAGRAPH_END = re.compile(r"\n\s*\n|\f")
_RTF_HIDDEN = re.compile(
    r"\{(?:\\\*)?\\(?:fonttbl|colortbl|stylesheet|info|pict)\b[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
)
_RTF_WORD = re.compile(r"\\(?:'[0-9a-f]{2}|[a-z]+-?\d* ?|[^a-z])|[{}\r\n]")


def bare_paragraphs(kind: str, request: Request) -> Iterator[tuple[int, str]]:
    """Page number and text of each paragraph of a file of content type `kind`."""
    reader = _READERS.get(kind)
    return iter(()) if reader is None else reader(request)


def page_paragraphs(document: pdfium.PdfDocument, number: int) -> list[str]:
    """The paragraphs of page `number` (from 1) of an open PDF, as its file has them."""
    page = document[number - 1]
    try:
        text_page = page.get_textpage()
        try:
            return _paragraphs(text_page.get_text_range().replace("\r\n", "\n"))
        finally:
            text_page.close()
    finally:
        page.close()


def _pdf(request: Request) -> Iterator[tuple[int, str]]:
    document = pdfium.PdfDocument(request.source)
    try:
        for number in range(1, len(document) + 1):
            for text in page_paragraphs(document, number):
                yield number, text
    finally:
        document.close()


def _archive(request: Request) -> Iterator[tuple[int, str]]:
    with opened(request) as archive:
        parts = [name for name in archive.names() if _PARTS.match(name)]
        strings = _shared(archive) if _STRINGS in archive else []
        roots = (archive.xml(name) for name in sorted(parts, key=_natural))
        shown = (root for root in roots if etree.QName(root).localname in _SHOWN)
        for number, root in enumerate(shown, 1):
            paged = etree.QName(root).localname in ("sld", "worksheet", "html")
            for text in _words(root, strings):
                yield number if paged else 1, text


def _shared(archive: Archive) -> list[str]:
    return ["".join(item.itertext()) for item in archive.xml(_STRINGS).iter("{*}si")]


def _words(root: etree._Element, strings: list[str]) -> Iterator[str]:
    for row in root.iter("{*}row"):
        cells = [_cell(cell, strings) for cell in row.iter("{*}c")]
        yield "  ".join(text for text in cells if text)
    for paragraph in chain(root.iter("{*}p"), root.iter("{*}h")):
        yield "".join(paragraph.itertext())


def _cell(cell: etree._Element, strings: list[str]) -> str:
    text = "".join(cell.itertext()).strip()
    if cell.get("t") != "s":
        return text
    return strings[int(text)] if text.isdecimal() and int(text) < len(strings) else ""


def _natural(name: str) -> list[tuple[int, str]]:
    """Sorts part 10 after part 9."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in _DIGITS.split(name)]


def _markup(request: Request) -> Iterator[tuple[int, str]]:
    text = _BLOCK_END.sub("\n\n", _UNSEEN.sub(" ", request.text()))
    for paragraph in _paragraphs(html.unescape(_TAG.sub(" ", text))):
        yield 1, " ".join(paragraph.split())


def _rich(request: Request) -> Iterator[tuple[int, str]]:
    text = re.sub(r"\\(?:par|row|line)\b", "\n\n", _RTF_HIDDEN.sub("", request.text()))
    for paragraph in text.split("\n\n"):
        yield 1, " ".join(_RTF_WORD.sub(" ", paragraph).split())


def _plain(request: Request) -> Iterator[tuple[int, str]]:
    return ((1, paragraph) for paragraph in _paragraphs(request.text()))


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in _PARAGRAPH_END.split(text) if part.strip()]


_READERS: dict[str, Callable[[Request], Iterator[tuple[int, str]]]] = {
    sniff.PDF: _pdf,
    sniff.RTF: _rich,
    **dict.fromkeys(
        (
            sniff.DOCX,
            sniff.PPTX,
            sniff.XLSX,
            sniff.ODT,
            sniff.ODS,
            sniff.ODP,
            sniff.ODG,
            sniff.EPUB,
        ),
        _archive,
    ),
    **dict.fromkeys((sniff.HTML, sniff.XML, sniff.SVG, sniff.MATHML), _markup),
    **dict.fromkeys((sniff.PLAIN, sniff.MARKDOWN, sniff.CSV, sniff.SYLK, sniff.EML), _plain),
}
