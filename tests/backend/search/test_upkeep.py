"""Maintenance of indexes: vectors load from their files, clones share immutable files, and long
builds run in the background while searches are refused instead of blocked.
"""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from backend.search import docset_indexes, views
from backend.search.docset_indexes import DocSetIndexes, IndexName, Progress
from backend.search.engine import SearchEngine
from backend.search.lexical.tantivy_index import TantivyIndex
from backend.search.literal import LiteralIndex
from backend.search.properties import following
from backend.search.properties.following import Follower
from backend.search.vectors import index as vector_index
from backend.store.database import Database
from tests.backend.search.shelf import Shelf
from workbench.contract.errors import Unavailable
from workbench.contract.search import FacetRequest, SearchRequest

_KINDS = ("lexical", "keyword", "vector", "hybrid")


def _search(engine: SearchEngine, shelf: Shelf, kind: Any, query: str = "zebra") -> list[str]:
    request = SearchRequest(query=query, query_type=kind)
    results = engine.search(shelf.docset_id, request, page_size=1000).results
    return sorted(result["doc_id"] for result in results)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors move to files after a few rows."""
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


def test_vectors_load_from_their_files(
    database: Database, shelf: Shelf, tmp_path: Path, small_blocks: None, blobs_read: list[str]
) -> None:
    first = SearchEngine(database, tmp_path / "indexes")
    ids = [shelf.add(["zebra one", "zebra two", "a third"]) for _ in range(7)]
    assert _search(first, shelf, "vector") == sorted(ids)
    shelf.remove(ids.pop(2))
    shelf.replace(ids[0], ["zebra again"])
    assert _search(first, shelf, "vector") == sorted(ids)
    first.close()
    assert _vector_files(tmp_path)
    blobs_read.clear()
    second = SearchEngine(database, tmp_path / "indexes")
    assert _search(second, shelf, "vector") == sorted(ids)
    assert blobs_read == []
    shelf.remove(ids.pop(0))
    ids.append(shelf.add(["zebra new"]))
    assert _search(second, shelf, "vector") == sorted(ids)
    assert len(blobs_read) == 1
    second.close()
    third = SearchEngine(database, tmp_path / "indexes")
    assert _search(third, shelf, "vector") == sorted(ids)
    third.close()


def _truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-3])


@pytest.mark.parametrize("damage", [Path.unlink, _truncate, lambda file: file.write_bytes(b"{}")])
@pytest.mark.parametrize("suffix", [".block", ".json"])
def test_damaged_vector_files_are_rebuilt(
    database: Database,
    shelf: Shelf,
    tmp_path: Path,
    small_blocks: None,
    damage: Any,
    suffix: str,
) -> None:
    first = SearchEngine(database, tmp_path / "indexes")
    ids = sorted(shelf.add(["zebra", "another"]) for _ in range(6))
    assert _search(first, shelf, "vector") == ids
    first.close()
    damage(next(file for file in _vector_files(tmp_path) if file.suffix == suffix))
    second = SearchEngine(database, tmp_path / "indexes")
    assert _search(second, shelf, "vector") == ids
    second.close()


def test_rows_of_deleted_elements_are_dropped_eventually(
    engine: SearchEngine, shelf: Shelf, small_blocks: None
) -> None:
    for turn in range(12):
        doc_id = shelf.add(["zebra", f"turn {turn}"])
        assert _search(engine, shelf, "vector") == [doc_id]
        assert _search(engine, shelf, "keyword") == [doc_id]
        shelf.remove(doc_id)
    kept = shelf.add(["zebra"])
    assert _search(engine, shelf, "vector") == [kept]


@pytest.mark.parametrize("opened", [True, False], ids=["open", "never opened"])
def test_a_clone_and_its_original_are_independent(
    engine: SearchEngine, shelf: Shelf, small_blocks: None, opened: bool
) -> None:
    ids = [shelf.add(["zebra", f"number {number}"]) for number in range(6)]
    if opened:
        for kind in _KINDS:
            assert _search(engine, shelf, kind) == sorted(ids)
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
        results = [
            sorted({i for w in words for i in _search(engine, s, kind, w)}) for s in (shelf, copy)
        ]
        assert results == [sorted(ids), sorted(copied)]
        assert len(_search(engine, second, kind)) == len(_search(engine, copy, kind))
    for kind in ("lexical", "keyword"):
        assert _search(engine, shelf, kind, "antelope") == []
        assert _search(engine, copy, kind, "gazelle") == []
    shelf.delete()
    engine.drop(shelf.docset_id)
    copy.delete()
    engine.drop(copy.docset_id)
    for kind in _KINDS:
        assert len(_search(engine, second, kind)) == (5 if kind in ("lexical", "keyword") else 6)


def test_a_clone_shares_the_files_and_reads_no_elements(
    database: Database, engine: SearchEngine, shelf: Shelf, tmp_path: Path, small_blocks: None
) -> None:
    for number in range(6):
        shelf.add(["zebra", f"number {number}"])
    _search(engine, shelf, "hybrid")
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
    assert len(_search(engine, copy, "hybrid")) == 6
    assert all("ordinal <" in statement for statement in read)  # only texts of results


def test_changes_of_the_original_during_the_copy_reach_the_clone(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files were linked before the rows were copied."""
    ids = [shelf.add(["zebra", "zebra"]) for _ in range(3)]
    assert _search(engine, shelf, "lexical") == sorted(ids)
    copy_files = engine.copy

    def slow_copy(docset_id: str, target: str) -> int | None:
        since = copy_files(docset_id, target)
        shelf.remove(ids[1])
        shelf.add(["zebra that came late"])
        return since

    monkeypatch.setattr(engine, "copy", slow_copy)
    copy = shelf.clone(engine)
    for kind in _KINDS:
        assert _search(engine, copy, kind) == sorted(copy.doc_ids)
    assert len(copy.doc_ids) == 3


def test_folders_of_missing_docsets_are_removed(
    engine: SearchEngine, shelf: Shelf, tmp_path: Path
) -> None:
    doc_id = shelf.add(["zebra"])
    assert _search(engine, shelf, "lexical") == [doc_id]
    (tmp_path / "indexes" / "left by a crash" / "words").mkdir(parents=True)
    engine.sweep()
    assert len(list((tmp_path / "indexes").iterdir())) == 1
    assert _search(engine, shelf, "lexical") == [doc_id]


def test_a_long_build_refuses_searches_with_its_progress_and_then_completes(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = sorted(shelf.add(["zebra"]) for _ in range(5))
    monkeypatch.setattr(docset_indexes, "_AT_ONCE", 2)
    monkeypatch.setattr(docset_indexes, "_LEAST_STEP", 2)
    monkeypatch.setattr(views, "PATIENCE", 0.05)
    apply, gate = TantivyIndex.apply, threading.Event()

    def slow(self: TantivyIndex, *arguments: Any) -> None:
        gate.wait(60)
        apply(self, *arguments)

    monkeypatch.setattr(TantivyIndex, "apply", slow)
    with pytest.raises(Unavailable, match="is being built") as refusal:
        _search(engine, shelf, "lexical")
    assert refusal.value.retry_after
    with pytest.raises(Unavailable):  # no second build starts
        _search(engine, shelf, "hybrid")
    gate.set()
    monkeypatch.setattr(views, "PATIENCE", 10.0)
    assert _search(engine, shelf, "lexical") == ids
    assert engine.state(shelf.docset_id).model_dump() == {"state": "ready", "done": 5, "total": 5}


def test_only_facets_wait_for_the_properties_to_be_read(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [shelf.add(["zebra"], {"year": year}) for year in (1999, 2004, 2010)]
    monkeypatch.setattr(following, "_AT_ONCE", 2)
    monkeypatch.setattr(views, "PATIENCE", 0.05)
    read, gate = Follower._read, threading.Event()

    def slow(self: Follower, *arguments: Any) -> None:
        gate.wait(60)
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


def test_a_refused_search_learns_when_to_retry() -> None:
    assert Progress(100, 500, seconds=2.0).rest == 8.0
    assert Progress(0, 500, seconds=2.0).rest == 1000.0
    assert Progress(500, 500, seconds=2.0).rest == 1.0


def test_rebuilding_returns_the_index_state(engine: SearchEngine, shelf: Shelf) -> None:
    doc_id = shelf.add(["zebra"])
    assert engine.state(shelf.docset_id).state == "behind"
    assert engine.rebuild(shelf.docset_id).state == "ready"
    assert _search(engine, shelf, "lexical") == [doc_id]


def test_an_interrupted_build_leaves_nothing_partial(
    database: Database, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = sorted(shelf.add(["zebra", "zebra"]) for _ in range(6))
    monkeypatch.setattr(docset_indexes, "_LEAST_STEP", 2)
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
                _search(engine, shelf, "hybrid")
        assert _search(engine, shelf, "hybrid") == ids
        engine.close()
        engine = SearchEngine(database, tmp_path / "indexes")
        request = SearchRequest(query="zebra", query_type="hybrid", return_type="element")
        assert len(engine.search(shelf.docset_id, request).results) == 12
        engine.close()


def test_more_docsets_than_may_be_open_are_all_answered(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """File descriptors and memory stay bounded."""
    monkeypatch.setattr("backend.search.index_pool._MOST_OPEN", 5)
    engine = SearchEngine(database, tmp_path / "indexes")
    shelves = [Shelf(database) for _ in range(20)]
    ids = [shelf.add(["zebra"]) for shelf in shelves]
    assert [_search(engine, shelf, "hybrid") for shelf in shelves] == [[i] for i in ids]
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(2):
        assert [_search(engine, shelf, "hybrid") for shelf in shelves] == [[i] for i in ids]
    assert len(os.listdir("/proc/self/fd")) <= before + 4
    engine.close()


def test_a_docset_that_needs_more_memory_than_all_may_is_not_read_again_for_each_search(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.search.index_pool._MOST_BYTES", 1)
    engine = SearchEngine(database, tmp_path / "indexes")
    shelves = [Shelf(database) for _ in range(2)]
    ids = [shelf.add(["zebra"]) for shelf in shelves]
    apply, built = LiteralIndex.apply, []

    def counted(self: LiteralIndex, connection: Any, changes: Any) -> None:
        built.append(len(changes.present))
        apply(self, connection, changes)

    monkeypatch.setattr(LiteralIndex, "apply", counted)
    for turn in range(3):
        assert _search(engine, shelves[0], "keyword") == [ids[0]]
        assert built == [1], turn
    _search(engine, shelves[1], "keyword")
    _search(engine, shelves[0], "keyword")
    assert built == [1, 1, 1], "beside another one it is"
    engine.close()


def test_documents_added_at_once_share_a_commit(
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
    assert len(_search(engine, shelf, "lexical")) == 17


@pytest.mark.parametrize("kind", ["lexical", "keyword", "vector"])
def test_stopping_the_server_does_not_wait_until_a_large_document_is_indexed(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, kind: IndexName
) -> None:
    shelf.add(["zebras grazing"] * 9_000)
    asked = 0

    def check(_indexes: DocSetIndexes) -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise Unavailable("stopping")

    monkeypatch.setattr(DocSetIndexes, "check", check)
    with pytest.raises(Unavailable, match="stopping"):
        engine._views.follow(shelf.docset_id, kind)
    monkeypatch.undo()
    assert len(_search(engine, shelf, kind)) == 1


def test_a_built_word_index_is_in_one_part_because_each_part_costs_every_search(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docset_indexes, "_LEAST_STEP", 2)
    shelf.add_many(130, ["a zebra"], lambda _: {})
    assert len(_search(engine, shelf, "lexical")) == 130
    with engine._views._pool.use(shelf.docset_id) as indexes:
        words = indexes._indexes["lexical"]
    assert isinstance(words, TantivyIndex)
    assert words._searched().searcher.num_segments == 1
