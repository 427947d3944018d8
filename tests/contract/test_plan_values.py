"""What counts as a number in plans."""

from typing import Any

import pytest

from workbench.contract.plan_values import as_number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1,234", 1234),
        ("(1,234.5)", -1234.5),
        (" ( 175 ) ", -175),
        ("-12,34,567.5", -1234567.5),
        ("12,34", None),
        ("1,2,3", None),
        ("1,", None),
        (",5", None),
        ("(a)", None),
        ("()", None),
        ("(12", None),
        ("((12))", None),
        (True, None),
    ],
)
def test_text_is_a_number_where_it_is_written_as_one(value: Any, number: float | None) -> None:
    assert as_number(value) == number
