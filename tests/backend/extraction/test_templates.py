"""Shapes learnt from examples."""

from backend.extraction.templates import pattern, texts


def test_values_of_the_same_shape_match_and_others_do_not() -> None:
    shape = pattern(("AFS-2021-0042",))
    assert shape is not None
    assert shape.search("see report NTX-1999-123 for more")
    assert not shape.search("see report 1999-123")


def test_an_example_of_plain_words_or_a_plain_number_has_no_telling_shape() -> None:
    assert pattern(("Halberd",)) is None
    assert pattern(("1,250.00",)) is None


def test_mail_addresses_are_recognised_by_their_sign() -> None:
    shape = pattern(("a.b@example.org",))
    assert shape is not None
    match = shape.search("write to jo-anne@mail.example.com.")
    assert match is not None and match[0] == "jo-anne@mail.example.com"


def test_punctuation_in_an_example_is_literal() -> None:
    shape = pattern(("(12.5+)",))
    assert shape is not None and shape.search("x (98.7+) y") and not shape.search("x 98x7 y")


def test_long_texts_are_no_examples_since_each_would_be_read_with_every_document() -> None:
    assert texts(["AB-1", 5, "long " * 1000, "plain"]) == ("AB-1", "plain")
