"""SIGKILL at random moments while documents are added: all that was acknowledged is there, once."""

import os
import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess

WORKERS = 4


@dataclass
class Ledger:
    """What the backend has acknowledged: task id or document id of each name, and its bytes."""

    content: dict[str, bytes] = field(default_factory=dict)
    tasks: dict[str, str] = field(default_factory=dict)
    added: dict[str, str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


def word_of(name: str) -> str:
    """A word that stands in that document only."""
    return "q" + name.replace("-", "x") + "z"


def add_until_refused(backend: BackendProcess, docset: str, ledger: Ledger, prefix: str) -> None:
    """Adds documents one after the other, by turns in both ways, until the backend is gone."""
    with backend.client() as client:
        for number in range(10_000):
            name = f"{prefix}-{number}"
            content = f"# {name}\n\nThe word is {word_of(name)}.\n\n{'More text. ' * 200}".encode()
            with ledger.lock:
                ledger.content[name] = content
            sync = number % 3 == 2
            path = f"/v1/storage/docsets/{docset}/docs"
            path = path if sync else path.replace("/v1/", "/v1/async/submit/")
            try:
                answer = client.post(path, files={"file": (f"{name}.md", content)})
            except httpx.HTTPError:
                return
            with ledger.lock:
                if sync and answer.status_code == 200:
                    ledger.added[name] = answer.json()["doc_id"]
                elif not sync and answer.status_code == 202:
                    ledger.tasks[name] = answer.json()["task_id"]


def one_round(backend: BackendProcess, docset: str, ledger: Ledger, seconds: float, n: int) -> None:
    """Starts the backend, loads it, and kills its process group after that time."""
    backend.start()
    threads = [
        threading.Thread(target=add_until_refused, args=(backend, docset, ledger, f"{n}-{worker}"))
        for worker in range(WORKERS)
    ]
    for thread in threads:
        thread.start()
    if n % 2 == 0:  # in the other rounds the blow may fall before anything is acknowledged
        acknowledged_both(ledger)
    time.sleep(seconds)
    backend.kill()
    for thread in threads:
        thread.join()


def acknowledged_both(ledger: Ledger) -> None:
    """Waits until something has been acknowledged in each of the two ways, however slow."""
    deadline = time.monotonic() + 60
    while not (ledger.tasks and ledger.added):
        assert time.monotonic() < deadline, "nothing was acknowledged"
        time.sleep(0.01)


def drained(client: httpx.Client) -> None:
    """Waits until no task is open."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        states = {
            task["task_status"] for task in client.get("/v1/async/list").json()["tasks"].values()
        }
        if states <= {"done", "cancelled"}:
            return
        time.sleep(0.1)
    raise AssertionError("tasks are stuck")


def documents(client: httpx.Client, docset: str) -> dict[str, list[str]]:
    """The ids of all documents by name."""
    found: dict[str, list[str]] = {}
    token = None
    while True:
        page = client.get(
            f"/v1/storage/docsets/{docset}/docs",
            params={"page_size": 1000} | ({"page_token": token} if token else {}),
        ).json()
        for item in page["items"]:
            found.setdefault(item["name"].removesuffix(".md"), []).append(item["doc_id"])
        token = page["next_page_token"]
        if token is None:
            return found


def check(client: httpx.Client, docset: str, ledger: Ledger) -> None:
    """Every acknowledged document is there once, can be found, and is what was sent."""
    present = documents(client, docset)
    acknowledged = [*ledger.tasks, *ledger.added]
    assert [name for name in acknowledged if name not in present] == [], "lost"
    assert {name: ids for name, ids in present.items() if len(ids) > 1} == {}, "twice"
    assert set(present) <= set(ledger.content)
    for name, (doc_id,) in present.items():
        path = f"/v1/storage/docsets/{docset}/docs/{doc_id}/binary"
        assert client.get(path).content == ledger.content[name]
        answer = client.post(f"/v1/query/search/{docset}", json={"query": word_of(name)})
        assert [hit["doc_id"] for hit in answer.json()["results"]] == [doc_id]
    for name, task_id in ledger.tasks.items():
        answer = client.get(f"/v1/async/result/{task_id}")
        assert (answer.status_code, answer.json()["doc_id"]) == (200, present[name][0])


@pytest.mark.parametrize(
    "rounds", [5, pytest.param(30, marks=pytest.mark.soak)], ids=["short", "long"]
)
def test_nothing_acknowledged_is_lost_or_doubled_when_the_machine_dies(
    tmp_path: Path, rounds: int
) -> None:
    moments = random.Random(rounds)
    backend = BackendProcess(tmp_path / "data", {"max_open_tasks": "100000"}).start()
    with backend.client() as client:
        docset = client.post("/v1/storage/docsets", json={"name": "kill"}).json()["docset_id"]
    backend.stop()
    ledger = Ledger()
    for number in range(rounds):
        one_round(backend, docset, ledger, moments.uniform(0.3, 4.0), number)
    backend.start()
    with backend.client() as client:
        drained(client)
        check(client, docset, ledger)
    assert backend.stop() == 0
    assert ledger.tasks and ledger.added
    assert not any((tmp_path / "data" / "blobs" / "incoming").iterdir())


def test_workers_end_by_themselves_when_only_the_server_dies(tmp_path: Path) -> None:
    backend = BackendProcess(tmp_path / "data").start()
    workers = children(backend.pid)
    assert workers
    backend.kill(server_only=True)
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() and state(pid) != "Z" for pid in workers):
        assert time.monotonic() < deadline, "orphaned workers"
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    threads = [
        Path(f"/proc/{pid}/task/{t}/children").read_text() for t in os.listdir(f"/proc/{pid}/task")
    ]
    return sorted({int(child) for line in [text, *threads] for child in line.split()})


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_sigterm_hands_work_back_within_ten_seconds_and_the_next_start_does_it(
    tmp_path: Path,
) -> None:
    backend = BackendProcess(tmp_path / "data").start()
    long_text = b"a line of text that goes on\n\n" * 12_000
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
