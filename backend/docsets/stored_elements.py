"""The partitioner's own elements on their way from the database to a worker or a client.

The server only passes them on, as the text that is stored: the table of a small file may be a
hundred megabytes of JSON, and parsing it would stop the server for seconds.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Text, cast, select

from backend.docsets.packed_elements import PICTURE, PackedElements, element_json
from backend.store.tables import contents, elements

_LEVEL = 1  # zlib level, as in element_batches
_AT_ONCE = 10
"""Elements read from the database at a time; each may have a large table or picture."""
_UNPACKED = 4096
"""Bytes unpacked at a time; they may become a thousand times as many."""


def packed_elements(connection: Connection, content_ids: Sequence[str]) -> list[bytes]:
    """The partitioner's own elements of each content, compressed, in the given order."""
    originals = select(contents.c.content_id, contents.c.original_elements)
    packed: dict[str, bytes | None] = {
        row.content_id: row.original_elements
        for row in connection.execute(originals.where(contents.c.content_id.in_(content_ids)))
    }
    plain = [content_id for content_id, original in packed.items() if original is None]
    made = _packed(connection, plain)
    return [packed.get(one) or made.get(one, b"[]") for one in content_ids]


def original_elements(connection: Connection, content_id: str) -> Iterator[bytes]:
    """The JSON list of the partitioner's own elements, with tables and pictures, in pieces."""
    original = select(contents.c.original_elements).where(contents.c.content_id == content_id)
    packed = connection.execute(original).scalar_one()
    if packed is not None:
        unpacking = zlib.decompressobj()
        for place in range(0, len(packed), _UNPACKED):
            yield unpacking.decompress(packed[place : place + _UNPACKED])
        return
    separator = b"["
    for row in _rows(connection, [content_id]):
        yield separator
        yield from element_json(row.kind, row.text, row.bbox, row.properties, row.extra)
        separator = b","
    yield b"[]" if separator == b"[" else b"]"


def _packed(connection: Connection, content_ids: Sequence[str]) -> dict[str, bytes]:
    lists: dict[str, PackedElements] = {}
    for row in _rows(connection, content_ids):
        packed = lists.setdefault(row.content_id, PackedElements(_LEVEL))
        packed.add(row.kind, row.text, row.bbox, row.properties, _without_picture(row.extra))
    return {content_id: one.packed() for content_id, one in lists.items()}


def _rows(connection: Connection, content_ids: Sequence[str]) -> Iterator[Row[Any]]:
    of_json = (elements.c.bbox, elements.c.properties, elements.c.extra)
    ordered = (
        select(
            elements.c.content_id, elements.c.kind, elements.c.text,
            *(cast(column, Text).label(column.name) for column in of_json),
        )
        .where(elements.c.content_id.in_(content_ids))
        .order_by(elements.c.content_id, elements.c.ordinal)
    )  # fmt: skip
    yield from connection.execution_options(yield_per=_AT_ONCE).execute(ordered)


def _without_picture(extra: str | None) -> str | None:
    if extra is None or f'"{PICTURE}":' not in extra:
        return extra
    return json.dumps({name: value for name, value in json.loads(extra).items() if name != PICTURE})
