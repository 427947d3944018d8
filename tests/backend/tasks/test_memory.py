"""Jobs share their memory: all that are under way together never take more than one may beside the
shares of the others.
"""

import threading
import time

import pytest

from backend.tasks.memory import Reserve, Withdrawn
from backend.tasks.pool import LimitReached, Limits, WorkerPool, WorkerStopped
from tests.backend.tasks.test_pool import MIB, run

JOBS = "tests.backend.tasks.jobs"
WHOLE = 800 * MIB
SHARE = 200 * MIB


def test_a_job_has_its_share_and_borrows_unused_memory() -> None:
    reserve = Reserve(WHOLE)
    with reserve.begin() as one, reserve.begin() as other:
        assert (one.memory, other.memory) == (SHARE, SHARE)
        assert one.grow(400 * MIB) == 400 * MIB
        assert other.grow(300 * MIB) == 200 * MIB
        assert one.grow(1) == 0 and not one.is_whole
        assert one.memory + other.memory == WHOLE + SHARE
    with reserve.begin() as next_one:
        assert next_one.grow(600 * MIB) == 600 * MIB
        assert next_one.is_whole


def test_memory_borrowed_after_the_end_of_a_job_is_returned() -> None:
    reserve = Reserve(WHOLE)
    with reserve.begin() as one:
        pass
    assert one.grow(100) == 0
    with reserve.begin_with_all() as all_of_it:
        assert all_of_it.is_whole


def test_who_needs_all_waits_for_those_who_have_borrowed_and_is_not_overtaken() -> None:
    reserve = Reserve(WHOLE)
    order: list[str] = []

    def all_of_it(name: str) -> None:
        with reserve.begin_with_all():
            order.append(name)

    threads = [threading.Thread(target=all_of_it, args=(name,)) for name in ("first", "second")]
    with reserve.begin() as borrower, reserve.begin() as newcomer:
        borrower.grow(10)
        for waiting, thread in enumerate(threads, start=1):
            thread.start()
            while len(reserve._waiting) < waiting:
                time.sleep(0.01)
        assert borrower.grow(10) == 10
        assert newcomer.grow(10) == 0
        assert order == []
    for thread in threads:
        thread.join(60)
    assert order == ["first", "second"]


def test_who_waits_for_memory_can_be_stopped() -> None:
    reserve = Reserve(WHOLE)
    with reserve.begin() as borrower:
        borrower.grow(10)
        with pytest.raises(Withdrawn):
            reserve.begin_with_all(lambda: True)
    reserve.begin_with_all()


@pytest.fixture
def pool():
    opened = WorkerPool(2, Limits(memory=800 * MIB, cpu_seconds=60, wall_seconds=60))
    yield opened
    opened.close()


def test_a_job_that_grows_gets_all_that_a_job_may_have_without_a_new_beginning(pool) -> None:
    begun: list[object] = []
    assert run(pool, "grow", [600 * MIB, 1], started=begun.append).data == 600 * MIB
    assert len(begun) == 1


def test_a_job_that_needs_much_at_once_begins_anew_with_all_of_it(pool) -> None:
    begun: list[object] = []
    assert run(pool, "hold", 600 * MIB, started=begun.append).data == 600 * MIB
    assert len(begun) == 2


def test_two_large_jobs_are_done_one_after_the_other_and_a_small_one_beside_them(pool) -> None:
    ended: list[str] = []

    def large(name: str) -> None:
        assert run(pool, "grow", [500 * MIB, 1]).data == 500 * MIB
        ended.append(name)

    threads = [threading.Thread(target=large, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    most = 0
    while any(thread.is_alive() for thread in threads):
        most = max(most, sum(worker._process.memory().private for worker in list(pool._lent)))
        time.sleep(0.01)
    assert sorted(ended) == ["a", "b"]
    assert most < (800 + 200 + 2 * 100) * MIB


def test_a_job_over_its_memory_limit_is_reported_with_the_setting_that_raises_it(pool) -> None:
    with pytest.raises(LimitReached, match=r"800 MiB of memory .*worker_memory"):
        run(pool, "grow", [2_000 * MIB, 1])
    assert run(pool, "echo", 1).data == 1


def test_a_job_that_waits_for_memory_ends_when_it_is_cancelled(pool) -> None:
    cancelled = threading.Event()
    ended: list[float] = []

    def waits() -> None:
        with pytest.raises(WorkerStopped):
            run(pool, "hold", 600 * MIB, stopped=cancelled.is_set)
        ended.append(time.monotonic())

    with pool._reserve.begin() as other:
        other.grow(100 * MIB)
        thread = threading.Thread(target=waits)
        thread.start()
        while not pool._reserve._waiting:
            time.sleep(0.01)
        began = time.monotonic()
        cancelled.set()
        thread.join(60)
        assert ended and ended[0] - began < 1
