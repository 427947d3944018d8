"""Facets: what values the found documents hold."""

import pytest

from backend.contract.errors import Invalid
from backend.contract.search import Facet, FacetValue, SearchRequest
from backend.search.engine import SearchEngine
from backend.store.database import Database
from tests.backend.search.shelf import Shelf


def _facet(engine: SearchEngine, shelf: Shelf, field: str, **request: str) -> Facet:
    chosen = SearchRequest.model_validate(request) if request else None
    (facet,) = engine.facets(shelf.docset_id, [field], request=chosen)
    return facet


def test_values_are_counted_commonest_first(engine: SearchEngine, shelf: Shelf) -> None:
    for state in ("AL", "TX", "TX", None):
        shelf.add([], {"state": state})
    shelf.add([], {})
    facet = _facet(engine, shelf, "properties.entity.state")
    assert facet.values == [FacetValue(value="TX", count=2), FacetValue(value="AL", count=1)]
    assert facet.missing == 2
    assert facet.kind == "string"


def test_numbers_have_bounds_and_booleans_stay_booleans(engine: SearchEngine, shelf: Shelf) -> None:
    for year, safe in ((1999, True), (0, False), (2003.5, True)):
        shelf.add([], {"year": year, "safe": safe})
    facet = _facet(engine, shelf, "year")
    assert (facet.minimum, facet.maximum) == (0, 2003.5)
    safe = _facet(engine, shelf, "safe")
    assert [value.value for value in safe.values] == [True, False]
    assert (safe.minimum, safe.kind) == (None, "bool")


def test_a_document_counts_once_for_each_item_of_a_list(engine: SearchEngine, shelf: Shelf) -> None:
    shelf.add([], {"tags": ["a", "b", "a"]})
    shelf.add([], {"tags": ["b"]})
    facet = _facet(engine, shelf, "tags")
    assert facet.values == [FacetValue(value="b", count=2), FacetValue(value="a", count=1)]


def test_only_what_the_search_finds_is_counted(engine: SearchEngine, shelf: Shelf) -> None:
    shelf.add(["zebra"], {"state": "AL"})
    shelf.add(["kiwi"], {"state": "TX"})
    for request in ({"query": "zebras"}, {"query": "zeb", "query_type": "keyword"}):
        facet = _facet(engine, shelf, "state", **request)
        assert facet.values == [FacetValue(value="AL", count=1)]
    facet = _facet(engine, shelf, "state", properties_filter="state != 'AL'")
    assert facet.values == [FacetValue(value="TX", count=1)]


def test_without_fields_every_known_property_has_a_facet(
    engine: SearchEngine, database: Database
) -> None:
    schema = {"properties": [{"name": "born", "field_type": "date"}]}
    shelf = Shelf(database, schema=schema)
    shelf.add([], {"Serial No.": 7})
    facets = engine.facets(shelf.docset_id, None)
    assert [(facet.field, facet.kind, facet.missing) for facet in facets] == [
        ("properties.entity.born", "date", 1),
        ("properties.entity.`Serial No.`", "int", 0),
    ]


def test_a_field_of_a_facet_can_be_used_in_a_filter(engine: SearchEngine, shelf: Shelf) -> None:
    shelf.add([], {"Serial No.": 7})
    (facet,) = engine.facets(shelf.docset_id, None)
    request = SearchRequest(properties_filter=f"{facet.field} = {facet.values[0].value}")
    assert len(engine.search(shelf.docset_id, request).results) == 1


def test_what_is_no_name_is_refused(engine: SearchEngine, shelf: Shelf) -> None:
    for field in ("a = 1", "", "a is null or b"):
        with pytest.raises(Invalid):
            engine.facets(shelf.docset_id, [field])
