"""Glyph names in the fonts of a PDF, for glyphs without text in PDFium.

Many typesetting programs name their ligatures by their letters (`f_i`, `T_h`). PDFium's list of
glyph names lacks such names and then returns the bare code, mostly a control character, although
the `/Differences` of the file define the letters of the code. The objects are found by scanning the
file: few files need this, and only their small objects matter.
"""

import re
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

_MAX_FILE = 200_000_000
_MAX_OBJECT = 20_000
_MAX_PACKED = 20_000_000
"""Bytes of a compressed object stream; larger ones are skipped."""

_OBJECT = re.compile(rb"(?<!\d)(\d{1,10})[ \r\n]+\d+[ \r\n]+obj\b|endobj|stream\r?\n")
"""The beginning of an object, its end, or the beginning of its stream."""
_FIRST = re.compile(rb"/First\s+(\d+)")
_COUNT = re.compile(rb"/N\s+(\d+)")
_FONT = re.compile(rb"/BaseFont\s*/([^\s/<>\[\]()]+)")
_ENCODING = re.compile(rb"/Encoding\s+(\d+)\s+\d+\s+R")
_DIFFERENCES = re.compile(rb"/Differences\s*\[([^\[\]]*)\]")
_ENTRY = re.compile(rb"/([^\s/\]]+)|(\d+)")
_CODE_NAME = re.compile(r"(?:uni|u)([0-9A-F]{4,6})$")


class GlyphNames:
    """The letters behind the composed glyph names of one file, read on first use."""

    def __init__(self, source: Path) -> None:
        self._source = source

    def letters(self, font: str, code: int) -> str:
        """The letters of a character code in a font, by its name; empty if the file is silent or
        contradictory.
        """
        letters = self._names.get((font.rpartition("+")[2], code), set())
        return next(iter(letters)) if len(letters) == 1 else ""

    @cached_property
    def _names(self) -> dict[tuple[str, int], set[str]]:
        if self._source.stat().st_size > _MAX_FILE:
            return {}
        objects = dict(_objects(self._source.read_bytes()))
        names: dict[tuple[str, int], set[str]] = {}
        for body in objects.values():
            font = _FONT.search(body)
            if font is None:
                continue
            named = _ENCODING.search(body)
            encoding = objects.get(int(named[1]), b"") if named else body
            name = font[1].decode("latin-1").rpartition("+")[2]
            for code, letters in _composed(encoding):
                names.setdefault((name, code), set()).add(letters)
        return names


def _objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and text of the objects in a file, including those in compressed streams."""
    opened: re.Match[bytes] | None = None
    for match in _OBJECT.finditer(data):
        if opened is not None and match.start() - opened.end() > _MAX_OBJECT:
            opened = None
        if match[1]:
            opened = opened or match
        elif opened is not None:
            body = data[opened.end() : match.start()]
            if b"/ObjStm" in body and match[0] != b"endobj":
                yield from _packed(data, match.end(), body)
            else:
                yield int(opened[1]), body
            opened = None


def _packed(data: bytes, start: int, head: bytes) -> Iterator[tuple[int, bytes]]:
    first, count = _FIRST.search(head), _COUNT.search(head)
    if first is None or count is None:
        return
    try:
        text = zlib.decompressobj().decompress(memoryview(data)[start:], _MAX_PACKED)
    except zlib.error:
        return
    base = int(first[1])
    numbers = [int(part) for part in text[:base].split() if part.isdigit()]
    places = numbers[1::2]
    for number, place, end in zip(numbers[::2], places, [*places[1:], len(text)], strict=False):
        yield number, text[base + place : base + min(end, place + _MAX_OBJECT)]


def _composed(encoding: bytes) -> Iterator[tuple[int, str]]:
    """Codes of an encoding whose glyphs are named by several letters or by code points."""
    differences = _DIFFERENCES.search(encoding)
    code = 0
    for name, number in _ENTRY.findall(differences[1] if differences else b""):
        if number:
            code = int(number)
            continue
        letters = _spelled(name.decode("latin-1"))
        if letters:
            yield code, letters
        code += 1


def _spelled(name: str) -> str:
    """The letters of a glyph name by the rules of the Adobe Glyph List; empty for other names."""
    parts = name.partition(".")[0].split("_")
    out: list[str] = []
    for part in parts:
        number = _CODE_NAME.match(part)
        if number and int(number[1], 16) < 0xD800:
            out.append(chr(int(number[1], 16)))
        elif len(part) == 1 or part in ("ff", "fi", "fl", "ffi", "ffl"):
            out.append(part)
        else:
            return ""
    return "".join(out)
