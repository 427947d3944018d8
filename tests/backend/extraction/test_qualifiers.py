"""Words that make a value another than the one that is asked for."""

import pytest

from backend.extraction.qualifiers import qualified


@pytest.mark.parametrize(
    "label", ["Year to date", "Gross pay YTD", "Previous balance", "Estimated cost", "Example"]
)
def test_a_label_may_say_that_its_value_is_another(label: str) -> None:
    assert qualified(label)


@pytest.mark.parametrize("label", ["Gross pay", "Balance", "Cost", "Date of the order"])
def test_a_plain_label_qualifies_nothing(label: str) -> None:
    assert not qualified(label)
