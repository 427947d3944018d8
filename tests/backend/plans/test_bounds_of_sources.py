"""What a source filters by values that are unknown stays within the promised range as well."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from tests.contract.plans import plan, source, step

SCHEMA = [
    {"name": "name", "type": {"type": "string"}},
    {"name": "level", "type": {"type": "int"}},
    {"name": "site", "type": {"type": "string"}},
]
WORDS = ["kiln", "kiln glaze", "kiln glaze ash", "kiln glaze ash clay", "wood"]
"""Each text but the last matches the query better than the one before."""
QUERY = {"query_text": "kiln glaze ash clay"}
HIGH = {"field": "level", "range_filter": True, "start": 2}


def _desk(folder: Path, b: int | None, c: str | None, d: int | None) -> Desk:
    folder.mkdir()
    values = [(1, "Oslo"), (b, "Rome"), (3, c), (d, "Oslo"), (None, None)]
    records = [
        {"name": name, "level": level, "site": site}
        for name, (level, site) in zip("abcde", values, strict=True)
    ]
    return make_desk(folder, "kilns", SCHEMA, records, [[words] for words in WORDS])


@pytest.fixture(scope="module")
def gaps(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Five documents; three values of the first four are unknown."""
    return _desk(tmp_path_factory.mktemp("gaps") / "kilns", None, None, None)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> list[Desk]:
    """The same documents with everything that these values could be."""
    folder = tmp_path_factory.mktemp("filled")
    possible = product((1, 3), ("Oslo", "Rome"), (1, 3))
    return [_desk(folder / str(n), *values) for n, values in enumerate(possible)]


def _term(field: str, value: Any) -> dict[str, Any]:
    return {"term": {f"properties.entity.{field}": value}}


_LEVEL = {"range": {"properties.entity.level": {"gte": 2}}}
_SITE = {"wildcard": {"properties.entity.site": "O*"}}
SOURCES: dict[str, dict[str, Any]] = {
    "a query": {"query": _LEVEL},
    "a negated query": {"query": {"bool": {"must_not": [_term("level", 1)]}}},
    "a pattern": {"query": _SITE},
    "either of two": {"query": {"bool": {"should": [_LEVEL, _SITE]}}},
    "two of three": {
        "query": {"bool": {
            "should": [_LEVEL, _SITE, {"exists": {"field": "properties.entity.level"}}],
            "minimum_should_match": 2,
        }}
    },
    "two queries": {"query": _LEVEL, "result_filter": _SITE},
    "a filter": {"properties_filter": "entity.level >= 2"},
    "a filter with or": {"properties_filter": "entity.level >= 2 or entity.site = 'Oslo'"},
    "a negated filter": {"properties_filter": "entity.site != 'Oslo'"},
    "a query and a filter": {"query": _SITE, "properties_filter": "entity.level >= 2"},
    "a filtered query for a text": {"properties_filter": "entity.level >= 2", **QUERY},
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
def test_no_possible_number_is_outside_the_range_of_a_filtering_source(
    gaps: Desk, filled: list[Desk], name: str
) -> None:
    counted = plan(source() | SOURCES[name], step("Count", 1, 0))
    bounds = gaps.run(counted).bounds
    assert bounds is not None and bounds.changeable
    answers = {desk.result(counted) for desk in [gaps, *filled]}
    assert bounds.low is not None and bounds.high is not None
    assert bounds.low <= min(answers) and max(answers) <= bounds.high


@pytest.mark.parametrize("top_k", [None, 1, 2])
@pytest.mark.parametrize("test", [HIGH, {"field": "level", "values": [1], "negate": True}])
def test_no_possible_number_is_outside_the_range_of_filters_before_a_ranking(
    gaps: Desk, filled: list[Desk], test: dict[str, Any], top_k: int | None
) -> None:
    ranked = source() | QUERY | ({} if top_k is None else {"top_k": top_k})
    counted = plan(ranked, step("BasicFilter", 1, 0, **test), step("Count", 2, 1))
    bounds = gaps.run(counted).bounds
    answers = {desk.result(counted) for desk in [gaps, *filled]}
    low, high = (answers, answers) if bounds is None else ({bounds.low}, {bounds.high})
    assert min(low) <= min(answers) and max(answers) <= max(high)
    assert bounds is not None


def test_documents_that_a_source_leaves_out_for_lack_of_a_value_are_reported(gaps: Desk) -> None:
    for one in ({"query": _LEVEL}, {"properties_filter": "entity.level >= 2"}):
        result = gaps.run(plan(source() | one, step("Count", 1, 0)))
        assert result.result == 1
        assert (result.bounds.low, result.bounds.high) == (1, 4)
        (warning,) = result.warnings
        assert warning.startswith("whether 3 documents would ")


def test_the_best_of_a_ranking_could_be_others_when_a_filter_lacks_values(gaps: Desk) -> None:
    result = gaps.run(plan(source() | {"query": _LEVEL, **QUERY, "top_k": 1}))
    assert len(result.result) == 1
    assert result.bounds.changeable == 2  # b and d: e does not match the text


def test_what_a_source_decides_by_known_values_has_no_range(gaps: Desk) -> None:
    for one in (
        {"query": {"bool": {"filter": [_term("name", "a"), _LEVEL]}}},
        {"query": {"exists": {"field": "properties.entity.level"}}},
        {"properties_filter": "entity.level >= 2 and entity.name = 'a' or entity.site is null"},
    ):
        result = gaps.run(plan(source() | one, step("Count", 1, 0)))
        assert result.bounds is None and not result.warnings
