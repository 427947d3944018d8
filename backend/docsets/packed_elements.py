"""The elements of a document as one byte string, the form in which workers get them.

This is a separate module, because a process that parses hostile files imports no database code.
"""

import json
import zlib
from collections.abc import Iterator
from typing import Any

from workbench.contract.elements import Element

PICTURE = "binary_representation"
"""Properties are read from text; pictures would only fill the pipe to the worker."""
MOST_PIECES = 50_000
"""The maximum number of elements read from a document, and of cells; the rest is ignored. A file of
one megabyte may have a million cells, each a hundred times as large in memory.
"""
_OF_CELL = frozenset(("content", "rows", "cols"))
_SLICE = 2**20


def element_json(
    kind: str, text: str | None, bbox: str, properties: str, extra: str | None
) -> Iterator[bytes]:
    """The JSON of an element in pieces; `bbox`, `properties` and `extra` are stored as JSON."""
    own = json.dumps({"type": kind, "text_representation": text})[:-1]
    yield from _pieces(f'{own}, "bbox": {bbox}, "properties": {properties}')
    if extra is None or extra in ("null", "{}"):
        yield b"}"
    else:
        yield b", "
        yield from _pieces(extra, 1)


def _pieces(text: str, start: int = 0) -> Iterator[bytes]:
    for place in range(start, len(text), _SLICE):
        yield text[place : place + _SLICE].encode()


class PackedElements:
    """The JSON list of a document's elements, compressed while it grows."""

    def __init__(self, level: int) -> None:
        self._compressor = zlib.compressobj(level)
        self._pieces: list[bytes] = []
        self._next = b"["

    def add(
        self, kind: str, text: str | None, bbox: str, properties: str, extra: str | None
    ) -> None:
        """Adds an element; `bbox`, `properties` and `extra` are JSON, as they are stored."""
        self._write(self._next)
        self._next = b","
        for piece in element_json(kind, text, bbox, properties, extra):
            self._write(piece)

    def packed(self) -> bytes:
        """The whole list; nothing can be added after it."""
        self._write(b"[]" if self._next == b"[" else b"]")
        return b"".join([*self._pieces, self._compressor.flush()])

    def _write(self, piece: bytes) -> None:
        self._pieces.append(self._compressor.compress(piece))


def unpacked_elements(packed: bytes, most: int = MOST_PIECES) -> list[Element]:
    """The elements of a document, possibly compressed, without pictures: the first `most`, with no
    more than that many cells.
    """
    text = packed if packed.startswith(b"[") else zlib.decompress(packed)
    wire: list[dict[str, Any]] = json.loads(text, object_hook=_FirstCells(most))[:most]
    for element in wire:
        element.pop(PICTURE, None)
    return [Element.model_validate(element) for element in wire]


class _FirstCells:
    """Drops cells beyond the first `most` while JSON is parsed, so that they use no memory."""

    def __init__(self, most: int) -> None:
        self._left = most

    def __call__(self, parsed: dict[str, Any]) -> dict[str, Any] | None:
        if parsed.keys() >= _OF_CELL:
            self._left -= 1
            return parsed if self._left >= 0 else None
        if self._left < 0 and isinstance(cells := parsed.get("cells"), list):
            parsed["cells"] = [cell for cell in cells if cell is not None]
        return parsed
