"""A clock that is set while the server works: nothing is lost, repeated, stuck or misreported."""

import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.jumping_clock import FILE
from tests.reliability.mixed_load import STORAGE, documents, drained, outcome, submitted_path

HOUR, DAY = 3600.0, 86_400.0
_LONG_TEXT = "A line of text that goes on.\n\n" * 2_000


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackendProcess]:
    settings = {"workers": "1"}
    folder = tmp_path_factory.mktemp("clock") / "data"
    process = BackendProcess(folder, settings, "tests.jumping_clock").start()
    yield process
    process.stop()


def put(backend: BackendProcess, seconds: float) -> None:
    """Sets the clock off by so many seconds."""
    draft = backend.folder / "clock.new"
    draft.write_text(str(seconds))
    draft.replace(backend.folder / FILE)


@pytest.mark.parametrize(
    ("before", "after"),
    [(0, HOUR), (HOUR, 0), (0, DAY), (DAY, 0)],
    ids=lambda off: f"{off / HOUR:.0f}h",
)
def test_work_continues_when_the_clock_is_set(
    backend: BackendProcess, before: float, after: float
) -> None:
    put(backend, before)
    with backend.client() as http:
        docset = http.post(STORAGE, json={"name": "clock"}).raise_for_status().json()["docset_id"]
        docs = f"{STORAGE}/{docset}/docs"
        ended = _submit(http, docs, "ended.txt", "It has ended.")
        assert outcome(http, ended).status_code == 200
        running = _submit(http, docs, "running.txt", _LONG_TEXT)
        queued = [_submit(http, docs, f"queued-{n}.txt", "It waits.") for n in range(3)]
        unwanted = _submit(http, docs, "unwanted.txt", _LONG_TEXT)
        _until_running(http, running)
        put(backend, after)
        assert http.post(f"/v1/async/cancel/{unwanted}").status_code == 200
        for task in (ended, running, *queued):
            assert outcome(http, task).status_code == 200
        direct = http.post(docs, files={"file": ("direct.txt", "At once.")}).raise_for_status()
        drained(http)
        names = [one["name"] for one in documents(http, docset)]
        wanted = ["ended.txt", "running.txt", "queued-0.txt", "queued-1.txt", "queued-2.txt"]
        assert names == [*wanted, "direct.txt"], "once each, in the order in which they came"
        listed = http.get("/v1/async/list").raise_for_status().json()["tasks"]
        assert {listed[task]["task_status"] for task in (ended, running, *queued)} == {"done"}
        made = http.post(STORAGE, json={"name": "after"}).raise_for_status().json()["docset_id"]
        assert [one["docset_id"] for one in _docsets(http)][-2:] == [docset, made]
        search = http.post(f"/v1/query/search/{docset}", json={"query": "once"}).raise_for_status()
        assert [hit["doc_id"] for hit in search.json()["results"]] == [direct.json()["doc_id"]]


def test_a_crash_before_the_clock_was_set_back_leaves_nothing_waiting_for_its_lease(
    backend: BackendProcess,
) -> None:
    put(backend, DAY)
    with backend.client() as http:
        docset = http.post(STORAGE, json={"name": "crash"}).raise_for_status().json()["docset_id"]
        task = _submit(http, f"{STORAGE}/{docset}/docs", "a.txt", _LONG_TEXT)
        _until_running(http, task)
    backend.kill()
    put(backend, -DAY)
    backend.start()
    with backend.client() as http:
        assert outcome(http, task).status_code == 200
        assert len(documents(http, docset)) == 1


def test_tokens_and_pages_expire_by_the_current_clock(backend: BackendProcess) -> None:
    put(backend, 0)
    with backend.client() as http:
        body = {"name": "for an hour", "scope": "read", "days": 1 / 24}
        token = http.post("/v1/workbench/tokens", json=body).raise_for_status().json()["token"]
        for name in ("one", "two"):
            http.post(STORAGE, json={"name": name}).raise_for_status()
        first = http.get(STORAGE, params={"page_size": 1}).raise_for_status().json()
        expected = {-DAY: 200, 0.9 * HOUR: 200, 1.1 * HOUR: 403, DAY: 403, 0: 200}
        for off, status in expected.items():
            put(backend, off)
            with httpx.Client(headers={"Authorization": f"Bearer {token}"}) as guest:
                assert guest.get(backend.url + STORAGE).status_code == status, off
        for off, status in {-DAY: 200, HOUR: 200, 1.1 * DAY: 422, 0: 200}.items():
            put(backend, off)
            query = {"page_size": 1, "page_token": first["next_page_token"]}
            assert http.get(STORAGE, params=query).status_code == status, off


def test_results_outlive_a_day_and_are_removed_only_after_their_time(
    backend: BackendProcess,
) -> None:
    put(backend, 0)
    with backend.client() as http:
        docset = http.post(STORAGE, json={"name": "kept"}).raise_for_status().json()["docset_id"]
        docs = f"{STORAGE}/{docset}/docs"
        task = _submit(http, docs, "a.txt", "A result.")
        assert outcome(http, task).status_code == 200
        # The last change of all stays, so that who follows the changes is not sent back.
        assert outcome(http, _submit(http, docs, "b.txt", "The last.")).status_code == 200
        put(backend, DAY)
        time.sleep(2)  # old results are looked for every second, see `tests.jumping_clock`
        assert http.get(f"/v1/async/result/{task}").status_code == 200
        put(backend, 3 * DAY)
        deadline = time.monotonic() + 60
        while http.get(f"/v1/async/result/{task}").status_code != 404:
            assert time.monotonic() < deadline, "the result is kept too long"
            time.sleep(0.2)
        assert len(documents(http, docset)) == 2


def _submit(http: httpx.Client, docs: str, name: str, text: str) -> str:
    answer = http.post(submitted_path(docs), files={"file": (name, text)}).raise_for_status()
    return str(answer.json()["task_id"])


def _until_running(http: httpx.Client, task: str) -> None:
    deadline = time.monotonic() + 60
    while http.get("/v1/async/list").json()["tasks"][task]["task_status"] == "queued":
        assert time.monotonic() < deadline, "it is never begun"
        time.sleep(0.01)


def _docsets(http: httpx.Client) -> list[dict[str, Any]]:
    listed = http.get(STORAGE, params={"page_size": 1000}).raise_for_status().json()["items"]
    return list(listed)


def test_things_created_beyond_the_last_date_can_be_listed(backend: BackendProcess) -> None:
    put(backend, 8_000 * 366 * DAY)
    with backend.client() as http:
        made = http.post(STORAGE, json={"name": "far away"}).raise_for_status().json()
        assert made["created_at"].startswith("9999-12-31")
        put(backend, 0)
        assert http.get(STORAGE).raise_for_status().json()["items"]
        http.delete(f"{STORAGE}/{made['docset_id']}").raise_for_status()


@pytest.mark.parametrize("module", ["backend", "workbench.cli"])
def test_a_year_that_python_cannot_read_is_refused_in_words(module: str) -> None:
    code = (
        "import runpy, sys, time\n"
        "def beyond(): raise OverflowError('timestamp too large')\n"
        f"time.time, sys.argv = beyond, ['{module}', 'serve']\n"
        f"runpy.run_module('{module}', run_name='__main__')"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 1 and ended.stdout == ""
    assert ended.stderr.startswith("The clock of this computer is set to a year after 2262")
