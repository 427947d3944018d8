"""Indexes that one server has built and another starts from."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.search import docset_indexes, views
from backend.search.docset_indexes import DocSetIndexes
from backend.search.engine import SearchEngine
from backend.search.operations import START
from backend.search.published import Published
from backend.store.database import Database
from backend.store.shared_files import SharedFiles, SharedFolder
from tests.backend.search.shelf import Shelf
from workbench.contract.search import SearchRequest

KINDS = ("lexical", "vector", "hybrid")


def hits(engine: SearchEngine, shelf: Shelf, kind: Any, query: str = "zebra") -> list[str]:
    request = SearchRequest(query=query, query_type=kind)
    results = engine.search(shelf.docset_id, request, page_size=1000).results
    return [result["doc_id"] for result in results]


@pytest.fixture
def shared(tmp_path: Path) -> SharedFolder:
    return SharedFolder(tmp_path / "shared")


@pytest.fixture
def servers(
    database: Database, tmp_path: Path, shared: SharedFiles, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[SearchEngine, SearchEngine]]:
    """Two servers; what is much to build, and worth publishing, is a handful of documents."""
    monkeypatch.setattr(docset_indexes, "_AT_ONCE", 1)
    monkeypatch.setattr(views, "_WORTH_PUBLISHING", 5)
    monkeypatch.setattr("backend.search.vectors.index.WORTH_KEEPING", 1)
    opened = [SearchEngine(database, tmp_path / name, shared=shared) for name in ("a", "b")]
    yield opened[0], opened[1]
    for engine in opened:
        engine.close()


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many documents each index had to take up from the log, one number a time."""
    counts: list[int] = []
    take_up = DocSetIndexes._take_up

    def counted(self: DocSetIndexes, name: Any, index: Any, connection: Any, changes: Any) -> None:
        if index.mark != START or changes:
            counts.append(len(changes.present))
        take_up(self, name, index, connection, changes)

    monkeypatch.setattr(DocSetIndexes, "_take_up", counted)
    return counts


def fill(shelf: Shelf, count: int = 40) -> None:
    shelf.add_many(count, ["a zebra and a horse", "grass"], lambda number: {})


def test_a_second_server_starts_from_the_published_index(servers, shelf, applied) -> None:
    first, second = servers
    fill(shelf)
    expected = {kind: hits(first, shelf, kind) for kind in KINDS}
    first.publish()
    late = shelf.add(["one more zebra"])
    applied.clear()
    assert {kind: set(hits(second, shelf, kind)) for kind in KINDS} == {
        kind: {late, *expected[kind]} for kind in KINDS
    }
    assert applied == [1, 1], "only what came later is taken from the log"


def test_an_index_is_published_again_after_it_has_grown(servers, shelf, shared) -> None:
    first, second = servers
    fill(shelf)
    hits(first, shelf, "lexical")
    first.publish()
    files = set(shared.names("indexes"))
    shelf.add(["a zebra"])
    hits(first, shelf, "lexical")
    first.publish()
    assert set(shared.names("indexes")) == files, "one more document is not much"
    fill(shelf)
    hits(second, shelf, "lexical")
    second.publish()
    assert set(shared.names("indexes")) > files, "only new files were added"


def test_files_of_the_manifest_before_stay_for_who_is_fetching_them(shared, tmp_path) -> None:
    published = Published(shared, tmp_path)
    left = []
    for sequence, name in enumerate(("first", "second", "third"), start=1):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.store").write_text(name)
        published.publish("docset", "words", folder, sequence)
        left.append({Path(file).stem for file in shared.names("indexes/docset/words")})
    assert left == [{"first"}, {"first", "second"}, {"second", "third"}]
    assert published.newest("docset", "words") == 3


def test_a_published_index_of_another_history_is_rejected(servers, shelf, shared, applied) -> None:
    first, second = servers
    fill(shelf)
    expected = hits(first, shelf, "lexical")
    first.publish()
    (manifest,) = (name for name in shared.names("indexes") if name.endswith("words.manifest"))
    file = shared._folder / manifest
    text = file.read_text()
    file.write_text(text.replace('doc_id\\": \\"wb', 'doc_id\\": \\"other'))
    assert file.read_text() != text
    applied.clear()
    assert hits(second, shelf, "lexical") == expected
    assert applied == [40], "it is built from the record"


def test_a_published_index_with_a_missing_file_is_rejected(servers, shelf, shared, applied) -> None:
    first, second = servers
    fill(shelf)
    expected = hits(first, shelf, "lexical")
    first.publish()
    shared.remove([next(name for name in shared.names("indexes") if name.endswith(".store"))])
    applied.clear()
    assert hits(second, shelf, "lexical") == expected and applied == [40]


def test_a_rebuild_and_a_deletion_remove_published_files(servers, shelf, shared) -> None:
    first, _ = servers
    for end in (first._views.forget, first.drop):
        fill(shelf)
        hits(first, shelf, "lexical")
        first.publish()
        assert shared.names("indexes")
        end(shelf.docset_id)
        assert shared.names("indexes") == []
