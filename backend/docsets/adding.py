"""The way of a file to a document.

Submitted as a durable task, prepared in a worker, committed at once.

Content, elements, vectors, document, index operation and the end of the task are one transaction,
so a reader sees the whole document or nothing, and a crash leaves a task that is simply done
again.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath, PureWindowsPath
from typing import Any

from sqlalchemy import Connection, insert

from backend.contract.ids import new_id
from backend.docsets.docsets import drop_blobs, follow, writable
from backend.docsets.documents import document_metadata, document_row
from backend.docsets.embedding import Embedding
from backend.docsets.embedding_job import packed
from backend.docsets.fetching import Fetcher
from backend.docsets.model_help import ModelHelp
from backend.inference.embeddings import Identity
from backend.inference.providers import COSTLY
from backend.search.engine import SearchEngine
from backend.store.blobs import BlobStore
from backend.store.database import Database
from backend.store.failpoints import reach
from backend.store.opening import opening_of
from backend.store.operation_log import log_change
from backend.store.tables import contents, documents, elements, vectors
from backend.tasks.messages import Message
from backend.tasks.queue import Finished
from backend.tasks.runner import TaskContext

KIND = "add_document"
PREPARE = "backend.docsets.preparing:prepare_document"
PARTITION_AND_PREPARE = "backend.docsets.partition_job:partition_and_prepare"
Answered = Callable[[bytes, str | None], Finished]
"""From the whole answer to a partition call, and what a model had to say, to the end of a task."""


class _SchemaChanged(Exception):
    """The DocSet got another schema while the document was being prepared."""


@dataclass(frozen=True)
class Upload:
    """A file as it was handed over: stored already, or an address to fetch it from."""

    name: str
    content_type: str | None
    blob: str | None = None
    size: int | None = None
    file_url: str | None = None


def base_name(sent: str | None) -> str:
    """The name to show for a file name as sent, which may be a full path of any system."""
    name = PureWindowsPath(PurePath(sent or "").name).name.strip()
    shown = "".join(c for c in name if c.isprintable())[:255]
    return "upload" if shown in ("", ".", "..") else shown


class Adding:
    """The body of tasks that add a document."""

    def __init__(
        self,
        database: Database,
        blobs: BlobStore,
        search: SearchEngine,
        fetcher: Fetcher,
        embedding: Embedding,
        help: ModelHelp,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._search = search
        self._fetcher = fetcher
        self._embedding = embedding
        self._help = help
        self._clock = clock

    def check(self, account_id: str, docset_id: str) -> None:
        """Refuses what cannot succeed before anything is uploaded."""
        with self._database.reading() as connection:
            docset = writable(connection, account_id, docset_id)
        self._embedding.check(Identity.parse(docset["embedding"]))

    def run(self, context: TaskContext) -> None:
        """Prepares and commits the document of a task."""
        request = context.task.request
        digest: str | None = request["blob"]
        if digest is not None:
            self.keep_while_used(context, digest)
            self.add(context, request["docset_id"], digest, request["size"], request["name"])
            return
        with self._fetcher.fetching(request["file_url"]) as fetched:
            self.keep_while_used(context, fetched.blob.digest)
            name = base_name(fetched.name)
            self.add(context, request["docset_id"], fetched.blob.digest, fetched.blob.size, name)

    def keep_while_used(self, context: TaskContext, digest: str) -> None:
        """Has the file removed at the end of the task unless a document or a task needs it."""
        context.afterwards(lambda: drop_blobs(self._database, self._blobs, {digest}))

    def add(
        self,
        context: TaskContext,
        docset_id: str,
        digest: str,
        size: int,
        name: str,
        answered: Answered | None = None,
    ) -> None:
        """Prepares the file and commits the document with the end of the task.

        The task's answer is the metadata of the document, or with `answered` what it makes of the
        answer to a partition call, for which the file is not read a second time.
        """
        help = self._help.for_task(context)
        while True:
            with self._database.reading() as connection:
                docset = writable(connection, context.task.account_id, docset_id)
            identity = Identity.parse(docset["embedding"])
            costly = identity.provider in COSTLY
            prepared = context.run(
                PREPARE if answered is None else PARTITION_AND_PREPARE,
                {
                    "path": str(self._blobs.path(digest)),
                    "name": name,
                    "options": context.task.request["options"],
                    "schema": docset["schema"],
                    "embedding": None if costly else docset["embedding"],
                    **self._help.wanted,
                },
                answer=help.answer,
            )
            answer = None
            if answered is not None:
                answer = answered(prepared.blobs[-1], help.message)
                prepared = replace(prepared, blobs=prepared.blobs[:-1])
            if costly:
                prepared = self._with_vectors(context, prepared, identity)
            try:
                with self._database.writing() as connection:
                    docset = _unchanged(connection, context.task.account_id, docset)
                    doc_id = self._insert(connection, context, docset, prepared, digest, size, name)
                    row = document_row(connection, context.task.account_id, docset_id, doc_id)
                    body = document_metadata(row).model_dump_json().encode()
                    context.finish(connection, answer or Finished(200, body), help.message)
            except _SchemaChanged:
                continue
            reach("document.committed")
            follow(self._search, docset_id)
            return

    def _with_vectors(self, context: TaskContext, prepared: Message, identity: Identity) -> Message:
        texts = [row[3] or "" for row in prepared.data["elements"]]
        matrix = self._embedding.made(
            context, identity, texts, lambda done, total: context.report(done, total, "elements")
        )
        return replace(prepared, blobs=[prepared.blobs[0], *packed(matrix)])

    def _insert(
        self,
        connection: Connection,
        context: TaskContext,
        docset: Any,
        prepared: Message,
        digest: str,
        size: int,
        name: str,
    ) -> str:
        answer, now = prepared.data, self._clock()
        content_id = insert_content(connection, digest, prepared, docset["embedding"], now)
        doc_id = new_id("f")
        connection.execute(
            insert(documents).values(
                doc_id=doc_id,
                docset_id=docset["docset_id"],
                account_id=context.task.account_id,
                content_id=content_id,
                blob=digest,
                task_id=context.task.task_id,
                created_at=now,
                name=name,
                size=size,
                content_type=answer["content_type"],
                properties={
                    "path": name,
                    "page_count": answer["page_count"],
                    "entity": answer["properties"],
                },
                evidence=answer["evidence"],
            )
        )
        log_change(connection, "add", doc_id)
        reach("document.written")
        return doc_id


def _unchanged(connection: Connection, account_id: str, docset: Any) -> Any:
    now = writable(connection, account_id, docset["docset_id"])
    if now["schema"] != docset["schema"] or now["embedding"] != docset["embedding"]:
        raise _SchemaChanged
    return now


def insert_content(
    connection: Connection, digest: str, prepared: Message, embedding: dict[str, Any], now: float
) -> str:
    """Writes what a worker made of a file; returns the id of the content."""
    answer = prepared.data
    original, ordinals, matrix = prepared.blobs
    content_id = new_id("c")
    connection.execute(
        insert(contents).values(
            content_id=content_id,
            blob=digest,
            created_at=now,
            page_count=answer["page_count"],
            notes=answer["notes"],
            opening=opening_of([text for _, _, _, text, _, _ in answer["elements"]]),
            original_elements=original or None,
        )
    )
    rows = [
        {
            "content_id": content_id,
            "ordinal": ordinal,
            "kind": kind,
            "page_number": page,
            "bbox": bbox,
            "text": text,
            "properties": properties,
            "extra": extra or None,
        }
        for ordinal, (kind, page, bbox, text, properties, extra) in enumerate(answer["elements"])
    ]
    if rows:
        connection.execute(insert(elements), rows)
    if ordinals:
        identity = Identity.parse(embedding)
        connection.execute(
            insert(vectors).values(
                content_id=content_id,
                identity=identity.text,
                dimension=identity.dimension,
                ordinals=ordinals,
                matrix=matrix,
            )
        )
    return content_id
