"""Adds a file as a document: submitted as a durable task, prepared in a worker, then committed.

The document row (which alone makes its content visible), the index operation and the end of the
task are one transaction. So a reader sees the whole document or nothing, and after a crash the task
simply runs again.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import PurePath, PureWindowsPath
from typing import Any

from sqlalchemy import Connection, insert

from backend.docsets.contents import Lost, Prepared, written_ahead
from backend.docsets.docsets import drop_blobs, follow, writable
from backend.docsets.documents import document_metadata, document_row
from backend.docsets.embedding import Embedding
from backend.docsets.embedding_job import packed
from backend.docsets.fetching import Fetcher
from backend.docsets.model_help import ModelHelp
from backend.docsets.taught import Teachings
from backend.inference.embeddings import Identity
from backend.inference.providers import COSTLY
from backend.search.engine import SearchEngine
from backend.store.blobs import BlobStore
from backend.store.database import Database, docset_key, lock
from backend.store.failpoints import reach
from backend.store.operation_log import log_change
from backend.store.tables import documents
from backend.tasks.queue import Finished
from backend.tasks.runner import TaskContext
from workbench.contract.ids import new_id

KIND = "add_document"
PREPARE = "backend.docsets.preparing:prepare_document"
PARTITION_AND_PREPARE = "backend.docsets.partition_job:partition_and_prepare"
Answered = Callable[[bytes, str | None], Finished]
"""Turns the whole answer of a partition call, and the model's message, into the end of a task."""


class _SchemaChanged(Exception):
    """The DocSet's schema changed while the document was being prepared."""


def base_name(sent: str | None) -> str:
    """The display name of a file name as sent, which may be a full path of any system."""
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
        most_pages: int = 20_000,
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._search = search
        self._fetcher = fetcher
        self._embedding = embedding
        self._help = help
        self._clock = clock
        self.most_pages = most_pages
        self._teachings = Teachings()

    def check(self, account_id: str, docset_id: str) -> None:
        """Refuses requests that cannot succeed, before anything is uploaded."""
        with self._database.reading() as connection:
            docset = writable(connection, account_id, docset_id)
        self._embedding.check(Identity.parse(docset["embedding"]))

    def run(self, context: TaskContext) -> None:
        """Prepares and commits the document of a task."""
        with self.file_of(context) as file:
            self.add(context, context.task.request["docset_id"], *file)

    @contextmanager
    def file_of(self, context: TaskContext) -> Iterator[tuple[str, int, str]]:
        """The file of a task, fetched if it was given as an address: digest, size, display name.

        It is removed when the task ends, unless a document or another task needs it.
        """
        request = context.task.request
        if request["blob"] is not None:
            self._remove_afterwards(context, request["blob"])
            yield request["blob"], request["size"], request["name"]
            return
        with self._fetcher.fetching(request["file_url"], lambda: context.stopped) as fetched:
            context.fetched()
            self._remove_afterwards(context, fetched.blob.digest)
            yield fetched.blob.digest, fetched.blob.size, base_name(fetched.name)

    def _remove_afterwards(self, context: TaskContext, digest: str) -> None:
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
        """Prepares the file and commits the document together with the end of the task.

        The task's answer is the metadata of the document or, with `answered`, made from the answer
        of a partition call, for which the file is not parsed a second time.
        """
        help = self._help.for_task(context)
        while True:
            with self._database.reading() as connection:
                docset = writable(connection, context.task.account_id, docset_id)
                teaching = self._teachings.of(connection, docset)
            identity = Identity.parse(docset["embedding"])
            costly = identity.provider in COSTLY
            message = context.run(
                PREPARE if answered is None else PARTITION_AND_PREPARE,
                {
                    "digest": digest,
                    "name": name,
                    "options": context.task.request["options"],
                    "schema": teaching.schema,
                    "lessons": teaching.values,
                    "embedding": None if costly else docset["embedding"],
                    "most_pages": self.most_pages,
                    **self._help.wanted,
                },
                teaching.blobs,
                answer=help.answer,
            )
            end: Finished | None = None
            if answered is not None:
                end = answered(message.blobs[0], help.message)
            prepared = Prepared.of(message, first=0 if answered is None else 1)
            if costly:
                prepared = self._with_vectors(context, prepared, identity)
            try:
                now = self._clock()
                with (
                    written_ahead(self._database, digest, prepared, identity, now) as rest,
                    self._database.writing_on() as connection,
                ):
                    document = prepared.data, rest(connection), digest, size, name
                    lock(connection, docset_key(docset_id))
                    docset = _unchanged(connection, context.task.account_id, docset)
                    doc_id = self._insert(connection, context, docset, *document)
                    row = document_row(connection, context.task.account_id, docset_id, doc_id)
                    pages: int = prepared.data["page_count"]
                    added = document_metadata(row, prepared.data["notes"], pages)
                    body = added.model_dump_json().encode()
                    context.finish(connection, end or Finished(200, body), help.message)
            except (_SchemaChanged, Lost):
                continue
            reach("document.committed")
            follow(self._search, docset_id)
            return

    def _with_vectors(
        self, context: TaskContext, prepared: Prepared, identity: Identity
    ) -> Prepared:
        matrix = self._embedding.made(
            context,
            identity,
            list(prepared.texts()),
            lambda done, total: context.report(done, total, "elements"),
        )
        return replace(prepared, vectors=list(chain.from_iterable(packed(matrix))))

    def _insert(
        self,
        connection: Connection,
        context: TaskContext,
        docset: Any,
        answer: dict[str, Any],
        content_id: str,
        digest: str,
        size: int,
        name: str,
    ) -> str:
        doc_id = new_id("f")
        connection.execute(
            insert(documents).values(
                doc_id=doc_id,
                docset_id=docset["docset_id"],
                account_id=context.task.account_id,
                content_id=content_id,
                blob=digest,
                task_id=context.task.task_id,
                created_at=self._clock(),
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
