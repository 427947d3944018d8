"""Whatever stands in place of our files and folders is reported; nothing waits for it or breaks."""

import io
import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import STORAGE, documents

_CHECK = "/v1/workbench/storage/check"


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[BackendProcess]:
    process = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    yield process
    assert process.stop(20) == 0


def _docset(http: httpx.Client) -> str:
    """The path of a DocSet with two documents."""
    made = http.post(STORAGE, json={"name": "foreign"}).raise_for_status().json()
    path = f"{STORAGE}/{made['docset_id']}"
    for text in ("wind", "ice"):
        sent = {"file": (f"{text}.txt", text)}
        http.post(f"{path}/docs", files=sent).raise_for_status()
    return path


def _originals(backend: BackendProcess) -> list[Path]:
    return [path for path in (backend.folder / "blobs").rglob("*") if len(path.name) == 64]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_a_special_file_instead_of_an_original_is_reported_without_a_hang(
    backend: BackendProcess, make: Callable[[Path], None]
) -> None:
    with backend.client(timeout=10) as http:
        path = _docset(http)
        original = _originals(backend)[0]
        original.unlink()
        make(original)
        ids = [one["doc_id"] for one in documents(http, path.rpartition("/")[2])]
        answers = [http.get(f"{path}/docs/{doc_id}/binary") for doc_id in ids]
        assert sorted(answer.status_code for answer in answers) == [200, 503]
        report = http.post(_CHECK, json={"read_files": True}).json()
        (fault,) = report["faults"]
        assert fault["subject"] == original.name and "not a regular file" in fault["found"]
        copied = http.post("/v1/workbench/backup").raise_for_status().content
        with tarfile.open(fileobj=io.BytesIO(copied)) as archive:
            names = archive.getnames()
        assert len(names) == 3 and not any(original.name in name for name in names)


@pytest.mark.parametrize("target", ["nowhere", "blobs"], ids=["dangling", "circle"])
def test_a_missing_folder_of_originals_refuses_uploads_and_is_reported(
    backend: BackendProcess, target: str
) -> None:
    with backend.client() as http:
        path = _docset(http)
        folder = backend.folder / "blobs"
        away = shutil.move(folder, backend.folder / "away")
        folder.symlink_to(backend.folder / target)
        answer = http.post(f"{path}/docs", files={"file": ("a.txt", "a")})
        assert answer.status_code == 503 and "nothing was stored" in answer.json()["detail"]
        faults = http.post(_CHECK, json={}).raise_for_status().json()["faults"]
        assert "folder" in {fault["subject"] for fault in faults}
        folder.unlink()
        shutil.move(away, folder)
        http.post(f"{path}/docs", files={"file": ("a.txt", "a")}).raise_for_status()
        assert http.post(_CHECK, json={"read_files": True}).json()["faults"] == []


def test_a_docset_whose_indexes_are_missing_is_cloned(backend: BackendProcess) -> None:
    with backend.client() as http:
        path = _docset(http)
        search = "/v1/query/search/"
        large = {"file": ("large.txt", "A wind.\n\n" * 300)}
        http.post(f"{path}/docs", files=large).raise_for_status()
        http.post(search + path.rpartition("/")[2], json={"query": "wind"}).raise_for_status()
        shutil.rmtree(backend.folder / "indexes")
        http.post(f"{path}/docs", files={"file": ("a.txt", "a wind")}).raise_for_status()
        http.post(search + path.rpartition("/")[2], json={"query": "wind"}).raise_for_status()
        copy = http.post(f"{path}/clone").raise_for_status().json()["docset_id"]
        hits = http.post(search + copy, json={"query": "wind"}).raise_for_status().json()
        assert len(hits["results"]) == 3
