"""Which documents a search may return: property filter and document lists.

Filters apply before ranking, so a page is full whenever enough documents pass. A filter is
evaluated over the property columns in memory, or else by the database.
"""

from collections.abc import Collection, Iterator
from functools import cache

import numpy as np
from pydantic_core import from_json
from sqlalchemy import ColumnElement, Connection, select, true

from backend.search.dialects import exists_at, gathered, listed, property_names
from backend.search.filters import Expression, Path, bind, can_judge, fulfilling, parse, to_sql
from backend.search.filters.kinds import fitted, refuse_numbers_of_texts
from backend.search.filters.names import ENTITY, path_shapes
from backend.search.filters.tree import or_unknown, rated
from backend.search.port import IndexDamaged
from backend.search.properties.table import TableView
from backend.search.ranking import Numbers
from backend.store.tables import documents
from workbench.contract.schema import Schema
from workbench.contract.search import SearchRequest

_REMEMBERED = 16
"""Filter results remembered per state of a DocSet."""


def allowed(
    connection: Connection,
    docset_id: str,
    schema: Schema | None,
    request: SearchRequest,
    table: TableView | None,
    *,
    unknown_passes: bool = False,
) -> Numbers | None:
    """The documents that a request allows, ascending; None when it allows all. With
    `unknown_passes`, its filter also allows those that it might if all their values were known.

    `table` is at the state of `connection`. Invalid for a malformed filter, an unknown property, or
    a literal that it cannot hold.
    """
    chosen: Numbers | None = None
    if request.properties_filter is not None:
        names = _Names(connection, docset_id, schema, table)
        bound = bind(parse(request.properties_filter), names.is_known, names.all)
        shapes = path_shapes(schema)
        expression = fitted(bound, shapes)
        expression = or_unknown(expression) if unknown_passes else expression
        if table is not None:
            refuse_numbers_of_texts(expression, shapes, table)
        if table is not None and can_judge(expression, table):
            chosen = _judged(expression, table)
        else:
            chosen = _numbers(connection, docset_id, to_sql(expression, documents))
    included = numbers_of_documents(connection, docset_id, request.doc_inclusion_list)
    if included is not None:
        chosen = included if chosen is None else np.intersect1d(chosen, included, True)
    excluded = numbers_of_documents(connection, docset_id, request.doc_exclusion_list or None)
    if excluded is not None:
        # Looking up a few to exclude costs less than testing every document.
        chosen = _numbers(connection, docset_id, true()) if chosen is None else chosen
        chosen = np.setdiff1d(chosen, excluded, True)
    return chosen


def numbers_of_documents(
    connection: Connection, docset_id: str, doc_ids: Collection[str] | None
) -> Numbers | None:
    """The numbers of those documents that the DocSet has, ascending; None for None."""
    if doc_ids is None:
        return None
    return _numbers(connection, docset_id, listed(connection, documents.c.doc_id, doc_ids))


def doc_ids_of(connection: Connection, docset_id: str, numbers: Numbers) -> list[str]:
    """The ids of the documents with these numbers, in order. IndexDamaged when one is missing."""
    ours = documents.c.docset_id == docset_id
    chosen = listed(connection, documents.c.number, numbers.tolist())
    query = select(documents.c.doc_id).where(ours, chosen).order_by(documents.c.number)
    doc_ids = list(connection.scalars(query))
    if len(doc_ids) < len(numbers):
        missing = len(numbers) - len(doc_ids)
        raise IndexDamaged(f"it names {missing} documents that the database lacks")
    return doc_ids


class _Names:
    """The names that a filter may use: those of the schema and of the documents' properties."""

    def __init__(
        self,
        connection: Connection,
        docset_id: str,
        schema: Schema | None,
        table: TableView | None,
    ) -> None:
        self._connection = connection
        self._docset_id = docset_id
        self._promised = path_shapes(schema).keys()
        self._table = table
        self._exists = cache(self._look_up)

    def is_known(self, path: Path) -> bool:
        if path in self._promised or self._exists(path):
            return True
        # A property that is itself called `confidence` takes precedence.
        name = rated(path)
        return name is not None and self.is_known(Path((ENTITY, name)))

    def all(self) -> Iterator[Path]:
        yield from self._promised
        if self._table is None:
            for parts in ((), (ENTITY,)):
                ours = documents.c.docset_id == self._docset_id
                for name in property_names(self._connection, Path(parts), ours):
                    yield Path((*parts, name))
        else:
            yield from (Path(parts) for parts in self._table.columns if self._table.holds(parts))

    def _look_up(self, path: Path) -> bool:
        if self._table is not None:
            if self._table.holds(path.parts):
                return True
            if self._table.is_complete_for(path.parts) and path.parts not in self._table.columns:
                return False
        # A column without values may have nulls, or be that of deleted documents.
        ours = documents.c.docset_id == self._docset_id
        return exists_at(self._connection, path, ours)


def _judged(expression: Expression, table: TableView) -> Numbers:
    """Cached with the table: every page and query type asks for the same filter again."""
    judged: dict[str, Numbers] = table.cache.setdefault(_judged, {})
    key = repr(expression)  # expressions compare equal where 1 stands for true
    numbers = judged.get(key)
    if numbers is None:
        numbers = np.sort(table.numbers[fulfilling(expression, table) & table.alive])
        if len(judged) >= _REMEMBERED:
            judged.clear()
        judged[key] = numbers
    return numbers


def _numbers(connection: Connection, docset_id: str, where: ColumnElement[bool]) -> Numbers:
    ours = documents.c.docset_id == docset_id
    # One JSON value: the driver would take longer for 100,000 rows than the whole search.
    numbers = select(gathered(connection, documents.c.number)).where(ours, where)
    result = from_json(connection.execute(numbers).scalar_one())
    return np.sort(np.array(result, dtype=np.int64))
