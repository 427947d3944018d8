"""Elements on their way from the database to a worker, one byte string per document.

The server only passes them on, as the text that is stored: the table of a small file may be a
hundred megabytes of JSON, and parsing it would stop the server for seconds.
"""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, Text, cast, select

from backend.docsets.packed_elements import PICTURE, PackedElements
from backend.store.tables import contents, elements

_LEVEL = 1  # zlib level, as in element_batches


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
    lists: dict[str, PackedElements] = {}
    for row in connection.execute(ordered):
        packed = lists.setdefault(row.content_id, PackedElements(_LEVEL))
        packed.add(row.kind, row.text, row.bbox, row.properties, _without_picture(row.extra))
    return {content_id: one.packed() for content_id, one in lists.items()}


def _without_picture(extra: str | None) -> str | None:
    if extra is None or f'"{PICTURE}":' not in extra:
        return extra
    return json.dumps({name: value for name, value in json.loads(extra).items() if name != PICTURE})
