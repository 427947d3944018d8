"""Finding, starting and stopping the backend, with real processes."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from workbench import connect
from workbench.client.errors import WorkbenchError
from workbench.contract.location import read_run_file, run_path, token_path
from workbench.contract.processes import PACKAGE_ROOT, importable, python_module
from workbench.launch import Backend, LaunchFailed, alive, ensure_backend, find, stop


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of its own; anything started on it is stopped."""
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(tmp_path / "settings.toml"))
    monkeypatch.delenv("WORKBENCH_API_KEY", raising=False)
    data = tmp_path / "data"
    data.mkdir()
    yield data
    if read_run_file(data) is not None:
        stop(data)


def write_run_file(folder: Path, *, pid: int, url: str) -> None:
    body = {"pid": pid, "url": url, "version": "0", "started": 0.0}
    run_path(folder).write_text(json.dumps(body))
    token_path(folder).write_text("the-token")


def dead_process() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_a_stale_run_file_after_a_power_cut_is_ignored(folder):
    write_run_file(folder, pid=dead_process(), url="http://127.0.0.1:1")
    assert find(folder) is None
    assert stop(folder) is False


def test_another_program_on_the_same_port_is_not_mistaken_for_the_backend(folder):
    seen: list[str | None] = []

    class Stranger(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers.get("Authorization"))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"status": "ok", "pid": 1}).encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        write_run_file(folder, pid=os.getpid(), url=f"http://127.0.0.1:{server.server_port}")
        assert find(folder) is None
        server.shutdown()
    assert seen == [None]
    run_path(folder).unlink()


def test_a_hanging_process_is_named_instead_of_killed(folder):
    write_run_file(folder, pid=os.getpid(), url="http://127.0.0.1:1")
    with pytest.raises(LaunchFailed, match=f"Process {os.getpid()} .* does not answer"):
        stop(folder)
    run_path(folder).unlink()


def test_an_unreadable_run_file_counts_as_missing(folder):
    run_path(folder).write_text("{half a fi")
    assert find(folder) is None


def test_a_backend_is_started_reused_and_stopped(folder):
    started: list[int] = []
    first = ensure_backend(folder, on_start=lambda: started.append(1))
    assert (folder / "backend.log").exists()
    assert ensure_backend(folder, on_start=lambda: started.append(2)) == first
    assert find(folder) == first and started == [1]
    assert first.token not in repr(first)
    assert stop(folder) is True
    assert not alive(first.pid) and find(folder) is None


def test_two_programs_that_start_at_once_share_one_backend(folder):
    with ThreadPoolExecutor(2) as pool:
        both: list[Backend] = list(pool.map(ensure_backend, [folder, folder]))
    assert both[0] == both[1]


def test_the_backend_outlives_the_program_that_started_it(folder):
    code = "from workbench.launch import ensure_backend; print(ensure_backend().pid)"
    environment = {**os.environ, "WORKBENCH_DATA_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    run = find(folder)
    assert run is not None and run.pid == int(done.stdout)


def test_a_backend_that_fails_to_start_is_reported_with_the_end_of_its_log(folder, monkeypatch):
    monkeypatch.setenv("WORKBENCH_WORKERS", "many")
    with pytest.raises(LaunchFailed, match=r"(?s)code 1\. Last lines of .*workers") as failure:
        ensure_backend(folder)
    assert "The setting workers is wrong" in str(failure.value) and "many" not in str(failure.value)
    assert issubclass(LaunchFailed, WorkbenchError)


@pytest.mark.parametrize("below", ["", "data"])
def test_a_file_in_place_of_the_data_folder_is_reported_in_a_sentence(tmp_path, below):
    (tmp_path / "taken").write_text("a file of mine")
    with pytest.raises(LaunchFailed, match=r"cannot be used .* WORKBENCH_DATA_DIR"):
        ensure_backend(tmp_path / "taken" / below)
    assert (tmp_path / "taken").read_text() == "a file of mine"


def test_the_data_folder_of_another_build_is_refused_at_start_in_a_sentence(folder):
    with closing(sqlite3.connect(folder / "workbench.sqlite")) as database, database:
        database.execute("CREATE TABLE alembic_version (version_num TEXT)")
        database.execute("INSERT INTO alembic_version VALUES ('0001')")
        database.execute("CREATE TABLE contents (content_id TEXT)")
    with pytest.raises(LaunchFailed, match="written by another build") as failure:
        ensure_backend(folder)
    assert "Traceback" not in str(failure.value)


def test_an_idle_notebook_continues_after_the_backend_stopped_when_idle(folder, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(folder))
    with connect() as client:
        made = client.docsets.create("kept")
        first = find(folder)
        assert stop(folder) and find(folder) is None
        assert client.docsets["kept"].id == made.id
        second = find(folder)
        assert first is not None and second is not None and second.pid != first.pid


def test_a_killed_backend_is_restarted(folder):
    first = ensure_backend(folder)
    os.kill(first.pid, 9)
    deadline = time.monotonic() + 60
    while alive(first.pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    second = ensure_backend(folder)
    assert second.pid != first.pid


def test_the_started_process_may_write_bytecode(folder, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    run = ensure_backend(folder)
    environment = Path(f"/proc/{run.pid}/environ")
    if not environment.exists():
        pytest.skip("this system shows no process environments")
    assert b"PYTHONDONTWRITEBYTECODE" not in environment.read_bytes()


TRAPS = ("backend", "fastapi", "tantivy")
"""Names of a user's own folders: one of our packages, and two that the backend imports."""


def test_user_folders_with_the_names_of_our_packages_are_not_imported(folder, tmp_path):
    """A notebook has its own folder on the import path; the backend's processes must not."""
    own = tmp_path / "own"
    for name in TRAPS:
        (own / name).mkdir(parents=True)
        (own / name / "__init__.py").write_text("raise SystemExit('a folder of the user')")
    (own / "report.txt").write_text("The bridge was inspected in May.")
    code = (
        "import sys; sys.path.insert(0, ''); import workbench\n"
        "client = workbench.connect()\n"
        "docset = client.docsets.create('own'); docset.add('report.txt')\n"
        "print(len(docset.search('bridge')))"
    )
    environment = os.environ | {"WORKBENCH_DATA_DIR": str(folder)}
    environment["PYTHONPATH"] = str(PACKAGE_ROOT)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=own, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "1"


@pytest.mark.parametrize("arguments", [["doctor"], ["models", "install", "nothing"]])
def test_commands_do_not_import_user_folders_either(arguments, folder, tmp_path):
    own = tmp_path / "own"
    (own / "backend").mkdir(parents=True)
    (own / "backend" / "__init__.py").write_text("raise SystemExit('a folder of the user')")
    done = subprocess.run(
        [*python_module("workbench.cli"), *arguments],
        cwd=own,
        env=importable(os.environ) | {"WORKBENCH_DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
    )
    assert "a folder of the user" not in done.stdout + done.stderr
