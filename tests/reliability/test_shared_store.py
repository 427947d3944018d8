"""Several servers over one PostgreSQL database and one folder of files."""

import os
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select

from backend.store.database import Database
from backend.store.tables import tasks
from tests.backend_process import BackendProcess
from tests.reliability.leases import age_leases, until_leased
from tests.reliability.mixed_load import STORAGE, documents, drained, outcome, submitted_path

_LONG_TEXT = "A line of text that goes on.\n\n" * 4_000
_SUSPENDED = 20.0
"""Seconds; a lease of that age is still alive."""
_NEXT_TRANSACTION = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text"
Start = Callable[[str], BackendProcess]


@pytest.fixture
def start(postgresql: str, tmp_path: Path) -> Iterator[Start]:
    """Starts a server; each has a data folder of its own, and the files are everybody's."""
    settings = {
        "database_url": postgresql,
        "blob_url": f"file://{tmp_path / 'files'}",
        "workers": "1",
        "submit_rate": "10000",
        # One token for all: each server would else put its own into the database.
        "api_key": "the same for all of these servers",
    }
    started: list[BackendProcess] = []

    def begin(name: str) -> BackendProcess:
        started.append(BackendProcess(tmp_path / name, settings).start())
        started[-1].token = settings["api_key"]
        return started[-1]

    yield begin
    for process in started:
        process.stop()


def test_servers_that_come_and_go_take_nothing_from_those_that_work(
    start: Start, tmp_path: Path
) -> None:
    """Everybody adds and deletes the same few texts, while a third server starts and is killed."""
    servers = [start("a"), start("b")]
    with servers[0].client() as http:
        docset = http.post(STORAGE, json={"name": "shared"}).raise_for_status().json()["docset_id"]
    ended, faults, acknowledged = threading.Event(), list[BaseException](), set[str]()

    def work(server: BackendProcess, odd: bool) -> None:
        docs = f"{STORAGE}/{docset}/docs"
        try:
            with server.client() as http:
                while not ended.is_set():
                    sent = {"file": ("same.txt", "The same words for everybody.")}
                    kept = http.post(docs, files=sent).raise_for_status().json()["doc_id"]
                    if odd:
                        http.delete(f"{docs}/{kept}").raise_for_status()
                    else:
                        acknowledged.add(kept)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(s, n % 2)) for n, s in enumerate(servers * 2)]
    for thread in threads:
        thread.start()
    for _ in range(4):
        third = start("c")
        third.kill()
    ended.set()
    for thread in threads:
        thread.join()
    assert faults == []
    for server in servers:
        with server.client() as http:
            stored = {one["doc_id"] for one in documents(http, docset)}
            assert stored == acknowledged
            for doc_id in stored:
                path = f"{STORAGE}/{docset}/docs/{doc_id}/binary"
                assert http.get(path).raise_for_status().text == "The same words for everybody."
            body = {"query": "everybody", "query_type": "lexical"}
            query = {"page_size": 1000}
            response = http.post(f"/v1/query/search/{docset}", json=body, params=query)
            hits = response.raise_for_status().json()["results"]
            assert {hit["doc_id"] for hit in hits} == acknowledged
            report = http.post("/v1/workbench/storage/check", json={"read_files": True}).json()
            assert report["faults"] == []
    with servers[0].client() as http:
        question = {"docset_id": docset, "query": "How many documents are there?"}
        run = http.post("/v1/query", json=question).raise_for_status().json()
    outputs = f"/v1/workbench/runs/{run['query_id']}/nodes/{run['plan']['result_node']}"
    with servers[1].client() as http:
        rows = http.get(outputs).raise_for_status().json()["rows"]
    assert rows[0]["value"] == len(acknowledged), "rows are read from any server"


@pytest.mark.parametrize(
    ("ending", "waits"),
    [
        (signal.SIGSTOP, False),
        pytest.param(signal.SIGSTOP, True, marks=pytest.mark.soak),
        pytest.param(signal.SIGKILL, True, marks=pytest.mark.soak),
    ],
)
def test_the_work_of_a_silent_server_is_done_once_by_another(
    start: Start, postgresql: str, ending: signal.Signals, waits: bool
) -> None:
    """One that was only suspended finds, when it goes on, that its work is no longer its own.

    The short form does not wait until its lease is over, but ages it.
    """
    first = start("a")
    with first.client() as http:
        docset = http.post(STORAGE, json={"name": "taken"}).raise_for_status().json()["docset_id"]
        path = submitted_path(f"{STORAGE}/{docset}/docs")
        submitted = [_submit(http, path, number) for number in range(4)]
    with closing(Database(postgresql)) as database:
        until_leased(database)
        os.killpg(first.pid, ending)
        if not waits:
            assert age_leases(database) >= 1
    second = start("b")
    began = time.monotonic()
    with second.client() as http:
        for task in submitted:
            assert outcome(http, task, seconds=180).status_code == 200
        print(f"done by another {time.monotonic() - began:.1f} s after {ending.name}")
        if ending == signal.SIGSTOP:
            os.killpg(first.pid, signal.SIGCONT)
            with first.client() as again:
                assert again.get(STORAGE).status_code == 200
        drained(http)
        assert sorted(one["name"] for one in documents(http, docset)) == [
            f"{number}.txt" for number in range(4)
        ]


@pytest.mark.soak
def test_a_server_that_is_suspended_for_a_while_keeps_its_work(
    start: Start, postgresql: str
) -> None:
    first, second = start("a"), start("b")
    with first.client() as http:
        docset = http.post(STORAGE, json={"name": "kept"}).raise_for_status().json()["docset_id"]
        task = _submit(http, submitted_path(f"{STORAGE}/{docset}/docs"), 1)
    with closing(Database(postgresql)) as database:
        until_leased(database)
        os.killpg(first.pid, signal.SIGSTOP)
        time.sleep(_SUSPENDED)
        os.killpg(first.pid, signal.SIGCONT)
        with second.client() as http:
            assert outcome(http, task, seconds=180).status_code == 200
        with database.reading() as connection:
            assert connection.scalars(select(tasks.c.attempts)).all() == [1]


@pytest.mark.parametrize("path", ["{}", submitted_path("{}")], ids=["waiting", "submitted"])
def test_an_added_document_costs_two_write_transactions(
    start: Start, postgresql: str, path: str
) -> None:
    """By PostgreSQL's own count. The median leaves out the server's upkeep."""
    with start("a").client() as http, closing(Database(postgresql)) as database:
        docset = http.post(STORAGE, json={"name": "counted"}).raise_for_status().json()["docset_id"]
        docs, counts = path.format(f"{STORAGE}/{docset}/docs"), []
        for number in range(9):
            before = _write_transactions(database)
            answer = http.post(docs, files={"file": (f"{number}.txt", f"Words {number}.")})
            answer.raise_for_status()
            drained(http)
            counts.append(_write_transactions(database) - before)
    assert statistics.median(counts) == 2, counts


def _write_transactions(database: Database) -> int:
    """How many the server has begun: it numbers those that write, and no others."""
    with database.reading() as connection:
        return int(connection.exec_driver_sql(_NEXT_TRANSACTION).scalar_one())


def _submit(http: httpx.Client, path: str, number: int) -> str:
    answer = http.post(path, files={"file": (f"{number}.txt", f"{number}\n\n{_LONG_TEXT}")})
    return str(answer.raise_for_status().json()["task_id"])
