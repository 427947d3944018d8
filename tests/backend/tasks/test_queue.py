"""The queue as callers know it: nothing is lost, nothing is done twice, cancel works once."""

import tracemalloc

import pytest

from backend.store.database import Database
from backend.tasks.queue import LEASE_SECONDS, Finished, Superseded, TaskQueue
from workbench.contract.errors import NotFound, TooMany

ACCOUNT = "wb:a-1"
OK = Finished(200, b'{"fine": true}')


def finish(database: Database, queue: TaskQueue, task: object, end: Finished = OK) -> None:
    with database.writing() as connection:
        queue.finish(connection, task, end)


def test_a_submitted_task_is_listed_as_queued_and_then_running_and_done(
    database, queue, submission
) -> None:
    task_id = queue.submit(submission(userdata="mine"))
    assert [row["status"] for row in queue.listed(ACCOUNT)] == ["queued"]
    (task,) = queue.claim(1)
    assert queue.row(ACCOUNT, task_id)["status"] == "running"
    finish(database, queue, task)
    row = queue.row(ACCOUNT, task_id)
    assert (row["status"], row["outcome"], row["result"]) == ("done", 200, OK.body)
    assert row["userdata"] == "mine"


def test_tasks_are_claimed_in_the_order_of_submission_and_each_once(queue, submission) -> None:
    ids = [queue.submit(submission()) for _ in range(4)]
    assert [task.task_id for task in queue.claim(2)] == ids[:2]
    assert [task.task_id for task in queue.claim(9)] == ids[2:]
    assert queue.claim(9) == []


def test_accounts_take_turns_however_much_one_of_them_has_submitted(queue, submission) -> None:
    first = [queue.submit(submission(account_id="wb:a-1")) for _ in range(4)]
    second = [queue.submit(submission(account_id="wb:a-2")) for _ in range(2)]
    claimed = [queue.claim(1)[0].task_id for _ in range(6)]
    assert claimed == [first[0], second[0], first[1], second[1], first[2], first[3]]


def test_accounts_take_turns_within_one_claim_too(queue, submission) -> None:
    first = [queue.submit(submission(account_id="wb:a-1")) for _ in range(3)]
    second = queue.submit(submission(account_id="wb:a-2"))
    assert [task.task_id for task in queue.claim(3)] == [first[0], second, first[1]]


def test_waiting_calls_of_one_account_do_not_hold_up_those_of_another(queue, submission) -> None:
    first = [queue.submit(submission(account_id="wb:a-1", listed=False)) for _ in range(3)]
    second = queue.submit(submission(account_id="wb:a-2", listed=False))
    assert [task.task_id for task in queue.claim(2)] == [first[0], second]


def test_a_clock_that_jumps_neither_loses_nor_doubles_work(
    database, queue, submission, clock
) -> None:
    kept = queue.submit(submission())
    (task,) = queue.claim(1)
    later = queue.submit(submission())
    for jump in (-86_400, 10 * 86_400, -86_400):
        clock.now += jump
        assert queue.renew_leases([task]) == []
        assert queue.purge(before=clock.now - 3600) == 0
        assert {row["task_id"] for row in queue.listed(ACCOUNT)} == {kept, later}
    finish(database, queue, task)
    (again,) = queue.claim(5)
    assert (again.task_id, again.attempt) == (later, 1)
    finish(database, queue, again)
    assert {row["status"] for row in queue.listed(ACCOUNT)} == {"done"}


def test_the_work_of_a_waiting_call_comes_first_and_is_not_listed(queue, submission) -> None:
    queue.submit(submission())
    waiting = queue.submit(submission(listed=False))
    assert queue.claim(1)[0].task_id == waiting
    assert waiting not in [row["task_id"] for row in queue.listed(ACCOUNT)]


def test_one_task_too_many_is_refused_and_leaves_nothing_behind(queue, submission) -> None:
    for _ in range(5):
        queue.submit(submission())
    with pytest.raises(TooMany, match="Too many requests"):
        queue.submit(submission())
    assert len(queue.listed(ACCOUNT)) == 5
    queue.submit(submission(account_id="wb:a-2"))


@pytest.mark.parametrize("started", [False, True])
def test_cancel_works_once_and_then_the_task_does_not_exist(
    database, queue, submission, started
) -> None:
    task_id = queue.submit(submission())
    claimed = queue.claim(1) if started else []
    queue.cancel(ACCOUNT, task_id)
    with pytest.raises(NotFound, match="Task not found"):
        queue.cancel(ACCOUNT, task_id)
    with pytest.raises(NotFound, match="No such task"):
        queue.row(ACCOUNT, task_id)
    assert queue.claim(1) == []
    for task in claimed:
        with pytest.raises(Superseded):
            finish(database, queue, task)


def test_a_finished_task_cannot_be_cancelled(database, queue, submission) -> None:
    task_id = queue.submit(submission())
    finish(database, queue, queue.claim(1)[0])
    with pytest.raises(NotFound):
        queue.cancel(ACCOUNT, task_id)
    assert queue.row(ACCOUNT, task_id)["status"] == "done"


def test_no_account_sees_or_cancels_the_tasks_of_another(queue, submission) -> None:
    task_id = queue.submit(submission())
    assert queue.listed("wb:a-2") == []
    with pytest.raises(NotFound):
        queue.row("wb:a-2", task_id)
    with pytest.raises(NotFound):
        queue.cancel("wb:a-2", task_id)


def test_a_restart_resumes_running_tasks_and_drops_abandoned_calls(
    database, queue, submission
) -> None:
    kept = queue.submit(submission())
    queue.submit(submission(listed=False))
    queue.claim(2)
    assert queue.recover(alone=True) == 1
    (again,) = queue.claim(5)
    assert (again.task_id, again.attempt) == (kept, 2)


def test_a_process_that_slept_beyond_its_lease_cannot_end_a_reassigned_task(
    database, queue, submission, clock
) -> None:
    queue.submit(submission())
    (old,) = queue.claim(1)
    other = TaskQueue(database, "there", lambda: None, clock=clock)
    assert other.claim(1) == []
    clock.now += LEASE_SECONDS + 1
    assert other.requeue_lost() == 1
    (new,) = other.claim(1)
    assert queue.renew_leases([old]) == [old]
    with pytest.raises(Superseded):
        finish(database, queue, old)
    finish(database, other, new)


def test_a_claimed_task_keeps_its_lease_while_it_is_extended(
    database, queue, submission, clock
) -> None:
    queue.submit(submission())
    (task,) = queue.claim(1)
    other = TaskQueue(database, "there", lambda: None, clock=clock)
    for _ in range(4):
        clock.now += LEASE_SECONDS / 2
        assert queue.renew_leases([task]) == []
        assert other.claim(1) == []


def test_a_task_finished_in_a_failed_transaction_is_not_finished(
    database, queue, submission
) -> None:
    task_id = queue.submit(submission())
    (task,) = queue.claim(1)
    with pytest.raises(ZeroDivisionError), database.writing() as connection:
        queue.finish(connection, task, OK)
        raise ZeroDivisionError
    assert queue.row(ACCOUNT, task_id)["status"] == "running"


def test_changes_come_in_order_and_can_be_resumed(queue, submission) -> None:
    first, second = queue.submit(submission()), queue.submit(submission())
    seen = queue.changes(ACCOUNT, after=0)
    assert [change.task_id for change in seen] == [first, second]
    (task,) = queue.claim(1)
    queue.progress(task, 3, 9, "pages", None)
    (change,) = queue.changes(ACCOUNT, after=seen[-1].sequence)
    assert (change.task_id, change.done, change.total, change.unit) == (first, 3, 9, "pages")


def test_the_progress_of_tasks_is_read_without_their_requests_and_results(
    database, queue, submission
) -> None:
    for _ in range(3):
        queue.submit(submission(request={"docset_id": "wb:ds-1", "schema": "x" * 1_000_000}))
        finish(database, queue, queue.claim(1)[0], Finished(200, b"x" * 1_000_000))
    tracemalloc.start()
    try:
        changes = queue.changes(ACCOUNT, after=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [(one.status, one.docset_id) for one in changes] == [("done", "wb:ds-1")] * 3
    assert peak < 500_000


def test_finished_tasks_are_forgotten_after_their_time(database, queue, submission, clock) -> None:
    queue.submit(submission())
    finish(database, queue, queue.claim(1)[0])
    open_one = queue.submit(submission())
    clock.now += 100
    assert queue.purge(before=clock.now - 50) == 1
    assert [row["task_id"] for row in queue.listed(ACCOUNT)] == [open_one]


def test_changes_after_a_purge_are_numbered_behind_those_before_it(
    database, queue, submission, clock
) -> None:
    queue.submit(submission())
    finish(database, queue, queue.claim(1)[0])
    last = queue.changes(ACCOUNT, after=0)[-1].sequence
    clock.now += 100
    queue.purge(before=clock.now - 50)
    later = queue.submit(submission())
    assert [change.task_id for change in queue.changes(ACCOUNT, after=last)] == [later]


def test_a_suspended_machine_does_not_take_its_own_work_twice(queue, submission, clock) -> None:
    queue.submit(submission())
    (task,) = queue.claim(1)
    clock.now += 1000
    assert queue.requeue_lost([task.task_id]) == 0
    assert queue.requeue_lost() == 1
    assert queue.claim(1, besides=[task.task_id]) == []
    assert [again.attempt for again in queue.claim(1)] == [2]
