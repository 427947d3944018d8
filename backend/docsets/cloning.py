"""Clones a DocSet: copies its document rows and shares everything else.

Parsed content, vectors and files are immutable, so nothing is parsed or embedded again. Index files
are hard-linked; changes of the original in the meantime go into the clone's log.
"""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Text, cast, func, insert, literal, null, select

from backend.search.engine import SearchEngine
from backend.store.database import Database
from backend.store.operation_log import log_clone
from backend.store.tables import docsets, documents
from workbench.contract.errors import NotFound
from workbench.contract.ids import new_id


def clone(database: Database, search: SearchEngine, docset_id: str, now: float) -> str:
    """Creates an independent, writable copy and returns its id; NotFound without the original."""
    target = new_id("ds")
    linked = search.copy(docset_id, target)
    try:
        with database.writing() as connection:
            _copy_docset(connection, docset_id, target, now)
            _copy_documents(connection, docset_id, target)
            begin = log_clone(connection, docset_id, target, linked)
    except BaseException:
        search.drop(target)
        raise
    if linked is not None:
        search.adopt(target, begin)
    return target


def _copy_docset(connection: Connection, docset_id: str, target: str, now: float) -> None:
    source = (
        connection.execute(select(docsets).where(docsets.c.docset_id == docset_id))
        .mappings()
        .first()
    )
    if source is None:
        raise NotFound(f"No such DocSet: {docset_id}")
    fresh = {
        "docset_id": target,
        "name": f"{source['name']} (copy)",
        "created_at": now,
        "readonly": False,
    }
    kept = {name: source[name] for name in source if name != "sequence"}
    connection.execute(insert(docsets).values(**kept | fresh))


def _copy_documents(connection: Connection, source: str, target: str) -> None:
    """Copies the rows inside the database: reading them would take a second per 5,000."""
    fresh = {"doc_id": _fresh_id(connection), "docset_id": literal(target), "task_id": null()}
    copied = [column for column in documents.c if column.name != "sequence"]
    rows = select(*(fresh.get(column.name, column) for column in copied))
    connection.execute(
        insert(documents).from_select(
            [column.name for column in copied],
            rows.where(documents.c.docset_id == source).order_by(documents.c.sequence),
        )
    )


def _fresh_id(connection: Connection) -> ColumnElement[str]:
    """A new id per row, in the format of `new_id`, with at least 100 random bits."""
    if connection.dialect.name == "sqlite":
        digits: Any = func.lower(func.hex(func.randomblob(13)))
    else:
        digits = func.left(func.replace(cast(func.gen_random_uuid(), Text), "-", ""), 26)
    return literal("wb:f-").concat(digits)
