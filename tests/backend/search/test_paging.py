"""Pages of large DocSets are full while there is more, whatever is excluded, and they end."""

from typing import Any, get_args

import pytest

from backend.search.engine import SearchEngine
from tests.backend.search.shelf import Shelf
from workbench.contract.search import QueryType, SearchRequest

_COUNT = 10_230


def _pages(engine: SearchEngine, shelf: Shelf, size: int, **request: Any) -> list[list[str]]:
    """The documents of all pages, until a page has no token."""
    search = SearchRequest(include_fields=["doc_id"], **request)
    pages: list[list[str]] = []
    token = None
    while True:
        answer = engine.search(shelf.docset_id, search, page_size=size, page_token=token)
        pages.append([result["doc_id"] for result in answer.results])
        token = answer.next_page_token
        if token is None:
            return pages


@pytest.fixture
def doc_ids(shelf: Shelf) -> list[str]:
    return shelf.add_many(_COUNT, ["zebras grazing"], lambda n: {"slice": n % 100})


def test_pages_are_full_with_a_narrow_filter_and_lists_of_ten_thousand_and_they_end(
    engine: SearchEngine, shelf: Shelf, doc_ids: list[str]
) -> None:
    chosen = [doc_id for number, doc_id in enumerate(doc_ids) if number % 100 == 7]
    left = doc_ids[10_000:]
    wide: dict[str, Any] = {"doc_inclusion_list": doc_ids[:10_000]}
    for kind in get_args(QueryType):
        asked: dict[str, Any] = {"query": "zebra", "query_type": kind}
        for more, expected, size in (
            ({"properties_filter": "slice = 7"}, chosen, 50),
            ({"doc_exclusion_list": doc_ids[:10_000]}, left, 100),
            (wide | {"properties_filter": "slice = 7"}, chosen[:100], 60),
        ):
            for unit in ("doc", "element"):
                pages = _pages(engine, shelf, size, return_type=unit, **asked, **more)
                assert [doc_id for page in pages for doc_id in page] == expected
                assert {len(page) for page in pages[:-1]} == {size}
                assert 0 < len(pages[-1]) <= size


def test_the_pages_of_ten_thousand_documents_reach_the_last_one(
    engine: SearchEngine, shelf: Shelf, doc_ids: list[str]
) -> None:
    for request in ({"query": "zebra"}, {"properties_filter": "slice >= 0"}):
        pages = _pages(engine, shelf, 1000, **request)
        assert [doc_id for page in pages for doc_id in page] == doc_ids


def test_a_page_ends_early_where_values_are_very_long_and_the_next_one_goes_on(
    engine: SearchEngine, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.search.engine._PAGE_BYTES", 100_000)
    ids = shelf.add_many(60, ["zebras grazing"], lambda n: {"note": f"{n} " * 2_000})
    for request in ({"query": "zebra"}, {"properties_filter": "note is not null"}):
        search, token, pages = SearchRequest(**request), None, []
        while token is not None or not pages:
            answer = engine.search(shelf.docset_id, search, page_size=60, page_token=token)
            pages.append([result["doc_id"] for result in answer.results])
            token = answer.next_page_token
        assert [doc_id for page in pages for doc_id in page] == ids
        assert [len(page) for page in pages] == [25, 25, 10]
