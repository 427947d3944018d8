"""What ends with the server: its workers, its work, its run file."""

import os
import threading
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.forked_workers import TEMPLATE
from tests.reliability.mixed_load import documents, drained


def test_workers_end_by_themselves_when_only_the_server_dies(tmp_path: Path) -> None:
    backend = BackendProcess(tmp_path / "data").start()
    workers = children(backend.pid)
    assert workers
    backend.kill(server_only=True)
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() and state(pid) != "Z" for pid in workers):
        assert time.monotonic() < deadline, "orphaned workers"
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    """The workers of a backend."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    threads = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with suppress(FileNotFoundError):  # a thread that has ended since
            threads.append(Path(f"/proc/{pid}/task/{thread}/children").read_text())
    known = {int(child) for line in [text, *threads] for child in line.split()}
    return sorted(child for child in known if _command_name(child) != TEMPLATE)


def _command_name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:  # it has ended since
        return ""


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_sigterm_hands_work_back_within_ten_seconds_and_the_next_start_does_it(
    tmp_path: Path,
) -> None:
    backend = BackendProcess(tmp_path / "data").start()
    long_text = b"a line of text that goes on\n\n" * 4_000
    with backend.client() as client:
        docset = client.post("/v1/storage/docsets", json={"name": "stop"}).json()["docset_id"]
        path = f"/v1/async/submit/storage/docsets/{docset}/docs"
        for number in range(4):
            client.post(path, files={"file": (f"{number}.txt", long_text)})
    time.sleep(0.3)
    began = time.monotonic()
    assert backend.stop() == 0
    assert time.monotonic() - began < 10
    assert not (tmp_path / "data" / "run.json").exists()
    backend.start()
    with backend.client() as client:
        drained(client)
        assert len(documents(client, docset)) == 4
    backend.stop()


def test_an_upload_that_sigterm_interrupts_is_refused_and_not_done_later(tmp_path: Path) -> None:
    backend = BackendProcess(tmp_path / "data").start()
    answers: list[httpx.Response] = []
    with backend.client() as client:
        docset = client.post("/v1/storage/docsets", json={"name": "stop"}).json()["docset_id"]

    def upload() -> None:
        with backend.client() as own:
            sent = {"file": ("long.txt", b"a line of text that goes on\n\n" * 60_000)}
            answers.append(own.post(f"/v1/storage/docsets/{docset}/docs", files=sent))

    uploading = threading.Thread(target=upload)
    uploading.start()
    time.sleep(1)
    assert backend.stop() == 0
    uploading.join(60)
    (answer,) = answers
    assert answer.status_code in (200, 503), answer.text  # 200 when it was quicker
    backend.start()
    with backend.client() as client:
        drained(client)
        assert len(documents(client, docset)) == (answer.status_code == 200)
    backend.stop()


SLOW = " ".join(f"'{number}'" for number in range(199))
"""Feedback that takes long to read: each quotation is looked for among all values."""


def plan_of_all(client: httpx.Client) -> dict[str, object]:
    docset = client.post("/v1/storage/docsets", json={"name": "slow"}).json()["docset_id"]
    node = {"node_type": "QueryDatabase", "node_id": 0, "inputs": [], "index": docset}
    plan = {"query": "all", "nodes": {"0": node}, "result_node": 0}
    return {"docset_id": docset, "plan": plan}


def test_a_sentence_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    backend = BackendProcess(tmp_path / "data", {"request_seconds": "0.001"}).start()
    with backend.client() as client:
        body = {"query": plan_of_all(client), "feedback": SLOW}
        began = time.monotonic()
        answer = client.patch("/v1/query/plan", json=body)
        assert time.monotonic() - began < 10
        assert answer.status_code == 503 and "request_seconds" in answer.json()["detail"]
        assert client.get("/v1/storage/docsets").status_code == 200
    assert backend.stop() == 0


def test_nothing_computes_on_after_sigterm(tmp_path: Path) -> None:
    backend = BackendProcess(tmp_path / "data", {"request_seconds": "600"}).start()
    with backend.client() as client:
        body = {"query": plan_of_all(client), "feedback": SLOW}

        def ask() -> None:
            with suppress(httpx.HTTPError), backend.client() as own:
                while own.patch("/v1/query/plan", json=body).status_code == 422:
                    pass

        asking = [threading.Thread(target=ask) for _ in range(3)]
        for thread in asking:
            thread.start()
        time.sleep(1)
        began = time.monotonic()
        backend.stop()
        assert time.monotonic() - began < 10
        for thread in asking:
            thread.join(60)


@pytest.mark.parametrize("group", [True, False])
def test_no_worker_outlives_the_server_even_in_the_middle_of_its_work(
    tmp_path: Path, group: bool
) -> None:
    for number in range(3):
        backend = BackendProcess(tmp_path / f"data{number}").start()
        workers = children(backend.pid)
        with backend.client() as client:
            for _ in range(2):
                text = ("a line of text that goes on\n\n" * 40_000).encode()
                sent = {"file": ("long.txt", text)}
                client.post("/v1/async/submit/document/partition", files=sent)
        time.sleep(0.1 * number)
        workers = sorted({*workers, *children(backend.pid)})
        backend.kill(server_only=not group)
        deadline = time.monotonic() + 60
        while any(state(pid) != "Z" for pid in workers):
            assert time.monotonic() < deadline, "orphaned workers"
            time.sleep(0.02)
