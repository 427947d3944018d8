"""What search needs to know of a DocSet."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from backend.contract.errors import NotFound
from backend.contract.schema import Schema
from backend.inference.embeddings import NONE, Identity
from backend.store.tables import docsets, documents


@dataclass(frozen=True)
class DocSet:
    """A DocSet's rules for search."""

    docset_id: str
    schema: Schema | None
    language: str
    identity: Identity


def read_docset(connection: Connection, docset_id: str) -> DocSet:
    """The DocSet; NotFound without one."""
    row = connection.execute(
        select(docsets.c.schema, docsets.c.language, docsets.c.embedding).where(
            docsets.c.docset_id == docset_id
        )
    ).first()
    if row is None:
        raise NotFound("DocSet not found.")
    return DocSet(
        docset_id,
        Schema.model_validate(row.schema) if row.schema else None,
        row.language,
        Identity.parse(row.embedding) if row.embedding else NONE,
    )


def docset_ids(connection: Connection) -> Sequence[str]:
    """All DocSets there are."""
    return connection.scalars(select(docsets.c.docset_id)).all()


def count_documents(connection: Connection, docset_id: str) -> int:
    """How many documents a DocSet has."""
    ours = documents.c.docset_id == docset_id
    return connection.scalar(select(func.count()).select_from(documents).where(ours)) or 0
