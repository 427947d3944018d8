"""Indexes follow the record: acknowledged documents are searchable and deleted ones are not,
whatever breaks.
"""

import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.search.engine import SearchEngine
from backend.search.lexical import tantivy_index
from backend.store.database import Database
from tests.backend.search.shelf import Shelf
from workbench.contract.errors import NotFound, Unavailable
from workbench.contract.search import SearchRequest


def _search(
    engine: SearchEngine, shelf: Shelf, query: str = "zebra", kind: Any = "lexical"
) -> list[str]:
    request = SearchRequest(query=query, query_type=kind)
    return sorted(result["doc_id"] for result in engine.search(shelf.docset_id, request).results)


def _folder(root: Path) -> Path:
    """Marks of the word index."""
    (folder,) = (root / "indexes").iterdir()
    return folder / "words"


@pytest.mark.parametrize("kind", ["lexical", "keyword", "vector", "hybrid"])
def test_a_document_is_searchable_once_committed_and_never_after_its_deletion(
    engine: SearchEngine, shelf: Shelf, kind: str
) -> None:
    ids: list[str] = []
    for turn in range(6):
        ids.append(shelf.add(["a zebra", f"number {turn}"]))
        assert _search(engine, shelf, kind=kind) == sorted(ids)
        if turn % 2:
            shelf.remove(ids.pop(0))
            assert _search(engine, shelf, kind=kind) == sorted(ids)


def test_changed_content_replaces_the_old(engine: SearchEngine, shelf: Shelf) -> None:
    doc_id = shelf.add(["zebra", "zebra again", "and a zebra"])
    assert _search(engine, shelf) == [doc_id]
    shelf.replace(doc_id, ["gazelle"])
    for kind in ("lexical", "keyword"):
        assert _search(engine, shelf, "zebra", kind) == []
        assert _search(engine, shelf, "gazelle", kind) == [doc_id]


def test_operations_committed_while_no_engine_ran_are_replayed(
    database: Database, shelf: Shelf, tmp_path: Path
) -> None:
    first = SearchEngine(database, tmp_path / "indexes")
    old, kept = shelf.add(["zebra"]), shelf.add(["zebra"])
    assert _search(first, shelf) == sorted([old, kept])
    first.close()
    shelf.remove(old)
    new = shelf.add(["zebra"])
    second = SearchEngine(database, tmp_path / "indexes")
    assert _search(second, shelf) == sorted([kept, new])
    second.close()


def test_operations_in_the_index_but_not_in_its_mark_are_harmless(
    database: Database, shelf: Shelf, tmp_path: Path
) -> None:
    first = SearchEngine(database, tmp_path / "indexes")
    gone = shelf.add(["zebra"])
    first.follow(shelf.docset_id)
    mark = _folder(tmp_path) / "mark.json"
    old = mark.read_bytes()
    shelf.remove(gone)
    kept = shelf.add(["zebra", "a zebra"])
    first.follow(shelf.docset_id)
    first.close()
    mark.write_bytes(old)
    second = SearchEngine(database, tmp_path / "indexes")
    request = SearchRequest(query="zebra", return_type="element")
    results = second.search(shelf.docset_id, request).results
    assert [result["doc_id"] for result in results] == [kept, kept]
    second.close()


def _delete_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def _delete_mark(folder: Path) -> None:
    (folder / "mark.json").unlink()


def _spoil_mark(folder: Path) -> None:
    (folder / "mark.json").write_text('{"schema": 1, "sequence"')


def _spoil_meta(folder: Path) -> None:
    (folder / "meta.json").write_text("{}")


def _empty_segments(folder: Path) -> None:
    for file in folder.iterdir():
        if file.suffix in (".term", ".idx", ".fast", ".store"):
            file.write_bytes(b"")


def _delete_segments(folder: Path) -> None:
    for file in folder.iterdir():
        if file.suffix in (".term", ".idx", ".fast"):
            file.unlink()


def _scramble_segments(folder: Path) -> None:
    for file in folder.iterdir():
        if file.suffix in (".term", ".idx"):
            file.write_bytes(bytes(255 - byte for byte in file.read_bytes()))


@pytest.mark.parametrize(
    "damage",
    [
        _delete_folder,
        _delete_mark,
        _spoil_mark,
        _spoil_meta,
        _empty_segments,
        _delete_segments,
        _scramble_segments,
    ],
)
def test_a_damaged_index_is_rebuilt_automatically(
    database: Database, shelf: Shelf, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    first = SearchEngine(database, tmp_path / "indexes")
    ids = sorted(shelf.add([f"zebra {number}"]) for number in range(5))
    assert _search(first, shelf) == ids
    first.close()
    damage(_folder(tmp_path))
    second = SearchEngine(database, tmp_path / "indexes")
    assert _search(second, shelf) == ids
    ids = sorted([*ids, shelf.add(["one more zebra"])])
    assert _search(second, shelf) == ids
    second.close()


def test_a_folder_deleted_under_an_open_engine_comes_back(
    engine: SearchEngine, shelf: Shelf, tmp_path: Path
) -> None:
    ids = [shelf.add(["zebra"])]
    assert _search(engine, shelf) == ids
    shutil.rmtree(tmp_path / "indexes")
    ids.append(shelf.add(["zebra"]))
    assert _search(engine, shelf) == sorted(ids)


def test_an_index_of_another_history_is_rebuilt(shelf: Shelf, tmp_path: Path) -> None:
    """The database was restored from a backup and has diverged since."""
    database, copy = shelf.database, tmp_path / "copy.sqlite"
    kept = shelf.add(["zebra"])
    with sqlite3.connect(tmp_path / "store.sqlite") as source, sqlite3.connect(copy) as target:
        source.backup(target)
    first = SearchEngine(database, tmp_path / "indexes")
    shelf.add(["zebra of a lost future"])
    assert len(_search(first, shelf)) == 2
    first.close()
    shelf.database = Database(f"sqlite:///{copy}")
    new = shelf.add(["zebra"])
    second = SearchEngine(shelf.database, tmp_path / "indexes")
    assert _search(second, shelf) == sorted([kept, new])
    assert _search(second, shelf, "future") == []
    second.close()
    shelf.database.close()


def test_an_unwritable_index_refuses_searches_and_catches_up_later(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [shelf.add(["zebra"])]
    assert _search(engine, shelf) == ids
    ids.append(shelf.add(["zebra"]))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(tantivy_index, "_write_mark", full)
        with pytest.raises(Unavailable, match="Nothing is lost"):
            _search(engine, shelf)
        assert _search(engine, shelf, kind="keyword") == sorted(ids)
    assert _search(engine, shelf) == sorted(ids)


def test_rebuilding_and_dropping(engine: SearchEngine, shelf: Shelf, tmp_path: Path) -> None:
    doc_id = shelf.add(["zebra"])
    engine.rebuild(shelf.docset_id)
    assert _search(engine, shelf) == [doc_id]
    shelf.delete()
    engine.drop(shelf.docset_id)
    assert not list((tmp_path / "indexes").iterdir())
    with pytest.raises(NotFound):
        _search(engine, shelf)


def test_docsets_do_not_see_each_other(engine: SearchEngine, database: Database) -> None:
    one, other = Shelf(database), Shelf(database)
    mine = one.add(["zebra"])
    other.add(["zebra"])
    for kind in ("lexical", "keyword", "vector", "hybrid"):
        assert _search(engine, one, kind=kind) == [mine]


def test_readers_beside_a_writer_see_acknowledged_documents_and_no_deleted_ones(
    engine: SearchEngine, shelf: Shelf
) -> None:
    """Only documents acknowledged or deleted before the search began count."""
    present: set[str] = {shelf.add(["zebra"])}
    gone: set[str] = set()
    faults: list[str] = []
    over = threading.Event()

    def read(kind: str) -> None:
        while not over.is_set():
            must, must_not = set(present), set(gone)
            ids = set(_search(engine, shelf, kind=kind))
            # Documents deleted during the search may go either way.
            if missing := must - ids - gone:
                faults.append(f"{kind} misses {missing}")
            if ghosts := ids & must_not:
                faults.append(f"{kind} still finds {ghosts}")

    threads = [threading.Thread(target=read, args=(kind,)) for kind in ("lexical", "hybrid")]
    for thread in threads:
        thread.start()
    for turn in range(25):
        present.add(shelf.add(["a zebra", "another zebra"]))
        if turn % 3 == 0:
            leaving = next(iter(present))
            gone_soon = {leaving}
            shelf.remove(leaving)
            present.difference_update(gone_soon)
            gone.add(leaving)
    over.set()
    for thread in threads:
        thread.join()
    assert faults == []


@pytest.mark.parametrize("kind", ["lexical", "keyword", "vector", "hybrid", None])
@pytest.mark.parametrize("unit", ["doc", "element"])
def test_pages_continue_after_their_last_hit_whatever_is_written_between_them(
    engine: SearchEngine, shelf: Shelf, kind: Any, unit: Any
) -> None:
    """Documents present all the time come exactly once."""
    entity = {"of": "page"}
    kept = [shelf.add([f"zebra {'kiwi ' * at}"], entity) for at in range(9)]
    leaving = [shelf.add(["zebra"], entity) for _ in range(3)]
    request = SearchRequest(
        query=None if kind is None else "zebra",
        query_type=kind or "lexical",
        properties_filter="of = 'page'",
        return_type=unit,
    )
    seen: list[str] = []
    token = None
    for turn in range(20):
        page = engine.search(shelf.docset_id, request, page_size=2, page_token=token)
        seen += [result["doc_id"] for result in page.results]
        token = page.next_page_token
        if token is None:
            break
        if gone := [doc_id for doc_id in leaving if doc_id not in seen]:
            shelf.remove(gone[0])
            leaving.remove(gone[0])
        if turn < 2:
            shelf.add(["zebra"], entity)  # high in every ranking, and last in arrival
    assert token is None
    assert [seen.count(doc_id) for doc_id in kept] == [1] * 9
    assert len(seen) == len(set(seen))
