"""A job's walk through the documents of a DocSet, one batch at a time, that survives a crash."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import ColumnElement, Connection, func, select
from sqlalchemy.engine import RowMapping

from backend.store.database import Database
from backend.store.tables import documents
from backend.tasks.pool import WorkerStopped
from backend.tasks.queue import Superseded
from backend.tasks.runner import TaskContext


class Walk:
    """The progress of a job through the documents of a DocSet, in order of arrival."""

    def __init__(self, context: TaskContext, database: Database, docset_id: str) -> None:
        self._context = context
        self._database = database
        self._docset_id = docset_id
        self._after = context.task.checkpoint or 0
        self._done = context.task.done if context.task.checkpoint is not None else 0
        self._total = self._count()

    @property
    def done(self) -> int:
        """The number of documents before the checkpoint."""
        return self._done

    def batches(self, size: int) -> Iterator[list[RowMapping]]:
        """Batches after the checkpoint, including documents that arrive during the walk."""
        after = self._after
        while True:
            with self._database.reading() as connection:
                batch = self._behind(connection, after, size)
            yield batch
            if batch:
                after = batch[-1]["sequence"]

    def next(self, connection: Connection, size: int) -> list[RowMapping]:
        """The documents right after the checkpoint."""
        return self._behind(connection, self._after, size)

    def advance(self, connection: Connection, batch: list[RowMapping]) -> None:
        """Moves the checkpoint past a batch, in the transaction that changes it."""
        if not batch:
            return
        self._total = max(self._total, self._done + len(batch))
        self._context.advance(
            connection, batch[-1]["sequence"], self._done + len(batch), self._total, "documents"
        )
        self._after = batch[-1]["sequence"]
        self._done += len(batch)

    @contextmanager
    def explaining(self, outcome: str) -> Iterator[None]:
        """Adds to a cancellation what became of the documents; `outcome` is about finished ones."""
        try:
            yield
        except (Superseded, WorkerStopped):
            rest = "the others are unchanged"
            self._context.explain(f"{self._done} of {self._total} documents {outcome}; {rest}.")
            raise

    def _behind(self, connection: Connection, after: int, size: int) -> list[RowMapping]:
        behind = (documents.c.docset_id == self._docset_id) & (documents.c.sequence > after)
        return document_rows(connection, behind, size)

    def _count(self) -> int:
        counted = select(func.count()).where(documents.c.docset_id == self._docset_id)
        with self._database.reading() as connection:
            return int(connection.execute(counted).scalar_one())


def document_rows(
    connection: Connection, chosen: ColumnElement[bool], limit: int | None = None
) -> list[RowMapping]:
    """Documents in order of arrival, without their properties."""
    statement = select(documents.c.sequence, documents.c.doc_id, documents.c.content_id)
    ordered = statement.where(chosen).order_by(documents.c.sequence).limit(limit)
    return list(connection.execute(ordered).mappings())
