"""The structures of a DOC: its text in pieces, and the looks of its paragraphs.

Offsets and codes follow the published description of the format (MS-DOC). All readers here raise
`struct.error`, IndexError and the like for damaged files, which their caller turns into a
`PartitionFailure`.
"""

import struct
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from backend.partition.compound import Compound
from backend.partition.document import PartitionFailure
from backend.partition.formats.office_records import first_picture

_WITH_NAME = 0x66
"""The kind of pictures that are preceded by a name."""
_MAX_PIECES = 1_000_000
_PAGE = 512
# Places of the pairs of offset and length in the head of the file.
STYLES, SECTIONS, HEADERS, RUNS, FORMATS, PIECES = 0xA2, 0xCA, 0xF2, 0xFA, 0x102, 0x1A2
# Codes of single properties.
IN_TABLE, ROW_END, ITEM_LEVEL, LIST, OUTLINE, PAGE_BEFORE, TABLE = (
    0x2416, 0x2417, 0x260A, 0x460B, 0x2640, 0x2407, 0xD608,
)  # fmt: skip
SECTION_START, PICTURE = 0x3009, 0x6A03
_ELSEWHERE = (0x6645, 0x6646)
"""Codes of properties stored elsewhere for lack of space: their offset in the data."""
_LONG_OPERANDS = (TABLE, 0xD606)
_SIZES = (1, 1, 2, 4, 2, 2, -1, 3)
"""Bytes of an operand by the upper three bits of its code; -1 if the first byte is the length."""


@dataclass(slots=True)
class Look:
    """The style of a paragraph and the properties set on it: code to operand."""

    style: int = 0
    values: dict[int, bytes] = field(default_factory=dict)

    def flag(self, code: int) -> bool:
        return bool(self.number(code, 0))

    def number(self, code: int, default: int) -> int:
        operand = self.values.get(code)
        return default if operand is None else int.from_bytes(operand, "little")


@dataclass(frozen=True)
class Structure:
    """The text of all stories in a row, the file position of each character, and the formatting."""

    text: str
    stories: tuple[int, ...]
    """Lengths: main text, footnotes, headers, macros, remarks, endnotes, boxes, header boxes."""
    starts: list[int]
    """First character of each piece."""
    offsets: list[tuple[int, int]]
    """For each piece its place in the file and the bytes of a character."""
    look_starts: list[int]
    formats: list[Look]
    pictures: dict[int, int]
    """The position of a run's picture, by the position of the run in the file."""

    def look(self, place: int) -> Look:
        """The look of the paragraph that the character at `place` belongs to."""
        index = bisect_right(self.look_starts, self._at(place)) - 1
        return self.formats[index] if index >= 0 else Look()

    def picture(self, place: int) -> int | None:
        """The offset of the picture for the character at `place`."""
        return self.pictures.get(self._at(place))

    def _at(self, place: int) -> int:
        piece = bisect_right(self.starts, place) - 1
        offset, width = self.offsets[piece]
        return offset + (place - self.starts[piece]) * width


class Parts:
    """The streams of a DOC and the tables its head points to."""

    def __init__(self, compound: Compound) -> None:
        self.main = compound.read("WordDocument")
        flags = _u16(self.main, 0x0A)
        if flags & 0x0100:
            raise PartitionFailure(
                "The DOC file is encrypted with a password. Save it without one.", 422
            )
        if _u16(self.main, 2) < 0x00C1:
            raise PartitionFailure("The DOC file is older than Word 97, which is not read.", 422)
        self.table = compound.read("1Table" if flags & 0x0200 else "0Table")
        self.data = compound.read("Data") if "Data" in compound else b""

    def picture(self, place: int) -> bytes | None:
        """The picture file at a place of the data, None for drawings of other kinds."""
        if place + 8 > len(self.data):
            return None
        length, head, kind = struct.unpack_from("<IHh", self.data, place)
        start, end = place + head, min(len(self.data), place + length)
        if kind == _WITH_NAME:
            start += 1 + self.data[start]
        return first_picture(self.data, start, end)

    def entry(self, place: int) -> bytes:
        offset, length = struct.unpack_from("<II", self.main, place)
        return self.table[offset : offset + length]


def structure_of(parts: Parts) -> Structure:
    stories = struct.unpack_from("<8I", parts.main, 0x4C)
    text: list[str] = []
    starts: list[int] = []
    offsets: list[tuple[int, int]] = []
    for first, last, at in _pieces(parts.entry(PIECES)):
        packed = bool(at & 0x40000000)
        offset, width = ((at & 0x3FFFFFFF) // 2, 1) if packed else (at & 0x3FFFFFFF, 2)
        data = parts.main[offset : offset + (last - first) * width]
        starts.append(first)
        offsets.append((offset, width))
        piece = data.decode("cp1252" if packed else "utf-16-le", "replace")
        # A pair of surrogates is two characters here and one in Python.
        text.append(_padded(piece, last - first))
    look_starts, paragraph_formats = _formats(parts)
    whole = "".join(text)
    pictures = {
        at: int.from_bytes(look.values[PICTURE], "little")
        for at, look in _pages(parts, RUNS, _page_of_runs).items()
        if PICTURE in look.values
    }
    return Structure(whole, stories, starts, offsets, look_starts, paragraph_formats, pictures)


def _padded(text: str, length: int) -> str:
    if len(text) < length:
        text = "".join(c if ord(c) < 0x10000 else c + "\u200b" for c in text)
    return text[:length].ljust(length, "\u200b")


def _pieces(table: bytes) -> list[tuple[int, int, int]]:
    at = 0
    while table[at] == 1:
        at += 3 + _u16(table, at + 1)
    length = struct.unpack_from("<I", table, at + 1)[0]
    plex = table[at + 5 : at + 5 + length]
    count = (len(plex) - 4) // 12
    if count > _MAX_PIECES:
        raise ValueError("too many pieces")
    places = struct.unpack_from(f"<{count + 1}I", plex)
    out = []
    for index, (first, last) in enumerate(pairwise(places)):
        if not first <= last <= first + 2 * 10**8:
            raise ValueError("pieces out of order")
        at = struct.unpack_from("<I", plex, 4 * (count + 1) + 8 * index + 2)[0]
        out.append((first, last, at))
    return out


def _formats(parts: Parts) -> tuple[list[int], list[Look]]:
    styles = _pages(parts, FORMATS, _page_of_formats)
    for look in styles.values():
        for code in _ELSEWHERE:
            if code in look.values:
                at = int.from_bytes(look.values[code], "little")
                look.values |= properties(parts.data[at + 2 : at + 2 + _u16(parts.data, at)])
    starts = sorted(styles)
    return starts, [styles[start] for start in starts]


def _pages(parts: Parts, entry: int, read: Callable[[bytes], dict[int, Look]]) -> dict[int, Look]:
    """The looks on all pages of a table of looks, by their places in the file."""
    plex = parts.entry(entry)
    count = max(0, (len(plex) - 4) // 8)
    entries: dict[int, Look] = {}
    for index in range(count):
        number = struct.unpack_from("<I", plex, 4 * (count + 1) + 4 * index)[0] & 0x3FFFFF
        page = parts.main[number * _PAGE : (number + 1) * _PAGE]
        if len(page) == _PAGE:
            entries.update(read(page))
    return entries


def _page_of_formats(page: bytes) -> dict[int, Look]:
    count = page[-1]
    starts = struct.unpack_from(f"<{count + 1}I", page)
    out: dict[int, Look] = {}
    for index in range(count):
        at = page[4 * (count + 1) + 13 * index] * 2
        if at == 0:
            out[starts[index]] = Look()
            continue
        size = page[at] * 2 - 1 if page[at] else page[at + 1] * 2
        at += 1 if page[at] else 2
        data = page[at : at + size]
        style = _u16(data, 0) if len(data) >= 2 else 0
        out[starts[index]] = Look(style, properties(data[2:]))
    return out


def _page_of_runs(page: bytes) -> dict[int, Look]:
    count = page[-1]
    starts = struct.unpack_from(f"<{count + 1}I", page)
    out: dict[int, Look] = {}
    for index in range(count):
        at = page[4 * (count + 1) + index] * 2
        if at:
            out[starts[index]] = Look(0, properties(page[at + 1 : at + 1 + page[at]]))
    return out


def properties(data: bytes) -> dict[int, bytes]:
    """Codes and operands of a list of single properties."""
    out: dict[int, bytes] = {}
    at = 0
    while at + 2 <= len(data):
        code = _u16(data, at)
        at += 2
        size = _SIZES[code >> 13]
        if code in _LONG_OPERANDS:
            size = _u16(data, at) - 1 if at + 2 <= len(data) else 0
            at += 2
        elif size < 0:
            size = data[at] if at < len(data) else 0
            at += 1
        if size < 0:
            break
        out[code] = data[at : at + size]
        at += size
    return out


def style_levels(parts: Parts) -> tuple[dict[int, int], set[int]]:
    """Outline levels by style (0 title, 1 to 9 heading), and the styles of captions."""
    table = parts.entry(STYLES)
    levels: dict[int, int] = {}
    captions: set[int] = set()
    bases: dict[int, int] = {}
    head = _u16(table, 0)
    at = 2 + head
    for style in range(min(_u16(table, 2), 4096)):
        if at + 2 > len(table):
            break
        size = _u16(table, at)
        if size >= 4:
            kind = _u16(table, at + 2) & 0x0FFF
            bases[style] = _u16(table, at + 4) >> 4
            if 1 <= kind <= 9 or kind in (62, 74):
                levels[style] = {62: 0, 74: 1}.get(kind, kind)
            elif kind == 34:
                captions.add(style)
        at += 2 + size
    for style in bases:
        base, steps = style, 0
        while base in bases and base not in levels and steps < 12:
            base, steps = bases[base], steps + 1
        if base in levels:
            levels.setdefault(style, levels[base])
    return levels, captions


def places(plex: bytes, size: int) -> list[int]:
    """The character places of a table whose entries have `size` bytes."""
    count = max(0, (len(plex) - 4) // (4 + size))
    return list(struct.unpack_from(f"<{count + 1}I", plex)) if len(plex) >= 4 else []


def new_page_sections(parts: Parts) -> tuple[set[int], set[int]]:
    """Where sections end, and those ends after which the next section starts a page."""
    plex = parts.entry(SECTIONS)
    ends = places(plex, 12)[1:]
    starting: set[int] = set()
    for index in range(1, len(ends)):
        at = struct.unpack_from("<I", plex, 4 * (len(ends) + 1) + 12 * index + 2)[0]
        look = b""
        if at < len(parts.main) - 2:
            look = parts.main[at + 2 : at + 2 + _u16(parts.main, at)]
        start = properties(look).get(SECTION_START, b"\x02")
        if start[:1] not in (b"\x00", b"\x01"):
            starting.add(ends[index - 1])
    return set(ends), starting


def _u16(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")
