"""Reads the database rows that results are made of.

Each statement is built once, because SQLAlchemy takes several times as long to build one as SQLite
to run it. So lists of ids are passed as a single JSON parameter.
"""

import json
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any, TypeAlias, TypeVar

import numpy as np
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    String,
    bindparam,
    select,
    tuple_,
)

from backend.search.dialects import listed_in, pairs_listed_in
from backend.search.port import IndexDamaged
from backend.store.tables import contents, documents, elements, vectors

Record: TypeAlias = Row[*tuple[Any, ...]]
Place: TypeAlias = tuple[str, int]
"""A content id and the ordinal of one of its elements."""
Key = TypeVar("Key")

_DOCSET: BindParameter[str] = bindparam("docset")
_IDENTITY: BindParameter[str] = bindparam("identity")
_LISTED: BindParameter[str] = bindparam("listed", type_=String)


def documents_of(
    connection: Connection, docset_id: str, numbers: Iterable[int], *, with_text: bool
) -> dict[int, Record]:
    """Documents by number, `with_text` also their opening. IndexDamaged when one is missing."""
    asked = set(numbers)
    wanted = {"docset": docset_id, "listed": json.dumps(sorted(asked))}
    read = _documents(connection.dialect.name, with_text)
    rows = {row.number: row for row in connection.execute(read, wanted)}
    return _complete(rows, len(asked), "documents")


def elements_of(
    connection: Connection, places: Collection[Place], *, whole: bool
) -> dict[Place, Record]:
    """Elements with text and page; with kind, bbox and properties too if `whole`. IndexDamaged when
    one is missing.
    """
    asked = set(places)
    wanted = {"listed": json.dumps(sorted(asked))}
    result = connection.execute(_elements(connection.dialect.name, whole), wanted)
    rows = {(row.content_id, row.ordinal): row for row in result}
    return _complete(rows, len(asked), "elements")


def embeddings_of(
    connection: Connection, places: Collection[Place], identity: str
) -> dict[Place, list[float]]:
    """The vectors of these elements; those without one are missing from the result."""
    asked = set(places)
    wanted = {"identity": identity, "listed": json.dumps(sorted({one for one, _ in asked}))}
    vectors_by_place: dict[Place, list[float]] = {}
    for row in connection.execute(_vectors(connection.dialect.name), wanted):
        matrix = np.frombuffer(row.matrix, dtype="<f4").reshape(-1, row.dimension)
        for place, ordinal in enumerate(np.frombuffer(row.ordinals, dtype="<i4").tolist()):
            if (row.content_id, ordinal) in asked:
                vectors_by_place[row.content_id, ordinal] = matrix[place].tolist()
    return vectors_by_place


def _complete(rows: dict[Key, Record], expected: int, what: str) -> dict[Key, Record]:
    if len(rows) < expected:
        raise IndexDamaged(f"it names {expected - len(rows)} {what} that the database lacks")
    return rows


@cache
def _documents(dialect: str, with_text: bool) -> Select[*tuple[Any, ...]]:
    columns: list[ColumnElement[Any]] = [
        documents.c.number,
        documents.c.doc_id,
        documents.c.content_id,
        documents.c.name,
        documents.c.properties,
    ]
    if with_text:
        columns.append(contents.c.opening)
    source = documents.join(contents) if with_text else documents
    mine = documents.c.docset_id == _DOCSET
    return (
        select(*columns)
        .select_from(source)
        .where(mine, listed_in(dialect, documents.c.number, _LISTED))
    )


@cache
def _elements(dialect: str, whole: bool) -> Select[*tuple[Any, ...]]:
    brief = (
        elements.c.content_id, elements.c.ordinal, elements.c.page_number, elements.c.text,
    )  # fmt: skip
    more = (elements.c.kind, elements.c.bbox, elements.c.properties) if whole else ()
    place = tuple_(elements.c.content_id, elements.c.ordinal)
    return select(*brief, *more).where(pairs_listed_in(dialect, place, _LISTED))


@cache
def _vectors(dialect: str) -> Select[*tuple[Any, ...]]:
    return select(vectors).where(
        vectors.c.identity == _IDENTITY, listed_in(dialect, vectors.c.content_id, _LISTED)
    )
