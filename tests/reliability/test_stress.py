"""Very long queues, very many finished tasks, and nothing to do at all."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from backend.docsets.property_jobs import SUGGEST_KIND
from backend.store.database import Database
from backend.store.tables import tasks
from tests.backend_process import COMMAND, BackendProcess
from tests.reliability.mixed_load import drained
from tests.reliability.test_mixed_kill import processes_of, processor_seconds

_QUEUED = 10_000
_DONE = 100_000
_ANSWER = b'{"detail": "No such DocSet: wb:ds-gone"}'


def _row(number: int, account: str, **more: Any) -> dict[str, Any]:
    return {
        "task_id": f"wb:t-{number}",
        "account_id": account,
        "action": "/v1/storage/docsets/wb:ds-gone/suggest-properties",
        "kind": SUGGEST_KIND,
        "method": "POST",
        "request": {"docset_id": "wb:ds-gone", "suggest": {}},
        "created_at": time.time() - _DONE + number,
        "attempts": 0,
        "crashes": 0,
        "listed": True,
        "fetches": False,
        "changed": number,
        **more,
    }


@pytest.fixture
def loaded(tmp_path: Path) -> Iterator[BackendProcess]:
    """A backend that is not running, with all those tasks."""
    settings = {"workers": "1", "max_open_tasks": "20000"}
    backend = BackendProcess(tmp_path / "data", settings, COMMAND)
    account = _account(backend)
    ended = {"status": "done", "finished_at": time.time(), "outcome": 404, "result": _ANSWER}
    done = [_row(number, account, **ended) for number in range(_DONE)]
    queued = [_row(_DONE + number, account, status="queued") for number in range(_QUEUED)]
    with Database(f"sqlite:///{backend.folder / 'workbench.sqlite'}").writing() as connection:
        connection.execute(insert(tasks), done)
        connection.execute(insert(tasks), queued)
    yield backend
    backend.kill()


def _account(backend: BackendProcess) -> str:
    backend.start()
    with backend.client() as http:
        made = http.post("/v1/storage/docsets", json={"name": "mine"}).raise_for_status().json()
    backend.stop()
    return str(made["account_id"])


def test_a_server_with_a_long_queue_and_a_long_past_is_ready_and_answers_at_once(
    loaded: BackendProcess,
) -> None:
    loaded.start()
    assert processor_seconds(loaded.pid) < 10
    with loaded.client() as http:
        made = http.post("/v1/storage/docsets", json={"name": "new"}).raise_for_status().json()
        path = f"/v1/storage/docsets/{made['docset_id']}/docs"
        http.post(path, files={"file": ("a.txt", "waits for nobody")}).raise_for_status()
        last = f"wb:t-{_DONE + _QUEUED - 1}"
        assert http.post(f"/v1/async/cancel/{last}").status_code == 200
        listed = http.get("/v1/async/list").json()["tasks"]
        assert len(listed) == _DONE + _QUEUED
        states = [task["task_status"] for task in listed.values()]
        assert states.count("queued") > 1000, "the call waited for the queue"


@pytest.mark.soak
def test_ten_thousand_queued_tasks_are_all_done(loaded: BackendProcess) -> None:
    loaded.start()
    with loaded.client() as http:
        began = time.monotonic()
        drained(http, seconds=1800)
        print(f"{_QUEUED} tasks in {time.monotonic() - began:.0f} s")
        assert http.get(f"/v1/async/result/wb:t-{_DONE + _QUEUED - 1}").status_code == 404


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[BackendProcess]:
    backend = BackendProcess(tmp_path / "data", {"workers": "2"}).start()
    yield backend
    backend.stop()


def test_an_idle_server_and_its_workers_leave_the_processor_alone(idle: BackendProcess) -> None:
    """Once the workers have imported what they need; how long that takes is the machine's matter.

    Six seconds, because what is done again and again is done every five.
    """
    deadline = time.monotonic() + 120
    while (share := _share(idle, seconds=6)) >= 0.01:
        assert time.monotonic() < deadline, f"it is never idle: {share:.1%}"


def _share(backend: BackendProcess, seconds: float) -> float:
    """How much of one processor it takes."""
    before, began = _spent(backend), time.monotonic()
    time.sleep(seconds)
    return (_spent(backend) - before) / (time.monotonic() - began)


def _spent(backend: BackendProcess) -> float:
    return sum(processor_seconds(pid) for pid in processes_of(backend.pid))
