"""Words as people write them: stems, accents, scripts without spaces, and literal text."""

import pytest

from backend.contract.search import SearchRequest
from backend.search.engine import SearchEngine
from backend.search.folding import fold
from backend.search.lexical.analysis import query_terms
from backend.search.literal import parts_of
from backend.store.database import Database
from tests.backend.search.shelf import Shelf


@pytest.mark.parametrize(
    ("kind", "text", "query", "found"),
    [
        ("lexical", "The engines were inspected", "inspecting engine", True),
        ("lexical", "a résumé", "resume", True),
        ("lexical", "a resume", "RÉSUMÉ", True),
        ("lexical", "inspection", "spect", False),
        ("lexical", "to be or not to be", "to be or not", True),
        ("lexical", "机器学习的方法", "学习", True),
        ("lexical", "机器学习的方法", "习", True),
        ("lexical", "机器学习的方法", "学方", False),
        ("lexical", "東京タワーへ行く", "タワー", True),
        ("lexical", "ดินแดนไทย", "ไทย", True),
        ("lexical", "Ｆｕｌｌ width", "full", True),
        ("lexical", "Москва слезам", "москва", True),
        ("keyword", "inspection", "SPECT", True),
        ("keyword", "inspected engines", "engine inspect", False),
        ("keyword", "inspected  engines", "inspected\nengines", True),
        ("keyword", "inspected engines", '"engine" "inspect"', True),
        ("keyword", "inspected engines", '"engine" "propeller"', False),
        ("keyword", "inspected engines", 'ted "ines"', True),
        ("keyword", "Straße in Łódź", "strasse in lodz", True),
        ("keyword", "price (net): 100%", "(net): 100%", True),
        ("keyword", "don’t", "don't", True),
        ("keyword", "学习方法", "习方", True),
        ("keyword", 'a 5" pipe', '5"', True),
        ("keyword", "がぎぐ", "か", False),
    ],
)
def test_what_is_found(
    engine: SearchEngine, shelf: Shelf, kind: str, text: str, query: str, found: bool
) -> None:
    shelf.add([text])
    request = SearchRequest.model_validate({"query": query, "query_type": kind})
    assert bool(engine.search(shelf.docset_id, request).results) is found


def test_words_are_stemmed_in_the_language_of_the_docset(
    engine: SearchEngine, database: Database
) -> None:
    for language, text, query in (
        ("german", "Die Häuser am See", "haus"),
        ("french", "les généralités", "généralité"),
        ("klingon", "qapla words", "qapla"),
    ):
        shelf = Shelf(database, language=language)
        shelf.add([text])
        assert engine.search(shelf.docset_id, SearchRequest(query=query)).results, language


def test_a_word_said_twice_counts_twice_and_common_words_not_at_all() -> None:
    assert query_terms("the engine of engines", "english") == {"engin": 2}
    assert query_terms("what is the", "english") == {"what": 1, "is": 1, "the": 1}
    assert query_terms("...", "english") == {}


def test_rare_words_and_short_elements_rank_first(engine: SearchEngine, shelf: Shelf) -> None:
    for number in range(8):
        shelf.add([f"common filler number{number} words go here and there"])
    long = shelf.add(["onyx " + "padding " * 40])
    short = shelf.add(["onyx"])
    results = engine.search(shelf.docset_id, SearchRequest(query="common onyx")).results
    assert [result["doc_id"] for result in results][:2] == [short, long]


def test_more_occurrences_of_a_keyword_rank_first(engine: SearchEngine, shelf: Shelf) -> None:
    once = shelf.add(["onyx padding padding"])
    twice = shelf.add(["onyx onyxes padding"])
    request = SearchRequest(query="onyx", query_type="keyword")
    results = engine.search(shelf.docset_id, request).results
    assert [result["doc_id"] for result in results] == [twice, once]


def test_parts_of_a_keyword_query() -> None:
    assert parts_of("net  Income") == ["net income"]
    assert parts_of('"a b" c "d"') == ["a b", "c", "d"]
    assert parts_of('unpaired " quote') == ['unpaired " quote']


def test_folding_is_stable() -> None:
    for text in ("Straße", "ΌΣΟΣ", "ﬁn ½", "한국어", "が", "İstanbul", "a\u00adb\0c"):
        assert fold(fold(text)) == fold(text)
