"""Feedback reorders the matches of a query; it neither adds nor hides an element."""

import math

import numpy as np
import pytest

from backend.search.engine import SearchEngine
from backend.search.lexical.analysis import analyzer
from backend.search.lexical.feedback import Rarities, expanded
from tests.backend.search.shelf import Shelf
from workbench.contract.search import SearchRequest

_CARS = "jaguar gearbox clutch torque"
_CATS = "jaguar forest prey night"


def _search(engine: SearchEngine, shelf: Shelf, query: str, size: int = 1000) -> list[str]:
    request = SearchRequest(query=query, return_type="element")
    results = engine.search(shelf.docset_id, request, page_size=size).results
    scores = [result["_search"]["score"] for result in results]
    assert scores == sorted(scores, reverse=True)
    return [result["text_representation"] for result in results]


def test_elements_about_the_subject_of_the_query_come_before_those_that_share_a_word(
    engine: SearchEngine, shelf: Shelf
) -> None:
    cars = [f"{_CARS} piston{number}" for number in range(9)]
    doubtful = [f"jaguar clutch torque model{number}" for number in range(5)]
    cats = [f"{_CATS} river{number}" for number in range(9)]
    shelf.add([*cats, *doubtful, *cars, *(f"filler text{number}" for number in range(20))])
    ids = _search(engine, shelf, "jaguar gearbox")
    assert set(ids[:9]) == set(cars)
    assert set(ids[9:14]) == set(doubtful)
    assert set(ids[14:]) == set(cats)


def test_only_elements_with_words_of_the_query_match(engine: SearchEngine, shelf: Shelf) -> None:
    related = "gearbox clutch torque without that word"
    shelf.add([*(f"{_CARS} piston{number}" for number in range(30)), related, _CATS])
    ids = _search(engine, shelf, "jaguar")
    assert len(ids) == 31
    assert related not in ids


def test_a_page_is_part_of_the_longer_list(engine: SearchEngine, shelf: Shelf) -> None:
    words = ["jaguar", "gearbox", "clutch", "torque", "forest", "prey"]
    source = np.random.default_rng(3)
    shelf.add([" ".join(source.choice(words, 8)) + f" n{number}" for number in range(60)])
    everything = _search(engine, shelf, "jaguar torque")
    assert len(everything) == len(set(everything)) > 40
    for size in range(1, 60, 7):
        assert _search(engine, shelf, "jaguar torque", size) == everything[:size]


def test_feedback_learns_from_the_documents_of_the_filter_alone(
    engine: SearchEngine, shelf: Shelf
) -> None:
    for number in range(12):
        shelf.add([f"{_CARS} piston{number}"], {"about": "cars"})
    for number in range(12):
        shelf.add([f"jaguar forest n{number}", f"{_CATS} n{number}"], {"about": "cats"})
    request = SearchRequest(
        query="jaguar prey", properties_filter='about = "cats"', return_type="element"
    )
    results = engine.search(shelf.docset_id, request).results
    assert len(results) == 24
    assert all("prey" in result["text_representation"] for result in results[:12])


def test_learned_words_weigh_three_quarters_of_the_query() -> None:
    frequencies = {"gearbox": 3, "clutch": 4, "onyx": 1, "jaguar": 9}
    rarities = Rarities(lambda terms: [frequencies[term] for term in terms], lambda: 100)
    weights = expanded(
        {"jaguar": 2},
        ["gearbox clutch onyx 1999 x", "clutch gearbox"],
        [3.0, 2.0],
        analyzer("english"),
        rarities,
    )
    assert set(weights) == {"jaguar", "gearbox", "clutch"}
    assert weights["jaguar"] == 2.0
    assert weights["gearbox"] > weights["clutch"]
    assert math.hypot(weights["gearbox"], weights["clutch"]) == pytest.approx(0.75 * 2)


def test_texts_without_words_teach_nothing() -> None:
    weights = expanded(
        {"x": 1},
        ["", "..."],
        [1.0, 1.0],
        analyzer("english"),
        Rarities(lambda terms: [], lambda: 0),
    )
    assert weights == {"x": 1.0}
