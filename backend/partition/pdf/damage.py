"""Pages of a PDF whose content cannot be decompressed: PDFium shows what is before the damage.

It has no way to say so, hence the compressed streams of the file are tried here.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from backend.partition.pdf.glyphs import MAX_FILE, objects_in

_MOST_HEAD = 1000
"""Bytes of the dictionary of a stream."""
_MOST_TEXT = 50_000_000
"""Decompressed bytes that are tried of one stream."""
_NUMBER = re.compile(rb"(\d{1,10}) \d{1,5}$")
FLATE = re.compile(rb"/Filter\s*(?:/Fl(?:ateDecode)?\b|\[\s*/Fl(?:ateDecode)?\s*\])")
_OTHER = re.compile(rb"/Subtype\s*/(?!Form\b)|/Length1\b|/Crypt\b")
"""Pictures and fonts, whose damage is visible."""
_PAGES, _PARENT = re.compile(rb"/Type\s*/Pages\b"), re.compile(rb"/Parent\b")
_KIDS = re.compile(rb"/Kids\s{0,3}\[([^\[\]]*)\]")
_CONTENTS = re.compile(rb"/Contents\s{0,3}(?:\[([^\[\]]*)\]|(\d{1,10}\s{1,3}\d{1,5}\s{1,3}R))")
_REFERENCE = re.compile(rb"(?<!\d)(\d{1,10})\s{1,3}\d{1,5}\s{1,3}R")


def damaged_parts(source: Path) -> list[str]:
    """Remarks for people, one for each page whose content is damaged."""
    if source.stat().st_size > MAX_FILE:
        return []
    data = source.read_bytes()
    damaged = set() if b"/Encrypt" in data else set(_damaged(data))
    if not damaged:
        return []
    objects = dict(objects_in(data))
    numbers = [
        number
        for number, page in enumerate(_pages(objects), 1)
        if damaged.intersection(_contents(page, objects))
    ]
    places = [f"the content of page {number}" for number in numbers] or ["a part of the file"]
    return [f"{place} is damaged, so words may be missing or wrong" for place in places]


def streams_in(
    data: bytes, is_wanted: Callable[[bytes], object]
) -> Iterator[tuple[int, bytes, bytes]]:
    """Number, dictionary and content of the streams whose dictionary is wanted."""
    end = 0
    while (at := data.find(b"stream", end)) >= 0:
        end = at + 6
        if data.startswith(b"end", at - 3):
            continue
        before, _, head = data[max(0, at - _MOST_HEAD) : at].rpartition(b" obj")
        number = _NUMBER.search(before[-16:])
        if number is None or not is_wanted(head):
            continue
        start = end + (2 if data[end : end + 2] == b"\r\n" else 1)
        end = data.find(b"endstream", start)
        content, end = (data[start:end], end + 9) if end >= 0 else (data[start:], len(data))
        yield int(number[1]), head, content


def _damaged(data: bytes) -> Iterator[int]:
    """The numbers of the compressed streams that end in an error or too early."""
    wanted = streams_in(data, lambda head: FLATE.search(head) and not _OTHER.search(head))
    return (number for number, _, packed in wanted if not _is_whole(packed))


def _is_whole(packed: bytes) -> bool:
    unpacked = zlib.decompressobj()
    try:
        unpacked.decompress(packed, _MOST_TEXT)
    except zlib.error:
        return False
    return unpacked.eof or bool(unpacked.unconsumed_tail)


def _pages(objects: dict[int, bytes]) -> Iterator[bytes]:
    """The pages of a document in order."""
    roots = [n for n, body in objects.items() if _PAGES.search(body) and not _PARENT.search(body)]
    waiting, seen = roots[::-1], set(roots)
    while waiting:
        body = objects.get(waiting.pop(), b"")
        kids = _KIDS.search(body)
        if kids is None:
            yield body
            continue
        below = [n for n in _references(kids[1]) if n not in seen]
        seen.update(below)
        waiting += below[::-1]


def _contents(page: bytes, objects: dict[int, bytes]) -> list[int]:
    contents = _CONTENTS.search(page)
    if contents is None:
        return []
    numbers = _references(contents[1] or contents[2])
    # A number may also be that of a list.
    return numbers + [n for number in numbers for n in _references(objects.get(number, b""))]


def _references(text: bytes) -> list[int]:
    return [int(number) for number in _REFERENCE.findall(text)]
