"""Counts the contents of a database, over all accounts."""

import time
from dataclasses import dataclass

from sqlalchemy import func, select

from backend.store.database import Database
from backend.store.tables import docsets, documents, tasks

_STATUSES = ("queued", "running", "done", "cancelled")


@dataclass(frozen=True)
class Census:
    """`tasks` has a number for every status; an empty queue has waited zero seconds."""

    docsets: int
    documents: int
    tasks: dict[str, int]
    oldest_queued_seconds: float


def census(database: Database) -> Census:
    """Counts in one state of the database."""
    with database.reading() as connection:
        grouped = select(tasks.c.status, func.count()).group_by(tasks.c.status)
        counts = {str(status): int(count) for status, count in connection.execute(grouped)}
        oldest = connection.scalar(
            select(func.min(tasks.c.created_at)).where(tasks.c.status == "queued")
        )
        return Census(
            docsets=connection.scalar(select(func.count()).select_from(docsets)) or 0,
            documents=connection.scalar(select(func.count()).select_from(documents)) or 0,
            tasks={status: counts.get(status, 0) for status in _STATUSES},
            oldest_queued_seconds=0.0 if oldest is None else max(0.0, time.time() - oldest),
        )
