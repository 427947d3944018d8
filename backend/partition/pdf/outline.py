"""The outline of a PDF (its bookmarks): headings by page, with their depth."""

import pypdfium2 as pdfium

from backend.partition.text import bare

_MAX_ENTRIES, _MAX_DEPTH = 5000, 6


def read_outline(document: pdfium.PdfDocument) -> dict[int, dict[str, int]]:
    """The level of each heading by page (both from 1) and title, without blanks in lower case."""
    headings: dict[int, dict[str, int]] = {}
    try:
        for count, entry in enumerate(document.get_toc(max_depth=_MAX_DEPTH)):
            if count >= _MAX_ENTRIES:
                break
            target = entry.get_dest()
            page = target.get_index() if target is not None else None
            if page is not None:
                headings.setdefault(page + 1, {})[bare(entry.get_title())] = entry.level + 1
    except pdfium.PdfiumError:
        return headings
    return headings
