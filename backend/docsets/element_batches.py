"""The elements of a new document on their way from a worker to the database, some at a time.

As one list they were tens of megabytes of JSON for a large document, which the server read in one
go, while nobody else got a turn, into hundreds of megabytes of objects. What is stored as JSON
stays JSON on this way: a table of a million cells is one element, too.

A batch is compressed. It begins with 4 bytes little-endian, the length of the JSON list behind
them, which has kind, page and the sizes of the four texts of each element; then come the texts.

A module of its own, since a process that reads hostile files loads no database.
"""

import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

MOST_ROWS = 1_000
MOST_BYTES = 2**20
"""Of the texts of a batch, unless one element alone has more."""

_LENGTH = struct.Struct("<I")
_LEVEL = 1  # of zlib: 6 saves a quarter more, in five times the time
_LONGEST = 2**28
"""Bytes that a batch may unfold to: more than a worker has memory for."""


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
        extra: dict[str, Any],
    ) -> "Row":
        """A row of what is not JSON yet."""
        added = json.dumps(extra) if extra else None
        return cls(kind, page, json.dumps(bbox), text, json.dumps(properties), added)


def packed_rows(rows: Iterable[Row]) -> Iterator[bytes]:
    """Batches of rows, in their order."""
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
    """The rows of a batch. ValueError when it is none."""
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(batch, _LONGEST)
    if not unpacker.eof:
        raise ValueError("a batch of elements that has no end")
    (length,) = _LENGTH.unpack_from(data)
    place = _LENGTH.size + length
    for kind, page, *sizes in json.loads(data[_LENGTH.size : place]):
        texts: list[str | None] = []
        for size in sizes:
            texts.append(None if size is None else data[place : place + size].decode())
            place += size or 0
        bbox, text, properties, extra = texts
        yield Row(kind, page, bbox or "null", text, properties or "{}", extra)


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "replace")


def _packed(heads: list[list[Any]], texts: list[bytes]) -> bytes:
    head = json.dumps(heads).encode()
    return zlib.compress(b"".join([_LENGTH.pack(len(head)), head, *texts]), _LEVEL)
