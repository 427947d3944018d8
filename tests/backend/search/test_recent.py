"""Elements that wait in memory for the next commit of the word index: searchable like all others,
with the same scores, and never lost.
"""

import json
import random
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.search.engine import SearchEngine
from backend.search.lexical import tantivy_index
from backend.search.lexical.analysis import query_terms, words_of
from backend.search.lexical.recent import Recent
from backend.search.lexical.searching import Committed, TantivyReader
from backend.search.lexical.tantivy_index import TantivyIndex
from backend.search.ranking import number_of
from backend.store.database import Database
from tests.backend.search.shelf import Shelf
from workbench.contract.search import SearchRequest

_VOCABULARY = ("zebra", "gazelle", "crane", "lion", "river", "grass", "mountain", "the", "with")


@pytest.fixture
def indexes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An index folder in which as many elements may wait as are committed."""
    monkeypatch.setattr(tantivy_index, "_RECENT_SHARE", 1)
    return tmp_path / "indexes"


def _search(engine: SearchEngine, shelf: Shelf, query: str = "zebra") -> list[str]:
    results = engine.search(shelf.docset_id, SearchRequest(query=query)).results
    return sorted(result["doc_id"] for result in results)


def _waiting(engine: SearchEngine, shelf: Shelf) -> int:
    with engine._views._pool.use(shelf.docset_id) as indexes:
        index = indexes._indexes["lexical"]
        assert isinstance(index, TantivyIndex)
        return len(index._recent)


def _marked(indexes: Path) -> int:
    """The operation that the files are up to."""
    (mark,) = indexes.glob("*/words/mark.json")
    return int(json.loads(mark.read_text())["sequence"])


def _some_text(chance: random.Random) -> str:
    # Lengths over forty, which tantivy stores inexactly in one byte.
    return " ".join(chance.choices(_VOCABULARY, k=chance.randint(1, 90)))


def test_waiting_elements_have_the_scores_that_tantivy_gives_them(
    engine: SearchEngine, shelf: Shelf
) -> None:
    chance = random.Random(11)
    texts = [_some_text(chance) for _ in range(200)]
    shelf.add(texts)
    engine.follow(shelf.docset_id)
    with engine._views._pool.use(shelf.docset_id) as indexes:
        reader = indexes._indexes["lexical"].reader()
    assert isinstance(reader, TantivyReader)
    committed: Committed = reader._committed
    (number,) = {number_of(key) for key in reader.keys().tolist()}
    waiting = Recent("english")
    waiting.add(
        [words_of(number << 24 | place, text, "english") for place, text in enumerate(texts)]
    )
    queries: list[tuple[str, Mapping[str, float], Mapping[str, float]]] = [
        ("text", query_terms("mountains mountain", "english"), {}),
        ("text", query_terms("zebra cranes mountain", "english"), {}),
        ("text", {"lion": 1.0}, {"river": 0.3, "zebra": 0.71}),
        ("common", {"the": 1.0, "with": 1.0}, {}),
    ]
    for field, own, better in queries:
        weights = {term: float(weight) for term, weight in own.items()}
        by_tantivy = reader.matches(field, weights, None, better=better or None).best(200)
        by_us = waiting.view().search(field, (weights, better), None, committed)
        assert len(by_us) > 50
        assert set(by_us.keys.tolist()) == set(by_tantivy.keys.tolist())
        # Tantivy sums terms in a different order.
        assert np.allclose(by_us.scores, by_tantivy.scores, rtol=1e-6, atol=0)
        if len({*own, *better}) == 1:
            assert np.array_equal(by_us.scores, by_tantivy.scores)


def test_waiting_elements_are_searched_changed_and_deleted_without_a_commit(
    database: Database, shelf: Shelf, indexes: Path
) -> None:
    engine = SearchEngine(database, indexes)
    kept = shelf.add(["a zebra", *["grass"] * 9])
    assert _search(engine, shelf) == [kept]
    before = _marked(indexes)
    first, second = shelf.add(["zebra first"]), shelf.add(["zebra second", "the zebra"])
    assert _search(engine, shelf) == sorted([kept, first, second])
    assert _search(engine, shelf, "the") == [second]
    shelf.replace(first, ["gazelle"])
    assert _search(engine, shelf) == sorted([kept, second])
    assert _search(engine, shelf, "gazelle") == [first]
    shelf.remove(second)
    assert _search(engine, shelf) == [kept]
    assert _waiting(engine, shelf) and _marked(indexes) == before
    assert not engine.differences(shelf.docset_id)
    engine.close()


def test_one_commit_covers_all_waiting_elements(
    database: Database, shelf: Shelf, indexes: Path
) -> None:
    engine = SearchEngine(database, indexes)
    ids = [shelf.add(["a zebra"] * 10)]
    marks = set()
    for _ in range(25):
        ids.append(shelf.add(["a zebra"]))
        assert _search(engine, shelf) == sorted(ids)
        marks.add(_marked(indexes))
    assert 1 < len(marks) < 5
    engine.close()


def test_a_committed_document_is_deleted_at_once(
    database: Database, shelf: Shelf, indexes: Path
) -> None:
    engine = SearchEngine(database, indexes)
    gone, kept = shelf.add(["zebra", "zebra"]), shelf.add(["zebra", "zebra"])
    assert _search(engine, shelf) == sorted([gone, kept])
    new = shelf.add(["zebra"])
    assert _search(engine, shelf) == sorted([gone, kept, new])
    assert _waiting(engine, shelf)
    shelf.remove(gone)
    assert _search(engine, shelf) == sorted([kept, new])
    assert not _waiting(engine, shelf)
    engine.close()


def test_elements_lost_in_a_crash_come_from_the_log(
    database: Database, shelf: Shelf, indexes: Path, tmp_path: Path
) -> None:
    engine = SearchEngine(database, indexes)
    ids = [shelf.add(["zebra"] * 10)]
    assert _search(engine, shelf) == ids
    for _ in range(3):
        ids.append(shelf.add(["zebra"]))
        assert _search(engine, shelf) == sorted(ids)
    assert _waiting(engine, shelf) == 3
    # A merge may be running, whose files come and go.
    shutil.copytree(indexes, tmp_path / "left behind", ignore=shutil.ignore_patterns(".tmp*"))
    survivor = SearchEngine(database, tmp_path / "left behind")
    assert _search(survivor, shelf) == sorted(ids)
    survivor.close()
    engine.close()


def test_waiting_elements_are_committed_when_the_engine_closes(
    database: Database, shelf: Shelf, indexes: Path
) -> None:
    engine = SearchEngine(database, indexes)
    shelf.add(["zebra"] * 10)
    engine.follow(shelf.docset_id)
    before = _marked(indexes)
    shelf.add(["zebra"])
    engine.follow(shelf.docset_id)
    assert _marked(indexes) == before
    engine.close()
    assert _marked(indexes) > before


def test_elements_that_fail_to_commit_on_close_come_from_the_log(
    database: Database, shelf: Shelf, indexes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: Any) -> None:
        raise OSError("No space left on device")

    engine = SearchEngine(database, indexes)
    ids = [shelf.add(["zebra"] * 10)]
    assert _search(engine, shelf) == ids
    ids.append(shelf.add(["zebra"]))
    assert _search(engine, shelf) == sorted(ids)
    with monkeypatch.context() as patched:
        patched.setattr(TantivyIndex, "_commit", full)
        engine.close()
    again = SearchEngine(database, indexes)
    assert _search(again, shelf) == sorted(ids)
    assert not again.differences(shelf.docset_id)
    again.close()


def test_a_clone_includes_waiting_elements_and_shares_no_later_ones(
    database: Database, shelf: Shelf, indexes: Path
) -> None:
    engine = SearchEngine(database, indexes)
    shelf.add(["zebra"] * 10)
    engine.follow(shelf.docset_id)
    shelf.add(["zebra that waits"])
    engine.follow(shelf.docset_id)
    copy = shelf.clone(engine)
    assert len(_search(engine, copy)) == 2
    shelf.add(["zebra of the first"])
    copy.add(["zebra of the copy"])
    assert len(_search(engine, shelf, "first")) == 1 and not _search(engine, copy, "first")
    assert len(_search(engine, copy, "zebra")) == 3 and not _search(engine, shelf, "copy")
    engine.close()


def test_a_reader_keeps_its_state(database: Database, shelf: Shelf, indexes: Path) -> None:
    engine = SearchEngine(database, indexes)
    shelf.add(["zebra"] * 10)
    kept = shelf.add(["crane one"])
    engine.follow(shelf.docset_id)
    shelf.add(["crane two"])
    engine.follow(shelf.docset_id)
    with engine._views._pool.use(shelf.docset_id) as opened:
        reader = opened._indexes["lexical"].reader()
    shelf.add(["crane three"])
    shelf.remove(kept)
    engine.follow(shelf.docset_id)
    assert len(reader.search("crane", None).best(10)) == 2
    assert len(_search(engine, shelf, "crane")) == 2
    engine.close()
