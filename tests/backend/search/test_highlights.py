"""Where a text holds what was looked for: places in the text as it is, whatever folding did."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.search.folding import fold
from backend.search.highlights import MOST, highlighter
from workbench.contract.search import QueryType


def _found(query: str, kind: QueryType, text: str, language: str = "english") -> list[str]:
    spans = highlighter(query, kind, language).spans(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("zebra", "Two Zebras' stripes, a zebra-like ZEBRA.", ["Zebras", "zebra", "ZEBRA"]),
        ("the zebra", "the zebra", ["zebra"]),
        ("to be or not to be", "To be", ["To", "be"]),
        ("cafe", "Un café, CAFÉ, ｃａｆｅ", ["café", "CAFÉ", "ｃａｆｅ"]),
        ("1234", "costs 1,234 (1234) but not 12345", ["1,234", "1234"]),
        ("email", "an e-mail", ["e-mail"]),
        ("kiwi", "no such fruit", []),
        ("检索", "关于文件检索的文件", ["检索"]),
        ("東京タワー", "東京の東京タワー", ["東京", "東京タワー"]),
        ("한국 사람", "한국 사람들", ["한국", "사람"]),
        ("ไทย", "ภาษาไทย", ["ไทย"]),
    ],
)
def test_words_are_found_under_any_of_their_forms(query: str, text: str, found: list[str]) -> None:
    assert _found(query, "lexical", text) == _found(query, "hybrid", text) == found


def test_the_language_of_the_docset_decides_what_a_form_of_a_word_is() -> None:
    assert _found("Häuser", "lexical", "das Haus, die Häuser", "german") == ["Haus", "Häuser"]


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("zeb", "a zebra", ["zeb"]),
        ('zeb "ra S"', "ZEBRA   stripes, zéb", ["ZEBRA   s", "zéb"]),
        ("strasse", "Die Straße", ["Straße"]),
        ("fi", "ﬁne office", ["ﬁ", "fi"]),
        ("a  b", "a\n\tb ab", ["a\n\tb"]),
        ("件检", "文件检索", ["件检"]),
        ("é", "e\u0301a é", ["e\u0301", "é"]),
        ("xx", "X\u00adx", ["X\u00adx"]),
    ],
)
def test_literal_parts_are_found_inside_words_and_across_white_space(
    query: str, text: str, found: list[str]
) -> None:
    assert _found(query, "keyword", text) == found


def test_a_query_by_meaning_looks_for_no_words() -> None:
    assert _found("zebra", "vector", "a zebra") == []


def test_only_so_many_places_are_told() -> None:
    assert len(_found("zebra", "lexical", "zebra. " * 1000)) == MOST
    assert len(_found("zebra", "keyword", "zebra. " * 1000)) == MOST


@settings(max_examples=400, deadline=None)
@given(
    text=st.text(st.sampled_from("aAÀßﬁé\u0301¯ \n\0\u00adᄒ한각가\u11ab½Ⅷ'’日本"), max_size=12),
    start=st.integers(0, 10),
    length=st.integers(1, 4),
)
def test_whatever_folding_finds_in_a_text_has_its_place_there(
    text: str, start: int, length: int
) -> None:
    part = fold(text)[start : start + length].strip()
    found = _found(f'"{part}"', "keyword", text)
    if part:
        assert found
        assert part in fold(" ".join(found)) or len(found) > 1


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40), st.text(max_size=20))
def test_no_text_and_no_query_breaks_it(text: str, query: str) -> None:
    for kind in ("lexical", "keyword"):
        _found(query, kind, text)  # type: ignore[arg-type]
