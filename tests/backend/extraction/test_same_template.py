"""Documents of the same template share their sentences and labels."""

from backend.extraction.document import Document
from backend.extraction.same_template import LEAST_ALIKE, by_template, likeness, phrases
from workbench.contract.elements import Element


def document(*lines: str) -> Document:
    return Document(
        [
            Element(type="Text", bbox=[0, 0, 1, 1], properties={}, text_representation=line)
            for line in lines
        ]
    )


def letter(name: str, amount: str) -> Document:
    return document(f"We are pleased to award {name} the sum of {amount} for the work described.")


def test_letters_that_differ_in_their_values_are_alike() -> None:
    one, other = phrases(letter("Ada Lindt", "4,500")), phrases(letter("the Quay Choir", "92"))
    assert likeness(one, other) > 0.5


def test_letters_of_other_senders_about_the_same_are_not() -> None:
    other = document("It is our pleasure to inform you that Ada Lindt will receive 4,500 euros.")
    assert likeness(phrases(letter("Ada Lindt", "4,500")), phrases(other)) < LEAST_ALIKE


def test_short_labels_are_phrases_with_a_beginning_and_an_end() -> None:
    one, other = document("Make", "Volvo", "Year", "2001"), document("Make", "Fiat", "Year", "1999")
    assert likeness(phrases(one), phrases(other)) == 0.75


def test_a_document_that_is_like_two_groups_joins_them() -> None:
    a, b = frozenset({("a", "b", "c")}), frozenset({("d", "e", "f")})
    assert by_template([a, b, a | b]) == [[0, 1, 2]]


def test_a_document_without_phrases_is_alone() -> None:
    assert by_template([frozenset(), frozenset()]) == [[0], [1]]
