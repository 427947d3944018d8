"""What every form of the search port keeps: indexes of this machine, those that another server has
published, and shards.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from backend.search import docset_indexes, views
from backend.search.docset_indexes import IndexName
from backend.search.engine import SearchEngine
from backend.search.port import Reader
from backend.search.ranking import key_of, numbers_of
from backend.store.database import Database
from backend.store.shared_files import SharedFolder
from backend.store.tables import documents
from tests.backend.search.local_shards import local_shards
from tests.backend.search.shelf import Shelf

TEXTS = (
    "a zebra by the river",
    "the zebra and another zebra",
    "a lion in the grass",
    "zebras of the mountain, and a long text around them that says little more",
    "stones",
)
INDEXES: tuple[IndexName, ...] = ("lexical", "keyword", "vector")
Opened = Callable[[Shelf], SearchEngine]


@contextmanager
def _here(database: Database, folder: Path) -> Iterator[Opened]:
    engine = SearchEngine(database, folder / "here")
    yield lambda _: engine
    engine.close()


@contextmanager
def _published(database: Database, folder: Path) -> Iterator[Opened]:
    shared = SharedFolder(folder / "shared")
    engines: list[SearchEngine] = []

    def opened(shelf: Shelf) -> SearchEngine:
        first, second = (
            SearchEngine(database, folder / name, shared=shared) for name in ("first", "second")
        )
        engines.extend((first, second))
        for name in INDEXES:
            first._views.follow(shelf.docset_id, name)
        first.publish()
        assert {Path(name).parent.name for name in shared.names("indexes")} >= {"words", "vectors"}
        return second

    yield opened
    for engine in engines:
        engine.close()


@contextmanager
def _in_shards(database: Database, folder: Path) -> Iterator[Opened]:
    with local_shards(database, folder) as (_, shards):
        engine = SearchEngine(database, folder / "here", shards=shards)
        yield lambda _: engine
        engine.close()


@pytest.fixture(params=[_here, _published, _in_shards])
def opened(
    request: pytest.FixtureRequest,
    database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Opened]:
    """Opens the indexes of a filled shelf."""
    monkeypatch.setattr(docset_indexes, "_AT_ONCE", 1)
    monkeypatch.setattr(views, "_WORTH_PUBLISHING", 5)
    monkeypatch.setattr("backend.search.vectors.index.WORTH_KEEPING", 1)
    with request.param(database, tmp_path) as form:
        yield form


def fill(shelf: Shelf) -> None:
    for turn in range(8):
        shelf.add([f"{text} {'x' * turn}" for text in TEXTS])


def with_reader(
    engine: SearchEngine, shelf: Shelf, name: IndexName, use: Callable[[Reader[Any]], Any]
) -> Any:
    return engine._views.answer(shelf.docset_id, (name,), lambda view: use(view.readers[name]))


def query_for(shelf: Shelf, name: IndexName) -> Any:
    return shelf.embedder.embed(["zebra"])[0] if name == "vector" else "zebra"


def numbers(shelf: Shelf) -> list[int]:
    """The number of each document, ascending."""
    with shelf.database.reading() as connection:
        return list(
            connection.scalars(
                select(documents.c.number)
                .where(documents.c.docset_id == shelf.docset_id)
                .order_by(documents.c.number)
            )
        )


def texts_by_key(shelf: Shelf, count: int = 8) -> dict[int, str]:
    return {
        key_of(number, ordinal): f"{text} {'x' * turn}"
        for turn, number in enumerate(numbers(shelf)[:count])
        for ordinal, text in enumerate(TEXTS)
    }


@pytest.mark.parametrize("name", INDEXES)
def test_a_smaller_limit_gives_the_beginning_of_the_same_ranking(opened, shelf, name) -> None:
    fill(shelf)

    def check(reader: Reader[Any]) -> None:
        whole = reader.search(query_for(shelf, name), None).best(1000)
        assert len(whole) >= 24 and len({*whole.keys.tolist()}) == len(whole)
        assert np.all(np.diff(whole.scores) <= 0)
        for limit in (1, 7, 24):
            part = reader.search(query_for(shelf, name), None).best(limit)
            assert part.keys.tolist() == whole.keys[:limit].tolist()
            assert part.scores == pytest.approx(whole.scores[:limit])

    with_reader(opened(shelf), shelf, name, check)


@pytest.mark.parametrize("name", INDEXES)
def test_matches_can_be_asked_for_more_and_for_fewer(opened, shelf, name) -> None:
    fill(shelf)

    def check(reader: Reader[Any]) -> None:
        matches = reader.search(query_for(shelf, name), None)
        few, many, again = matches.best(3), matches.best(20), matches.best(3)
        assert few.keys.tolist() == again.keys.tolist() == many.keys[:3].tolist()
        assert len(many) == 20

    with_reader(opened(shelf), shelf, name, check)


@pytest.mark.parametrize("name", INDEXES)
def test_only_elements_of_the_allowed_documents_match(opened, shelf, name) -> None:
    fill(shelf)
    allowed = np.array(numbers(shelf)[1::3], dtype=np.int64)

    def check(reader: Reader[Any]) -> None:
        query = query_for(shelf, name)
        found = reader.search(query, allowed).best(1000)
        assert {*numbers_of(found.keys).tolist()} == {*allowed.tolist()}
        assert not len(reader.search(query, allowed[:0]).best(1000))

    with_reader(opened(shelf), shelf, name, check)


@pytest.mark.parametrize("name", INDEXES)
def test_a_reader_has_the_keys_of_all_elements_and_never_changes(opened, shelf, name) -> None:
    fill(shelf)
    engine = opened(shelf)
    before = {*texts_by_key(shelf)}

    def check(reader: Reader[Any]) -> None:
        query = query_for(shelf, name)
        assert {*reader.keys().tolist()} == before
        ranking = reader.search(query, None).best(1000)
        shelf.add(["a zebra that came later"])
        shelf.remove(shelf.doc_ids[0])
        later = with_reader(engine, shelf, name, lambda reader: {*reader.keys().tolist()})
        assert len(later - before) == 1 and len(before - later) == len(TEXTS)
        assert reader.search(query, None).best(1000).keys.tolist() == ranking.keys.tolist()

    with_reader(engine, shelf, name, check)


def test_words_match_by_their_stems_and_texts_by_their_letters(opened, shelf) -> None:
    fill(shelf)
    engine, texts = opened(shelf), texts_by_key(shelf)

    def found(name: IndexName, query: str) -> set[str]:
        def search(reader: Reader[Any]) -> set[str]:
            return {texts[key] for key in reader.search(query, None).best(1000).keys.tolist()}

        result: set[str] = with_reader(engine, shelf, name, search)
        return result

    assert found("lexical", "zebras") == {text for text in texts.values() if "zebra" in text}
    assert found("keyword", "ZEBRAS") == {text for text in texts.values() if "zebras" in text}
    both = {text for text in texts.values() if "lion" in text}
    assert found("keyword", 'lion "grass"') == both


def test_stop_words_are_not_specific_and_openings_begin_the_texts(opened, shelf) -> None:
    fill(shelf)
    texts = texts_by_key(shelf)

    def check(reader: Any) -> None:
        matches = reader.search("zebra", None)
        assert matches.is_specific and not reader.search("the", None).is_specific
        for limit in (5, 24):
            keys = matches.best(limit).keys[::2]
            for key, opening in zip(keys.tolist(), matches.openings(keys), strict=True):
                assert opening and texts[key].startswith(opening)

    with_reader(opened(shelf), shelf, "lexical", check)


def test_vectors_rank_by_their_cosine_and_can_be_read(opened, shelf) -> None:
    fill(shelf)
    shelf.add(["", "a last zebra"])  # the first one has no vector
    engine = opened(shelf)
    query = query_for(shelf, "vector")
    last = key_of(numbers(shelf)[-1], 1)
    expected = {*texts_by_key(shelf, 8), last}

    def check(reader: Any) -> None:
        ranking = reader.search(query, None).best(1000)
        assert {*ranking.keys.tolist()} == expected
        wanted = np.sort(np.append(ranking.keys, key_of(numbers(shelf)[-1], 0)))
        keys, matrix = reader.vectors_of(wanted)
        assert {*keys.tolist()} == expected
        cosines = dict(zip(keys.tolist(), (matrix @ query).tolist(), strict=True))
        for key, score in zip(ranking.keys.tolist(), ranking.scores.tolist(), strict=True):
            assert score == pytest.approx(cosines[key], abs=1e-5)

    with_reader(engine, shelf, "vector", check)
