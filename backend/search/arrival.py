"""Results of a filter without a query: there is no score, so documents come in order of arrival."""

from bisect import bisect_left, bisect_right

from sqlalchemy import Connection, select, tuple_

from backend.search.dialects import listed
from backend.search.ranking import Hit, Numbers, key_of, number_of, ordinal_of
from backend.store.tables import documents, elements
from workbench.contract.search import ReturnType


def arrived(
    connection: Connection,
    docset_id: str,
    chosen: Numbers | None,
    unit: ReturnType,
    after: int | None,
    count: int,
) -> list[Hit]:
    """Up to `count` documents, or elements in reading order, after the one with key `after`."""
    numbers = [] if chosen is None else chosen.tolist()
    if unit == "doc":
        first = 0 if after is None else bisect_right(numbers, number_of(after))
        return [Hit(key_of(number, 0), 0.0, {}) for number in numbers[first : first + count]]
    place = (0, -1) if after is None else (number_of(after), ordinal_of(after))
    rest = numbers[bisect_left(numbers, place[0]) :]
    rows = connection.execute(
        select(documents.c.number, elements.c.ordinal)
        .join(elements, elements.c.content_id == documents.c.content_id)
        .where(
            documents.c.docset_id == docset_id,
            listed(connection, documents.c.number, rest),
            tuple_(documents.c.number, elements.c.ordinal) > place,
        )
        .order_by(documents.c.number, elements.c.ordinal)
        .limit(count)
    )
    return [Hit(key_of(number, ordinal), 0.0, {}) for number, ordinal in rows]
