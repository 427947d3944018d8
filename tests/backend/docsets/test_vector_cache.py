"""The cache of vectors: what comes again is found, what is old makes room."""

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


def test_a_vector_is_found_by_its_maker_and_its_text(database: Database) -> None:
    cache = VectorCache(database, 100)
    cache.keep(ONE, {"zebra": b"1234", "half \ud83d of a pair": b"5678"})
    assert cache.found(ONE, ["zebra", "horse"]) == {"zebra": b"1234"}
    assert cache.found(ONE, ["half \ud83d of a pair"]) == {"half \ud83d of a pair": b"5678"}
    assert cache.found(OTHER, ["zebra"]) == {}
    cache.keep(ONE, {"zebra": b"4321"})
    assert cache.found(ONE, ["zebra"]) == {"zebra": b"4321"}


def test_the_oldest_make_room_and_what_is_used_stays(database: Database) -> None:
    cache = VectorCache(database, 10)
    cache.keep(ONE, {"kept": b"k", "old": b"o"})
    for start in range(0, 40, 4):
        cache.keep(ONE, {f"text {number}": b"t" for number in range(start, start + 4)})
        assert cache.found(ONE, ["kept"]) == {"kept": b"k"}
    every = ["old", *(f"text {number}" for number in range(40))]
    held = cache.found(ONE, every)
    assert len(held) <= 9 and "old" not in held and "text 39" in held


def test_hundreds_are_found_at_once(database: Database) -> None:
    cache = VectorCache(database, 10_000)
    many = {f"text {number}": str(number).encode() for number in range(1_500)}
    cache.keep(ONE, many)
    assert cache.found(ONE, list(many)) == many


def test_a_cache_of_size_nought_keeps_nothing(database: Database) -> None:
    cache = VectorCache(database, 0)
    cache.keep(ONE, {"zebra": b"1"})
    assert cache.found(ONE, ["zebra"]) == {}
