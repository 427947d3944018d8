"""What several servers do with one PostgreSQL at the same time: who waits for whom, how long."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.exc import DBAPIError

from backend.store import database as database_module
from backend.store.database import Database, account_key, docset_key
from backend.store.migrating import migrate
from backend.store.notices import CANCELLED, Notices
from backend.store.tables import operations
from backend.tasks.queue import Finished, Submission, TaskQueue


@pytest.fixture
def servers(postgresql: str) -> Iterator[tuple[Database, Database]]:
    """The databases of two servers, which are one."""
    first, second = Database(postgresql), Database(postgresql)
    migrate(first)
    yield first, second
    first.close()
    second.close()


def writes(write: Callable[[], object], seconds: float) -> bool:
    """Whether a transaction ends within that time; it is waited for in any case."""
    ended = threading.Event()

    def run() -> None:
        with write():
            pass
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    within = ended.wait(seconds)
    thread.join(30)
    return within


def test_transactions_on_other_things_do_not_wait_for_each_other(servers) -> None:
    first, second = servers
    with first.writing_on(docset_key("a"), account_key("a")):
        assert writes(lambda: second.writing_on(docset_key("b"), account_key("b")), 20)


@pytest.mark.parametrize(
    "waits",
    [
        lambda other: other.writing_on(docset_key("a")),
        lambda other: other.writing_on(account_key("a")),
        lambda other: other.writing(),
    ],
    ids=["docset", "account", "everything"],
)
def test_transactions_on_the_same_thing_wait(servers, waits) -> None:
    first, second = servers
    waiter = threading.Thread(target=writes, args=(lambda: waits(second), 30))
    with first.writing_on(docset_key("a"), account_key("a")):
        waiter.start()
        waiter.join(0.5)
        assert waiter.is_alive()
    waiter.join(30)
    assert not waiter.is_alive()


def test_a_server_that_freezes_inside_a_transaction_loses_it(servers, monkeypatch) -> None:
    first, second = servers
    short = func.set_config("idle_in_transaction_session_timeout", "1s", True)
    monkeypatch.setattr(database_module, "_FROZEN", short)
    with suppress(DBAPIError), first.writing() as connection:
        connection.execute(insert(operations).values(docset_id="a", doc_id="a", number=1, kind="x"))
        assert writes(second.writing, 25), "others write again"
    with second.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(operations)) == 0
    assert writes(first.writing, 25), "and so does the one that was frozen"


def test_no_task_is_claimed_twice_and_changes_are_numbered_in_order(servers) -> None:
    """Four threads of two servers submit, claim and finish; a reader follows the changes."""
    queues = [TaskQueue(one, f"server {n}", lambda: None) for n, one in enumerate(servers * 2)]
    count, done, lock = 40, list[str](), threading.Lock()
    for number in range(count):
        queues[0].submit(Submission(f"wb:a-{number % 2}", "echo", "/v1/x", {}))
    faults: list[BaseException] = []

    def work(queue: TaskQueue, database: Database) -> None:
        try:
            while claimed := queue.claim(2):
                for task in claimed:
                    with lock:
                        done.append(task.task_id)
                    with database.writing_on() as connection:
                        queue.finish(connection, task, Finished(200, b"{}"))
        except BaseException as error:
            faults.append(error)

    threads = [
        threading.Thread(target=work, args=(queue, one))
        for queue, one in zip(queues, servers * 2, strict=True)
    ]
    for thread in threads:
        thread.start()
    followed: dict[str, str] = {}
    last, alive = 0, True
    while alive:
        alive = any(thread.is_alive() for thread in threads)
        for change in queues[1].changes("wb:a-0", after=last):
            last = change.sequence
            followed[change.task_id] = change.status
    assert faults == []
    assert sorted(done) == sorted(set(done)) and len(done) == count
    assert list(followed.values()) == ["done"] * (count // 2), "no change was passed by"


def test_a_notice_reaches_the_other_server(servers) -> None:
    heard: list[tuple[str, str]] = []
    listener, sender = Notices(servers[0]), Notices(servers[1])
    listener.start(lambda kind, subject: heard.append((kind, subject)))
    try:
        deadline = time.monotonic() + 60
        while not heard:  # the first ones may be sent before it listens
            assert time.monotonic() < deadline
            sender.send(CANCELLED, "wb:t-1")
            time.sleep(0.05)
        assert heard[0] == (CANCELLED, "wb:t-1")
    finally:
        listener.close()
