"""The cache of vectors: recurring texts hit, old ones make room."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.docsets.vector_cache import VectorCache
from backend.inference.embeddings import Identity
from backend.store.database import Database
from backend.store.tables import metadata

ONE = Identity("minilm", "m", "1", 4, "r")
OTHER = Identity("minilm", "m", "2", 4, "r")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    metadata.create_all(opened.engine)
    yield opened
    opened.close()


def test_a_vector_is_cached_by_model_and_text(database: Database) -> None:
    cache = VectorCache(database, 100)
    cache.put(ONE, {"zebra": b"1234", "half \ud83d of a pair": b"5678"})
    assert cache.get(ONE, ["zebra", "horse"]) == {"zebra": b"1234"}
    assert cache.get(ONE, ["half \ud83d of a pair"]) == {"half \ud83d of a pair": b"5678"}
    assert cache.get(OTHER, ["zebra"]) == {}
    cache.put(ONE, {"zebra": b"4321"})
    assert cache.get(ONE, ["zebra"]) == {"zebra": b"4321"}


def test_the_oldest_vectors_make_room_and_used_ones_stay(database: Database) -> None:
    cache = VectorCache(database, 10)
    cache.put(ONE, {"kept": b"k", "old": b"o"})
    for start in range(0, 40, 4):
        cache.put(ONE, {f"text {number}": b"t" for number in range(start, start + 4)})
        assert cache.get(ONE, ["kept"]) == {"kept": b"k"}
    every = ["old", *(f"text {number}" for number in range(40))]
    cached = cache.get(ONE, every)
    assert len(cached) <= 9 and "old" not in cached and "text 39" in cached


def test_hundreds_of_vectors_are_read_at_once(database: Database) -> None:
    cache = VectorCache(database, 10_000)
    many = {f"text {number}": str(number).encode() for number in range(1_500)}
    cache.put(ONE, many)
    assert cache.get(ONE, list(many)) == many


def test_a_cache_of_size_zero_stores_nothing(database: Database) -> None:
    cache = VectorCache(database, 0)
    cache.put(ONE, {"zebra": b"1"})
    assert cache.get(ONE, ["zebra"]) == {}
