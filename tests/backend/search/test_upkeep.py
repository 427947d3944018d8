"""The upkeep of indexes: vectors come back from their files, clones share what cannot change, and
what takes long is built beside the searches, which are refused meanwhile and not kept waiting.
"""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from backend.search import holding, views
from backend.search.engine import SearchEngine
from backend.search.holding import Holding, IndexName, Progress
from backend.search.lexical.tantivy_index import TantivyIndex
from backend.search.properties import following
from backend.search.properties.following import Follower
from backend.search.vectors import index as vector_index
from backend.store.database import Database
from tests.backend.search.shelf import Shelf
from workbench.contract.errors import Unavailable
from workbench.contract.search import FacetRequest, SearchRequest

_KINDS = ("lexical", "keyword", "vector", "hybrid")


def _found(engine: SearchEngine, shelf: Shelf, kind: Any, query: str = "zebra") -> list[str]:
    request = SearchRequest(query=query, query_type=kind)
    results = engine.search(shelf.docset_id, request, page_size=1000).results
    return sorted(result["doc_id"] for result in results)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors go to files after a few rows already."""
    monkeypatch.setattr(vector_index, "BLOCK_ROWS", 8)
    monkeypatch.setattr(vector_index, "WORTH_KEEPING", 1)


@pytest.fixture
def blobs_read(database: Database) -> Iterator[list[str]]:
    """The statements that read vectors from the record."""
    statements: list[str] = []

    def note(*arguments: Any) -> None:
        if "vectors.matrix" in arguments[2]:
            statements.append(arguments[2])

    event.listen(database.engine, "before_cursor_execute", note)
    yield statements
    event.remove(database.engine, "before_cursor_execute", note)


def _vector_files(root: Path) -> list[Path]:
    return sorted(root.glob("indexes/*/vectors/*"))


def test_vectors_come_back_from_their_files(
    database: Database, shelf: Shelf, tmp_path: Path, small_blocks: None, blobs_read: list[str]
) -> None:
    first = SearchEngine(database, tmp_path / "indexes")
    ids = [shelf.add(["zebra one", "zebra two", "a third"]) for _ in range(7)]
    assert _found(first, shelf, "vector") == sorted(ids)
    shelf.remove(ids.pop(2))
    shelf.replace(ids[0], ["zebra again"])
    assert _found(first, shelf, "vector") == sorted(ids)
    first.close()
    assert _vector_files(tmp_path)
    blobs_read.clear()
    second = SearchEngine(database, tmp_path / "indexes")
    assert _found(second, shelf, "vector") == sorted(ids)
    assert blobs_read == []
    shelf.remove(ids.pop(0))
    ids.append(shelf.add(["zebra new"]))
    assert _found(second, shelf, "vector") == sorted(ids)
    assert len(blobs_read) == 1
    second.close()
    third = SearchEngine(database, tmp_path / "indexes")
    assert _found(third, shelf, "vector") == sorted(ids)
    third.close()


def _truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-3])


@pytest.mark.parametrize("damage", [Path.unlink, _truncate, lambda file: file.write_bytes(b"{}")])
@pytest.mark.parametrize("suffix", [".block", ".json"])
def test_damaged_files_of_vectors_are_built_anew(
    database: Database,
    shelf: Shelf,
    tmp_path: Path,
    small_blocks: None,
    damage: Any,
    suffix: str,
) -> None:
    first = SearchEngine(database, tmp_path / "indexes")
    ids = sorted(shelf.add(["zebra", "another"]) for _ in range(6))
    assert _found(first, shelf, "vector") == ids
    first.close()
    damage(next(file for file in _vector_files(tmp_path) if file.suffix == suffix))
    second = SearchEngine(database, tmp_path / "indexes")
    assert _found(second, shelf, "vector") == ids
    second.close()


def test_rows_of_what_is_gone_are_left_out_in_time(
    engine: SearchEngine, shelf: Shelf, small_blocks: None
) -> None:
    for turn in range(12):
        doc_id = shelf.add(["zebra", f"turn {turn}"])
        assert _found(engine, shelf, "vector") == [doc_id]
        assert _found(engine, shelf, "keyword") == [doc_id]
        shelf.remove(doc_id)
    kept = shelf.add(["zebra"])
    assert _found(engine, shelf, "vector") == [kept]


@pytest.mark.parametrize("opened", [True, False], ids=["open", "never opened"])
def test_a_clone_is_independent_both_ways(
    engine: SearchEngine, shelf: Shelf, small_blocks: None, opened: bool
) -> None:
    ids = [shelf.add(["zebra", f"number {number}"]) for number in range(6)]
    if opened:
        for kind in _KINDS:
            assert _found(engine, shelf, kind) == sorted(ids)
    copy = shelf.clone(engine)
    copied = copy.doc_ids
    assert len(copied) == 6 and not set(copied) & set(ids)
    shelf.remove(ids.pop(0))
    copy.remove(copied.pop())
    ids.append(shelf.add(["zebra of the original"]))
    copied.append(copy.add(["zebra of the clone"]))
    shelf.replace(ids[0], ["gazelle"])
    copy.replace(copied[1], ["antelope"])
    second = copy.clone(engine)
    for kind in _KINDS:
        words = ["zebra", "gazelle", "antelope"] if kind in ("lexical", "keyword") else ["zebra"]
        told = [
            sorted({i for w in words for i in _found(engine, s, kind, w)}) for s in (shelf, copy)
        ]
        assert told == [sorted(ids), sorted(copied)]
        assert len(_found(engine, second, kind)) == len(_found(engine, copy, kind))
    for kind in ("lexical", "keyword"):
        assert _found(engine, shelf, kind, "antelope") == []
        assert _found(engine, copy, kind, "gazelle") == []
    shelf.delete()
    engine.drop(shelf.docset_id)
    copy.delete()
    engine.drop(copy.docset_id)
    for kind in _KINDS:
        assert len(_found(engine, second, kind)) == (5 if kind in ("lexical", "keyword") else 6)


def test_a_clone_shares_the_files_and_reads_no_element_again(
    database: Database, engine: SearchEngine, shelf: Shelf, tmp_path: Path, small_blocks: None
) -> None:
    for number in range(6):
        shelf.add(["zebra", f"number {number}"])
    _found(engine, shelf, "hybrid")
    read: list[str] = []
    event.listen(
        database.engine,
        "before_cursor_execute",
        lambda *call: read.append(call[2]) if "elements.text IS NOT NULL" in call[2] else None,
    )
    copy = shelf.clone(engine)
    assert read == []
    shared = [file for file in tmp_path.glob("indexes/*/*/*") if os.stat(file).st_nlink == 2]
    assert {file.suffix for file in shared} >= {".term", ".idx", ".block"}
    assert len(_found(engine, copy, "hybrid")) == 6
    assert all("ordinal <" in statement for statement in read)  # texts of results alone


def test_what_happens_to_the_original_during_the_copy_happens_to_the_clone(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files were linked before the rows were copied."""
    ids = [shelf.add(["zebra", "zebra"]) for _ in range(3)]
    assert _found(engine, shelf, "lexical") == sorted(ids)
    copy_files = engine.copy

    def slow_copy(docset_id: str, target: str) -> int | None:
        since = copy_files(docset_id, target)
        shelf.remove(ids[1])
        shelf.add(["zebra that came late"])
        return since

    monkeypatch.setattr(engine, "copy", slow_copy)
    copy = shelf.clone(engine)
    for kind in _KINDS:
        assert _found(engine, copy, kind) == sorted(copy.doc_ids)
    assert len(copy.doc_ids) == 3


def test_folders_of_docsets_that_do_not_exist_are_swept(
    engine: SearchEngine, shelf: Shelf, tmp_path: Path
) -> None:
    doc_id = shelf.add(["zebra"])
    assert _found(engine, shelf, "lexical") == [doc_id]
    (tmp_path / "indexes" / "left by a crash" / "words").mkdir(parents=True)
    engine.sweep()
    assert len(list((tmp_path / "indexes").iterdir())) == 1
    assert _found(engine, shelf, "lexical") == [doc_id]


def test_a_long_building_refuses_searches_with_word_of_it_and_is_then_ready(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = sorted(shelf.add(["zebra"]) for _ in range(5))
    monkeypatch.setattr(holding, "_AT_ONCE", 2)
    monkeypatch.setattr(holding, "_LEAST_STEP", 2)
    monkeypatch.setattr(views, "PATIENCE", 0.05)
    apply, gate = TantivyIndex.apply, threading.Event()

    def slow(self: TantivyIndex, *arguments: Any) -> None:
        gate.wait(10)
        apply(self, *arguments)

    monkeypatch.setattr(TantivyIndex, "apply", slow)
    with pytest.raises(Unavailable, match="is being built") as refusal:
        _found(engine, shelf, "lexical")
    assert refusal.value.retry_after
    with pytest.raises(Unavailable):  # nobody builds it a second time
        _found(engine, shelf, "hybrid")
    gate.set()
    monkeypatch.setattr(views, "PATIENCE", 10.0)
    assert _found(engine, shelf, "lexical") == ids
    assert engine.state(shelf.docset_id).model_dump() == {"state": "ready", "done": 5, "total": 5}


def test_nobody_waits_for_the_properties_to_be_read_but_who_counts_them(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [shelf.add(["zebra"], {"year": year}) for year in (1999, 2004, 2010)]
    monkeypatch.setattr(following, "_AT_ONCE", 2)
    monkeypatch.setattr(views, "PATIENCE", 0.05)
    read, gate = Follower._read, threading.Event()

    def slow(self: Follower, *arguments: Any) -> None:
        gate.wait(10)
        read(self, *arguments)

    monkeypatch.setattr(Follower, "_read", slow)
    filtered = SearchRequest(query="zebra", properties_filter="year > 2000")
    for _ in range(2):
        results = engine.search(shelf.docset_id, filtered).results
        assert {result["doc_id"] for result in results} == set(ids[1:])
    with pytest.raises(Unavailable, match="is being built") as refusal:
        engine.facets(shelf.docset_id, FacetRequest(fields=["year"]))
    assert refusal.value.retry_after
    gate.set()
    monkeypatch.setattr(views, "PATIENCE", 10.0)
    (facet,) = engine.facets(shelf.docset_id, FacetRequest(fields=["year"]))
    assert len(facet.values) == 3
    results = engine.search(shelf.docset_id, filtered).results
    assert {result["doc_id"] for result in results} == set(ids[1:])


def test_who_has_to_wait_longer_than_others_do_is_told_when_to_come_back() -> None:
    assert Progress(100, 500, seconds=2.0).rest == 8.0
    assert Progress(0, 500, seconds=2.0).rest == 1000.0
    assert Progress(500, 500, seconds=2.0).rest == 1.0


def test_rebuilding_tells_the_state(engine: SearchEngine, shelf: Shelf) -> None:
    doc_id = shelf.add(["zebra"])
    assert engine.state(shelf.docset_id).state == "behind"
    assert engine.rebuild(shelf.docset_id).state == "ready"
    assert _found(engine, shelf, "lexical") == [doc_id]


def test_a_building_that_is_interrupted_leaves_nothing_half(
    database: Database, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = sorted(shelf.add(["zebra", "zebra"]) for _ in range(6))
    monkeypatch.setattr(holding, "_LEAST_STEP", 2)
    for cls in (TantivyIndex, vector_index.VectorIndex):
        apply, left = cls.apply, iter(range(2))

        def broken(self: Any, *arguments: Any, apply: Any = apply, left: Any = left) -> None:
            if next(left, None) is None:
                raise RuntimeError("a crash")
            apply(self, *arguments)

        with monkeypatch.context() as patch:
            patch.setattr(cls, "apply", broken)
            engine = SearchEngine(database, tmp_path / "indexes")
            with pytest.raises(RuntimeError):
                _found(engine, shelf, "hybrid")
        assert _found(engine, shelf, "hybrid") == ids
        engine.close()
        engine = SearchEngine(database, tmp_path / "indexes")
        request = SearchRequest(query="zebra", query_type="hybrid", return_type="element")
        assert len(engine.search(shelf.docset_id, request).results) == 12
        engine.close()


def test_more_docsets_than_may_be_open_are_all_answered(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Descriptors and memory stay bounded while many DocSets are asked in turn."""
    monkeypatch.setattr("backend.search.holdings._MOST_OPEN", 5)
    engine = SearchEngine(database, tmp_path / "indexes")
    shelves = [Shelf(database) for _ in range(20)]
    ids = [shelf.add(["zebra"]) for shelf in shelves]
    assert [_found(engine, shelf, "hybrid") for shelf in shelves] == [[i] for i in ids]
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(2):
        assert [_found(engine, shelf, "hybrid") for shelf in shelves] == [[i] for i in ids]
    assert len(os.listdir("/proc/self/fd")) <= before + 4
    engine.close()


def test_documents_that_are_added_at_once_share_a_commit(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.add(["zebra"])
    engine.follow(shelf.docset_id)
    apply, commits = TantivyIndex.apply, []

    def slow(self: TantivyIndex, connection: Any, changes: Any) -> None:
        commits.append(len(changes.present))
        time.sleep(0.05)
        apply(self, connection, changes)

    monkeypatch.setattr(TantivyIndex, "apply", slow)

    def add() -> None:
        shelf.add(["zebra"])
        engine.follow(shelf.docset_id)

    threads = [threading.Thread(target=add) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(commits) == 16
    assert len(commits) <= 8
    assert len(_found(engine, shelf, "lexical")) == 17


@pytest.mark.parametrize("kind", ["lexical", "keyword", "vector"])
def test_whoever_ends_the_server_need_not_wait_until_a_large_document_is_taken_up(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, kind: IndexName
) -> None:
    shelf.add(["zebras grazing"] * 9_000)
    asked = 0

    def check(_holding: Holding) -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise Unavailable("stopping")

    monkeypatch.setattr(Holding, "check", check)
    with pytest.raises(Unavailable, match="stopping"):
        engine._views.follow(shelf.docset_id, kind)
    monkeypatch.undo()
    assert len(_found(engine, shelf, kind)) == 1
