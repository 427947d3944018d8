"""SIGKILL of the server, or of its worker processes, while the originals are in an object store.

Afterwards everything acknowledged is there, nothing else is served, and no object is left over. The
machine's cache of originals is emptied each time, as if another machine took over.
"""

import hashlib
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from tests import small_object_store
from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import STORAGE, documents, drained, outcome, submitted_path
from tests.reliability.test_ending import children

_STEPS = (
    "blob.renamed",
    "blob.uploaded",
    "task.submitted",
    "task.claimed",
    "document.written",
    "document.committed",
    "blob.removing",
)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[small_object_store.SmallObjectStore]:
    with small_object_store.running() as store:
        for name, value in store.environment.items():
            monkeypatch.setenv(name, value)
        yield store


@dataclass
class _Client:
    """Adds documents, at every third turn two as tasks, and removes one at every fourth, until the
    server is gone.

    `sent` has all names, `added` those that were acknowledged and not removed again, and `removed`
    those whose removal was.
    """

    backend: BackendProcess
    docset: str
    sent: set[str] = field(default_factory=set)
    added: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)

    def work(self, prefix: str, most: int = 60) -> None:
        with self.backend.client() as http:
            try:
                for number in range(most):
                    self._turn(http, f"{prefix}x{number}z", number)
            except httpx.TransportError:
                return

    def _turn(self, http: httpx.Client, name: str, number: int) -> None:
        path = f"{STORAGE}/{self.docset}/docs"
        if number % 3:
            self.sent.add(name)
            answer = http.post(path, files=_file(name)).raise_for_status()
            self.added.add(name)
        else:
            # Two at once: one has to wait for the only worker, and is claimed from the queue.
            tasks = [self._submitted(http, path, one) for one in (name, f"{name}second")]
            answer, _ = [outcome(http, task).raise_for_status() for task in tasks]
        if not number % 4:
            self.added.discard(name)
            http.delete(f"{path}/{answer.json()['doc_id']}").raise_for_status()
            self.removed.add(name)

    def _submitted(self, http: httpx.Client, path: str, name: str) -> str:
        self.sent.add(name)
        answer = http.post(submitted_path(path), files=_file(name)).raise_for_status()
        self.added.add(name)  # what is submitted is acknowledged
        task: str = answer.json()["task_id"]
        return task


def _file(name: str) -> dict[str, tuple[str, bytes]]:
    return {"file": (name, content_of(name))}


def content_of(name: str) -> bytes:
    """A document that no other has the bytes of."""
    return f"This is {name}.\n\nNothing else is.".encode()


def check(backend: BackendProcess, docset: str, client: _Client) -> set[str]:
    """The promises; returns the digests of the originals of all documents."""
    with backend.client() as http:
        drained(http)
        listed = {item["name"]: item["doc_id"] for item in documents(http, docset)}
        assert client.added <= listed.keys() <= client.sent
        assert client.removed.isdisjoint(listed)
        for name, doc_id in listed.items():
            binary = http.get(f"{STORAGE}/{docset}/docs/{doc_id}/binary")
            assert binary.content == content_of(name), f"{name}: {binary.text[:200]}"
        report = http.post("/v1/workbench/storage/check", json={"read_files": True}).json()
        assert report["faults"] == []
    return {hashlib.sha256(content_of(name)).hexdigest() for name in listed}


def on_another_machine(backend: BackendProcess) -> None:
    """Starts the backend without its cache of originals."""
    shutil.rmtree(backend.folder / "blob_cache", ignore_errors=True)
    backend.start()


def new_docset(backend: BackendProcess) -> str:
    with backend.client() as http:
        made = http.post(STORAGE, json={"name": "killed"}).raise_for_status()
        docset: str = made.json()["docset_id"]
        return docset


def begun(folder: Path, **settings: str) -> BackendProcess:
    shared = {"blob_url": small_object_store.URL, "workers": "1", "submit_rate": "10000"}
    return BackendProcess(folder, shared | settings).start()


def test_a_kill_of_the_server_loses_nothing_and_leaves_no_object_over(
    bucket: small_object_store.SmallObjectStore, tmp_path: Path
) -> None:
    backend = begun(tmp_path)
    docset = new_docset(backend)
    backend.stop()
    client = _Client(backend, docset)
    for number, step in enumerate(_STEPS):
        client.backend = begun(tmp_path, failpoints=f"{step}:3")
        client.work(f"round{number}")
        assert client.backend.ended_by_itself(), f"{step} was not reached"
        on_another_machine(backend)
        assert check(backend, docset, client) == bucket.digests(), step
        backend.stop()
    assert client.added and client.removed


def test_a_kill_of_the_workers_loses_nothing(
    bucket: small_object_store.SmallObjectStore, tmp_path: Path
) -> None:
    backend = begun(tmp_path)
    client = _Client(backend, new_docset(backend))
    working = threading.Thread(target=client.work, args=("w", 12))
    working.start()
    killed = seen = 0
    while working.is_alive():
        working.join(0.05)
        if len(client.sent) > seen:  # once for each document, of which three crashes are too many
            seen = len(client.sent)
            for pid in children(backend.pid):
                os.kill(pid, signal.SIGKILL)
                killed += 1
    assert killed and len(client.sent) == 16
    backend.kill()
    on_another_machine(backend)
    assert check(backend, client.docset, client) == bucket.digests()
    backend.stop()
