"""The DocSet settings and log positions that search needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pydantic_core import from_json
from sqlalchemy import BindParameter, Connection, Text, bindparam, cast, func, select

from backend.inference.embeddings import NONE, Identity
from backend.search.operations import START, Mark
from backend.store.tables import docsets, documents, operations, property_changes
from workbench.contract.errors import NotFound
from workbench.contract.schema import Schema


@dataclass(frozen=True)
class DocSet:
    """The search settings of a DocSet and the ends of its logs."""

    docset_id: str
    schema: Schema | None
    language: str
    identity: Identity
    newest: Mark
    """The last operation in its log."""
    changed: int
    """The last entry in its log of property changes, 0 without any."""


# Built once: building this statement costs more than running it, and every search runs it.
_THIS: BindParameter[str] = bindparam("docset")
_LAST = select(func.max(operations.c.sequence)).where(operations.c.docset_id == _THIS)
_CHANGED = select(func.max(property_changes.c.sequence)).where(
    property_changes.c.docset_id == _THIS
)
_last = operations.alias()
_DOCSET = (
    select(
        cast(docsets.c.schema, Text).label("schema"),
        docsets.c.language,
        docsets.c.embedding,
        _last.c.sequence,
        _last.c.doc_id,
        _CHANGED.scalar_subquery().label("changed"),
    )
    .select_from(docsets.outerjoin(_last, _last.c.sequence == _LAST.scalar_subquery()))
    .where(docsets.c.docset_id == _THIS)
)


def read_docset(connection: Connection, docset_id: str) -> DocSet:
    """Reads a DocSet; NotFound when there is none."""
    row = connection.execute(_DOCSET, {"docset": docset_id}).first()
    if row is None:
        raise NotFound("DocSet not found.")
    return DocSet(
        docset_id,
        _schema(row.schema),
        row.language,
        Identity.parse(row.embedding) if row.embedding else NONE,
        START if row.sequence is None else Mark(row.sequence, row.doc_id),
        row.changed or 0,
    )


@lru_cache(maxsize=256)
def _schema(text: str | None) -> Schema | None:
    """Parses a stored schema. Cached, because a schema of 100 properties takes 1 ms to parse."""
    value = from_json(text) if text else None
    return Schema.model_validate(value) if value else None


def docset_ids(connection: Connection) -> Sequence[str]:
    """The ids of all DocSets."""
    return connection.scalars(select(docsets.c.docset_id)).all()


def count_documents(connection: Connection, docset_id: str) -> int:
    """The number of documents in a DocSet."""
    ours = documents.c.docset_id == docset_id
    return connection.scalar(select(func.count()).select_from(documents).where(ours)) or 0


def count_operations(connection: Connection, docset_id: str, after: int) -> int:
    """The number of operations in the log of a DocSet after that one."""
    ours = (operations.c.docset_id == docset_id) & (operations.c.sequence > after)
    return connection.scalar(select(func.count()).select_from(operations).where(ours)) or 0
