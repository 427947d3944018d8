"""Pages of a fusion are consistent at any depth, and few DocSets stay open at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from backend.search import index_pool
from backend.search.engine import SearchEngine
from backend.search.finding import Query, QueryHits
from backend.search.lexical import scan
from backend.search.ranking import Numbers, Ranking, key_of
from backend.store.database import Database
from tests.backend.search.shelf import Shelf
from workbench.contract.search import SearchRequest


@dataclass
class _Fixed:
    """A reader and its matches in one: always the same list, without feedback."""

    keys: list[int]
    is_specific: bool = False

    def search(self, _query: object, _allowed: Numbers | None, **_how: object) -> "_Fixed":
        return self

    def best(self, limit: int) -> Ranking:
        keys = np.array(self.keys[:limit], dtype=np.int64)
        return Ranking(keys, np.arange(len(keys), 0, -1).astype(np.float32))


@pytest.mark.parametrize("by_document", [False, True])
def test_a_deeper_page_continues_the_one_before_it(by_document: bool) -> None:
    words = [key_of(number, place) for number in range(1, 40) for place in range(2)]
    likeness = [key_of(number * 7 % 41, 1) for number in range(1, 41)]
    readers = {"lexical": _Fixed(words), "vector": _Fixed(likeness)}
    query = Query("x", "hybrid", np.ones(1, dtype=np.float32), 0.5)
    ranking = QueryHits(query, readers, None, by_document=by_document)
    everything = [hit.key for hit in ranking.best(1000, 4)]
    for count in range(1, 100, 3):
        assert [hit.key for hit in ranking.best(count, 4)] == everything[:count]
    units = {key >> 24 if by_document else key for key in everything}
    assert len(units) == len(everything)
    assert units == {key >> 24 if by_document else key for key in words + likeness}


@pytest.fixture
def tight(
    monkeypatch: pytest.MonkeyPatch, database: Database, tmp_path: Path
) -> Iterator[SearchEngine]:
    """An engine that keeps two DocSets open, and one writer."""
    monkeypatch.setattr(index_pool, "_MOST_OPEN", 2)
    monkeypatch.setattr(index_pool, "_MOST_WRITERS", 1)
    engine = SearchEngine(database, tmp_path / "indexes")
    yield engine
    engine.close()


def test_many_docsets_are_served_with_few_of_them_open(
    tight: SearchEngine, database: Database
) -> None:
    shelves = [Shelf(database) for _ in range(5)]
    for turn in range(3):
        for shelf in shelves:
            shelf.add([f"zebra {turn}"])
            for kind in ("hybrid", "keyword"):
                request = SearchRequest.model_validate({"query": "zebra", "query_type": kind})
                results = tight.search(shelf.docset_id, request).results
                assert len(results) == turn + 1
            assert len(tight._views._pool._open) <= 2
            assert sum(one.is_writing for one in tight._views._pool._open.values()) <= 1


@pytest.mark.parametrize(("small", "few"), [(0, 0), (512, 0), (512, 64)])
def test_a_document_set_filters_first_whether_inside_the_tantivy_query_or_after_it(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, small: int, few: int
) -> None:
    monkeypatch.setattr(scan, "_SMALL_SET", small)
    monkeypatch.setattr(scan, "_FEW_DOCUMENTS", few)
    monkeypatch.setattr(scan, "_SMALL_SHARE", 0.0)
    # Words unique to each document, so feedback learns nothing.
    pads = [" ".join(f"pad{number}x{place}" for place in range(number)) for number in range(60)]
    ids = [shelf.add([f"zebra {pad}"]) for pad in pads]
    request = SearchRequest(query="zebra", doc_exclusion_list=ids[:40])
    results = engine.search(shelf.docset_id, request, page_size=5).results
    assert [result["doc_id"] for result in results] == ids[40:45]


def test_remaining_elements_keep_their_texts_and_vectors_when_most_are_deleted(
    engine: SearchEngine, shelf: Shelf
) -> None:
    words = ["zebra", "kiwi", "tundra", "mango", "violin", "onyx", "gazebo"]
    ids = [shelf.add(["filler", word]) for word in words]
    kinds = ("keyword", "vector")
    for kind in kinds:
        engine.candidates(shelf.docset_id, "onyx", kind)
    for doc_id in ids[:5]:
        shelf.remove(doc_id)
    ids.append(shelf.add(["filler", "trumpet"]))
    for kind in kinds:
        for doc_id, word in zip(ids[5:], ("onyx", "gazebo", "trumpet"), strict=True):
            best = engine.candidates(shelf.docset_id, word, kind)[0]
            assert (best.doc_id, best.ordinal) == (doc_id, 1)
