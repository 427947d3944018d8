"""Which documents a search may find: property filter and document lists, decided by the database.

Filtering comes first and ranking after it, so a page is full whenever enough documents pass.
"""

from collections.abc import Collection, Iterator
from functools import cache

import numpy as np
from sqlalchemy import ColumnElement, Connection, and_, not_, select

from backend.contract.schema import Schema
from backend.contract.search import SearchRequest
from backend.search.dialects import is_held, listed, property_names
from backend.search.filters import Path, bind, parse, to_sql
from backend.search.filters.names import ENTITY, schema_paths
from backend.search.ranking import Numbers
from backend.store.tables import documents


def allowed(
    connection: Connection, docset_id: str, schema: Schema | None, request: SearchRequest
) -> Numbers | None:
    """The documents that a request lets through, ascending; None when it lets all through.

    Invalid when the filter cannot be read or names an unknown property.
    """
    clauses: list[ColumnElement[bool]] = []
    if request.properties_filter is not None:
        clauses.append(filter_clause(connection, docset_id, schema, request.properties_filter))
    if request.doc_inclusion_list is not None:
        clauses.append(listed(connection, documents.c.doc_id, request.doc_inclusion_list))
    if request.doc_exclusion_list:
        clauses.append(not_(listed(connection, documents.c.doc_id, request.doc_exclusion_list)))
    if not clauses:
        return None
    return _numbers(connection, and_(documents.c.docset_id == docset_id, *clauses))


def numbers_of_documents(
    connection: Connection, docset_id: str, doc_ids: Collection[str] | None
) -> Numbers | None:
    """The documents of those ids that the DocSet has, ascending; None for None."""
    if doc_ids is None:
        return None
    chosen = listed(connection, documents.c.doc_id, doc_ids)
    return _numbers(connection, and_(documents.c.docset_id == docset_id, chosen))


def filter_clause(
    connection: Connection, docset_id: str, schema: Schema | None, text: str
) -> ColumnElement[bool]:
    """A filter as a condition over the documents table, its names checked against the DocSet."""
    promised = {path for path, _ in schema_paths(schema)}

    @cache
    def is_known(path: Path) -> bool:
        return path in promised or is_held(connection, path, documents.c.docset_id == docset_id)

    def names() -> Iterator[Path]:
        yield from promised
        yield from held_names(connection, docset_id)

    return to_sql(bind(parse(text), is_known, names), documents)


def held_names(connection: Connection, docset_id: str) -> Iterator[Path]:
    """The properties that documents of a DocSet hold, extracted ones by their own names."""
    ours = documents.c.docset_id == docset_id
    for parts in ((), (ENTITY,)):
        for name in property_names(connection, Path(parts), ours):
            if (*parts, name) != (ENTITY,):
                yield Path((*parts, name))


def _numbers(connection: Connection, where: ColumnElement[bool]) -> Numbers:
    found = connection.scalars(select(documents.c.number).where(where)).all()
    return np.sort(np.array(found, dtype=np.int64))
