"""The log of property changes, which property tables follow besides that of documents."""

from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from backend.store.tables import property_changes


def log_properties(connection: Connection, docset_id: str, doc_ids: Sequence[str]) -> None:
    """Logs changed properties of documents, in the transaction that changes them."""
    if doc_ids:
        rows = [{"docset_id": docset_id, "doc_id": doc_id} for doc_id in doc_ids]
        connection.execute(insert(property_changes), rows)


def changed_after(connection: Connection, docset_id: str, change: int) -> Sequence[str]:
    """The documents whose properties changed after an entry, each once."""
    return connection.scalars(
        select(property_changes.c.doc_id)
        .where(property_changes.c.docset_id == docset_id, property_changes.c.sequence > change)
        .distinct()
    ).all()
