"""A DocSet whose rows tests write directly, as the worker and the API would."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sqlalchemy import select

from backend.docsets.cloning import clone
from backend.inference.embeddings import Embedder
from backend.inference.providers import embedder_for
from backend.search.engine import SearchEngine
from backend.store.database import Database
from backend.store.opening import opening_of
from backend.store.operation_log import log_change
from backend.store.property_log import log_properties
from backend.store.tables import contents, docsets, documents, elements, vectors
from workbench.contract.ids import new_id


class Shelf:
    """One DocSet to add, change and remove documents; each call is one committed transaction."""

    def __init__(
        self,
        database: Database,
        *,
        provider: str = "static",
        language: str = "english",
        schema: dict[str, Any] | None = None,
    ) -> None:
        self.database = database
        self.docset_id = new_id("ds")
        self.embedder: Embedder = embedder_for(provider)
        with database.writing() as connection:
            connection.execute(
                docsets.insert().values(
                    docset_id=self.docset_id,
                    account_id="wb:a-test",
                    name="shelf",
                    created_at=0.0,
                    readonly=False,
                    properties={},
                    prompts={},
                    schema=schema,
                    embedding=self.embedder.identity.wire(),
                    language=language,
                )
            )

    def add(
        self,
        texts: Sequence[str | None],
        entity: dict[str, Any] | None = None,
        *,
        doc_id: str | None = None,
    ) -> str:
        """Adds a document with one element per text and returns its id."""
        doc_id = doc_id or new_id("f")
        content_id = self._content(texts)
        with self.database.writing() as connection:
            connection.execute(
                documents.insert().values(
                    doc_id=doc_id,
                    docset_id=self.docset_id,
                    account_id="wb:a-test",
                    content_id=content_id,
                    blob="0" * 64,
                    created_at=0.0,
                    name=f"{doc_id}.txt",
                    size=1,
                    content_type="text/plain",
                    properties={"entity": entity or {}, "path": f"{doc_id}.txt"},
                )
            )
            log_change(connection, "add", doc_id)
        return doc_id

    def add_many(
        self, count: int, texts: Sequence[str], entity: Callable[[int], dict[str, Any]]
    ) -> list[str]:
        """Adds `count` documents with the same content, as clones have it, in one transaction.

        `properties` are given by number. Returns their ids.
        """
        doc_ids = [new_id("f") for _ in range(count)]
        content_id = self._content(texts)
        rows = [
            {
                "doc_id": doc_id,
                "docset_id": self.docset_id,
                "account_id": "wb:a-test",
                "content_id": content_id,
                "blob": "0" * 64,
                "created_at": 0.0,
                "name": f"{doc_id}.txt",
                "size": 1,
                "content_type": "text/plain",
                "properties": {"entity": entity(number), "path": f"{doc_id}.txt"},
            }
            for number, doc_id in enumerate(doc_ids)
        ]
        with self.database.writing() as connection:
            connection.execute(documents.insert(), rows)
            for doc_id in doc_ids:
                log_change(connection, "add", doc_id)
        return doc_ids

    def replace(self, doc_id: str, texts: Sequence[str | None]) -> None:
        """Replaces the content of a document."""
        content_id = self._content(texts)
        with self.database.writing() as connection:
            connection.execute(
                documents.update().where(documents.c.doc_id == doc_id).values(content_id=content_id)
            )
            log_change(connection, "add", doc_id)

    def describe(self, doc_id: str, entity: dict[str, Any]) -> None:
        """Replaces the properties of a document."""
        with self.database.writing() as connection:
            connection.execute(
                documents.update()
                .where(documents.c.doc_id == doc_id)
                .values(properties={"entity": entity, "path": f"{doc_id}.txt"})
            )
            log_properties(connection, self.docset_id, [doc_id])

    def remove(self, doc_id: str) -> None:
        with self.database.writing() as connection:
            log_change(connection, "delete", doc_id)
            connection.execute(documents.delete().where(documents.c.doc_id == doc_id))

    def clone(self, engine: SearchEngine) -> "Shelf":
        """An independent copy of the DocSet."""
        copy = object.__new__(Shelf)
        copy.database, copy.embedder = self.database, self.embedder
        copy.docset_id = clone(self.database, engine, self.docset_id, 0.0)
        return copy

    @property
    def doc_ids(self) -> list[str]:
        """The documents in order of arrival."""
        with self.database.reading() as connection:
            return list(
                connection.scalars(
                    select(documents.c.doc_id)
                    .where(documents.c.docset_id == self.docset_id)
                    .order_by(documents.c.sequence)
                )
            )

    def delete(self) -> None:
        """Deletes the DocSet itself."""
        with self.database.writing() as connection:
            connection.execute(docsets.delete().where(docsets.c.docset_id == self.docset_id))

    def _content(self, texts: Sequence[str | None]) -> str:
        content_id = new_id("c")
        rows = [
            {
                "content_id": content_id,
                "ordinal": ordinal,
                "kind": "Text",
                "page_number": 1,
                "bbox": [0.0, 0.0, 1.0, 1.0],
                "text": text,
                "properties": {"score": 1.0, "page_number": 1},
            }
            for ordinal, text in enumerate(texts)
        ]
        matrix = self.embedder.embed([text or "" for text in texts])
        spoken = np.flatnonzero(matrix.any(axis=1))
        with self.database.writing() as connection:
            connection.execute(
                contents.insert().values(
                    content_id=content_id,
                    blob="0" * 64,
                    created_at=0.0,
                    page_count=1,
                    opening=opening_of(texts),
                )
            )
            if rows:
                connection.execute(elements.insert(), rows)
            if matrix.shape[1]:
                connection.execute(
                    vectors.insert().values(
                        content_id=content_id,
                        identity=self.embedder.identity.text,
                        part=0,
                        dimension=matrix.shape[1],
                        ordinals=spoken.astype("<i4").tobytes(),
                        matrix=matrix[spoken].astype("<f4").tobytes(),
                    )
                )
        return content_id
