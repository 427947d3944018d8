"""Batches of a new document's elements on their way from a worker to the database.

As one list, a large document was tens of megabytes of JSON that the server parsed in one go, into
hundreds of megabytes of objects, while everything else waited. Whatever is stored as JSON also
travels as JSON, because a single table may have a million cells.

A batch is compressed. It begins with the length (4 bytes, little-endian) of a JSON list with kind,
page and the sizes of four texts per element; the texts follow.

This is a separate module, because a process that parses hostile files imports no database code.
"""

import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

MOST_ROWS = 1_000
MOST_BYTES = 2**20
"""Of texts per batch, unless a single element has more."""

_LENGTH = struct.Struct("<I")
_LEVEL = 1  # zlib level; 6 saves a quarter more in five times the time
_LONGEST = 2**28
"""Maximum bytes of a decompressed batch: more than the memory of a worker."""


@dataclass(frozen=True)
class Row:
    """An element as it is stored; `bbox`, `properties` and `extra` are JSON."""

    kind: str
    page: int
    bbox: str
    text: str | None
    properties: str
    extra: str | None

    @classmethod
    def of(
        cls,
        kind: str,
        page: int,
        text: str | None,
        *,
        bbox: Any,
        properties: dict[str, Any],
        extra: dict[str, str],
    ) -> "Row":
        """A row from values that are not JSON yet, except those of `extra`."""
        added = ", ".join(f"{json.dumps(name)}: {value}" for name, value in extra.items())
        every = f"{{{added}}}" if extra else None
        return cls(kind, page, json.dumps(bbox), text, json.dumps(properties), every)


def packed_rows(rows: Iterable[Row]) -> Iterator[bytes]:
    """Batches of rows, in order."""
    heads: list[list[Any]] = []
    texts: list[bytes] = []
    room = MOST_BYTES
    for row in rows:
        of_row = [_encoded(one) for one in (row.bbox, row.text, row.properties, row.extra)]
        size = sum(len(one) for one in of_row if one is not None)
        if heads and (len(heads) == MOST_ROWS or size > room):
            yield _packed(heads, texts)
            heads, texts, room = [], [], MOST_BYTES
        heads.append([row.kind, row.page, *(None if t is None else len(t) for t in of_row)])
        texts += (one for one in of_row if one is not None)
        room -= size
    if heads:
        yield _packed(heads, texts)


def unpacked_rows(batch: bytes) -> Iterator[Row]:
    """The rows of a batch. ValueError when it is malformed."""
    unpacker = zlib.decompressobj()
    data = memoryview(unpacker.decompress(batch, _LONGEST))
    if not unpacker.eof:
        raise ValueError("a truncated batch of elements")
    (length,) = _LENGTH.unpack_from(data)
    place = _LENGTH.size + length
    for kind, page, *sizes in json.loads(bytes(data[_LENGTH.size : place])):
        texts: list[str | None] = []
        for size in sizes:
            texts.append(None if size is None else str(data[place : place + size], "utf-8"))
            place += size or 0
        bbox, text, properties, extra = texts
        yield Row(kind, page, bbox or "null", text, properties or "{}", extra)


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "replace")


def _packed(heads: list[list[Any]], texts: list[bytes]) -> bytes:
    head = json.dumps(heads).encode()
    return zlib.compress(b"".join([_LENGTH.pack(len(head)), head, *texts]), _LEVEL)
