"""The doctor checks the stored data, reports faults, and repairs what can be repaired."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.backend_process import BackendProcess
from workbench.cli import main


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[BackendProcess]:
    process = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    yield process
    process.stop()


@pytest.fixture
def docset_id(backend: BackendProcess) -> str:
    with backend.client() as http:
        made = http.post("/v1/storage/docsets", json={"name": "checked"}).raise_for_status()
        docset_id: str = made.json()["docset_id"]
        for text in ("a gust of wind", "ice on the wing", "an empty tank"):
            docs = f"/v1/storage/docsets/{docset_id}/docs"
            http.post(docs, files={"file": (f"{text}.txt", text)}).raise_for_status()
        assert _hits(http, docset_id, "wind") == 1
    return docset_id


def test_a_sound_store_has_no_faults(backend: BackendProcess, docset_id: str) -> None:
    report = _check(backend, read_files=True)
    assert report == {"documents": 3, "files": 3, "docsets": 1, "faults": []}


def test_a_changed_and_a_lost_file_are_reported_with_advice(
    backend: BackendProcess, docset_id: str
) -> None:
    changed, lost, _ = sorted(_files(backend))
    changed.write_bytes(b"something else")
    lost.unlink()
    assert {one["subject"] for one in _check(backend)["faults"]} == {lost.name}
    faults = {one["subject"]: one for one in _check(backend, read_files=True)["faults"]}
    assert faults.keys() == {changed.name, lost.name}
    assert "changed" in faults[changed.name]["found"]
    assert all("Add the file again" in one["advice"] for one in faults.values())


def test_a_file_that_nothing_uses_is_removed_by_a_repair_only(
    backend: BackendProcess, docset_id: str
) -> None:
    stray = backend.folder / "blobs" / "ab" / ("ab" * 32)
    stray.parent.mkdir(exist_ok=True)
    stray.write_bytes(b"x")
    (fault,) = _check(backend)["faults"]
    assert fault["subject"] == stray.name and not fault["repaired"] and stray.exists()
    (fault,) = _check(backend, repair=True)["faults"]
    assert fault["repaired"] and not stray.exists()
    assert _check(backend)["faults"] == []


def test_an_index_that_lost_a_document_behind_its_back_is_built_anew(
    backend: BackendProcess, docset_id: str
) -> None:
    """The element is put into the record without the log, as no version of ours does it."""
    backend.stop()
    with closing(sqlite3.connect(backend.folder / "workbench.sqlite")) as database, database:
        database.execute(
            "INSERT INTO elements (content_id, ordinal, kind, page_number, bbox, text, properties)"
            " SELECT content_id, 77, kind, 1, bbox, 'zanzibar', properties FROM elements LIMIT 1"
        )
    backend.start()
    (fault,) = _check(backend)["faults"]
    assert (fault["part"], fault["subject"]) == ("index", docset_id)
    assert fault["found"] == "lexical: 1 elements missing, 0 too many"
    with backend.client() as http:
        assert _hits(http, docset_id, "zanzibar") == 0
        assert _check(backend, repair=True)["faults"][0]["repaired"]
        assert _hits(http, docset_id, "zanzibar") == 1
    assert _check(backend)["faults"] == []


def test_foreign_files_in_the_folder_are_harmless_and_nothing_outside_changes(
    backend: BackendProcess, docset_id: str, tmp_path: Path
) -> None:
    backend.stop()
    outside = tmp_path / "outside"
    outside.mkdir()
    precious = outside / ("ef" * 32)
    precious.write_text("precious")
    blobs = backend.folder / "blobs"
    (blobs / "ef").symlink_to(outside)
    (blobs / "ab").mkdir(exist_ok=True)
    (blobs / "ab" / ("ab" * 32)).symlink_to(precious)
    (blobs / "ab" / ("ac" * 32)).mkdir()
    (blobs / "ab" / "notes.txt").write_text("x")
    (blobs / "incoming" / "folder").mkdir()
    (blobs / "incoming" / "link").symlink_to(precious)
    os.mkfifo(blobs / "incoming" / "pipe")
    (backend.folder / "indexes" / ("0" * 32)).symlink_to(outside)
    (backend.folder / "indexes" / "file").write_text("x")
    backend.start()
    assert _check(backend, read_files=True, repair=True)["faults"] == []
    with backend.client() as http:
        http.post("/v1/workbench/backup").raise_for_status()
        assert _hits(http, docset_id, "wind") == 1
    assert precious.read_text() == "precious"


LOST = {
    "documents": "DELETE FROM documents WHERE name LIKE '%ice%'",
    "elements": "DELETE FROM elements WHERE text LIKE '%ice%'",
    "contents": "DELETE FROM contents WHERE opening LIKE '%ice%'",
    "vectors": "DELETE FROM vectors",
    "operations": "DELETE FROM operations",
}
KINDS = ("lexical", "keyword", "vector", "hybrid")


@pytest.mark.parametrize("lost", LOST)
def test_a_search_over_lost_rows_returns_the_rest_or_advice(
    backend: BackendProcess, docset_id: str, lost: str
) -> None:
    """Never a fault of ours, and the index that still names them is built anew by itself."""
    searches = [
        {"query": "ice wind tank", "query_type": kind, "return_type": unit}
        for kind in KINDS
        for unit in ("doc", "element")
    ]
    searches += [{"properties_filter": "path like '%i%'"}]
    with backend.client() as http:
        for body in searches:
            http.post(f"/v1/query/search/{docset_id}", json=body).raise_for_status()
    backend.stop()
    with closing(sqlite3.connect(backend.folder / "workbench.sqlite")) as database, database:
        assert database.execute(LOST[lost]).rowcount
    backend.start()
    with backend.client() as http:
        for body in searches:
            answer = http.post(f"/v1/query/search/{docset_id}", json=body)
            assert answer.status_code in (200, 422, 503), (body, answer.text)
            if answer.status_code == 503:
                assert "workbench restore" in answer.json()["detail"]
                continue
            if lost in ("documents", "elements") and body.get("query_type") == "lexical":
                assert len(answer.json()["results"]) == 2
    faults = _check(backend)["faults"]
    for fault in _check(backend, repair=True)["faults"]:
        assert fault["repaired"] or "restore" in fault["advice"]
    left = [fault for fault in _check(backend)["faults"] if "index" in fault["part"]]
    assert len(left) <= len(faults)


def test_a_row_that_points_to_nothing_is_a_fault_of_the_database(
    backend: BackendProcess, docset_id: str
) -> None:
    backend.stop()
    with closing(sqlite3.connect(backend.folder / "workbench.sqlite")) as database, database:
        database.execute("DELETE FROM contents WHERE content_id IN"
                         " (SELECT content_id FROM contents LIMIT 1)")  # fmt: skip
    backend.start()
    faults = _check(backend)["faults"]
    assert {one["part"] for one in faults} >= {"database"}
    assert any("restore" in one["advice"] for one in faults)


def test_a_name_of_a_file_that_is_no_hash_is_reported_and_opens_nothing(
    backend: BackendProcess, docset_id: str
) -> None:
    backend.stop()
    with closing(sqlite3.connect(backend.folder / "workbench.sqlite")) as database, database:
        database.execute("UPDATE documents SET blob = '/etc/passwd'")
    backend.start()
    [fault] = [one for one in _check(backend)["faults"] if one["part"] == "files"]
    assert fault["subject"] == "/etc/passwd" and "no file" in fault["found"]
    with backend.client() as http:
        backup = http.post("/v1/workbench/backup").raise_for_status().content
    assert b"root:" not in backup


def test_a_database_damaged_while_it_serves_is_reported_and_not_backed_up(
    backend: BackendProcess, docset_id: str
) -> None:
    backend.stop()
    with closing(sqlite3.connect(backend.folder / "workbench.sqlite")) as database:
        size = database.execute("PRAGMA page_size").fetchone()[0]
        tables = "SELECT rootpage FROM sqlite_master WHERE name = 'elements'"
        (page,) = database.execute(tables).fetchone()
    with (backend.folder / "workbench.sqlite").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa7" * size)
    backend.start()
    faults = _check(backend)["faults"]
    assert any(one["part"] == "database" and "restore" in one["advice"] for one in faults)
    with backend.client() as http:
        for answer in (
            http.post("/v1/workbench/backup"),
            http.get(f"/v1/storage/docsets/{docset_id}/docs/{_doc_id(http, docset_id)}"),
        ):
            assert answer.status_code == 503 and "workbench restore" in answer.json()["detail"]


def test_files_without_a_database_are_kept_and_asked_about(
    backend: BackendProcess, docset_id: str
) -> None:
    """As after a database was moved away: a start that sweeps would remove every original."""
    backend.stop()
    kept = sorted(_files(backend))
    (backend.folder / "workbench.sqlite").rename(backend.folder / "elsewhere")
    for _ in range(2):
        with pytest.raises(AssertionError, match="the database is missing"):
            backend.start()
        assert sorted(_files(backend)) == kept
    (backend.folder / "elsewhere").rename(backend.folder / "workbench.sqlite")
    backend.start()
    assert _check(backend, read_files=True)["faults"] == []


def test_doctor_reports_it_in_words_and_by_its_exit_code(
    backend: BackendProcess, docset_id: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(backend.folder))
    monkeypatch.delenv("WORKBENCH_API_KEY", raising=False)
    assert main(["doctor", "--data"]) == 0
    assert "3 documents, 3 files, 1 DocSets: no faults" in capsys.readouterr().out
    next(_files(backend)).unlink()
    assert main(["doctor", "--data", "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)
    assert any(one["check"] == "stored files" and one["status"] == "fault" for one in findings)


def _check(backend: BackendProcess, **wanted: bool) -> dict[str, Any]:
    with backend.client() as http:
        answer = http.post("/v1/workbench/storage/check", json=wanted).raise_for_status()
        report: dict[str, Any] = answer.json()
        return report


def _doc_id(http: httpx.Client, docset_id: str) -> str:
    listed = http.get(f"/v1/storage/docsets/{docset_id}/docs").raise_for_status().json()
    return str(listed["items"][0]["doc_id"])


def _files(backend: BackendProcess) -> Iterator[Path]:
    return (file for file in (backend.folder / "blobs").glob("??/*") if file.is_file())


def _hits(http: httpx.Client, docset_id: str, word: str) -> int:
    answer = http.post(f"/v1/query/search/{docset_id}", json={"query": word}).raise_for_status()
    return len(answer.json()["results"])


def test_unreadable_properties_are_reported_and_set_aside(
    backend: BackendProcess, docset_id: str
) -> None:
    """An older version stored what was too deep for every list."""
    with backend.client() as http:
        docs = http.get(f"/v1/storage/docsets/{docset_id}/docs").json()["items"]
    doc_id = docs[0]["doc_id"]
    deep = '{"a":' * 3_000 + "1" + "}" * 3_000
    with closing(sqlite3.connect(backend.folder / "workbench.sqlite", timeout=30)) as raw, raw:
        raw.execute("UPDATE documents SET properties = ? WHERE doc_id = ?", (deep, doc_id))
    [fault] = _check(backend)["faults"]
    assert (fault["subject"], fault["repaired"]) == (doc_id, False)
    [mended] = _check(backend, repair=True)["faults"]
    assert mended["repaired"]
    with backend.client() as http:
        listed = http.get(f"/v1/storage/docsets/{docset_id}/docs").raise_for_status().json()
    assert {item["doc_id"] for item in listed["items"]} == {item["doc_id"] for item in docs}
    assert [file.read_text() for file in (backend.folder / "quarantine").iterdir()] == [deep]
    assert _check(backend)["faults"] == []
