"""The task queue beside a rival: how soon work starts, how much passes, what waiting costs.

    python -m tests.bench.tasks

The rival is DBOS on SQLite (write-ahead log, full synchronisation, two workers, polling every 0.2
s); it is left out, and said so, when it is not installed. Bodies do nothing, so the figures are
those of the queues alone.
"""

import importlib.util
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORKERS = 2
SINGLE = 20
MANY = 200
IDLE_SECONDS = 5.0


@dataclass
class Figures:
    """Milliseconds to the start of a lone task, tasks per second, CPU percent while idle."""

    name: str
    start_ms: float
    submits: float
    passes: float
    idle_cpu: float

    def line(self) -> str:
        return (
            f"{self.name:<12} {self.start_ms:8.1f} {self.submits:10.0f}"
            f" {self.passes:10.0f} {self.idle_cpu:8.1f}"
        )


def measure(name: str, submit: Callable[[str], None], started: dict[str, float]) -> Figures:
    """Lone tasks first, then many at once, then nothing."""
    waits = []
    for number in range(SINGLE):
        key = f"{name}-single-{number}"
        began = time.perf_counter()
        submit(key)
        while key not in started:
            time.sleep(0.0005)
        waits.append(started[key] - began)
    began = time.perf_counter()
    for number in range(MANY):
        submit(f"{name}-many-{number}")
    submitted = time.perf_counter() - began
    while len(started) < SINGLE + MANY:
        time.sleep(0.001)
    passed = time.perf_counter() - began
    cpu = time.process_time()
    time.sleep(IDLE_SECONDS)
    idle = 100 * (time.process_time() - cpu) / IDLE_SECONDS
    median = 1000 * statistics.median(waits)
    return Figures(name, median, MANY / submitted, MANY / passed, idle)


def ours(folder: Path) -> Figures:
    from backend.store.database import Database
    from backend.store.migrating import migrate
    from backend.tasks.pool import Limits, WorkerPool
    from backend.tasks.queue import Finished, Submission, TaskQueue
    from backend.tasks.runner import Body, TaskContext, TaskRunner

    database = Database(f"sqlite:///{folder / 'ours.sqlite'}")
    migrate(database)
    queue = TaskQueue(database, "bench", lambda: None, max_open=10_000)
    started: dict[str, float] = {}

    def body(context: TaskContext) -> None:
        started[context.task.request["key"]] = time.perf_counter()
        with database.writing() as connection:
            context.finish(connection, Finished(200, b"{}"))

    pool = WorkerPool(WORKERS, Limits(2**30, 60, 60))
    runner = TaskRunner(
        database, queue, pool, {"noop": Body(body)},
        result_seconds=1000, alone=True, ended=lambda _: None,
    )  # fmt: skip
    runner.start()

    def submit(key: str) -> None:
        queue.submit(Submission("wb:a-1", "noop", "/v1/bench", {"key": key}))
        runner.wake()

    figures = measure("own table", submit, started)
    runner.close()
    database.close()
    return figures


def dbos(folder: Path) -> Figures:
    import pysqlite3
    import sqlalchemy as sa
    from dbos import DBOS, SetWorkflowID  # type: ignore[import-not-found,unused-ignore]

    url = f"sqlite:///{folder / 'dbos.sqlite'}"
    engine = sa.create_engine(
        url, module=pysqlite3.dbapi2, connect_args={"check_same_thread": False}
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(raw: Any, _record: object) -> None:
        raw.isolation_level = "IMMEDIATE"
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=30000"):
            raw.execute(f"PRAGMA {pragma}")

    DBOS(
        config={
            "name": "workbench",
            "system_database_url": url,
            "system_database_engine": engine,
            "application_version": "1",
            "executor_id": "bench",
            "log_level": "WARNING",
        }
    )
    started: dict[str, float] = {}
    lock = threading.Lock()

    @DBOS.workflow()  # type: ignore[untyped-decorator,unused-ignore]
    def body(key: str) -> None:
        with lock:
            started[key] = time.perf_counter()

    DBOS.launch()
    DBOS.register_queue("documents", worker_concurrency=WORKERS, polling_interval_sec=0.2)
    queue = DBOS.retrieve_queue("documents")

    def submit(key: str) -> None:
        with SetWorkflowID(key):
            queue.enqueue(body, key)

    figures = measure("DBOS", submit, started)
    DBOS.destroy(workflow_completion_timeout_sec=2)
    return figures


if __name__ == "__main__":
    print(f"{'queue':<12} {'start ms':>8} {'submits/s':>10} {'tasks/s':>10} {'idle %':>8}")
    with tempfile.TemporaryDirectory() as name:
        print(ours(Path(name)).line())
        if importlib.util.find_spec("dbos") is None:
            print("DBOS is not installed (pip install dbos): no rival measured")
        else:
            print(dbos(Path(name)).line())
