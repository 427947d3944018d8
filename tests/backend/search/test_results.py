"""Search results: their shape, pages, projection, embeddings and errors."""

from typing import Any

import pytest

from backend.search.engine import SearchEngine
from backend.store.database import Database
from backend.store.opening import LONGEST_OPENING
from tests.backend.search.shelf import Shelf
from workbench.contract.errors import Invalid, NotFound
from workbench.contract.search import SearchRequest


def _search(engine: SearchEngine, shelf: Shelf, **request: Any) -> list[dict[str, Any]]:
    return engine.search(shelf.docset_id, SearchRequest(**request)).results


def test_a_document_comes_with_properties_text_and_an_explanation_of_its_rank(
    engine: SearchEngine, shelf: Shelf
) -> None:
    doc_id = shelf.add(["A heading", "Two zebras grazing"], {"state": "Alaska"})
    (result,) = _search(engine, shelf, query="zebra", query_type="hybrid")[:1]
    assert result["doc_id"] == doc_id
    assert result["name"] == f"{doc_id}.txt"
    assert result["properties"]["entity"] == {"state": "Alaska"}
    assert result["text_representation"] == "A heading\nTwo zebras grazing"
    explained = result["_search"]
    assert explained["rank"] == 1
    assert explained["element_id"] == f"{doc_id.replace(':f-', ':e-')}-1"
    assert explained["snippet"] == "Two zebras grazing"
    assert explained["page_number"] == 1
    assert explained["terms"] == ["zebras"]
    assert explained["positions"] == [(4, 10)]
    assert set(explained["lists"]) == {"lexical", "vector"}
    assert explained["lists"]["lexical"]["rank"] == 1


def test_the_score_of_a_fusion_is_the_sum_of_the_reported_shares(
    engine: SearchEngine, shelf: Shelf
) -> None:
    for text in ("zebra", "a zebra and a horse", "horses graze", "grazing zebras", "kiwi"):
        shelf.add([text])
    for kind in ("doc", "element"):
        for result in _search(
            engine, shelf, query="zebra grazing", query_type="hybrid", return_type=kind
        ):
            explained = result["_search"]
            assert explained["fusion"] == {"method": "reciprocal rank", "k": 20}
            parts = explained["lists"].values()
            assert explained["score"] == pytest.approx(sum(part["share"] for part in parts))
            for part in parts:
                assert part["share"] == part["weight"] / (explained["fusion"]["k"] + part["rank"])
            best = max(parts, key=lambda part: part["share"])
            assert explained["element_id"] == best["element_id"]
    (alone,) = _search(engine, shelf, query="kiwi")
    assert "fusion" not in alone["_search"]
    assert alone["_search"]["score"] == alone["_search"]["lists"]["lexical"]["score"]


def test_matches_have_spans_in_the_text_and_are_in_view_in_the_snippet(
    engine: SearchEngine, shelf: Shelf
) -> None:
    text = "word " * 300 + "straße of zebras " + "word " * 300
    shelf.add([text])
    for kind, query, wanted in (
        ("lexical", "zebra", ["zebras"]),
        ("keyword", '"sse of" zeb', ["ße of", "zeb"]),
    ):
        (element,) = _search(engine, shelf, query=query, query_type=kind, return_type="element")
        explained = element["_search"]
        body = element["text_representation"]
        assert [body[start:end] for start, end in explained["positions"]] == wanted
        (document,) = _search(engine, shelf, query=query, query_type=kind)
        explained = document["_search"]
        begin = explained["snippet_start"]
        spans = explained["positions"]
        shown = [explained["snippet"][start - begin : end - begin] for start, end in spans]
        assert shown == wanted


def test_an_element_names_its_document_and_repeats_its_extracted_properties(
    engine: SearchEngine, shelf: Shelf
) -> None:
    doc_id = shelf.add(["zebra"], {"state": "Alaska"})
    (result,) = _search(engine, shelf, query="zebra", return_type="element")
    assert result["doc_id"] == result["parent_id"] == doc_id
    assert result["type"] == "Text"
    assert result["bbox"] == [0, 0, 1, 1]
    assert result["properties"]["entity"] == {"state": "Alaska"}
    assert result["properties"]["page_number"] == 1
    assert "embedding" not in result


def test_embeddings_are_returned_on_request_only(engine: SearchEngine, shelf: Shelf) -> None:
    shelf.add(["zebra", "..."])
    request = SearchRequest(
        query="zebra",
        query_type="vector",
        return_type="element",
        include_element_embedding=True,
        debug_info=True,
    )
    response = engine.search(shelf.docset_id, request)
    (result,) = response.results
    assert response.query_embedding == pytest.approx(result["embedding"])
    assert engine.search(shelf.docset_id, SearchRequest(query="zebra")).query_embedding is None


def test_the_text_of_a_long_document_is_truncated(engine: SearchEngine, shelf: Shelf) -> None:
    shelf.add(["zebra " * 5000])
    (result,) = _search(engine, shelf, query="zebra")
    assert len(result["text_representation"]) == LONGEST_OPENING


def test_a_document_without_elements_matches_by_its_properties_alone(
    engine: SearchEngine, shelf: Shelf
) -> None:
    doc_id = shelf.add([None], {"state": "Alaska"})
    (result,) = _search(engine, shelf, properties_filter="state = 'Alaska'")
    assert result["doc_id"] == doc_id
    assert result["text_representation"] == ""
    assert _search(engine, shelf, query="Alaska") == []


def test_pages_are_full_when_few_documents_pass_the_filter(
    engine: SearchEngine, shelf: Shelf
) -> None:
    for number in range(300):
        shelf.add([f"zebra number{number}"], {"kept": number % 100 == 99})
    for kind in ("lexical", "keyword", "vector", "hybrid"):
        request = SearchRequest(query="zebra", query_type=kind, properties_filter="kept = true")
        assert len(engine.search(shelf.docset_id, request, page_size=3).results) == 3


def test_inclusion_and_exclusion_lists_may_be_long(engine: SearchEngine, shelf: Shelf) -> None:
    ids = [shelf.add(["zebra"]) for _ in range(4)]
    strangers = [f"wb:f-{number}" for number in range(20_000)]
    chosen = _search(engine, shelf, query="zebra", doc_inclusion_list=[*strangers, *ids[:3]])
    assert [result["doc_id"] for result in chosen] == ids[:3]
    rest = _search(
        engine,
        shelf,
        query="zebra",
        doc_inclusion_list=ids[:3],
        doc_exclusion_list=[*strangers, ids[0]],
    )
    assert [result["doc_id"] for result in rest] == ids[1:3]
    assert _search(engine, shelf, query="zebra", doc_inclusion_list=[]) == []


def test_a_forged_page_token_or_one_of_another_search_is_refused(
    engine: SearchEngine, shelf: Shelf
) -> None:
    for _ in range(3):
        shelf.add(["zebra"])
    request = SearchRequest(query="zebra")
    token = engine.search(shelf.docset_id, request, page_size=1).next_page_token
    assert token is not None
    for wrong in ("x", "ä", token[:-4], token[:-4] + "AAAA", "bm8=", "0" * 40):
        with pytest.raises(Invalid, match="page token"):
            engine.search(shelf.docset_id, request, page_size=1, page_token=wrong)
    with pytest.raises(Invalid, match="page token"):
        engine.search(shelf.docset_id, request, page_size=2, page_token=token)
    with pytest.raises(Invalid, match="page token"):
        other = SearchRequest(query="zebras")
        engine.search(shelf.docset_id, other, page_size=1, page_token=token)


@pytest.mark.parametrize("size", [0, -1, 1001])
def test_a_page_has_one_to_a_thousand_results(
    engine: SearchEngine, shelf: Shelf, size: int
) -> None:
    with pytest.raises(Invalid, match="page_size"):
        engine.search(shelf.docset_id, SearchRequest(query="zebra"), page_size=size)


def test_an_unknown_docset_is_reported_as_missing(engine: SearchEngine) -> None:
    with pytest.raises(NotFound):
        engine.search("wb:ds-none", SearchRequest(query="zebra"))


def test_a_docset_without_vectors_answers_word_queries_and_refuses_vector_queries(
    engine: SearchEngine, database: Database
) -> None:
    shelf = Shelf(database, provider="none")
    shelf.add(["zebra"])
    assert len(_search(engine, shelf, query="zebra")) == 1
    assert len(_search(engine, shelf, query="zeb", query_type="keyword")) == 1
    for kind in ("vector", "hybrid"):
        with pytest.raises(Invalid, match="use lexical or keyword") as raised:
            _search(engine, shelf, query="zebra", query_type=kind)
        assert raised.value.faults[0].loc == ["body", "query_type"]


def test_a_query_without_words_matches_nothing_and_an_unpaired_surrogate_is_refused(
    engine: SearchEngine, shelf: Shelf
) -> None:
    shelf.add(["zebra"])
    for kind in ("lexical", "keyword", "vector", "hybrid"):
        assert _search(engine, shelf, query="… !?", query_type=kind) == []
    with pytest.raises(Invalid, match="surrogate"):
        engine.candidates(shelf.docset_id, "\ud800", "lexical")


def test_candidates_are_elements_of_the_chosen_documents_best_first(
    engine: SearchEngine, shelf: Shelf
) -> None:
    one = shelf.add(["a kiwi", "zebra and kiwi and zebra", "zebra"])
    shelf.add(["zebra"])
    candidates = engine.candidates(shelf.docset_id, "zebra", "lexical", doc_ids=[one, "wb:f-x"])
    assert {(item.doc_id, item.ordinal) for item in candidates} == {(one, 1), (one, 2)}
    assert candidates[0].parts == {"lexical": (1, candidates[0].score)}
    assert len(engine.candidates(shelf.docset_id, "zebra", "hybrid", depth=2)) == 2
