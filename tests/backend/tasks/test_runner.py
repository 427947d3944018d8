"""The runner: tasks get done, refusals are answered, crashes are retried, stops hand work back."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy.exc import OperationalError

from backend.store.blobs import BlobsUnreachable
from backend.store.database import Database
from backend.tasks.pool import Limits, WorkerPool
from backend.tasks.queue import Finished, TaskQueue
from backend.tasks.runner import Body, TaskContext, TaskRunner
from workbench.contract.errors import BadRequest, NotFound

ACCOUNT = "wb:a-1"
JOBS = "tests.backend.tasks.jobs"
REACHABLE = threading.Event()


def do(context: TaskContext) -> None:
    """Runs the job that the request names and ends with what it gave."""
    message = context.run(f"{JOBS}:{context.task.request['job']}", context.task.request["data"])
    with context.database.writing() as connection:
        context.finish(connection, Finished(200, json.dumps(message.data).encode()))


def fetch(context: TaskContext) -> None:
    """Fetches from a server that never answers."""
    while not context.stopped:
        time.sleep(0.01)
    raise BadRequest("nobody wants it")


def read(context: TaskContext) -> None:
    """Needs a file from a place that does not respond until `REACHABLE` is set."""
    if not REACHABLE.is_set():
        raise BlobsUnreachable("No answer.")
    do(context)


class Running:
    def __init__(self, database: Database, queue: TaskQueue, submission: Callable) -> None:
        self.ended: list[str] = []
        self.accounts = 1
        self.queue = queue
        self._submission = submission
        pool = WorkerPool(2, Limits(memory=2**29, cpu_seconds=60, wall_seconds=60))
        self.runner = TaskRunner(
            database,
            queue,
            pool,
            {"echo": Body(do), "fetch": Body(fetch), "read": Body(read)},
            result_seconds=1000,
            alone=True,
            ended=self.ended.append,
            several=lambda: self.accounts > 1,
            clock=queue._clock,
        )
        self.runner.start()

    def submit(self, job: str, data: object = None, **more: object) -> str:
        task_id = self.queue.submit(self._submission(request={"job": job, "data": data}, **more))
        self.runner.wake()
        return task_id

    def outcome(self, task_id: str, seconds: float = 60) -> tuple[int, object]:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            row = self.queue.row(ACCOUNT, task_id)
            if row["status"] == "done":
                return row["outcome"], json.loads(row["result"])
            time.sleep(0.01)
        raise TimeoutError(task_id)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.fixture
def running(database, queue, submission) -> Iterator[Running]:
    opened = Running(database, queue, submission)
    yield opened
    opened.runner.close()


def test_tasks_are_done_and_their_end_is_reported(running) -> None:
    ids = [running.submit("echo", n) for n in range(5)]
    assert [running.outcome(task_id) for task_id in ids] == [(200, n) for n in range(5)]
    running.wait_for(lambda: sorted(running.ended) == sorted(ids))


def test_a_refusal_is_answered_with_its_status_and_sentence(running) -> None:
    status, body = running.outcome(running.submit("refuse"))
    assert (status, body["detail"]) == (415, "This is a HEIC image, which cannot be read.")


def test_a_refusal_may_use_the_space_that_is_kept_for_deletions(
    running, database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it, the caller waited for ever for an answer that a full disk could not take."""
    lent: list[str] = []

    @contextmanager
    def noted() -> Iterator[None]:
        lent.append("lent")
        yield

    monkeypatch.setattr(database.reserve, "lent", noted)
    assert running.outcome(running.submit("echo", 1)) == (200, 1)
    assert lent == []
    assert running.outcome(running.submit("refuse"))[0] == 415
    assert lent == ["lent"]


def test_an_internal_error_is_a_500_without_details(running) -> None:
    assert running.outcome(running.submit("fail")) == (500, {"detail": "Internal server error."})


def test_a_document_that_crashes_the_reader_is_tried_three_times_and_reported(running) -> None:
    task_id = running.submit("crash")
    status, body = running.outcome(task_id, 30)
    assert status == 400 and "crashed" in body["detail"]
    assert running.queue.row(ACCOUNT, task_id)["attempts"] == 3, "tried as often as promised"
    assert running.outcome(running.submit("echo", 1)) == (200, 1)


def test_a_submitted_task_waits_for_files_that_do_not_respond(
    running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An accepted file becomes a document later; a caller who waits is refused at once."""
    monkeypatch.setattr("backend.tasks.runner._FILES_AGAIN", 0.01)
    REACHABLE.clear()
    submitted = running.submit("echo", 1, kind="read")
    waiting = running.submit("echo", 2, kind="read", listed=False)
    assert running.outcome(waiting) == (503, {"detail": "No answer."})
    running.wait_for(lambda: "waits" in (running.queue.row(ACCOUNT, submitted)["message"] or ""))
    REACHABLE.set()
    assert running.outcome(submitted) == (200, 1)
    assert running.queue.row(ACCOUNT, submitted)["attempts"] == 1, "no attempt was counted"


@pytest.mark.alone
@pytest.mark.parametrize("times", [5, pytest.param(100, marks=pytest.mark.soak)])
def test_cancelling_running_work_frees_the_core_within_a_second(running, times: int) -> None:
    waits = sorted(cancelled_after(running) for _ in range(times))
    p95 = waits[int(times * 0.95) - 1]
    print(f"median {waits[times // 2]:.3f} s, p95 {p95:.3f} s")
    assert p95 < 1


def cancelled_after(running: Running) -> float:
    """Seconds from the cancel of a task to the end of its work."""
    task_id = running.submit("spin")
    running.wait_for(lambda: running.queue.row(ACCOUNT, task_id)["status"] == "running")
    time.sleep(0.3)
    began = time.monotonic()
    running.queue.cancel(ACCOUNT, task_id)
    running.runner.interrupt(task_id)
    running.wait_for(lambda: task_id in running.ended)
    seconds = time.monotonic() - began
    with pytest.raises(NotFound):
        running.queue.row(ACCOUNT, task_id)
    return seconds


def test_stopping_hands_running_work_back_and_the_next_start_does_it(
    database, queue, submission
) -> None:
    first = Running(database, queue, submission)
    task_id = first.submit("sleep", 1.0)
    first.wait_for(lambda: queue.row(ACCOUNT, task_id)["status"] == "running")
    began = time.monotonic()
    first.runner.close()
    assert time.monotonic() - began < 5
    row = queue.row(ACCOUNT, task_id)
    assert (row["status"], row["crashes"]) == ("queued", 0)
    second = Running(database, queue, submission)
    assert second.outcome(task_id) == (200, None)
    second.runner.close()
    assert not [t for t in threading.enumerate() if t.name == task_id]


def test_a_document_is_not_blamed_for_the_kills_of_the_server(database, queue, submission) -> None:
    task_id = queue.submit(submission(request={"job": "echo", "data": 1}))
    for _ in range(5):  # killed five times while it was being worked on
        assert queue.claim(1)
        queue.recover(alone=True)
    survivor = Running(database, queue, submission)
    assert survivor.outcome(task_id) == (200, 1)
    survivor.runner.close()


def test_work_that_takes_longer_than_a_lease_keeps_it(
    running, queue, clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.tasks.runner._LEASE_EVERY", 0.0)
    task_id = running.submit("sleep", 2.0)
    running.wait_for(lambda: queue.row(ACCOUNT, task_id)["status"] == "running")
    clock.now += 1000
    running.runner.wake()
    running.wait_for(lambda: queue.row(ACCOUNT, task_id)["lease_until"] > clock.now)
    assert running.outcome(task_id) == (200, None)
    assert queue.row(ACCOUNT, task_id)["attempts"] == 1


def test_work_waits_for_a_database_that_fails_once_and_is_then_done(
    running, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, failed = running.queue.claim, []

    def fails_once(*args: object, **options: object) -> list:
        if not failed:
            failed.append(True)
            raise OperationalError("claim", {}, OSError("disk full"))
        return claim(*args, **options)

    monkeypatch.setattr(running.queue, "claim", fails_once)
    assert running.outcome(running.submit("echo", 1)) == (200, 1)
    assert failed


def test_work_whose_lease_ended_is_done_again_by_the_same_server(
    running, queue, submission, clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.tasks.runner._LEASE_EVERY", 0.1)
    task_id = running.submit("echo", 1)
    running.outcome(task_id)
    lost, claimed = queue.submit_started(submission(request={"job": "echo", "data": 2}))
    assert claimed, "by a thread that could not hand it back"
    clock.now += 1000
    assert running.outcome(lost) == (200, 2)


def test_slow_web_servers_keep_no_worker_from_its_work(running) -> None:
    running.queue._max_open = 100
    slow = {"file_url": "http://slow.example/", "job": "", "data": None}
    ids = [running.queue.submit(running._submission(request=slow, kind="fetch")) for _ in range(40)]
    running.runner.wake()
    assert running.outcome(running.submit("echo", 1)) == (200, 1)
    running.wait_for(
        lambda: sum(running.queue.row(ACCOUNT, i)["status"] == "running" for i in ids) == 16
    )
    running.queue.cancel(ACCOUNT, ids[0])
    running.runner.interrupt(ids[0])
    running.wait_for(lambda: ids[0] in running.ended)


def test_one_of_several_accounts_leaves_a_worker_to_the_others(running) -> None:
    running.accounts = 2
    first = [running.submit("sleep", 300) for _ in range(3)]
    other = running.submit("echo", 1, account_id="wb:a-2")
    deadline = time.monotonic() + 60
    while running.queue.row("wb:a-2", other)["status"] != "done":
        assert time.monotonic() < deadline
        time.sleep(0.01)
    states = [running.queue.row(ACCOUNT, task_id)["status"] for task_id in first]
    assert states == ["running", "queued", "queued"]
    for task_id in first:
        running.queue.cancel(ACCOUNT, task_id)
        running.runner.interrupt(task_id)


def test_a_task_that_finds_no_thread_waits_and_is_done_later(
    running, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, refused = threading.Thread.start, []

    def start(thread: threading.Thread) -> None:
        if thread.name.startswith("wb:t-") and len(refused) < 2:
            refused.append(thread.name)
            raise RuntimeError("can't start new thread")
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    assert running.outcome(running.submit("echo", 1)) == (200, 1)
    assert len(refused) == 2


def test_a_task_waits_while_memory_is_short(running, monkeypatch: pytest.MonkeyPatch) -> None:
    free: list[bool] = []
    asked = threading.Event()

    def has_headroom() -> bool:
        asked.set()
        return bool(free)

    monkeypatch.setattr("backend.tasks.runner.has_headroom", has_headroom)
    task_id = running.submit("echo", "kept")
    assert asked.wait(60)
    assert running.queue.row(ACCOUNT, task_id)["status"] == "queued"
    free.append(True)
    assert running.outcome(task_id)[0] == 200


def test_a_submission_takes_no_place_that_claimed_work_is_about_to_take(
    running, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = running.queue.claim
    work = running._submission(request={"job": "sleep", "data": 20})
    ids: list[str] = []
    claims: list[str] = []

    def claiming(*args: object, **named: object) -> object:
        claimed = claim(*args, **named)
        claims.extend(task.task_id for task in claimed)
        if claimed and len(claims) == 2:  # the runner may claim before the test goes on
            ids.append(running.runner.submit(work))
        return claimed

    def states() -> list[str]:
        return sorted(running.queue.row(ACCOUNT, task_id)["status"] for task_id in ids)

    monkeypatch.setattr(running.queue, "claim", claiming)
    for _ in range(2):
        ids.append(running.queue.submit(work))
    running.runner.wake()
    running.wait_for(lambda: len(ids) == 3 and states().count("running") >= 2)
    assert states() == ["queued", "running", "running"]
    for task_id in ids:
        running.queue.cancel(ACCOUNT, task_id)
        running.runner.interrupt(task_id)
