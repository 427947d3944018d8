"""Facets: which values the matching documents have."""

from typing import Any

import pytest

from backend.search.engine import SearchEngine
from backend.store.database import Database
from tests.backend.search.shelf import Shelf
from workbench.contract.errors import Invalid
from workbench.contract.search import (
    CompletionRequest,
    Facet,
    FacetRequest,
    FacetValue,
    SearchRequest,
)


def _facet(engine: SearchEngine, shelf: Shelf, field: str, **search: Any) -> Facet:
    request = FacetRequest(fields=[field], search=SearchRequest(**search) if search else None)
    (facet,) = engine.facets(shelf.docset_id, request)
    return facet


def test_values_come_with_counts_most_frequent_first(engine: SearchEngine, shelf: Shelf) -> None:
    for state in ("AL", "TX", "TX", None):
        shelf.add([], {"state": state})
    shelf.add([], {})
    facet = _facet(engine, shelf, "properties.entity.state")
    assert facet.values == [FacetValue(value="TX", count=2), FacetValue(value="AL", count=1)]
    assert facet.missing == 2
    assert facet.kind == "string"


def test_values_beyond_the_top_ones_are_counted_as_other(
    engine: SearchEngine, shelf: Shelf
) -> None:
    for state in ("AL", "TX", "TX", "WA", "OH", "OH"):
        shelf.add([], {"state": state})
    (facet,) = engine.facets(shelf.docset_id, FacetRequest(fields=["state"], top=3))
    assert [(value.value, value.count) for value in facet.values] == [("OH", 2), ("TX", 2),
                                                                      ("AL", 1)]  # fmt: skip
    assert (facet.other, facet.distinct) == (1, 4)


def test_numbers_have_bounds_and_booleans_stay_booleans(engine: SearchEngine, shelf: Shelf) -> None:
    for year, safe in ((1999, True), (0, False), (2003.5, True)):
        shelf.add([], {"year": year, "safe": safe})
    facet = _facet(engine, shelf, "year")
    assert (facet.minimum, facet.maximum, facet.kind) == (0, 2003.5, "float")
    safe = _facet(engine, shelf, "safe")
    assert [value.value for value in safe.values] == [True, False]
    assert (safe.minimum, safe.kind, safe.histogram) == (None, "bool", [])


@pytest.mark.parametrize(
    ("kind", "values", "known"),
    [
        ("date", ["2023-04-01", "2023-04-02", 99, True, "soon", {"a": 1}], 2),
        ("datetime", ["2023-04-01T10:00", "2023-04-01", 5.5, "later"], 2),
        ("int", [3, 4, "2023-04-01", True], 2),
        ("float", [3.5, 4, "1,200", "many", False], 3),
        ("bool", [True, False, "2023-04-01", 7], 2),
        ("string", ["a", 5], 2),
        (None, ["a", 5, True], 3),
    ],
)
def test_values_of_an_earlier_type_are_unknown_as_they_are_in_plans(
    database: Database, engine: SearchEngine, kind: str | None, values: list[Any], known: int
) -> None:
    properties = [] if kind is None else [{"name": "it", "field_type": kind}]
    shelf = Shelf(database, schema={"properties": properties})
    for value in values:
        shelf.add([], {"it": value})
    facet = _facet(engine, shelf, "it")
    right = values[:known]
    assert sorted(str(one.value) for one in facet.values) == sorted(map(str, right))
    assert (facet.missing, facet.distinct) == (len(values) - known, known)
    assert facet.minimum in {None, *right} and facet.maximum in {None, *right}


def test_a_document_counts_once_for_each_item_of_a_list(engine: SearchEngine, shelf: Shelf) -> None:
    shelf.add([], {"tags": ["a", "b", "a"]})
    shelf.add([], {"tags": ["b"]})
    shelf.add([], {"tags": []})
    shelf.add([], {"tags": None})
    facet = _facet(engine, shelf, "tags")
    assert facet.values == [FacetValue(value="b", count=2), FacetValue(value="a", count=1)]
    assert facet.missing == 2, "neither an empty list nor null is a value"


def test_a_moment_is_one_value_however_it_is_written(
    engine: SearchEngine, database: Database
) -> None:
    schema = {"properties": [{"name": "at", "field_type": "datetime"}]}
    shelf = Shelf(database, schema=schema)
    noon = ("2024-06-01T12:00:00", "2024-06-01T12:00:00Z", "2024-06-01T14:00:00+02:00")
    midnight = ("2024-06-02", "2024-06-02T00:00:00")
    for at in (*noon, *midnight, "soon", None):
        shelf.add([], {"at": at})
    facet = _facet(engine, shelf, "at")
    assert (facet.distinct, facet.missing, facet.other) == (2, 2, 0)
    for value in facet.values:
        asked = engine.fulfilling(shelf.docset_id, f"at = '{value.value}'")
        assert (value.count, len(asked)) == ((3, 3) if "-01T" in str(value.value) else (2, 2))
    completed = engine.complete(shelf.docset_id, CompletionRequest(filter="at = '"))
    assert [item.count for item in completed.items] == [3, 2, 1]


def test_values_inside_objects_are_counted_by_path(engine: SearchEngine, shelf: Shelf) -> None:
    shelf.add([], {"place": {"city": "Oslo", "zip": {"code": 150}}})
    shelf.add([], {"place": {"city": "Oslo"}})
    shelf.add([], {"place": "at sea"})
    facet = _facet(engine, shelf, "place.city")
    assert (facet.values, facet.missing) == ([FacetValue(value="Oslo", count=2)], 1)
    names = [facet.field for facet in engine.facets(shelf.docset_id, FacetRequest())]
    assert "properties.entity.place.zip.code" in names
    assert "properties.entity.place.zip" not in names, "an object has no value to count"


def test_only_documents_that_match_the_search_are_counted(
    engine: SearchEngine, shelf: Shelf
) -> None:
    one = shelf.add(["zebra"], {"state": "AL"})
    shelf.add(["kiwi"], {"state": "TX"})
    for search in (
        {"query": "zebras"},
        {"query": "zeb", "query_type": "keyword"},
        {"query": "zebra", "query_type": "hybrid", "doc_inclusion_list": [one]},
        {"properties_filter": "state != 'TX'"},
        {"properties_filter": "state is not null", "doc_inclusion_list": [one]},
    ):
        facet = _facet(engine, shelf, "state", **search)
        assert facet.values == [FacetValue(value="AL", count=1)], search
        assert facet.missing == 0


def test_counts_follow_every_change_of_the_documents(engine: SearchEngine, shelf: Shelf) -> None:
    def counted() -> dict[str, int]:
        facet = _facet(engine, shelf, "state")
        return {value.value: value.count for value in facet.values} | {"missing": facet.missing}

    first = shelf.add([], {"state": "AL"})
    second = shelf.add([], {"state": "AL"})
    assert counted() == {"AL": 2, "missing": 0}
    shelf.describe(first, {"state": "TX"})
    assert counted() == {"AL": 1, "TX": 1, "missing": 0}
    shelf.describe(second, {"year": 3})
    assert counted() == {"TX": 1, "missing": 1}
    shelf.remove(first)
    shelf.add([], {"state": "WA"})
    assert counted() == {"WA": 1, "missing": 1}


def test_without_fields_every_extracted_property_has_a_facet(
    engine: SearchEngine, database: Database
) -> None:
    schema = {"properties": [{"name": "born", "field_type": "date"}]}
    shelf = Shelf(database, schema=schema)
    shelf.add([], {"Serial No.": 7})
    facets = engine.facets(shelf.docset_id, FacetRequest())
    assert [(facet.field, facet.kind, facet.missing) for facet in facets] == [
        ("properties.entity.born", "date", 1),
        ("properties.entity.`Serial No.`", "int", 0),
    ]


def test_a_field_of_a_facet_can_be_used_in_a_filter(engine: SearchEngine, shelf: Shelf) -> None:
    shelf.add([], {"Serial No.": 7})
    (facet,) = engine.facets(shelf.docset_id, FacetRequest())
    request = SearchRequest(properties_filter=f"{facet.field} = {facet.values[0].value}")
    assert len(engine.search(shelf.docset_id, request).results) == 1


@pytest.mark.parametrize("name", ["Serial No.", "net total", "a/b", "a = 1"])
def test_a_field_may_be_the_plain_name_of_a_property(
    engine: SearchEngine, shelf: Shelf, name: str
) -> None:
    shelf.add([], {name: 7})
    for field in (name, f"properties.entity.{name}"):
        (facet,) = engine.facets(shelf.docset_id, FacetRequest(fields=[field]))
        assert facet.values[0].value == 7


@pytest.mark.parametrize("field", ["a = 1", "", "a is null or b", "properties", "stat"])
def test_an_unknown_field_is_refused_with_its_position_and_similar_names(
    engine: SearchEngine, shelf: Shelf, field: str
) -> None:
    shelf.add([], {"state": "AL"})
    with pytest.raises(Invalid) as raised:
        engine.facets(shelf.docset_id, FacetRequest(fields=["state", field]))
    (fault,) = raised.value.faults
    assert fault.loc == ["body", "fields", 1]
    assert field != "stat" or "did you mean properties.entity.state" in fault.msg


def _bins(facet: Facet) -> list[tuple[Any, Any, int]]:
    return [(one.start, one.end, one.count) for one in facet.histogram]


def test_numbers_have_a_histogram_with_round_edges(engine: SearchEngine, shelf: Shelf) -> None:
    for number in (3, 7, 12, 12, 48, 50):
        shelf.add([], {"n": number, "x": number / 1000, "one": 4})
    facet = _facet(engine, shelf, "n")
    assert facet.unit == "number"
    assert _bins(facet)[:3] == [(0, 5, 1), (5, 10, 1), (10, 15, 2)]
    assert _bins(facet)[-1] == (50, 55, 1)
    assert [start for start, _, _ in _bins(_facet(engine, shelf, "x"))][:3] == [0, 0.005, 0.01]
    assert _bins(_facet(engine, shelf, "one")) == [(4, 5, 6)]


@pytest.mark.parametrize(
    ("dates", "unit", "first", "last"),
    [
        (["2024-03-01", "2024-03-02", "2024-03-09T10:00:00"], "day",
         ("2024-03-01", "2024-03-02", 1), ("2024-03-09", "2024-03-10", 1)),
        (["2023-11-05", "2024-03-09", "2024-03-10"], "month",
         ("2023-11-01", "2023-12-01", 1), ("2024-03-01", "2024-04-01", 2)),
        (["1999-12-31", "2004-01-01"], "year",
         ("1999-01-01", "2000-01-01", 1), ("2004-01-01", "2005-01-01", 1)),
        (["1903-05-05", "1998-01-01"], "year",
         ("1900-01-01", "1910-01-01", 1), ("1990-01-01", "2000-01-01", 1)),
    ],
)  # fmt: skip
def test_dates_have_a_histogram_of_days_months_or_years(
    engine: SearchEngine,
    shelf: Shelf,
    dates: list[str],
    unit: str,
    first: tuple[str, str, int],
    last: tuple[str, str, int],
) -> None:
    for date in dates:
        shelf.add([], {"date": date})
    facet = _facet(engine, shelf, "date")
    assert (facet.kind, facet.unit) == ("date", unit)
    assert (_bins(facet)[0], _bins(facet)[-1]) == (first, last)


def test_bins_end_with_the_calendar(engine: SearchEngine, shelf: Shelf) -> None:
    for day in ("0001-01-01", "9999-12-31"):
        shelf.add([], {"date": day})
    bins = _bins(_facet(engine, shelf, "date"))
    assert (bins[0][0], bins[-1][1]) == ("0001-01-01", "9999-12-31")
    assert (bins[0][2], bins[-1][2]) == (1, 1)


def test_the_first_and_last_time_are_moments(engine: SearchEngine, shelf: Shelf) -> None:
    times = ("2024-02-29T23:59:59+14:00", "2024-02-29T11:00:00", "2024-02-29T10:30:00-05:00")
    for time in times:
        shelf.add([], {"seen": time})
    facet = _facet(engine, shelf, "seen")
    assert (facet.minimum, facet.maximum) == (times[0], times[2])


def test_every_bin_works_as_a_filter_and_together_they_cover_everything(
    engine: SearchEngine, shelf: Shelf
) -> None:
    for number in range(40):
        shelf.add([], {"x": number**2 / 7, "day": f"20{number % 25:02d}-01-{number % 28 + 1:02d}"})
    for field in ("x", "day"):
        facet = _facet(engine, shelf, field)
        assert sum(one.count for one in facet.histogram) == 40
        for one in facet.histogram:
            start, end = (f"'{edge}'" if field == "day" else edge for edge in (one.start, one.end))
            search = {"properties_filter": f"{field} >= {start} and {field} < {end}"}
            results = engine.search(shelf.docset_id, SearchRequest(**search)).results
            assert len(results) == one.count


@pytest.mark.parametrize(
    "numbers",
    [[1e308, -1e308], [5e-324, 0.0], [2**70, -3], [0.1, 0.1], [-7.5], [1e16, 1e16 + 2], [0, 1e-9]],
)
def test_extreme_numbers_break_no_histogram(
    engine: SearchEngine, shelf: Shelf, numbers: list[float]
) -> None:
    for number in numbers:
        shelf.add([], {"n": number})
    facet = _facet(engine, shelf, "n")
    counted = sum(one.count for one in facet.histogram)
    assert counted == len(numbers) or (not facet.histogram and numbers[0] == 1e308)
