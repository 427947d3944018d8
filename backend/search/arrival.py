"""Results of a filter alone: nothing to rank by, so documents come in order of arrival."""

from sqlalchemy import Connection, select

from backend.contract.search import ReturnType
from backend.search.dialects import listed
from backend.search.ranking import Hit, Numbers, key_of
from backend.store.tables import documents, elements


def arrived(
    connection: Connection,
    docset_id: str,
    chosen: Numbers | None,
    unit: ReturnType,
    start: int,
    count: int,
) -> list[Hit]:
    """Documents, or their elements in reading order: `count` of them after the first `start`."""
    numbers = [] if chosen is None else chosen.tolist()
    if unit == "doc":
        return [Hit(key_of(number, 0), 0.0, {}) for number in numbers[start : start + count]]
    rows = connection.execute(
        select(documents.c.number, elements.c.ordinal)
        .join(elements, elements.c.content_id == documents.c.content_id)
        .where(documents.c.docset_id == docset_id, listed(connection, documents.c.number, numbers))
        .order_by(documents.c.number, elements.c.ordinal)
        .offset(start)
        .limit(count)
    )
    return [Hit(key_of(number, ordinal), 0.0, {}) for number, ordinal in rows]
