"""Every type of search agrees with a naive search over plain lists, after any history."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.inference.providers import embedder_for
from backend.search.engine import SearchEngine
from backend.search.lexical import tantivy_index
from backend.store.database import Database
from backend.store.tables import metadata
from tests.backend.search.shelf import Shelf
from workbench.contract.ids import element_id
from workbench.contract.search import SearchRequest

# Words that are their own stems, and one that needs folding.
_WORDS = ["zebra", "kiwi", "Café", "tundra", "mango", "violin", "onyx", "gazebo"]
_FOLDED = {"Café": "cafe"}


@dataclass
class Model:
    """The expected content of the DocSet, in order of arrival."""

    documents: dict[str, tuple[list[str], dict[str, Any]]] = field(default_factory=dict)

    def elements(
        self, allowed: Callable[[dict[str, Any]], bool], chosen: "Chosen | None" = None
    ) -> list[tuple[str, str]]:
        """Id and text of the elements in documents that the filter and the lists allow."""
        return [
            (element_id(doc_id, ordinal), text)
            for doc_id, (texts, entity) in self.documents.items()
            if allowed(entity) and (chosen is None or chosen.lets_through(doc_id, self))
            for ordinal, text in enumerate(texts)
        ]

    def cloned(self, doc_ids: list[str]) -> "Model":
        """The same documents under other ids."""
        return Model(dict(zip(doc_ids, self.documents.values(), strict=True)))


@dataclass(frozen=True)
class Chosen:
    """Included or excluded documents by their index modulo ten; None for no list."""

    included: frozenset[int] | None
    excluded: frozenset[int] | None

    def lists(self, model: Model) -> dict[str, list[str] | None]:
        """The lists of a request, including unknown ids."""
        return {
            name: None
            if places is None
            else ["wb:f-unknown", *(i for at, i in enumerate(model.documents) if at % 10 in places)]
            for name, places in (
                ("doc_inclusion_list", self.included),
                ("doc_exclusion_list", self.excluded),
            )
        }

    def lets_through(self, doc_id: str, model: Model) -> bool:
        place = list(model.documents).index(doc_id) % 10
        return (self.included is None or place in self.included) and (
            self.excluded is None or place not in self.excluded
        )


def _plain(text: str) -> str:
    return " ".join(_FOLDED.get(word, word) for word in text.split())


def _words_match(query: str, text: str) -> bool:
    return bool(set(_plain(query).split()) & set(_plain(text).split()))


def _literally_in(query: str, text: str) -> bool:
    return _plain(query) in _plain(text)


_texts = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5).map(" ".join)
_entities = st.fixed_dictionaries(
    {},
    optional={
        "year": st.integers(2000, 2004),
        "state": st.sampled_from(["AL", "TX", "Ärmland"]),
        "safe": st.booleans(),
        "tags": st.lists(st.sampled_from(["a", "b", "c"]), max_size=3),
        "date": st.sampled_from(["2020-01-31", "2021-06-01", "2022-12-24"]),
    },
)
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(_texts, min_size=1, max_size=3), _entities),
        st.tuples(st.just("remove"), st.integers(0, 9), st.none()),
        st.tuples(st.just("replace"), st.integers(0, 9), st.lists(_texts, max_size=2)),
        st.tuples(st.just("describe"), st.integers(0, 9), _entities),
        st.tuples(st.just("clone"), st.none(), st.none()),
    ),
    min_size=1,
    max_size=7,
)
_some = st.none() | st.frozensets(st.integers(0, 9), max_size=6)
_chosen = st.builds(Chosen, included=_some, excluded=_some)

Rule = tuple[str, Callable[[dict[str, Any]], bool]]


def _items(entity: dict[str, Any], name: str) -> list[Any]:
    value = entity.get(name)
    return value if isinstance(value, list) else [] if value is None else [value]


_rules: st.SearchStrategy[Rule] = st.sampled_from(
    [
        ("", lambda entity: True),
        ("properties.entity.year >= 2002", lambda e: e.get("year", 0) >= 2002),
        ("(entity.year<>2001)and(state='TX')", 
         lambda e: e.get("year", 2001) != 2001 and e.get("state") == "TX"),
        ("not (year = 2003)", lambda e: e.get("year", 2003) != 2003),
        ('state like "ärm%"', lambda e: e.get("state") == "Ärmland"),
        ("state like l", lambda e: e.get("state") in ("AL", "Ärmland")),
        ('safe = "True"', lambda e: e.get("safe") is True),
        ("safe = false or tags = 'b'",
         lambda e: e.get("safe") is False or "b" in e.get("tags", [])),
        ("tags != 'a'", lambda e: "a" not in (e.get("tags") or ["a"])),
        ("tags is null", lambda e: not e.get("tags")),
        ("tags in ('a', \"c\") and year is not null",
         lambda e: bool({"a", "c"} & set(e.get("tags", []))) and "year" in e),
        ("date > '2020-12-31' and date < \"2022-01-01\"", lambda e: e.get("date") == "2021-06-01"),
        ("year = '2001'", lambda e: False),
    ]
)  # fmt: skip


@pytest.fixture(scope="module")
def world() -> Iterator[tuple[Database, SearchEngine]]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/store.sqlite")
        metadata.create_all(database.engine)
        engine = SearchEngine(database, Path(folder) / "indexes")
        yield database, engine
        engine.close()
        database.close()


_SCHEMA = {
    "properties": [
        {"name": name, "field_type": "string"} for name in ("year", "state", "safe", "tags", "date")
    ]
}


def _history(
    steps: list[tuple[str, Any, Any]], engine: SearchEngine, shelf: Shelf
) -> Iterator[tuple[Shelf, Model]]:
    """Applies the steps to a DocSet and, in turn, to its clones. Yields each DocSet after its step,
    and all of them at the end.
    """
    worlds = [(shelf, Model())]
    for turn, step in enumerate(steps):
        shelf, model = worlds[turn % len(worlds)]
        if step[0] == "clone":
            copy = shelf.clone(engine)
            worlds.append((copy, model.cloned(copy.doc_ids)))
            yield worlds[-1]
        else:
            _apply(step, shelf, model)
            yield shelf, model
    yield from worlds


def _apply(step: tuple[str, Any, Any], shelf: Shelf, model: Model) -> None:
    kind, what, value = step
    if kind == "add":
        model.documents[shelf.add(what, value)] = (what, value)
        return
    if not model.documents:
        return
    doc_id = list(model.documents)[what % len(model.documents)]
    if kind == "remove":
        shelf.remove(doc_id)
        del model.documents[doc_id]
    elif kind == "replace":
        shelf.replace(doc_id, value)
        model.documents[doc_id] = (value, model.documents[doc_id][1])
    else:
        shelf.describe(doc_id, value)
        model.documents[doc_id] = (model.documents[doc_id][0], value)


def _all_pages(
    engine: SearchEngine, docset_id: str, request: SearchRequest, page_size: int
) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    token = None
    while True:
        page = engine.search(docset_id, request, page_size=page_size, page_token=token)
        results += page.results
        token = page.next_page_token
        if token is None:
            return results
        assert len(page.results) == page_size


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    steps=_steps,
    query=_texts,
    kind=st.sampled_from(["lexical", "keyword", "vector", "hybrid"]),
    rule=_rules,
    chosen=_chosen,
    page_size=st.integers(1, 4),
    share=st.sampled_from([1, 50]),
)
def test_results_are_those_of_a_naive_search_after_any_history(
    world: tuple[Database, SearchEngine],
    monkeypatch: pytest.MonkeyPatch,
    steps: list[tuple[str, Any, Any]],
    query: str,
    kind: Any,
    rule: Rule,
    chosen: Chosen,
    page_size: int,
    share: int,
) -> None:
    """With a share of one, elements wait for a commit as soon as others are committed."""
    database, engine = world
    written, allowed = rule
    monkeypatch.setattr(tantivy_index, "_RECENT_SHARE", share)
    for shelf, model in _history(steps, engine, Shelf(database, schema=_SCHEMA)):
        request = SearchRequest(
            query=query,
            query_type=kind,
            properties_filter=written or None,
            return_type="element",
            **chosen.lists(model),
        )
        results = engine.search(shelf.docset_id, request, page_size=1000).results
        ids = [result["id"] for result in results]
        elements = model.elements(allowed, chosen)
        lexical = {name for name, text in elements if _words_match(query, text)}
        expected = {
            "lexical": lexical,
            "keyword": {name for name, text in elements if _literally_in(query, text)},
            "vector": {name for name, _ in elements},
            "hybrid": {name for name, _ in elements},
        }
        assert len(ids) == len(set(ids))
        assert set(ids) == expected[kind]
        if kind == "vector":
            _assert_ordered_by_likeness(query, elements, results)
        if kind == "hybrid":
            _assert_fused(query, elements, results)
    assert _all_pages(engine, shelf.docset_id, request, page_size) == results
    documents = request.model_copy(update={"return_type": "doc"})
    best_first = list(dict.fromkeys(result["doc_id"] for result in results))
    pages = _all_pages(engine, shelf.docset_id, documents, page_size)
    if kind == "hybrid":
        assert {result["doc_id"] for result in pages} == set(best_first)
    else:
        assert [result["doc_id"] for result in pages] == best_first


def _assert_ordered_by_likeness(
    query: str, elements: list[tuple[str, str]], results: list[dict[str, Any]]
) -> None:
    embed = embedder_for("static").embed
    if not elements:
        return
    likeness = dict(
        zip(
            (name for name, _ in elements),
            (embed([text for _, text in elements]) @ embed([query])[0]).tolist(),
            strict=True,
        )
    )
    scores = [result["_search"]["score"] for result in results]
    assert scores == sorted(scores, reverse=True)
    assert np.allclose(scores, [likeness[result["id"]] for result in results], atol=1e-5)


def _assert_fused(
    query: str, elements: list[tuple[str, str]], results: list[dict[str, Any]]
) -> None:
    """The score is 1/(20 + rank) in the word list plus half of that in the vector list, ordered by
    similarity to the query vector moved towards the ten best elements of the word list.
    """
    lists: dict[str, dict[str, tuple[int, float]]] = {"lexical": {}, "vector": {}}
    for result in results:
        search = result["_search"]
        parts = {name: (part["rank"], part["score"]) for name, part in search["lists"].items()}
        weights = {"lexical": 1.0, "vector": 0.5}
        shares = (weights[name] / (20 + rank) for name, (rank, _) in parts.items())
        assert search["score"] == pytest.approx(sum(shares))
        for name, part in parts.items():
            lists[name][result["id"]] = part
    scores = [result["_search"]["score"] for result in results]
    assert scores == sorted(scores, reverse=True)
    for ranked in lists.values():
        parts = sorted(ranked.values())
        assert [rank for rank, _ in parts] == list(range(1, len(parts) + 1))
        assert [score for _, score in parts] == sorted((part[1] for part in parts), reverse=True)
    own = {name for name, text in elements if _words_match(query, text)}
    # With more than ten matches of the query's words, feedback may add elements with others.
    assert set(lists["lexical"]) == own or (len(own) > 10 and set(lists["lexical"]) > own)
    assert set(lists["vector"]) == {name for name, _ in elements}
    embed = embedder_for("static").embed
    made = dict(zip(dict(elements), embed([text for _, text in elements]), strict=True))
    moved = embed([query])[0]
    best = sorted(lists["lexical"], key=lambda name: lists["lexical"][name])[:10]
    if best:
        squares = np.array([lists["lexical"][name][1] for name in best]) ** 2
        moved = moved + 0.5 * squares @ np.array([made[name] for name in best]) / squares.sum()
        moved /= np.linalg.norm(moved)
    for name, (_, score) in lists["vector"].items():
        assert score == pytest.approx(float(made[name] @ moved), abs=1e-4)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=_steps, rule=_rules, chosen=_chosen, page_size=st.integers(1, 4))
def test_a_filter_alone_gives_its_documents_and_elements_in_order_of_arrival(
    world: tuple[Database, SearchEngine],
    steps: list[tuple[str, Any, Any]],
    rule: Rule,
    chosen: Chosen,
    page_size: int,
) -> None:
    database, engine = world
    written, allowed = rule
    if not written:
        return
    *_, (shelf, model) = _history(steps, engine, Shelf(database, schema=_SCHEMA))
    request = SearchRequest(properties_filter=written, **chosen.lists(model))
    pages = _all_pages(engine, shelf.docset_id, request, page_size)
    assert [result["doc_id"] for result in pages] == [
        doc_id
        for doc_id, (_, entity) in model.documents.items()
        if allowed(entity) and chosen.lets_through(doc_id, model)
    ]
    request = request.model_copy(update={"return_type": "element"})
    pages = _all_pages(engine, shelf.docset_id, request, page_size)
    assert [result["id"] for result in pages] == [
        name for name, _ in model.elements(allowed, chosen)
    ]
