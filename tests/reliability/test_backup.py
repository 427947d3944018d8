"""A backup is a whole copy of one moment, taken while work goes on; what is broken is refused."""

import hashlib
import io
import json
import sqlite3
import stat
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess
from workbench.cli import main
from workbench.contract.location import locked, restore_folder

_SPARSE = {"GNU.sparse.size": str(10**8), "GNU.sparse.map": "0,0"}
"""Marks of a member without bytes that stands for 100 MB of zeros."""


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[BackendProcess]:
    process = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    yield process
    process.stop()


def test_acknowledged_documents_are_in_a_backup_with_their_files(
    backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents are added and deleted all the while, so files come and go under the copying."""
    with backend.client() as http:
        docs = f"{_docset(http)}/docs"
        acknowledged = [_add(http, docs, f"before {number}") for number in range(5)]
        stop = threading.Event()
        churn = threading.Thread(target=_churn, args=(backend, docs, stop))
        churn.start()
        monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)
        for number in range(2):
            file = str(tmp_path / f"backup-{number}.tar")
            assert main(["backup", file, "--url", backend.url]) == 0
        stop.set()
        churn.join()
    monkeypatch.delenv("WORKBENCH_API_KEY")  # the restored server has a token of its own
    for number in range(2):
        folder = tmp_path / f"restored-{number}"
        assert main(["restore", str(tmp_path / f"backup-{number}.tar"), "--into", str(folder)]) == 0
        folders = (folder, folder / "blobs", *(folder / "blobs").iterdir())
        assert {stat.S_IMODE(one.stat().st_mode) for one in folders} == {0o700}
        restored = BackendProcess(folder, {"workers": "1"}).start()
        try:
            with restored.client() as http:
                answer = http.get(docs, params={"page_size": 1000})
                items = answer.raise_for_status().json()["items"]
                assert {one["doc_id"] for one in items} >= set(acknowledged)
                for one in items:
                    path = f"{docs}/{one['doc_id']}/binary"
                    assert len(http.get(path).raise_for_status().content) == one["size"]
                docset_id = docs.split("/")[-2]
                hits = http.post(f"/v1/query/search/{docset_id}", json={"query": "before"}).json()
                assert {hit["doc_id"] for hit in hits["results"]} == set(acknowledged)
        finally:
            restored.stop()


def test_the_tokens_of_a_backup_open_a_restored_server_only_if_asked_for(
    backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    tokens = "/v1/workbench/tokens"
    with backend.client() as http:
        made = http.post(tokens, json={"name": "theirs", "scope": "admin"}).raise_for_status()
    theirs = made.json()["token"]
    monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)
    file = str(tmp_path / "backup.tar")
    assert main(["backup", file, "--url", backend.url]) == 0
    monkeypatch.delenv("WORKBENCH_API_KEY")
    for more, status, names in ([], 403, {"local"}), (["--tokens"], 200, {"local", "theirs"}):
        folder = tmp_path / f"restored-{status}"
        assert main(["restore", file, "--into", str(folder), *more]) == 0
        restored = BackendProcess(folder, {"workers": "1"}).start()
        try:
            with restored.client() as http:
                answer = http.get(
                    "/v1/storage/docsets", headers={"Authorization": f"Bearer {theirs}"}
                )
                assert answer.status_code == status
                assert {one["name"] for one in http.get(tokens).json()["items"]} == names
        finally:
            restored.stop()
    assert capsys.readouterr().out.count("1 access tokens of that server were left out") == 1


def test_a_database_with_triggers_is_not_restored(
    backend: BackendProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "workbench.sqlite"
    with closing(sqlite3.connect(database)) as rows, rows:
        rows.execute("CREATE TABLE tokens (name)")
        rows.execute("CREATE TRIGGER again AFTER DELETE ON tokens BEGIN SELECT 1; END")
    content = database.read_bytes()
    manifest = {"version": "1", "layout": "x", "created": 0, "blobs": 0, "missing": 0,
                "database_sha256": hashlib.sha256(content).hexdigest(),
                "database_bytes": len(content)}  # fmt: skip
    file = tmp_path / "crafted.tar"
    text = json.dumps(manifest).encode()
    file.write_bytes(_tar({"manifest.json": text, "workbench.sqlite": content}))
    assert main(["restore", str(file), "--into", str(tmp_path / "empty")]) == 1
    assert "'again' does not belong in the database of a backup" in capsys.readouterr().err
    assert [one.name for one in (tmp_path / "empty").iterdir()] == ["lock"]


def test_a_broken_or_foreign_file_leaves_the_folder_empty(
    backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with backend.client() as http:
        _add(http, f"{_docset(http)}/docs", "a text that can be found in the archive")
    monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)
    whole = tmp_path / "whole.tar"
    assert main(["backup", str(whole), "--url", backend.url]) == 0
    data = whole.read_bytes()
    place = data.index(b"a text that can be found in the archive")
    broken = {
        "cut": data[: len(data) // 2],
        "changed": data[:place] + b"A" + data[place + 1 :],
        "outside": _tar({"manifest.json": _manifest(whole), "../evil": b"x"}),
        "no manifest": _tar({"x": b"x"}),
        "without files": _tar({"manifest.json": _manifest(whole)}),
        "no tar": b"no tar at all",
    }
    into = tmp_path / "empty"
    for name, content in broken.items():
        file = tmp_path / "broken.tar"
        file.write_bytes(content)
        assert main(["restore", str(file), "--into", str(into)]) == 1, name
        assert [one.name for one in into.iterdir()] == ["lock"], name
    assert not (tmp_path / "evil").exists()
    assert main(["restore", str(whole), "--into", str(backend.folder)]) == 1
    assert "already contains data" in capsys.readouterr().err


def test_what_a_killed_restore_leaves_is_removed_by_the_next_and_by_a_start(
    backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)
    whole, into = tmp_path / "whole.tar", tmp_path / "into"
    assert main(["backup", str(whole), "--url", backend.url]) == 0
    left = _half_restored(whole, into)
    assert main(["restore", str(whole), "--into", str(into)]) == 0
    assert not left.exists()
    left = _half_restored(whole, tmp_path / "started")
    BackendProcess(tmp_path / "started", {"workers": "1"}).start().stop()
    assert not left.exists()


def _half_restored(file: Path, into: Path) -> Path:
    """Kills a restore in the middle; the folder that it leaves."""
    command = [sys.executable, "-m", "workbench.cli", "restore", "-", "--into", str(into)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as restore:
        assert restore.stdin is not None
        restore.stdin.write(file.read_bytes()[:-20_000])
        restore.stdin.flush()
        left = restore_folder(into)
        for _ in range(1000):
            if (left / "workbench.sqlite").exists():
                break
            time.sleep(0.05)
        restore.kill()
    assert (left / "workbench.sqlite").exists()
    return left


def test_a_folder_is_filled_by_one_restore_and_while_no_backend_uses_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with locked(tmp_path):
        assert main(["restore", "any.tar", "--into", str(tmp_path)]) == 1
    assert "is in use by a backend or another restore" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("members", "marks", "words"),
    [
        ([("workbench.sqlite", b"x")] * 2, {}, "workbench.sqlite is in the backup twice"),
        ([("workbench.sqlite", b"")], _SPARSE, "'workbench.sqlite' does not belong in a backup"),
    ],
)
def test_members_that_would_overwrite_or_fill_the_disk_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
    members: list[tuple[str, bytes]], marks: dict[str, str], words: str,
) -> None:  # fmt: skip
    manifest = {"version": "1", "layout": "x", "created": 0, "database_sha256": "x",
                "database_bytes": 1, "blobs": 0, "missing": 0}  # fmt: skip
    file = tmp_path / "crafted.tar"
    file.write_bytes(_tar({"manifest.json": json.dumps(manifest).encode()}, members, marks))
    assert main(["restore", str(file), "--into", str(tmp_path / "empty")]) == 1
    assert words in capsys.readouterr().err
    assert [one.name for one in (tmp_path / "empty").iterdir()] == ["lock"]


def _docset(http: httpx.Client) -> str:
    made = http.post("/v1/storage/docsets", json={"name": "kept"}).raise_for_status().json()
    return f"/v1/storage/docsets/{made['docset_id']}"


def _add(http: httpx.Client, docs: str, text: str) -> str:
    answer = http.post(docs, files={"file": ("a.txt", text)}).raise_for_status()
    return str(answer.json()["doc_id"])


def _churn(backend: BackendProcess, docs: str, stop: threading.Event) -> None:
    with backend.client() as http:
        number = 0
        while not stop.is_set():
            number += 1
            added = _add(http, docs, f"passing {number}")
            http.delete(f"{docs}/{added}").raise_for_status()


def _manifest(archive: Path) -> bytes:
    with tarfile.open(archive) as tar:
        content = tar.extractfile("manifest.json")
        assert content is not None
        text = content.read()
    assert json.loads(text)["blobs"] == 1
    return text


def _tar(
    members: dict[str, bytes],
    more: Sequence[tuple[str, bytes]] = (),
    marks: dict[str, str] | None = None,
) -> bytes:
    """A tar file; of `more` members the names may repeat, and they have the `marks`."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, content in [*members.items(), *more]:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            member.pax_headers = {} if name in members else marks or {}
            tar.addfile(member, io.BytesIO(content))
    return out.getvalue()


def test_a_backup_goes_through_a_pipe_and_back(
    backend: BackendProcess,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)
    with backend.client() as http:
        _add(http, f"{_docset(http)}/docs", "through a pipe")
    assert main(["backup", "-", "--url", backend.url]) == 0
    piped, error = capfdbinary.readouterr()
    assert f"{len(piped):,} bytes in standard output".encode() in error
    assert not Path("-").exists()
    for content, code in ((piped, 0), (piped[:-2_000_000] or piped[:-20_000], 1)):
        folder = tmp_path / f"restored-{code}"
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(["restore", "-", "--into", str(folder)]) == code
        assert (folder / "workbench.sqlite").exists() == (code == 0)
    assert b"standard input is not a complete backup" in capfdbinary.readouterr().err


def test_a_backup_is_not_printed_on_a_terminal_nor_beside_json(
    backend: BackendProcess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "-", "--url", backend.url, "--json"]) == 2
    assert "where --json would print" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["backup", "-", "--url", backend.url]) == 2
    assert "not for a terminal: add > FILE" in capsys.readouterr().err
