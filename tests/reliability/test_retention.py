"""What is kept and for how long: files as long as somebody needs them, results their hours."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import STORAGE, outcome, submitted_path

CONTENT = "The same bytes, again and again."


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[BackendProcess]:
    settings = {"workers": "2", "result_hours": str(2 / 3600), "submit_rate": "10000"}
    process = BackendProcess(tmp_path / "data", settings).start()
    yield process
    process.stop()


def test_a_file_that_many_share_stays_while_one_of_them_needs_it(backend: BackendProcess) -> None:
    """Adds, deletes, clones and cancels of the same bytes, side by side."""
    faults: list[BaseException] = []
    callers = [
        threading.Thread(target=_shared, args=(backend, number, faults)) for number in range(3)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert faults == []
    with backend.client() as http:
        for one in http.get(STORAGE).json()["items"]:
            http.delete(f"{STORAGE}/{one['docset_id']}").raise_for_status()
    assert [file for file in (backend.folder / "blobs").glob("??/*") if file.is_file()] == []


def _shared(backend: BackendProcess, number: int, faults: list[BaseException]) -> None:
    try:
        with backend.client() as http:
            made = http.post(STORAGE, json={"name": str(number)}).json()["docset_id"]
            docs = f"{STORAGE}/{made}/docs"
            for _ in range(5):
                sent = {"file": ("same.txt", CONTENT)}
                kept = http.post(docs, files=sent).raise_for_status().json()["doc_id"]
                task = http.post(submitted_path(docs), files=sent).json()["task_id"]
                http.post(f"/v1/async/cancel/{task}")
                assert http.get(f"{docs}/{kept}/binary").raise_for_status().text == CONTENT
                copy = http.post(f"{STORAGE}/{made}/clone").raise_for_status().json()["docset_id"]
                http.delete(f"{docs}/{kept}").raise_for_status()
                for doc in http.get(f"{STORAGE}/{copy}/docs").json()["items"]:
                    path = f"{STORAGE}/{copy}/docs/{doc['doc_id']}/binary"
                    assert http.get(path).raise_for_status().text == CONTENT
                http.delete(f"{STORAGE}/{copy}").raise_for_status()
    except BaseException as error:
        faults.append(error)


def test_a_result_is_kept_its_hours_and_the_document_for_good(backend: BackendProcess) -> None:
    with backend.client() as http:
        made = http.post(STORAGE, json={"name": "kept"}).json()["docset_id"]
        docs = f"{STORAGE}/{made}/docs"
        task = http.post(submitted_path(docs), files={"file": ("a.txt", CONTENT)}).json()["task_id"]
        doc_id = outcome(http, task).raise_for_status().json()["doc_id"]
        # The last change of all stays, so that who follows the changes is not sent back.
        later = http.post(submitted_path(docs), files={"file": ("b.txt", "x")}).json()["task_id"]
        assert outcome(http, later).status_code == 200
        _gone(http, task)
        assert http.get(f"{docs}/{doc_id}/binary").raise_for_status().text == CONTENT


def _gone(http: httpx.Client, task: str) -> None:
    deadline = time.monotonic() + 60
    while http.get(f"/v1/async/result/{task}").status_code != 404:
        assert time.monotonic() < deadline, "the result is kept too long"
        time.sleep(0.2)
