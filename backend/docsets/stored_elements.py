"""Elements on their way from the database to a worker, one byte string per document.

The server only passes them on; packed elements stay packed.
"""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from backend.docsets.packed_elements import PICTURE
from backend.store.tables import contents, elements


def packed_elements(connection: Connection, content_ids: Sequence[str]) -> list[bytes]:
    """The partitioner's own elements of each content, in the given order."""
    originals = select(contents.c.content_id, contents.c.original_elements)
    packed: dict[str, bytes | None] = {
        row.content_id: row.original_elements
        for row in connection.execute(originals.where(contents.c.content_id.in_(content_ids)))
    }
    plain = [content_id for content_id, original in packed.items() if original is None]
    rows = _rows(connection, plain)
    return [
        packed.get(content_id) or json.dumps(rows.get(content_id, [])).encode()
        for content_id in content_ids
    ]


def _rows(connection: Connection, content_ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    columns = (
        elements.c.content_id, elements.c.kind, elements.c.bbox, elements.c.properties,
        elements.c.text, elements.c.extra,
    )  # fmt: skip
    ordered = (
        select(*columns)
        .where(elements.c.content_id.in_(content_ids))
        .order_by(elements.c.content_id, elements.c.ordinal)
    )
    elements_of: dict[str, list[dict[str, Any]]] = {}
    for content_id, kind, bbox, properties, text, extra in connection.execute(ordered):
        wire = {
            "type": kind, "bbox": bbox, "properties": properties, "text_representation": text,
        } | {name: value for name, value in (extra or {}).items() if name != PICTURE}  # fmt: skip
        elements_of.setdefault(content_id, []).append(wire)
    return elements_of
