"""Indexes follow the record: nothing acknowledged is missed, nothing deleted is found, whatever
breaks.
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


def _found(
    engine: SearchEngine, shelf: Shelf, query: str = "zebra", kind: Any = "lexical"
) -> list[str]:
    request = SearchRequest(query=query, query_type=kind)
    return sorted(result["doc_id"] for result in engine.search(shelf.docset_id, request).results)


def _folder(root: Path) -> Path:
    """Of the word index."""
    (folder,) = (root / "indexes").iterdir()
    return folder / "words"


@pytest.mark.parametrize("kind", ["lexical", "keyword", "vector", "hybrid"])
def test_a_document_is_found_as_soon_as_it_is_committed_and_never_after_its_deletion(
    engine: SearchEngine, shelf: Shelf, kind: str
) -> None:
    held: list[str] = []
    for turn in range(6):
        held.append(shelf.add(["a zebra", f"number {turn}"]))
        assert _found(engine, shelf, kind=kind) == sorted(held)
        if turn % 2:
            shelf.remove(held.pop(0))
            assert _found(engine, shelf, kind=kind) == sorted(held)


def test_changed_content_takes_the_place_of_the_old(engine: SearchEngine, shelf: Shelf) -> None:
    doc_id = shelf.add(["zebra", "zebra again", "and a zebra"])
    assert _found(engine, shelf) == [doc_id]
    shelf.replace(doc_id, ["gazelle"])
    for kind in ("lexical", "keyword"):
        assert _found(engine, shelf, "zebra", kind) == []
        assert _found(engine, shelf, "gazelle", kind) == [doc_id]


def test_operations_committed_while_no_engine_ran_are_replayed(
    database: Database, shelf: Shelf, tmp_path: Path
) -> None:
    first = SearchEngine(database, tmp_path / "indexes")
    old, kept = shelf.add(["zebra"]), shelf.add(["zebra"])
    assert _found(first, shelf) == sorted([old, kept])
    first.close()
    shelf.remove(old)
    new = shelf.add(["zebra"])
    second = SearchEngine(database, tmp_path / "indexes")
    assert _found(second, shelf) == sorted([kept, new])
    second.close()


def test_operations_that_the_index_holds_but_its_mark_does_not_are_harmless(
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
def test_a_damaged_index_is_rebuilt_by_itself(
    database: Database, shelf: Shelf, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    first = SearchEngine(database, tmp_path / "indexes")
    ids = sorted(shelf.add([f"zebra {number}"]) for number in range(5))
    assert _found(first, shelf) == ids
    first.close()
    damage(_folder(tmp_path))
    second = SearchEngine(database, tmp_path / "indexes")
    assert _found(second, shelf) == ids
    ids = sorted([*ids, shelf.add(["one more zebra"])])
    assert _found(second, shelf) == ids
    second.close()


def test_a_folder_deleted_under_an_open_engine_comes_back(
    engine: SearchEngine, shelf: Shelf, tmp_path: Path
) -> None:
    ids = [shelf.add(["zebra"])]
    assert _found(engine, shelf) == ids
    shutil.rmtree(tmp_path / "indexes")
    ids.append(shelf.add(["zebra"]))
    assert _found(engine, shelf) == sorted(ids)


def test_an_index_of_another_history_is_rebuilt(shelf: Shelf, tmp_path: Path) -> None:
    """The database was restored from a copy, and its numbers went another way since."""
    database, copy = shelf.database, tmp_path / "copy.sqlite"
    kept = shelf.add(["zebra"])
    with sqlite3.connect(tmp_path / "store.sqlite") as source, sqlite3.connect(copy) as target:
        source.backup(target)
    first = SearchEngine(database, tmp_path / "indexes")
    shelf.add(["zebra of a lost future"])
    assert len(_found(first, shelf)) == 2
    first.close()
    shelf.database = Database(f"sqlite:///{copy}")
    new = shelf.add(["zebra"])
    second = SearchEngine(shelf.database, tmp_path / "indexes")
    assert _found(second, shelf) == sorted([kept, new])
    assert _found(second, shelf, "future") == []
    second.close()
    shelf.database.close()


def test_an_index_that_cannot_be_written_refuses_and_catches_up_later(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [shelf.add(["zebra"])]
    assert _found(engine, shelf) == ids
    ids.append(shelf.add(["zebra"]))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(tantivy_index, "_write_mark", full)
        with pytest.raises(Unavailable, match="Nothing is lost"):
            _found(engine, shelf)
        assert _found(engine, shelf, kind="keyword") == sorted(ids)
    assert _found(engine, shelf) == sorted(ids)


def test_rebuilding_and_dropping(engine: SearchEngine, shelf: Shelf, tmp_path: Path) -> None:
    doc_id = shelf.add(["zebra"])
    engine.rebuild(shelf.docset_id)
    assert _found(engine, shelf) == [doc_id]
    shelf.delete()
    engine.drop(shelf.docset_id)
    assert not list((tmp_path / "indexes").iterdir())
    with pytest.raises(NotFound):
        _found(engine, shelf)


def test_docsets_do_not_see_each_other(engine: SearchEngine, database: Database) -> None:
    one, other = Shelf(database), Shelf(database)
    mine = one.add(["zebra"])
    other.add(["zebra"])
    for kind in ("lexical", "keyword", "vector", "hybrid"):
        assert _found(engine, one, kind=kind) == [mine]


def test_readers_beside_a_writer_see_what_is_acknowledged_and_nothing_that_is_gone(
    engine: SearchEngine, shelf: Shelf
) -> None:
    """Acknowledged before the search began: found. Deleted before it began: not found."""
    present: set[str] = {shelf.add(["zebra"])}
    gone: set[str] = set()
    faults: list[str] = []
    over = threading.Event()

    def read(kind: str) -> None:
        while not over.is_set():
            must, must_not = set(present), set(gone)
            found = set(_found(engine, shelf, kind=kind))
            # Deletions during the search may go either way.
            if missing := must - found - gone:
                faults.append(f"{kind} misses {missing}")
            if ghosts := found & must_not:
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
def test_pages_go_on_behind_their_last_hit_whatever_is_written_between_them(
    engine: SearchEngine, shelf: Shelf, kind: Any, unit: Any
) -> None:
    """What is there all the time comes exactly once."""
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
            shelf.add(["zebra"], entity)  # far up in every ranking, and last in arrival
    assert token is None
    assert [seen.count(doc_id) for doc_id in kept] == [1] * 9
    assert len(seen) == len(set(seen))
