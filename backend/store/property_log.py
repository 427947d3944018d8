"""The log of changed properties, beside that of documents: who holds copies of properties follows
both. Indexes over elements need not hear of it.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from backend.store.tables import property_changes


def log_properties(connection: Connection, docset_id: str, doc_ids: Sequence[str]) -> None:
    """These documents got other properties; part of the transaction that gives them."""
    if doc_ids:
        rows = [{"docset_id": docset_id, "doc_id": doc_id} for doc_id in doc_ids]
        connection.execute(insert(property_changes), rows)


def changed_after(connection: Connection, docset_id: str, change: int) -> Sequence[str]:
    """The documents that got other properties after a change, each once."""
    return connection.scalars(
        select(property_changes.c.doc_id)
        .where(property_changes.c.docset_id == docset_id, property_changes.c.sequence > change)
        .distinct()
    ).all()
