"""What is read from lines, headings and sentences."""

from collections.abc import Callable

import pytest

from backend.contract.elements import Element
from backend.extraction.reading import line_pairs, read, sentences, without_numbering

Build = Callable[..., list[Element]]


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("City: Wrenfield", [("City", "Wrenfield")]),
        (
            "Invoice No.: 12 Due Date: 4 May 2024",
            [("Invoice No.", "12"), ("Due Date", "4 May 2024")],
        ),
        ("Bill To: Acme Corp Total: $4", [("Bill To", "Acme Corp"), ("Total", "$4")]),
        ("Total ........ 39.50", [("Total", "39.50")]),
        ("Net total      12.00", [("Net total", "12.00")]),
        ("Time: 10:30", [("Time", "10:30")]),
        ("Site: A | Shift: B", [("Site", "A"), ("Shift", "B")]),
        ("Glucose - 99 mg/dL", [("Glucose", "99 mg/dL")]),
        ("At 10:30 the engine stopped", []),
        ("The crew saw three things, among them: a light", []),
    ],
)
def test_labelled_values_of_a_line(line: str, pairs: list[tuple[str, str]]) -> None:
    assert [(label, value) for label, value, _ in line_pairs(line)] == pairs


def test_a_thousand_labels_in_one_line_are_read_without_recursion() -> None:
    assert len(list(line_pairs("Ab: 1 " * 5_000))) > 1_000


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
