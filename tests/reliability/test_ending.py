"""What ends with the server: its workers, its work, its run file."""

import os
import time
from pathlib import Path

from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import documents, drained


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
