"""Highlights: spans in the original text, whatever folding does."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.search.folding import fold
from backend.search.highlights import MOST, highlighter
from workbench.contract.search import QueryType


def _highlighted(query: str, kind: QueryType, text: str, language: str = "english") -> list[str]:
    spans = highlighter(query, kind, language).spans(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
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
def test_words_match_in_every_inflection(query: str, text: str, expected: list[str]) -> None:
    assert _highlighted(query, "lexical", text) == _highlighted(query, "hybrid", text) == expected


def test_the_language_of_the_docset_decides_which_inflections_match() -> None:
    assert _highlighted("Häuser", "lexical", "das Haus, die Häuser", "german") == ["Haus", "Häuser"]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("zeb", "a zebra", ["zeb"]),
        ('zeb "ra S"', "ZEBRA   stripes, zéb", ["ZEBRA   s", "zéb"]),
        ("strasse", "Die Straße", ["Straße"]),
        ("fi", "ﬁne office", ["ﬁ", "fi"]),
        ("a  b", "a\n\tb ab", ["a\n\tb"]),
        ("件检", "文件检索", ["件检"]),
        ("é", "e\u0301a é", ["e\u0301", "é"]),
        ("xx", "X\u00adx", ["X\u00adx"]),
        ("\uac01", "\uac00\0\u11a8", ["\uac00\0\u11a8"]),
    ],
)
def test_literal_parts_match_inside_words_and_across_white_space(
    query: str, text: str, expected: list[str]
) -> None:
    assert _highlighted(query, "keyword", text) == expected


def test_a_vector_query_highlights_no_words() -> None:
    assert _highlighted("zebra", "vector", "a zebra") == []


def test_the_number_of_spans_is_limited() -> None:
    assert len(_highlighted("zebra", "lexical", "zebra. " * 1000)) == MOST
    assert len(_highlighted("zebra", "keyword", "zebra. " * 1000)) == MOST


@settings(max_examples=400, deadline=None)
@given(
    text=st.text(st.sampled_from("aAÀßﬁé\u0301¯ \n\0\u00adᄒ한각가\u11ab½Ⅷ'’日本"), max_size=12),
    start=st.integers(0, 10),
    length=st.integers(1, 4),
)
def test_every_match_in_the_folded_text_has_a_span_in_the_original(
    text: str, start: int, length: int
) -> None:
    part = fold(text)[start : start + length].strip()
    spans = _highlighted(f'"{part}"', "keyword", text)
    if part:
        assert spans
        assert part in fold(" ".join(spans)) or len(spans) > 1


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40), st.text(max_size=20))
def test_any_text_and_query_can_be_highlighted(text: str, query: str) -> None:
    for kind in ("lexical", "keyword"):
        _highlighted(query, kind, text)  # type: ignore[arg-type]
