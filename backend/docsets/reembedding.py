"""Recomputes the vectors of a DocSet with another model while it stays in use.

The new vectors are stored beside the old ones, content by content. Searches use the old ones until
every document has new ones; then one transaction changes the DocSet's identity, drops the vectors
that no DocSet needs any more, and ends the task. Documents added meanwhile are included. A
cancelled or interrupted task keeps its vectors, so a repetition only computes the rest.
"""

from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select, update

from backend.docsets.docsets import docset_row, writable
from backend.docsets.embedding import Embedding
from backend.docsets.embedding_job import packed
from backend.inference.embeddings import Identity, Matrix, ProviderMissing
from backend.store.database import Database
from backend.store.failpoints import reach
from backend.store.tables import contents, docsets, documents, elements, vectors
from backend.tasks.queue import Finished
from backend.tasks.runner import TaskContext
from workbench.contract.embeddings import EmbeddingState

KIND = "embed_anew"
_BATCH = 8
_KEPT = "If this is cancelled, searches stay as they are and finished vectors are kept."


class Reembedding:
    """The body of the task, and the state of a DocSet's vectors."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding

    def check(self, account_id: str, docset_id: str) -> None:
        """Refuses requests that cannot succeed: unknown or read-only DocSet."""
        with self._database.reading() as connection:
            writable(connection, account_id, docset_id)

    def state(self, account_id: str, docset_id: str) -> EmbeddingState:
        """The identity of a DocSet's vectors, and whether it is available."""
        with self._database.reading() as connection:
            identity = Identity.parse(docset_row(connection, account_id, docset_id)["embedding"])
        try:
            self._embedding.embedders.of(identity)
        except ProviderMissing as error:
            return _state(identity, available=False, detail=str(error))
        return _state(identity, available=True)

    def run(self, context: TaskContext) -> None:
        """Computes missing vectors until there are none, then switches over."""
        docset_id = context.task.request["docset_id"]
        identity = Identity.parse(context.task.request["embedding"])
        while True:
            if identity.dimension:
                self._make_missing(context, docset_id, identity)
            with self._database.writing() as connection:
                writable(connection, context.task.account_id, docset_id)
                if identity.dimension and _missing(connection, docset_id, identity, 0):
                    continue  # documents were added since
                _switch_over(connection, docset_id, identity)
                body = _state(identity, available=True).model_dump_json().encode()
                context.finish(connection, Finished(200, body))
            return

    def _make_missing(self, context: TaskContext, docset_id: str, identity: Identity) -> None:
        """One walk over the documents, in order of arrival."""
        with self._database.reading() as connection:
            total = _count(connection, docset_id)
            done = total - _count(connection, docset_id, _without(identity))
        after = 0
        while batch := self._batch(docset_id, identity, after):
            with self._database.reading() as connection:
                texts = {content: _texts(connection, content) for content in batch.values()}
            self._make(context, identity, texts)
            after = max(batch)
            done += len(batch)
            context.report(done, max(done, total), "documents", _KEPT)

    def _batch(self, docset_id: str, identity: Identity, after: int) -> dict[int, str]:
        with self._database.reading() as connection:
            return _missing(connection, docset_id, identity, after)

    def _make(self, context: TaskContext, identity: Identity, texts: dict[str, list[str]]) -> None:
        every = [text for some in texts.values() for text in some]
        matrix = self._embedding.made(context, identity, every)
        ends = np.cumsum([len(some) for some in texts.values()])
        parts = zip(texts, np.split(matrix, ends[:-1]), strict=True)
        made = [_rows(content_id, identity, part) for content_id, part in parts]
        with self._database.writing() as connection:
            for rows in made:
                _store(connection, rows)
        reach("embedding.made")


def _missing(
    connection: Connection, docset_id: str, identity: Identity, after: int
) -> dict[int, str]:
    """The contents of the next documents without vectors of that identity, by document number."""
    rows = connection.execute(
        select(documents.c.sequence, documents.c.content_id)
        .where(documents.c.docset_id == docset_id, documents.c.sequence > after)
        .where(_without(identity))
        .order_by(documents.c.sequence)
        .limit(_BATCH)
    )
    return {row.sequence: row.content_id for row in rows}


def _without(identity: Identity) -> ColumnElement[bool]:
    return ~exists().where(
        vectors.c.content_id == documents.c.content_id, vectors.c.identity == identity.text
    )


def _count(connection: Connection, docset_id: str, *conditions: ColumnElement[bool]) -> int:
    counted = select(func.count()).where(documents.c.docset_id == docset_id, *conditions)
    return int(connection.execute(counted).scalar_one())


def _texts(connection: Connection, content_id: str) -> list[str]:
    """The texts of all elements by ordinal, "" for those without."""
    ordered = select(elements.c.text).where(elements.c.content_id == content_id)
    return [text or "" for text in connection.scalars(ordered.order_by(elements.c.ordinal))]


def _rows(content_id: str, identity: Identity, matrix: Matrix) -> list[dict[str, Any]]:
    return [
        {
            "content_id": content_id,
            "identity": identity.text,
            "part": part,
            "dimension": identity.dimension,
            "ordinals": ordinals,
            "matrix": rows,
        }
        for part, (ordinals, rows) in enumerate(packed(matrix))
    ]


def _store(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Stores vectors unless their content was deleted, or another task stored them first."""
    content, identity = rows[0]["content_id"], rows[0]["identity"]
    same = (vectors.c.content_id == content) & (vectors.c.identity == identity)
    there = exists().where(contents.c.content_id == content)
    if connection.execute(select(there & ~exists().where(same))).scalar_one():
        connection.execute(insert(vectors), rows)


def _switch_over(connection: Connection, docset_id: str, identity: Identity) -> None:
    """Gives the DocSet its new identity and drops the vectors that no DocSet needs any more."""
    connection.execute(
        update(docsets).where(docsets.c.docset_id == docset_id).values(embedding=identity.wire())
    )
    shared, owner = documents.alias(), docsets.alias()
    needed = (
        exists()
        .where(shared.c.content_id == vectors.c.content_id)
        .where(owner.c.docset_id == shared.c.docset_id)
        .where(_identity_text(owner.c.embedding) == vectors.c.identity)
    )
    own = select(documents.c.content_id).where(documents.c.docset_id == docset_id)
    connection.execute(delete(vectors).where(vectors.c.content_id.in_(own), ~needed))


def _identity_text(wire: ColumnElement[Any]) -> ColumnElement[str]:
    """`Identity.text` of a stored identity, in SQL."""
    provider, model, revision, dimension, recipe = (
        wire[name].as_string() for name in ("provider", "model", "revision", "dimension", "recipe")
    )
    return func.concat(provider, "/", model, "@", revision, "/", dimension, "/", recipe)


def _state(identity: Identity, *, available: bool, detail: str | None = None) -> EmbeddingState:
    return EmbeddingState(
        **identity.wire(), identity=identity.text, available=available, detail=detail
    )
