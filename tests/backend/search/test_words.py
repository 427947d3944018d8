"""Words as people write them: stems, accents, scripts without spaces, and literal text."""

import time

import pytest

from backend.search.engine import SearchEngine
from backend.search.folding import fold
from backend.search.lexical.analysis import query_terms, words_of
from backend.search.literal import parts_of
from backend.store.database import Database
from tests.backend.search.shelf import Shelf
from workbench.contract.search import SearchRequest


@pytest.mark.parametrize(
    ("kind", "text", "query", "matches"),
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
        ("lexical", "İstanbul in spring", "istanbul", True),
        ("lexical", "Istanbul in spring", "İSTANBUL", True),
        ("lexical", "an e-mail arrived", "email", True),
        ("lexical", "the PA‑28 landed", "pa28", True),
        ("lexical", "wings of a PA28", "PA-28", True),
        ("lexical", "a boundary-layer of 2001-2003", "boundary", True),
        ("lexical", "a boundary-layer of 2001-2003", "20012003", False),
        ("lexical", "1,234,567 tons", "1234567", True),
        ("lexical", "1234567 tons", "1,234,567", True),
        ("lexical", "lists 1,2,3", "123", False),
        ("lexical", "exam\u00adple", "example", True),
        ("lexical", "exam\u200bple of\u2060fice", "example office", True),
        ("lexical", "example", "exam\u200bple", True),
        ("lexical", "naïve", "nai\u0308ve", True),
        ("lexical", "हिन्दी भाषा", "हिन्दी", True),
        ("lexical", "हिन्दी भाषा", "दी", False),
        ("lexical", "น้ำตกสวย", "น้ำตก", True),
        ("lexical", "မြန်မာစာ", "မာစာ", True),
        ("lexical", "مُحَمَّد", "محمد", True),
        ("lexical", "שָׁלוֹם", "שלום", True),
        ("lexical", "한국어 문서", "한국", True),
        ("lexical", "Tokyoは東京です", "東京", True),
        ("lexical", "Tokyoは東京です", "tokyo", True),
        ("lexical", "the quarterly report: 四半期報告 (Quartalsbericht)", "報告 quarterly", True),
        ("keyword", "inspection", "SPECT", True),
        ("keyword", "in\u200bspec\u200ction\ufeff\u200e", "inspection", True),
        ("keyword", "inspection", "inspec\u2060tion", True),
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
def test_queries_match_texts(
    engine: SearchEngine, shelf: Shelf, kind: str, text: str, query: str, matches: bool
) -> None:
    shelf.add([text])
    request = SearchRequest.model_validate({"query": query, "query_type": kind})
    assert bool(engine.search(shelf.docset_id, request).results) is matches


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


def test_repeated_words_count_each_time_and_stop_words_not_at_all() -> None:
    assert query_terms("the engine of engines", "english") == {"engin": 2}
    assert query_terms("what is the", "english") == {}
    assert query_terms("...", "english") == {}


@pytest.mark.parametrize(
    ("language", "matching", "other", "query"),
    [
        ("english", "To be, or not!", "No plans", "to be or not to be"),
        ("english", "I’m who I am", "Nobody knows", "who am I?"),
        ("german", "Wer das ist, weiß niemand", "Häuser", "das ist"),
        ("french", "Je ne sais pas", "Paris", "je ne"),
    ],
)
def test_a_query_of_stop_words_alone_matches_elements_with_them(
    engine: SearchEngine, database: Database, language: str, matching: str, other: str, query: str
) -> None:
    shelf = Shelf(database, language=language)
    wanted = shelf.add([matching])
    shelf.add([other])
    results = engine.search(shelf.docset_id, SearchRequest(query=query)).results
    assert [result["doc_id"] for result in results] == [wanted]


_FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
_ODD_QUERIES = [
    "...", "?!", "\u00ad", "😀", "😀 😀", "\0", "\ufeff", "x", "7", '"', '""', '"""', '" "', "((",
    "-", "--", "a-", "-a", "a--b", "é", "\u0301", "\u200d", "word " * 2000, "w" * 5000, "東" * 3000,
    "1,,2", "*", "?*", "text:x", "AND OR NOT", "\\", "%", "_", "\u202eabc", "ﷺ", "𝔘𝔫𝔦𝔠",
    _FAMILY,
]  # fmt: skip


@pytest.mark.parametrize("kind", ["lexical", "keyword", "vector", "hybrid"])
def test_unusual_queries_are_answered(engine: SearchEngine, shelf: Shelf, kind: str) -> None:
    shelf.add([*_ODD_QUERIES, "some other words"])
    for query in _ODD_QUERIES:
        request = SearchRequest.model_validate({"query": query, "query_type": kind})
        results = engine.search(shelf.docset_id, request).results
        if kind == "lexical" and not any(map(str.isalnum, query)):
            assert results == [], query


def test_an_emoji_matches_as_a_keyword(engine: SearchEngine, shelf: Shelf) -> None:
    wanted = shelf.add([f"well done {_FAMILY}!"])
    shelf.add(["well done"])
    request = SearchRequest(query=_FAMILY, query_type="keyword")
    results = engine.search(shelf.docset_id, request).results
    assert [result["doc_id"] for result in results] == [wanted]


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


@pytest.mark.alone
@pytest.mark.parametrize("unit", ["a", "a-", "1,", "-", "e-a", "a ", "中", "\u00ad"])
@pytest.mark.parametrize("around", ["{}", "e-{}", "=?utf-8?q?{}?="])
def test_one_long_word_is_indexed_in_time_proportional_to_it(unit: str, around: str) -> None:
    """The server indexes texts between requests: 40 kB that take the square would stop it."""
    began = time.process_time()
    words_of(1, around.format(unit * (40_000 // len(unit))), "english")
    assert time.process_time() - began < 0.4


def test_folding_is_stable() -> None:
    for text in ("Straße", "ΌΣΟΣ", "ﬁn ½", "한국어", "が", "İstanbul", "a\u00adb\0c"):
        assert fold(fold(text)) == fold(text)
