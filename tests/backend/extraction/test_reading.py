"""What is read from elements, headings and sentences."""

from collections.abc import Callable

from backend.extraction.reading import read, sentences, without_numbering
from workbench.contract.elements import Element

Build = Callable[..., list[Element]]


def test_label_lines_above_value_lines_are_pairs_and_no_sentences(document: Build) -> None:
    reading = read(document("State", "Osmund", "City", "Larkham", "It rained all day."))
    assert [(pair.label, pair.value) for pair in reading.pairs] == [
        ("State", "Osmund"),
        ("City", "Larkham"),
    ]
    assert "State" not in [sentence.text for sentence in reading.sentences]


def test_the_text_below_a_heading_belongs_to_it(document: Build) -> None:
    reading = read(document(("Section-header", "9. Probable cause"), "A worn coupling broke."))
    (pair,) = [pair for pair in reading.pairs if pair.source == "heading"]
    assert (pair.label, pair.value, pair.element) == ("Probable cause", "A worn coupling broke.", 0)


def test_sentences_do_not_end_after_abbreviations_and_long_ones_are_cut() -> None:
    assert list(sentences("Mr. J. Smith of Acme Inc. signed. He left.")) == [
        "Mr. J. Smith of Acme Inc. signed.",
        "He left.",
    ]
    assert max(len(part) for part in sentences("word " * 2_000)) <= 1_500


def test_numbering_of_headings_is_not_part_of_them() -> None:
    assert without_numbering("3.1 Scope") == "Scope"
    assert without_numbering("Article 4. Law") == "Law"
    assert without_numbering("Conclusion:") == "Conclusion"
