"""The log of document changes that search indexes follow.

An entry is written in the transaction of the change itself, so every acknowledged change is in the
log.
"""

from typing import Literal

from sqlalchemy import Connection, insert, literal, select

from backend.store.tables import documents, operations


def log_change(connection: Connection, kind: Literal["add", "delete"], doc_id: str) -> None:
    """Logs that a document's row was written (`add`) or is about to be removed (`delete`)."""
    connection.execute(
        insert(operations).from_select(
            ["docset_id", "doc_id", "number", "kind"],
            select(
                documents.c.docset_id, documents.c.doc_id, documents.c.number, literal(kind)
            ).where(documents.c.doc_id == doc_id),
        )
    )


def log_clone(connection: Connection, source: str, target: str, since: int | None) -> int:
    """Begins the log of a cloned DocSet; returns the entry's number.

    `since` is the last entry of the source's log that the copied indexes include; later changes of
    the source follow the new entry. None when no index is copied.
    """
    begin = insert(operations).values(docset_id=target, doc_id=target, number=0, kind="clone")
    sequence: int = connection.execute(begin.returning(operations.c.sequence)).scalar_one()
    if since is not None:
        later = (
            select(literal(target), operations.c.doc_id, operations.c.number, operations.c.kind)
            .where(operations.c.docset_id == source, operations.c.sequence > since)
            .order_by(operations.c.sequence)
        )
        columns = ["docset_id", "doc_id", "number", "kind"]
        connection.execute(insert(operations).from_select(columns, later))
    return sequence
