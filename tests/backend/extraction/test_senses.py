"""Meaning brings a label and a property together that share no word."""

import numpy as np

from backend.extraction.senses import vectors


def test_a_label_is_closer_to_its_meaning_than_to_others() -> None:
    drug, wanted, other = vectors(["Drug", "medicines to take at home", "floor area in metres"])
    assert float(drug @ wanted) > float(drug @ other) + 0.1


def test_a_label_is_far_from_a_value_of_the_same_sort_that_it_does_not_name() -> None:
    label, own, other = vectors(
        ["Born on", "date_of_birth", "issue_date Day on which it was handed out"]
    )
    assert float(label @ own) > float(label @ other) + 0.3


def test_capitals_and_joined_words_do_not_change_the_meaning() -> None:
    shouted, named, plain = vectors(["PORT OF DISCHARGE", "port_of_discharge", "port of discharge"])
    assert np.allclose(shouted, plain)
    assert np.allclose(named, plain)


def test_a_text_without_words_is_like_nothing() -> None:
    assert not vectors(["12.50", ""]).any()
