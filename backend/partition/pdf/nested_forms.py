"""Forms of a PDF that draw forms: refused if PDFium would draw too many.

PDFium copies a form each time that another draws it, also a form that draws itself, up to a depth.
Ten levels of ten are ten thousand million copies in less than a kilobyte of PDF, and PDFium cannot
be stopped. So they are counted here before a page is loaded.
"""

import re
import zlib
from collections import Counter
from functools import cache
from pathlib import Path

from backend.partition.document import PartitionFailure
from backend.partition.pdf.damage import FLATE, streams_in
from backend.partition.pdf.glyphs import MAX_FILE, objects_in

_MOST_DRAWN = 200_000
"""Forms and pictures by one form: PDFium needs some seconds for as many."""
_LEVELS = 41
"""As deep as PDFium draws."""
_MOST_TEXT = 100_000_000
"""Decompressed bytes of all forms together."""
_FORM = re.compile(rb"/Subtype\s*/Form\b")
_FILTER = re.compile(rb"/Filter\b")
_RESOURCES = re.compile(rb"/Resources\s{1,9}(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R\b")
_NAMED = re.compile(rb"/XObject\s{0,9}(?:<<([^<>]*)>>|(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R\b)")
_ENTRY = re.compile(rb"/([^\s/<>\[\]()%{}]+)\s+(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R\b")
_DRAWN = re.compile(rb"/([^\s/<>\[\]()%{}]+)\s+Do\b")


def check_forms(source: Path) -> None:
    """PartitionFailure (422) if a form draws too many. What cannot be read here is not counted:
    other compressions than the usual one, encrypted files, resources of the page.
    """
    if source.stat().st_size > MAX_FILE:
        return
    data = source.read_bytes()
    drawn = _drawn_forms(data)
    counts = dict.fromkeys(drawn, 1)
    for _ in range(_LEVELS):
        deeper = {
            number: 1 + sum(times * counts.get(part, 1) for part, times in parts.items())
            for number, parts in drawn.items()
        }
        if max(deeper.values(), default=0) > _MOST_DRAWN:
            raise PartitionFailure(
                f"A form in the PDF draws itself, or more than {_MOST_DRAWN:,} others. Print it to"
                " a new PDF and send that.",
                422,
            )
        if deeper == counts:
            return
        counts = deeper


def _drawn_forms(data: bytes) -> dict[int, Counter[int]]:
    """How often each form draws others, by their numbers; forms that draw nothing are left out."""

    @cache
    def objects() -> dict[int, bytes]:
        return dict(objects_in(data))

    left = _MOST_TEXT
    drawn: dict[int, Counter[int]] = {}
    for number, head, content in streams_in(data, lambda head: bool(_FORM.search(head))):
        resources = _RESOURCES.search(head)
        named = _NAMED.search(objects().get(int(resources[1]), b"") if resources else head)
        if named is None:
            continue
        text = _text(head, content, left)
        left -= len(text)
        entries = _ENTRY.findall(named[1] or objects().get(int(named[2] or 0), b""))
        numbers = {name: int(part) for name, part in entries}
        names = Counter(_DRAWN.findall(text))
        parts = {numbers[name]: times for name, times in names.items() if name in numbers}
        if parts:
            drawn[number] = Counter(parts)
    return drawn


def _text(head: bytes, content: bytes, most: int) -> bytes:
    if not FLATE.search(head):
        return b"" if _FILTER.search(head) else content
    try:
        return zlib.decompressobj().decompress(content, max(1, most))
    except zlib.error:
        return b""
