"""Work that takes too long ends, whatever it is doing in Python, and nothing else is touched."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from backend.api.time_limit import Job, TimeLimits
from workbench.contract.errors import Unavailable


def for_ever() -> None:
    while True:
        sum(range(100))


def stubborn() -> None:
    """Goes on after every ordinary exception, as careful code may."""
    while True:
        try:
            for_ever()
        except Exception:
            continue


def clumsy() -> None:
    """Fails in its own cleanup, as libraries may."""
    try:
        for_ever()
    finally:
        raise ValueError("cleanup failed")


@pytest.mark.parametrize("work", [for_ever, stubborn, clumsy])
def test_work_that_never_checks_a_clock_is_stopped(work: Callable[[], None]) -> None:
    began = time.monotonic()
    with pytest.raises(Unavailable, match="request_seconds"):
        TimeLimits().run(work, 0.2)
    assert time.monotonic() - began < 5


def test_quick_work_returns_its_result_and_raises_its_own_errors() -> None:
    limits = TimeLimits()
    assert limits.run(lambda: 7, 5) == 7
    with pytest.raises(ZeroDivisionError):
        limits.run(lambda: 1 // 0, 5)


def test_the_thread_is_reusable_afterwards() -> None:
    limits = TimeLimits()
    for _ in range(20):
        with pytest.raises(Unavailable):
            limits.run(for_ever, 0.0)
        time.sleep(0.01)
        assert limits.run(lambda: sum(range(10_000)), 5) == 49_995_000


def test_stopping_the_server_stops_all_work() -> None:
    limits = TimeLimits()
    ended: list[str] = []

    def work() -> None:
        try:
            limits.run(for_ever, 600)
        except Unavailable as error:
            ended.append(error.detail)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    limits.stop_all()
    for thread in threads:
        thread.join(60)
    assert len(ended) == 3
    with pytest.raises(Unavailable, match="stopping"):
        limits.run(lambda: None, 5)


@pytest.mark.parametrize("before", [True, False])
def test_a_job_is_stopped_before_or_while_it_runs(before: bool) -> None:
    job = Job()
    if before:
        job.stop()
    else:
        threading.Timer(0.1, job.stop).start()
    with pytest.raises(Unavailable):
        TimeLimits().run(for_ever, 600, job)


_TRACED = """
import sys
from backend.api.time_limit import TimeLimits
TimeLimits().run(lambda: 1, 10)
sys.settrace(lambda *_: None)
(lambda: 1)()
"""


def test_a_program_can_be_traced_after_limited_work() -> None:
    """An exception that the interpreter still looks for stops Python 3.11 in its first call."""
    subprocess.run([sys.executable, "-c", _TRACED], check=True, timeout=60)
