"""EMF and WMF: the drawing as a picture, its texts with their positions, and its bitmaps.

A metafile is a list of drawing commands. Those that set texts and bitmaps are read, with those that
say in which measure they do so; nothing is drawn.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from backend.partition.document import Document, PartitionFailure, Request

Point = tuple[float, float]

_MAX_RECORDS = 500_000
_LETTER = 0.01
"""The assumed width of a letter relative to the drawing; its height is three times that."""
_SAME_LINE = 0.004
_EMF_WINDOW_SIZE, _EMF_WINDOW_AT, _EMF_VIEW_SIZE, _EMF_VIEW_AT = 9, 10, 11, 12
_EMF_TEXTS = {83: ("cp1252", 1), 84: ("utf-16-le", 2)}
_EMF_BITMAP = 81
_WMF_WINDOW_AT, _WMF_WINDOW_SIZE, _WMF_TEXT, _WMF_LONG_TEXT = 0x20B, 0x20C, 0x521, 0xA32
_WMF_BITMAPS = {0xF43: 22, 0xB41: 20, 0x940: 16}
"""Commands that draw a bitmap, and the number of bytes before it."""


@dataclass
class _Drawing:
    """Lines of texts with their places, and bitmaps; places are fractions of the drawing."""

    left: float
    top: float
    width: float
    height: float
    window_at: Point = (0.0, 0.0)
    window_size: Point | None = None
    view_at: Point = (0.0, 0.0)
    view_size: Point | None = None

    def __post_init__(self) -> None:
        self.lines: list[tuple[Point, list[str]]] = []
        self.bitmaps: list[bytes] = []

    def add(self, x: float, y: float, text: str) -> None:
        text = text.replace("\x00", "")
        if not text.strip():
            return
        if self.window_size is not None and self.view_size is not None:
            x = (x - self.window_at[0]) * self.view_size[0] / (self.window_size[0] or 1)
            y = (y - self.window_at[1]) * self.view_size[1] / (self.window_size[1] or 1)
            x, y = x + self.view_at[0], y + self.view_at[1]
        place = ((x - self.left) / (self.width or 1), (y - self.top) / (self.height or 1))
        if self.lines and abs(self.lines[-1][0][1] - place[1]) < _SAME_LINE:
            parts = self.lines[-1][1]
            apart = len(text) > 1 and not parts[-1].endswith(" ")
            parts.append(f" {text}" if apart else text)
        else:
            self.lines.append((place, [text]))


def read_emf(request: Request) -> Document:
    return _read(request, "EMF", _emf)


def read_wmf(request: Request) -> Document:
    return _read(request, "WMF", _wmf)


def _read(request: Request, kind: str, draw: Callable[[bytes], _Drawing]) -> Document:
    flow = request.flow
    try:
        drawing = draw(request.source.read_bytes())
    except (struct.error, IndexError, ValueError):
        raise PartitionFailure(f"The {kind} file is damaged and could not be read.", 422) from None
    flow.image(None, drawing.bitmaps[0] if len(drawing.bitmaps) == 1 else None)
    for bitmap in drawing.bitmaps if len(drawing.bitmaps) > 1 else ():
        flow.image(None, bitmap)
    for (x, y), parts in drawing.lines:
        text = "".join(parts)
        first = len(flow.elements)
        flow.text(text)
        flow.place(first, [x, y, x + _LETTER * len(text), y + 3 * _LETTER])
    request.progress(1, 1)
    return Document(flow.elements)


def _emf(data: bytes) -> _Drawing:
    left, top, right, bottom = struct.unpack_from("<4i", data, 8)
    drawing = _Drawing(left, top, right - left, bottom - top)
    for kind, record in _emf_records(data):
        if kind in (_EMF_WINDOW_SIZE, _EMF_VIEW_SIZE, _EMF_WINDOW_AT, _EMF_VIEW_AT):
            x, y = struct.unpack_from("<ii", record, 8)
            if kind == _EMF_WINDOW_SIZE:
                drawing.window_size = (x, y)
            elif kind == _EMF_VIEW_SIZE:
                drawing.view_size = (x, y)
            elif kind == _EMF_WINDOW_AT:
                drawing.window_at = (x, y)
            else:
                drawing.view_at = (x, y)
        elif kind in _EMF_TEXTS:
            encoding, width = _EMF_TEXTS[kind]
            x, y, count, at = struct.unpack_from("<iiII", record, 36)
            words = record[at : at + width * count].decode(encoding, "replace")
            drawing.add(x, y, words)
        elif kind == _EMF_BITMAP:
            head_at, head, bits_at, bits = struct.unpack_from("<4I", record, 48)
            information = record[head_at : head_at + head]
            drawing.bitmaps.append(_bitmap(information, record[bits_at : bits_at + bits]))
    return drawing


def _emf_records(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    for _ in range(_MAX_RECORDS):
        if at + 8 > len(data):
            return
        kind, size = struct.unpack_from("<II", data, at)
        if size < 8:
            return
        yield kind, data[at : at + size]
        at += size


def _wmf(data: bytes) -> _Drawing:
    drawing = _Drawing(0, 0, 1, 1)
    start = 0
    if data[:4] == b"\xd7\xcd\xc6\x9a":
        left, top, right, bottom = struct.unpack_from("<4h", data, 6)
        drawing = _Drawing(left, top, right - left, bottom - top)
        start = 22
    for kind, record in _wmf_records(data, start + 18):
        if kind == _WMF_WINDOW_AT:
            drawing.top, drawing.left = struct.unpack_from("<hh", record)
        elif kind == _WMF_WINDOW_SIZE:
            drawing.height, drawing.width = struct.unpack_from("<hh", record)
        elif kind == _WMF_TEXT:
            count = struct.unpack_from("<h", record)[0]
            after = 2 + count + count % 2
            y, x = struct.unpack_from("<hh", record, after)
            drawing.add(x, y, record[2 : 2 + count].decode("cp1252", "replace"))
        elif kind == _WMF_LONG_TEXT:
            y, x, count, options = struct.unpack_from("<hhhH", record)
            first = 16 if options & 6 else 8
            drawing.add(x, y, record[first : first + count].decode("cp1252", "replace"))
        elif kind in _WMF_BITMAPS and len(record) > _WMF_BITMAPS[kind] + 40:
            bitmap = record[_WMF_BITMAPS[kind] :]
            head = _head_size(bitmap)
            drawing.bitmaps.append(_bitmap(bitmap[:head], bitmap[head:]))
    return drawing


def _wmf_records(data: bytes, start: int) -> Iterator[tuple[int, bytes]]:
    at = start
    for _ in range(_MAX_RECORDS):
        if at + 6 > len(data):
            return
        size, kind = struct.unpack_from("<IH", data, at)
        if size < 3:
            return
        yield kind, data[at + 6 : at + 2 * size]
        at += 2 * size


def _head_size(bitmap: bytes) -> int:
    """Bytes of the description of a bitmap with its colours."""
    head: int
    head, bits, coding, used = struct.unpack_from("<I10xHI12xI", bitmap)
    colours: int = min(used or (1 << bits if bits <= 8 else 0), 256)
    return head + 4 * colours + (12 if coding == 3 and head == 40 else 0)


def _bitmap(information: bytes, bits: bytes) -> bytes:
    """A BMP file."""
    start = 14 + len(information)
    return struct.pack("<2sIII", b"BM", start + len(bits), 0, start) + information + bits
