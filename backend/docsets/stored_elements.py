"""Elements on their way from the database to a worker, one byte string per document.

The server only passes them on, as the text that is stored: the table of a small file may be a
hundred megabytes of JSON, and parsing it would stop the server for seconds.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Text, cast, select

from backend.docsets.packed_elements import PICTURE
from backend.store.tables import contents, elements

_LEVEL = 1  # zlib level, as in element_batches
_SLICE = 2**20


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


def _packed(connection: Connection, content_ids: Sequence[str]) -> dict[str, bytes]:
    of_json = (elements.c.bbox, elements.c.properties, elements.c.extra)
    ordered = (
        select(
            elements.c.content_id, elements.c.kind, elements.c.text,
            *(cast(column, Text).label(column.name) for column in of_json),
        )
        .where(elements.c.content_id.in_(content_ids))
        .order_by(elements.c.content_id, elements.c.ordinal)
    )  # fmt: skip
    lists: dict[str, _List] = {}
    for row in connection.execute(ordered):
        lists.setdefault(row.content_id, _List()).add(_wire(row))
    return {content_id: one.packed() for content_id, one in lists.items()}


def _wire(row: Any) -> Iterator[str]:
    """The JSON object of an element, without its picture, in pieces."""
    own = json.dumps({"type": row.kind, "text_representation": row.text})[:-1]
    yield f'{own}, "bbox": {row.bbox}, "properties": {row.properties}'
    extra = row.extra or "null"
    if f'"{PICTURE}":' in extra:
        kept = {name: value for name, value in json.loads(extra).items() if name != PICTURE}
        extra = json.dumps(kept)
    if extra in ("null", "{}"):
        yield "}"
    else:
        yield ", "
        yield extra[1:]


class _List:
    """A JSON list that is compressed while it grows."""

    def __init__(self) -> None:
        self._compressor = zlib.compressobj(_LEVEL)
        self._pieces: list[bytes] = []
        self._next = "["

    def add(self, pieces: Iterable[str]) -> None:
        """Adds an item, which comes in pieces."""
        self._write(self._next)
        self._next = ","
        for piece in pieces:
            for start in range(0, len(piece), _SLICE):
                self._write(piece[start : start + _SLICE])

    def packed(self) -> bytes:
        self._write("]")
        return b"".join([*self._pieces, self._compressor.flush()])

    def _write(self, text: str) -> None:
        self._pieces.append(self._compressor.compress(text.encode()))
