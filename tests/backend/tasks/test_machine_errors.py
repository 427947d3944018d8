"""A shortage of the machine is reported as such, never as a fault of the document."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.partition import engine, partition
from backend.tasks.memory_errors import is_of_machine
from backend.tasks.pool import Limits, WorkerPool
from workbench.contract.errors import ServiceError
from workbench.contract.partition_options import PartitionOptions


def no_thread() -> None:
    raise RuntimeError("can't start new thread")


def no_descriptor() -> None:
    raise OSError(errno.EMFILE, "Too many open files")


def no_fork() -> None:
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


@pytest.mark.parametrize("lack", [no_thread, no_descriptor, no_fork])
def test_a_reader_that_lacks_something_does_not_blame_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lack: Callable[[], None]
) -> None:
    (tmp_path / "a.txt").write_text("Words.")
    monkeypatch.setitem(engine.READERS, "text/plain", lambda request: lack())
    with pytest.raises((OSError, RuntimeError)) as met:
        partition(
            tmp_path / "a.txt",
            name="a.txt",
            options=PartitionOptions(),
            progress=lambda done, total: None,
        )
    assert is_of_machine(met.value) and not isinstance(met.value, ServiceError)


def test_a_job_that_lacks_something_is_a_503() -> None:
    pool = WorkerPool(1, Limits(memory=2**29, cpu_seconds=60, wall_seconds=60))
    try:
        with pytest.raises(ServiceError, match="at the moment") as met:
            pool.run(
                "tests.backend.tasks.jobs:lack",
                None,
                progress=lambda *_: None,
                started=lambda *_: None,
            )
        assert met.value.status == 503
    finally:
        pool.close()
