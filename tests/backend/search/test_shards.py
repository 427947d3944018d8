"""A DocSet in shards is searched as one on this machine: the same hits, scores and refusals."""

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from backend.search import docset_indexes, views
from backend.search.engine import SearchEngine
from backend.search.shards import shard as shard_module
from backend.search.shards.fan_out import Shards
from backend.store.database import Database
from backend.store.shared_files import SharedFolder
from tests.backend.search.local_shards import COUNT, LocalShards, local_shards
from tests.backend.search.shelf import Shelf
from workbench.contract.errors import Unavailable
from workbench.contract.search import QueryType, SearchRequest

KINDS: tuple[QueryType, ...] = ("lexical", "keyword", "vector", "hybrid")
WORDS = """zebra lion river mountain crane grass stone cloud 1999 x the of with storm desert
forest lake gorge meadow island""".split()  # noqa: SIM905


@pytest.fixture
def shards(database: Database, tmp_path: Path) -> Iterator[tuple[LocalShards, Shards]]:
    with local_shards(database, tmp_path) as made:
        yield made


@pytest.fixture
def hosts(shards: tuple[LocalShards, Shards]) -> LocalShards:
    return shards[0]


@pytest.fixture
def sharded(
    database: Database, tmp_path: Path, shards: tuple[LocalShards, Shards]
) -> Iterator[SearchEngine]:
    """An engine for which every DocSet is large."""
    opened = SearchEngine(database, tmp_path / "here", shards=shards[1])
    yield opened
    opened.close()


def results(
    engine: SearchEngine, shelf: Shelf, query: str, kind: QueryType, **more: Any
) -> list[tuple[str, float]]:
    request = SearchRequest(query=query, query_type=kind, return_type="element", **more)
    hits = engine.search(shelf.docset_id, request, page_size=60).results
    return [(one["id"], one["_search"]["score"]) for one in hits]


def names(engine: SearchEngine, shelf: Shelf, query: str = "zebra") -> set[str]:
    request = SearchRequest(query=query, query_type="lexical")
    hits = engine.search(shelf.docset_id, request, page_size=1000).results
    return {one["doc_id"] for one in hits}


def fill(shelf: Shelf, count: int = 120) -> list[str]:
    chance = random.Random(5)
    return [
        shelf.add(
            [" ".join(chance.choices(WORDS, k=chance.randint(3, 12))) for _ in range(3)],
            {"turn": number},
        )
        for number in range(count)
    ]


def test_hits_and_scores_are_those_of_one_machine(
    engine: SearchEngine, sharded: SearchEngine, hosts: LocalShards, shelf: Shelf
) -> None:
    """The mean length of texts is that of each shard: with 40 documents a shard it differs."""
    fill(shelf)
    for kind in KINDS:
        for query in ("zebra by the river", "storm", "lake 1999", "the"):
            for chosen in (None, "turn < 30"):
                here = dict(results(engine, shelf, query, kind, properties_filter=chosen))
                there = dict(results(sharded, shelf, query, kind, properties_filter=chosen))
                assert len(there) == len(here)
                common = here.keys() & there.keys()
                assert len(common) >= 0.95 * len(here), (kind, query, chosen)
                if kind != "hybrid":
                    exact = 1e-6 if kind in ("keyword", "vector") else 0.15
                    for one in common:
                        assert there[one] == pytest.approx(here[one], rel=exact, abs=1e-6)
    assert {"words", "near", "literal", "vectors", "frequencies"} <= set(hosts.asked)


def test_pages_follow_each_other_without_gaps_or_repeats(
    sharded: SearchEngine, shelf: Shelf
) -> None:
    fill(shelf, 40)
    for kind in KINDS:
        request = SearchRequest(query="storm", query_type=kind, return_type="element")
        seen: list[str] = []
        token = None
        while True:
            page = sharded.search(shelf.docset_id, request, page_size=7, page_token=token)
            seen += [one["id"] for one in page.results]
            token = page.next_page_token
            if token is None:
                break
        assert len(seen) == len(set(seen)) > 10
        whole = sharded.search(shelf.docset_id, request, page_size=1000).results
        assert set(seen) == {one["id"] for one in whole}


def test_a_document_is_found_once_committed_and_never_after_its_deletion(
    sharded: SearchEngine, shelf: Shelf
) -> None:
    kept: list[str] = []
    for turn in range(12):
        kept.append(shelf.add(["a zebra", f"number {turn}"]))
        assert names(sharded, shelf) == set(kept)
        if turn % 3 == 2:
            shelf.remove(kept.pop(0))
            assert names(sharded, shelf) == set(kept)
    shelf.replace(kept[0], ["a lion"])
    assert names(sharded, shelf) == set(kept[1:])
    assert names(sharded, shelf, "lion") == {kept[0]}


def test_searches_beside_writes_see_each_document_that_was_there_before(
    sharded: SearchEngine, shelf: Shelf
) -> None:
    there = {shelf.add(["a zebra"]) for _ in range(10)}
    assert names(sharded, shelf) == there
    ended = threading.Event()

    def write() -> None:
        for _ in range(40):
            there.add(shelf.add(["a zebra", "more"]))
            time.sleep(0.02)
        ended.set()

    writing = threading.Thread(target=write)
    writing.start()
    turns = 0
    while not ended.is_set():
        before = set(there)
        assert names(sharded, shelf) >= before
        turns += 1
    writing.join()
    assert turns > 3 and names(sharded, shelf) == there


def test_a_shard_that_is_away_is_a_refusal_and_never_a_smaller_answer(
    sharded: SearchEngine, hosts: LocalShards, shelf: Shelf
) -> None:
    kept = {shelf.add(["a zebra"]) for _ in range(9)}
    assert names(sharded, shelf) == kept
    hosts.lost.add(1)
    for kind in KINDS:
        with pytest.raises(Unavailable, match="shard") as refusal:
            results(sharded, shelf, "zebra", kind)
        assert refusal.value.retry_after
    hosts.lost.clear()
    assert names(sharded, shelf) == kept


def test_a_search_at_a_former_operation_is_answered_while_others_add(
    sharded: SearchEngine, database: Database, shelf: Shelf
) -> None:
    first = shelf.add(["a zebra"])
    assert names(sharded, shelf) == {first}

    def late(view: views.View) -> int:
        shelf.add(["a second zebra"])
        assert len(names(sharded, shelf)) == 2, "the shards are past our operation now"
        return len(view.readers["lexical"].search("zebra", None).best(10))

    assert sharded._views.answer(shelf.docset_id, ("lexical",), late) == 1


def test_shards_are_asked_once_how_many_elements_have_a_term_until_one_is_added(
    sharded: SearchEngine, hosts: LocalShards, shelf: Shelf
) -> None:
    fill(shelf)
    asked = []
    for turn in range(4):
        if turn == 2:
            shelf.add(["zebra river crane"])
        before = hosts.asked.count("frequencies")
        results(sharded, shelf, "zebra river", "lexical")
        asked.append(hosts.asked.count("frequencies") - before)
    of_words_and_of_those_learned = 2 * COUNT
    assert asked == [of_words_and_of_those_learned, 0, of_words_and_of_those_learned, 0]


def test_a_docset_moves_to_the_shards_while_it_is_searched(
    sharded: SearchEngine,
    shelf: Shelf,
    tmp_path: Path,
    hosts: LocalShards,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sharded._views._placement._shards, "least", 30)
    kept = {shelf.add(["a zebra"]) for _ in range(20)}
    assert names(sharded, shelf) == kept and not hosts.asked, "a small one stays here"
    kept |= {shelf.add(["a zebra"]) for _ in range(20)}
    assert names(sharded, shelf) == kept and not hosts.asked
    ended = threading.Event()
    seen: list[set[str]] = []

    def search() -> None:
        while not ended.is_set():
            seen.append(names(sharded, shelf))

    searching = [threading.Thread(target=search) for _ in range(2)]
    for thread in searching:
        thread.start()
    hosts.lost.add(0)
    sharded.publish()
    assert "words" not in hosts.asked, "not while a shard is away"
    hosts.lost.clear()
    sharded.publish()
    while "words" not in hosts.asked:
        pass
    ended.set()
    for thread in searching:
        thread.join()
    assert all(one == kept for one in seen)
    assert not list((tmp_path / "here").iterdir()), "its files here are gone"
    assert names(sharded, shelf) == kept


def test_a_shard_starts_from_its_predecessor_s_published_files(
    database: Database, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docset_indexes, "_AT_ONCE", 1)
    monkeypatch.setattr(views, "_WORTH_PUBLISHING", 5)
    shared = SharedFolder(tmp_path / "shared")
    kept = {shelf.add(["a zebra"]) for _ in range(20)}
    with local_shards(database, tmp_path / "first", shared=shared) as (hosts, shards):
        engine = SearchEngine(database, tmp_path / "here", shards=shards)
        assert names(engine, shelf) == kept
        for shard in hosts.shards:
            shard._views.publish()
        engine.close()
    assert len({name.split("/")[1] for name in shared.names("indexes")}) == 3
    kept.add(shelf.add(["a zebra"]))
    built: list[int] = []
    take_up = docset_indexes.DocSetIndexes._take_up

    def counted(self: Any, name: Any, index: Any, connection: Any, changes: Any) -> None:
        built.append(len(changes.present))
        take_up(self, name, index, connection, changes)

    monkeypatch.setattr(docset_indexes.DocSetIndexes, "_take_up", counted)
    with local_shards(database, tmp_path / "second", shared=shared) as (_, shards):
        engine = SearchEngine(database, tmp_path / "here", shards=shards)
        assert names(engine, shelf) == kept
        assert sum(built) == 1, "only what came later is taken from the log"
        engine.drop(shelf.docset_id)
        assert not shared.names("indexes")
        engine.close()


def test_a_shard_publishes_although_the_database_was_away_when_it_started(
    database: Database, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_module, "PUBLISH_EVERY", 0.01)
    monkeypatch.setattr(views, "_WORTH_PUBLISHING", 5)
    shared = SharedFolder(tmp_path / "shared")
    for _ in range(20):
        shelf.add(["a zebra"])
    with local_shards(database, tmp_path / "first", shared=shared) as (hosts, shards):
        engine = SearchEngine(database, tmp_path / "here", shards=shards)
        names(engine, shelf)

        first, seconds = hosts.shards[0], time.monotonic()
        answers: list[Exception | None] = [None, OperationalError("SELECT", {}, Exception("away"))]

        def sweep() -> None:
            if (error := answers.pop()) is not None:
                raise error

        monkeypatch.setattr(first._views, "sweep", sweep)
        first.keep()
        while not shared.names("indexes"):
            assert time.monotonic() < seconds + 30
            time.sleep(0.01)
        engine.close()


def test_the_check_of_indexes_and_their_rebuild_reach_the_shards(
    sharded: SearchEngine, shelf: Shelf
) -> None:
    kept = {shelf.add(["a zebra", "grass"]) for _ in range(9)}
    assert names(sharded, shelf) == kept
    assert sharded.differences(shelf.docset_id) == []
    assert sharded.state(shelf.docset_id).state == "ready"
    assert sharded.rebuild(shelf.docset_id).state in ("ready", "behind")
    assert names(sharded, shelf) == kept
    copy = shelf.clone(sharded)
    assert len(names(sharded, copy)) == len(kept)
