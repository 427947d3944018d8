"""Words as the engine compares them."""

import pytest

from backend.extraction.words import NEAR, content, nearest_spelling, stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Report No.", "report_number"),
        ("reportNumber", "Report #"),
        ("Dates of birth", "DOB dates"),
        ("The invoices", "invoice"),
    ],
)
def test_spellings_of_one_label_have_the_same_content(one: str, other: str) -> None:
    assert set(content(one)) == set(content(other))


def test_words_of_near_meaning_know_each_other() -> None:
    assert stem("town") in NEAR[stem("cities")]
    assert stem("wind") not in NEAR[stem("town")]


def test_short_words_are_never_corrected_as_typos() -> None:
    assert nearest_spelling("cost", ["cast"]) is None
    assert nearest_spelling("invioce", ["invoice"]) == "invoice"


def test_a_set_phrase_equals_a_word() -> None:
    assert content("Bill to") == content("customer")
    assert stem("employer") in content("Employed by")
    assert content("Billing") != content("customer")
