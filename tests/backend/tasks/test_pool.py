"""Worker processes: what a document can do to them, and what it cannot do to the server."""

import errno
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from backend.tasks import spooling
from backend.tasks.clocks import HangDetector
from backend.tasks.pool import (
    LimitReached,
    Limits,
    Worker,
    WorkerDied,
    WorkerPool,
)
from backend.tasks.pool_port import OnQuestion, no_answer
from backend.tasks.spooling import IN_MEMORY
from tests.reliability.hostile_documents import one_page, stream
from workbench.contract.errors import StorageFull

MIB = 2**20
JOBS = "tests.backend.tasks.jobs"


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    opened = WorkerPool(1, Limits(memory=512 * MIB, cpu_seconds=60, wall_seconds=60))
    yield opened
    opened.close()


def run(pool: WorkerPool, job: str, data: object = None, **more: object) -> object:
    options = {"progress": lambda *_: None, "started": lambda _: None} | more
    return pool.run(f"{JOBS}:{job}", data, **options)


def test_a_job_whose_result_does_not_fit_on_the_disk_is_refused_alone(pool, monkeypatch) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(spooling.tempfile, "TemporaryFile", full)
    with pytest.raises(StorageFull):
        run(pool, "echo", blobs=[bytes(2 * IN_MEMORY)])
    assert run(pool, "echo", 1).data == 1


def test_what_a_job_logs_is_in_the_log_of_the_server(pool, caplog) -> None:
    assert run(pool, "complain").data == 1
    (line,) = [record for record in caplog.records if "could not be read" in record.message]
    assert "IndexError: nobody foresaw this" in line.message
    assert line.threadName == threading.current_thread().name


def test_surviving_objects_are_not_collected_again_after_each_job(pool) -> None:
    assert run(pool, "set_aside").data[0] == 0
    passed_over, walked_through = run(pool, "set_aside").data
    assert passed_over > 10 * walked_through


def test_a_worker_is_replaced_after_many_jobs_and_never_while_it_is_lent() -> None:
    """It used to end by itself behind its last answer: a job that came at once was lost."""
    pool = WorkerPool(1, Limits(memory=512 * MIB, cpu_seconds=60, wall_seconds=60))
    used: set[Worker] = set()
    for number in range(310):
        done = pool.run(f"{JOBS}:echo", [number], progress=lambda *_: None, started=used.add)
        assert done.data == [number]
    pool.close()
    assert len(used) == 2


def test_the_clock_stops_while_the_server_answers() -> None:
    worker, patient = Worker(), Limits(memory=512 * MIB, cpu_seconds=60, wall_seconds=60)

    def work(job: str, limits: Limits, answer: OnQuestion = no_answer) -> object:
        return worker.run(f"{JOBS}:{job}", [1], (), limits, lambda *_: None, answer).data

    def answer(_kind: str, data: int, _blobs: Sequence[bytes]) -> int:
        time.sleep(2.5)
        return data

    work("echo", patient)  # a process takes its time to start
    assert work("inquire", replace(patient, wall_seconds=2), answer) == [1]
    worker.close()


def test_a_worker_does_not_see_the_keys_of_the_settings(monkeypatch) -> None:
    monkeypatch.setenv("WORKBENCH_MODELS__CHAT__KEY", "sk-secret")
    pool = WorkerPool(1, Limits(memory=512 * MIB, cpu_seconds=60, wall_seconds=60))
    assert run(pool, "look_around").data == []
    pool.close()


def test_a_library_that_ends_the_process_for_want_of_memory_is_reported_as_that(pool) -> None:
    with pytest.raises(LimitReached, match=r"of its 512 MiB of memory .*worker_memory"):
        run(pool, "give_up_when_full", 4 * 2**30)
    assert run(pool, "echo", 2).data == 2


def test_a_crash_that_used_little_memory_is_reported_as_a_crash() -> None:
    ballast = (
        b"x" * 900 * MIB
    )  # the peak that the kernel reports includes child processes of the server
    pool = WorkerPool(1, Limits(memory=512 * MIB, cpu_seconds=60, wall_seconds=60))
    assert run(pool, "hold", 400 * MIB).data == 400 * MIB
    del ballast
    with pytest.raises(WorkerDied, match="-6"):
        run(pool, "give_up_when_full", 2**24)
    pool.close()


LARGE: dict[str, Callable[[], bytes]] = {
    "pdf": lambda: one_page(stream(bytes(300_000_000))),
    "html": lambda: b"<!doctype html>" + b"<p>words</p>" * 2_000_000,
    "xml": lambda: b"<?xml version='1.0'?><a>" + b"<p>words</p>" * 2_000_000 + b"</a>",
    "csv": lambda: b"words,1,2\n" * 2_000_000,
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_document_that_needs_too_much_memory_is_reported_and_not_read_in_part(
    tmp_path: Path, kind: str
) -> None:
    pool = WorkerPool(1, Limits(memory=256 * MIB, cpu_seconds=60, wall_seconds=120))
    file = tmp_path / "file"
    file.write_bytes(LARGE[kind]())
    data = {"path": str(file), "name": "file", "options": {}, "eyes": False, "room": 0}
    with pytest.raises(LimitReached, match=r"256 MiB of memory .*worker_memory"):
        pool.run("backend.docsets.partition_job:partition_file", data,
                 progress=lambda *_: None, started=lambda _: None)  # fmt: skip
    pool.close()


def test_a_worker_keeps_little_memory_after_a_large_document(pool) -> None:
    run(pool, "hold_in_pieces", 300 * MIB)
    (worker,) = pool._free
    deadline = time.monotonic() + 60
    while worker._process.memory().resident > 200 * MIB:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_worker_killed_from_outside_is_reported_as_killed(pool) -> None:
    def killed(worker: Worker) -> None:
        threading.Timer(0.5, os.kill, (worker._process.pid, signal.SIGKILL)).start()

    with pytest.raises(WorkerDied, match="killed from outside"):
        run(pool, "sleep", 60, started=killed)
    assert run(pool, "echo", 2).data == 2


def test_too_much_processor_time_is_reported() -> None:
    pool = WorkerPool(1, Limits(memory=512 * MIB, cpu_seconds=1, wall_seconds=60))
    with pytest.raises(LimitReached, match=r"1 s of processor time .*worker_cpu_seconds"):
        run(pool, "spin")
    assert run(pool, "echo", 3).data == 3
    pool.close()


def test_a_job_that_hangs_is_stopped_by_the_clock() -> None:
    pool = WorkerPool(1, Limits(memory=512 * MIB, cpu_seconds=60, wall_seconds=1))
    with pytest.raises(LimitReached, match=r"longer than 1 s .*worker_wall_seconds"):
        run(pool, "sleep", 60)
    pool.close()


def test_a_hung_job_ends_long_before_its_deadline(pool, monkeypatch) -> None:
    monkeypatch.setattr(HangDetector, "most", 2.0)
    with pytest.raises(WorkerDied, match="hung for 2 s"):
        run(pool, "sleep", 60)
    assert run(pool, "echo", 3).data == 3


def test_a_job_that_waits_for_an_answer_is_not_hung(pool, monkeypatch) -> None:
    monkeypatch.setattr(HangDetector, "most", 1.0)
    assert run(pool, "inquire", [1], answer=lambda *_: time.sleep(2)).data == [None]


def test_a_warm_pool_replaces_a_dead_worker_before_the_next_job_asks(pool) -> None:
    pool.warm(JOBS)
    (first,) = pool._free
    with pytest.raises(WorkerDied):
        run(pool, "crash")
    (second,) = pool._free
    assert second is not first and second.alive
    assert run(pool, "echo", 5).data == 5


def test_a_worker_reaches_no_network(pool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        reached = run(pool, "reach_network", port).data
    if reached == "reached":
        pytest.skip("this system does not let a process give up its network")
    assert reached == "unreachable"
