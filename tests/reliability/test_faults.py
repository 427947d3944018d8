"""Faults of the machine: what is reported as done is done, failures are reported, and when the
fault goes the server works on as before.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.reliability import faults
from tests.reliability.mixed_load import STORAGE, documents, drained, outcome, submitted_path
from tests.reliability.test_ending import children

_SCHEMA = {"properties": [{"name": "depth", "field_type": "int"}]}


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackendProcess]:
    """A server on a disk of its own, where there can be one."""
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp("faults") / "data"
        with suppress(faults.Impossible):
            stack.enter_context(faults.small_disk(folder, 48))
        settings = {"workers": "1", "worker_wall_seconds": "12"}
        process = BackendProcess(folder, settings).start()
        yield process
        process.stop()


@dataclass
class Session:
    """One of each change; `statuses` has the status of each answer."""

    http: httpx.Client
    statuses: dict[str, int] = field(default_factory=dict)
    docset: str = ""
    corrected: str = ""
    deleted: str = ""

    def prepare(self) -> None:
        body = {"name": "faults", "schema": _SCHEMA}
        self.docset = self.http.post(STORAGE, json=body).raise_for_status().json()["docset_id"]
        self.corrected = self._add("corrected.txt").raise_for_status().json()["doc_id"]
        self.deleted = self._add("deleted.txt").raise_for_status().json()["doc_id"]

    def attempt(self) -> None:
        """One of each change, whatever comes of it."""
        path = f"{STORAGE}/{self.docset}"
        operation = {"op": "replace", "path": "/properties/entity/depth", "value": 99}
        correction = f"{path}/docs/{self.corrected}/properties"
        self._note("add", self._add("added.txt"))
        self._note("submit", self._submit("submitted.txt"))
        self._note("correct", self.http.patch(correction, json={"operations": [operation]}))
        self._note("delete", self.http.delete(f"{path}/docs/{self.deleted}"))
        self._note("clone", self.http.post(f"{path}/clone"))
        self._note("create", self.http.post(STORAGE, json={"name": self._created}))

    def _note(self, change: str, answer: httpx.Response) -> None:
        self.statuses[change] = answer.status_code

    def _add(self, name: str) -> httpx.Response:
        return self.http.post(f"{STORAGE}/{self.docset}/docs", files={"file": (name, _text(name))})

    def _submit(self, name: str) -> httpx.Response:
        path = submitted_path(f"{STORAGE}/{self.docset}/docs")
        answer = self.http.post(path, files={"file": (name, _text(name))})
        return outcome(self.http, answer.json()["task_id"]) if answer.is_success else answer

    @property
    def _created(self) -> str:
        return f"of {self.docset}"

    def done(self) -> dict[str, bool]:
        """Which of the changes are there, all of each."""
        stored = {one["name"]: one for one in documents(self.http, self.docset)}
        named = {"page_size": 1000}
        listed = self.http.get(STORAGE, params=named).raise_for_status().json()["items"]
        names = [one["name"] for one in listed]
        copies = [one for one in listed if one["name"] == "faults (copy)"]
        for name in ("added.txt", "submitted.txt"):
            if name in stored:
                path = f"{STORAGE}/{self.docset}/docs/{stored[name]['doc_id']}/binary"
                assert self.http.get(path).text == _text(name)
        depth = stored["corrected.txt"]["properties"]["entity"]["depth"]
        return {
            "add": "added.txt" in stored,
            "submit": "submitted.txt" in stored,
            "correct": depth == 99,
            "delete": "deleted.txt" not in stored,
            "clone": bool(copies),
            "create": self._created in names,
        }

    def clear(self) -> None:
        """Removes all DocSets."""
        listed = self.http.get(STORAGE, params={"page_size": 1000}).json()["items"]
        for one in listed:
            self.http.delete(f"{STORAGE}/{one['docset_id']}").raise_for_status()


def _text(name: str) -> str:
    more = "\n\nOne more." * 2_500 if name == "submitted.txt" else ""  # stored in several steps
    return f"This is {name}.\n\nDepth: 7\n\n" + "A line of it.\n" * 200 + more


@pytest.mark.parametrize(
    "fault",
    [
        faults.full_disk,
        *map(faults.almost_full_disk, (4, 24)),
        faults.over_quota,
        faults.broken_disk,
        faults.small_files,
        faults.no_descriptors,
        faults.read_only_folder,
    ],
    ids=lambda fault: fault.__name__,
)
def test_a_fault_is_reported_and_acknowledged_work_survives(
    backend: BackendProcess, fault: faults.Fault
) -> None:
    with backend.client() as http:
        session = Session(http)
        session.prepare()
        try:
            with fault(backend):
                session.attempt()
        except faults.Impossible as reason:
            pytest.skip(str(reason))
        statuses = {change: status for change, status in session.statuses.items()}
        assert all(status == 200 or status >= 500 for status in statuses.values()), statuses
        assert any(status >= 500 for status in statuses.values()), "no fault was met"
        drained(http)
        wanted = {change: status == 200 for change, status in statuses.items()}
        assert session.done() == wanted, statuses
        again = Session(http)
        again.prepare()
        again.attempt()
        assert set(again.statuses.values()) == {200}, "the fault is gone, its effect is not"
        report = http.post("/v1/workbench/storage/check", json={"read_files": True}).json()
        assert report["faults"] == []
        assert list((backend.folder / "blobs" / "incoming").iterdir()) == []
    backend.kill()
    backend.start()
    with backend.client() as http:
        session.http = http
        assert session.done() | {"clone": True} == wanted | {"clone": True}
        session.clear()
    print(fault.__name__, statuses)


def test_a_hung_worker_is_replaced_and_its_task_reports_it(backend: BackendProcess) -> None:
    with backend.client() as http:
        session = Session(http)
        session.prepare()
        for pid in children(backend.pid):
            os.kill(pid, signal.SIGSTOP)
        answer = session._submit("hanging.txt")
        assert answer.status_code == 400 and "longer than 12 s" in answer.json()["detail"]
        session.attempt()
        assert set(session.statuses.values()) == {200}
        session.clear()


def test_a_worker_that_cannot_be_started_fails_its_task_and_the_next_one_is_done(
    backend: BackendProcess,
) -> None:
    """As when there is no memory for one more process."""
    with backend.client() as http:
        session = Session(http)
        session.prepare()
        with faults.no_descriptors(backend):
            for pid in children(backend.pid):
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.2)
            answer: Any = session._add("unlucky.txt")
        assert answer.status_code >= 500, answer.text
        session.attempt()
        assert set(session.statuses.values()) == {200}
        session.clear()
