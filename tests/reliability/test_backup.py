"""A backup is a whole copy of one moment, taken while work goes on; what is broken is refused."""

import io
import json
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess
from workbench.cli import main


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[BackendProcess]:
    process = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    yield process
    process.stop()


def test_what_was_acknowledged_before_a_backup_is_in_it_with_its_file(
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
        assert list(into.iterdir()) == [], name
    assert not (tmp_path / "evil").exists()
    assert main(["restore", str(whole), "--into", str(backend.folder)]) == 1
    assert "already contains data" in capsys.readouterr().err


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


def _tar(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return out.getvalue()
