"""The leases of tasks in a database that servers share."""

import time

from sqlalchemy import func, select, update

from backend.store.database import Database
from backend.store.tables import tasks
from backend.tasks.queue import LEASE_SECONDS


def until_leased(database: Database) -> None:
    """Returns once a server works on a task."""
    leased = select(func.count()).where(tasks.c.lease_until.is_not(None))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with database.reading() as connection:
            if connection.scalar(leased):
                return
        time.sleep(0.005)
    raise AssertionError("no server works on a task")


def age_leases(database: Database) -> int:
    """As if all servers had been silent since their leases began; returns how many there were."""
    aged = update(tasks).where(tasks.c.lease_until.is_not(None))
    with database.writing() as connection:
        return connection.execute(
            aged.values(lease_until=tasks.c.lease_until - LEASE_SECONDS)
        ).rowcount
