"""Claiming costs the same however many tasks are queued, and a task that starts at once costs two
transactions.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event, insert

from backend.store.database import Database
from backend.store.tables import tasks
from backend.tasks.pool import Limits, WorkerPool
from backend.tasks.queue import Finished, TaskQueue
from backend.tasks.runner import Body, TaskContext, TaskRunner


@contextmanager
def statements(database: Database) -> Iterator[list[tuple[str, object]]]:
    """The statements that are sent in the block, with their parameters."""
    sent: list[tuple[str, object]] = []

    def note(_connection, _cursor, statement, parameters, _context, _many) -> None:
        sent.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    yield sent
    event.remove(database.engine, "before_cursor_execute", note)


def fill(database: Database, count: int) -> None:
    row = {
        "account_id": "wb:a-1", "action": "/v1/x", "kind": "echo", "method": "POST",
        "status": "queued", "request": {}, "listed": True, "fetches": False, "attempts": 0,
        "crashes": 0,
    }  # fmt: skip
    rows = [row | {"task_id": f"t{n}", "created_at": n, "changed": n} for n in range(count)]
    with database.writing() as connection:
        connection.execute(insert(tasks), rows)


def test_a_claim_takes_as_many_steps_among_thousands_as_among_few(database, queue) -> None:
    fill(database, 3_000)
    assert [task.task_id for task in queue.claim(1)] == ["t0"]
    with statements(database) as among_many:
        assert [task.task_id for task in queue.claim(1, fetching=False)] == ["t1"]
    with database.writing() as connection:
        connection.execute(tasks.delete().where(tasks.c.created_at > 5))
    with statements(database) as among_few:
        assert [task.task_id for task in queue.claim(1, fetching=False)] == ["t2"]
    assert len(among_many) == len(among_few)
    with database.engine.connect() as connection:
        for statement, parameters in among_many:
            if statement.startswith("SELECT"):
                steps = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                assert [step for *_, step in steps if step.startswith("SCAN tasks")] == []


def test_the_turn_of_an_account_is_known_to_every_server(database, queue, submission) -> None:
    first = [queue.submit(submission(account_id="wb:a-1")) for _ in range(2)]
    second = [queue.submit(submission(account_id="wb:a-2")) for _ in range(2)]
    other = TaskQueue(database, "there", lambda: None)
    claimed = [server.claim(1)[0].task_id for server in (queue, other, other, queue)]
    assert claimed == [first[0], second[0], first[1], second[1]]


def test_a_task_that_finds_a_place_takes_two_transactions(database, queue, submission) -> None:
    def body(context: TaskContext) -> None:
        context.report(1, 2, "pages")
        context.report(2, 2, "pages")
        with database.writing_on() as connection:
            context.finish(connection, Finished(200, b"{}"))

    runner = TaskRunner(
        database, queue, WorkerPool(2, Limits(2**29, 60, 60)), {"echo": Body(body)},
        result_seconds=1000, alone=True, ended=lambda _: None,
    )  # fmt: skip
    try:
        with statements(database) as sent:
            task_id = runner.submit(submission(listed=False))
            deadline = time.monotonic() + 30
            while queue.row("wb:a-1", task_id)["status"] != "done":
                assert time.monotonic() < deadline
                time.sleep(0.01)
        assert [statement for statement, _ in sent].count("COMMIT") == 2
    finally:
        runner.close()


def test_later_submissions_do_not_overtake_waiting_ones(queue, submission) -> None:
    waiting = queue.submit(submission())
    task_id, task = queue.submit_started(submission())
    assert task is None
    call, started = queue.submit_started(submission(listed=False))
    assert started is not None and started.task_id == call
    assert [claimed.task_id for claimed in queue.claim(5)] == [waiting, task_id]


def test_rows_of_answered_calls_are_removed_together_after_a_while(
    database, queue, submission, clock
) -> None:
    queue.submit(submission(listed=False))
    kept = queue.submit(submission())
    for task in queue.claim(2):
        with database.writing() as connection:
            queue.finish(connection, task, Finished(200, b"{}"))
    clock.now += 60
    assert queue.purge(before=0) == 0
    clock.now += 100
    assert queue.purge(before=0) == 1
    assert [row["task_id"] for row in queue.listed("wb:a-1")] == [kept]
