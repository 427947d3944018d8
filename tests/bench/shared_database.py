"""Several writers on one PostgreSQL: transactions beside each other and behind one lock.

    python -m tests.bench.shared_database [DATABASE_URL]

The rival is the same code with every transaction behind the lock that excludes all writers. Without
a URL a PostgreSQL server is started for the bench. Figures are ratios; both sides run in turn.
"""

import contextlib
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from unittest import mock

from sqlalchemy import insert

from backend.store.database import Database, account_key, docset_key
from backend.store.migrating import migrate
from backend.store.tables import operations, tasks
from backend.tasks.queue import TaskQueue
from tests import postgresql_server

WRITERS = 16
SECONDS = 3.0
ROUNDS = 3
_AT_ONCE = 5_000


def behind_one_lock() -> contextlib.AbstractContextManager[object]:
    """Has every transaction take the lock of all writers."""

    def alone(self: Database, *_things: str) -> contextlib.AbstractContextManager[object]:
        return self.writing()

    return mock.patch.object(Database, "writing_on", alone)


def written(database: Database) -> float:
    """Transactions a second of all writers, each on a DocSet and an account of its own."""
    ended, counts = threading.Event(), [0] * WRITERS

    def work(number: int) -> None:
        row = {"docset_id": f"ds-{number}", "doc_id": "f", "number": 1, "kind": "add"}
        while not ended.is_set():
            with database.writing_on(docset_key(f"{number}"), account_key(f"{number}")) as writer:
                for _ in range(5):
                    writer.execute(insert(operations), row)
            counts[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    time.sleep(SECONDS)
    ended.set()
    for thread in threads:
        thread.join()
    return sum(counts) / SECONDS


def claim_seconds(database: Database, queued: int) -> float:
    """The median of claiming one of so many queued tasks."""
    row = {
        "account_id": "wb:a-1", "action": "/v1/x", "kind": "echo", "method": "POST",
        "status": "queued", "request": {}, "listed": True, "fetches": False, "attempts": 0,
        "crashes": 0,
    }  # fmt: skip
    with database.writing() as connection:
        connection.execute(tasks.delete())
    for first in range(0, queued, _AT_ONCE):
        numbers = range(first, min(first + _AT_ONCE, queued))
        rows = [row | {"task_id": f"t{n}", "created_at": n, "changed": n} for n in numbers]
        with database.writing() as connection:
            connection.execute(insert(tasks), rows)
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE tasks")
    queue, took = TaskQueue(database, "bench", lambda: None), []
    for _ in range(50):
        began = time.perf_counter()
        assert len(queue.claim(1, fetching=False)) == 1
        took.append(time.perf_counter() - began)
    return statistics.median(took)


@contextlib.contextmanager
def server() -> Iterator[str]:
    if len(sys.argv) > 1:
        yield sys.argv[1]
        return
    binaries = postgresql_server.programs()
    if binaries is None:
        raise SystemExit("PostgreSQL is not installed; name a server.")
    with postgresql_server.running(binaries) as url:
        yield url


def main() -> None:
    with server() as url, postgresql_server.database_on(url) as own:
        database = Database(own)
        migrate(database)
        beside, alone = [], []
        for _ in range(ROUNDS):
            beside.append(written(database))
            with behind_one_lock():
                alone.append(written(database))
        ratio = statistics.median(b / a for b, a in zip(beside, alone, strict=True))
        print(f"{WRITERS} writers: {statistics.median(beside):.0f}/s beside each other,"
              f" {statistics.median(alone):.0f}/s behind one lock: {ratio:.1f} times")  # fmt: skip
        few, many = claim_seconds(database, 100), claim_seconds(database, 100_000)
        print(f"a claim among 100,000 queued tasks / among 100: {many * 1000:.1f} /"
              f" {few * 1000:.1f} ms, {many / few:.1f} times")  # fmt: skip
        database.close()


if __name__ == "__main__":
    main()
