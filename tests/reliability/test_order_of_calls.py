"""What is acknowledged has been forced to disk before: the order of the system calls shows it."""

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.reliability import faults
from tests.reliability.mixed_load import STORAGE, submitted_path
from tests.reliability.test_ending import children

_SENDING = ("write", "writev", "sendto", "sendmsg")  # which of them, is for the event loop to say
_CALLS = ",".join(_SENDING) + ",pwrite64,fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat"
_LINE = re.compile(r"^(?P<thread>\d+) +(?P<call>\w+)\((?P<arguments>.*)$")
_RESUMED = re.compile(r"^(?P<thread>\d+) +<\.\.\. (?P<call>\w+) resumed>")
_FILE = re.compile(r"^\d+<(?P<path>[^>]*)>")
_NAMES = re.compile(r'"([^"]*)"')


@dataclass
class Disk:
    """Follows a trace: what has been written and not been forced to disk yet.

    Requests are worked on in threads, and each wakes the event loop once its work is done; no
    answer is sent before that. So what a thread has written must be on disk when it does. Others
    write meanwhile: that a task is still running, say, which is not reported.
    """

    folder: str
    unsynced: set[tuple[str, str]] = field(default_factory=set)
    """Thread and path: SQLite forces what a commit wrote in the thread that wrote it."""
    syncing: dict[str, str] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    """Threads that have forced something to disk since the last answer, and notified the loop."""
    synced: set[str] = field(default_factory=set)
    answers: int = 0

    def follow(self, line: str) -> None:
        """AssertionError at an answer, or a renaming, that comes too early."""
        if resumed := _RESUMED.match(line):
            if path := self.syncing.pop(resumed["thread"], None):
                self._synced(resumed["thread"], path)
        elif call := _LINE.match(line):
            self._call(call["thread"], call["call"], call["arguments"], "unfinished" in line)

    def _call(self, thread: str, call: str, arguments: str, unfinished: bool) -> None:
        file = _FILE.match(arguments)
        path = file["path"] if file else ""
        if call in _SENDING and '"HTTP/1.1 2' in arguments:
            assert self.done, "answered before anything was on disk"
            self.done.clear()
            self.answers += 1
        elif call == "write" and "eventfd" in path:
            early = {file for writer, file in self.unsynced if writer == thread}
            assert not early, f"reported before it was on disk: {early}"
            if thread in self.synced:
                self.done.add(thread)
                self.synced.discard(thread)
        elif call in ("write", "writev", "pwrite64") and self._matters(path):
            self.unsynced.add((thread, path))
        elif call in ("fsync", "fdatasync"):
            if unfinished:
                self.syncing[thread] = path
            else:
                self._synced(thread, path)
        elif call.startswith("rename"):
            source, target = _NAMES.findall(arguments)
            if self._matters(source):
                assert (thread, source) not in self.unsynced, "renamed before it was on disk"
                self.unsynced.add((thread, str(Path(target).parent)))
        elif call.startswith("mkdir") and self._matters(_NAMES.findall(arguments)[0]):
            self.unsynced.add((thread, str(Path(_NAMES.findall(arguments)[0]).parent)))

    def _synced(self, thread: str, path: str) -> None:
        self.unsynced.discard((thread, path))
        self.synced.add(thread)

    def _matters(self, path: str) -> bool:
        """The log of the database and the files; not what can be made anew, and not parts of a
        body that wait in a file without a name.
        """
        inside = path.startswith(self.folder) and "(deleted)" not in path
        return inside and (path.endswith("-wal") or "/blobs/" in path)


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[BackendProcess]:
    process = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    yield process
    process.kill()


def test_every_acknowledged_write_was_forced_to_disk_first(
    backend: BackendProcess, tmp_path: Path
) -> None:
    disk = Disk(str(backend.folder))
    with backend.client() as http:
        docset = _made(http.post(STORAGE, json={"name": "traced", "schema": _SCHEMA}))
        path = f"{STORAGE}/{docset['docset_id']}"
        with _followed(backend, disk, tmp_path / "first"):
            doc = _made(http.post(f"{path}/docs", files={"file": ("a.txt", "Depth: 5")}))
            one = f"{path}/docs/{doc['doc_id']}"
            operation = {"op": "replace", "path": "/properties/entity/depth", "value": 1}
            _made(http.patch(f"{one}/properties", json={"operations": [operation]}))
            _made(http.patch(path, json={"name": "renamed"}))
            copy = _made(http.post(f"{path}/clone"))
            _made(http.delete(one))
            _made(http.delete(f"{STORAGE}/{copy['docset_id']}"))
        _occupy_the_worker(backend, http, path)
        with _followed(backend, disk, tmp_path / "second"):
            task = _submit(http, path, "measured")
            _made(http.post(f"/v1/async/cancel/{task}"))
    assert disk.answers == 8


def test_answering_before_the_data_is_on_disk_would_be_detected() -> None:
    written = '11 pwrite64(5</data/workbench.sqlite-wal>, "x", 1, 0) = 1'
    synced = "11 fdatasync(5</data/workbench.sqlite-wal>) = 0"
    trace = '11 write(7<anon_inode:[eventfd]>, "\\1", 8) = 8'
    answered = '10 sendto(9<socket:[1]>, "HTTP/1.1 200 OK", 15, 0, NULL, 0) = 15'
    others = written.replace("11", "12", 1)

    def follow(*lines: str) -> int:
        disk = Disk("/data")
        for line in lines:
            disk.follow(line)
        return disk.answers

    assert follow(written, others, synced, trace, answered) == 1
    for early in (
        (written, trace),
        (synced, trace, answered, answered),
        (written, synced, answered),
    ):
        with pytest.raises(AssertionError, match="before"):
            follow(*early)


@contextmanager
def _followed(backend: BackendProcess, disk: Disk, trace: Path) -> Iterator[None]:
    """Traces what happens in the block, and follows it then."""
    options = ("-y", "-s", "200", "-e", f"trace={_CALLS}", "-o", str(trace))
    try:
        with faults.traced(backend.pid, *options):
            yield
    except faults.Impossible as reason:
        pytest.skip(str(reason))
    for line in trace.read_text().splitlines():
        disk.follow(line)


_SCHEMA = {"properties": [{"name": "depth", "field_type": "int"}]}


def _made(answer: httpx.Response) -> dict[str, Any]:
    made: dict[str, Any] = answer.raise_for_status().json()
    return made


def _submit(http: httpx.Client, path: str, text: str) -> str:
    answer = http.post(submitted_path(f"{path}/docs"), files={"file": ("b.txt", text)})
    return str(_made(answer)["task_id"])


def _occupy_the_worker(backend: BackendProcess, http: httpx.Client, path: str) -> None:
    """So that nothing but the requests writes from here on."""
    for pid in children(backend.pid):
        os.kill(pid, signal.SIGSTOP)
    task = _submit(http, path, "in the way")
    deadline = time.monotonic() + 60
    while http.get("/v1/async/list").json()["tasks"][task]["task_status"] != "running":
        assert time.monotonic() < deadline
        time.sleep(0.05)
