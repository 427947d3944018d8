"""Adjectives of one side name the other one as well."""

import pytest

from backend.language.opposites import opposites


@pytest.mark.parametrize(
    ("word", "other"),
    [("offshore", "onshore"), ("inbound", "outbound"), ("upstream", "downstream"),
     ("outdoor", "indoor"), ("online", "offline"), ("unpaid", "paid")],
)  # fmt: skip
def test_the_other_side_is_the_opposite(word: str, other: str) -> None:
    assert other in opposites(frozenset({word}))
    assert word in opposites(frozenset({other}))


@pytest.mark.parametrize("word", ["onset", "infamous", "upset", "outstanding"])
def test_a_word_that_only_begins_like_a_side_has_none(word: str) -> None:
    assert not {"offset", "outfamous", "downset", "instanding"} & opposites(frozenset({word}))
