"""Glyph names in the fonts of a PDF, for glyphs without text or with only a part of it in PDFium.

Many typesetting programs name their ligatures by their letters (`f_i`, `T_h`). PDFium's list of
glyph names lacks such names and then returns the bare code, mostly a control character, although
the `/Differences` of the file define the letters of the code. Ghostscript used to write only the
last letter of a ligature as its text: there the name is found by that letter and the width. The
objects are found by scanning the file: few files need this, and only their small objects matter.
"""

import re
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

MAX_FILE = 200_000_000
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
_FIRST_CHAR = re.compile(rb"/FirstChar\s+(\d+)")
_WIDTHS = re.compile(rb"/Widths\s*(?:\[([^\[\]]*)\]|(\d+)\s+\d+\s+R)")
_CODE_NAME = re.compile(r"(?:uni|u)([0-9A-F]{4,6})$")
_OFF, _APART = 0.25, 0.05
"""Of a ligature: how far its box may be from the width in the file, since letters are set wider or
narrower or protrude; and, in font sizes, how much nearer it must be than any other.
"""


class GlyphNames:
    """The letters behind the composed glyph names of one file, read on first use."""

    def __init__(self, source: Path) -> None:
        self._source = source

    def letters(self, font: str, code: int) -> str:
        """The letters of a code in a font, by its name; empty if unknown or contradictory."""
        letters = self._names.get((font.rpartition("+")[2], code), set())
        return next(iter(letters)) if len(letters) == 1 else ""

    def ligature(self, font: str, last: str, width: float) -> str:
        """The letters of the ligature that ends in a letter and is nearest to a width, in font
        sizes; empty if the font has none or two of one width.
        """
        near = sorted(
            (abs(width - wide), letters)
            for letters, wide in self._ligatures.get(font.rpartition("+")[2], ())
            if letters.endswith(last) and abs(width - wide) < _OFF * wide
        )
        clear = len(near) == 1 or (len(near) > 1 and near[1][0] - near[0][0] > _APART)
        return near[0][1] if clear else ""

    @cached_property
    def _names(self) -> dict[tuple[str, int], set[str]]:
        names: dict[tuple[str, int], set[str]] = {}
        for font, code, letters, _ in self._glyphs:
            names.setdefault((font, code), set()).add(letters)
        return names

    @cached_property
    def _ligatures(self) -> dict[str, set[tuple[str, float]]]:
        """By font, the letters and widths of its ligatures."""
        found: dict[str, set[tuple[str, float]]] = {}
        for font, _, letters, width in self._glyphs:
            if len(letters) > 1:
                found.setdefault(font, set()).add((letters, width))
        return found

    @cached_property
    def _glyphs(self) -> list[tuple[str, int, str, float]]:
        """Font, code, letters and width of every glyph that is named by its letters."""
        if self._source.stat().st_size > MAX_FILE:
            return []
        objects = dict(objects_in(self._source.read_bytes()))
        composed: list[tuple[str, int, str, float]] = []
        for body in objects.values():
            font = _FONT.search(body)
            if font is None:
                continue
            named = _ENCODING.search(body)
            encoding = objects.get(int(named[1]), b"") if named else body
            name = font[1].decode("latin-1").rpartition("+")[2]
            widths = _widths(body, objects)
            composed += [
                (name, code, letters, widths.get(code, 0.0))
                for code, letters in _composed(encoding)
            ]
        return composed


def objects_in(data: bytes) -> Iterator[tuple[int, bytes]]:
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


def _widths(font: bytes, objects: dict[int, bytes]) -> dict[int, float]:
    """The widths of the glyphs of a font by code, in font sizes."""
    first, widths = _FIRST_CHAR.search(font), _WIDTHS.search(font)
    if first is None or widths is None:
        return {}
    listed = widths[1] if widths[2] is None else objects.get(int(widths[2]), b"")
    numbers = re.findall(rb"[\d.]+", listed)
    return {int(first[1]) + at: float(number) / 1000 for at, number in enumerate(numbers)}


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
