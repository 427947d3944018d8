"""Steps say whether the ends of a range belong to it."""

from typing import Any

import pytest

from backend.plans.edits.wording import say_condition
from workbench.contract.plan_nodes import BasicFilter


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ({}, "from 10 to 20"),
        ({"start_exclusive": True}, "more than 10 and at most 20"),
        ({"end_exclusive": True}, "at least 10 and less than 20"),
        ({"start_exclusive": True, "end_exclusive": True}, "more than 10 and less than 20"),
    ],
)
def test_a_range_of_numbers(bounds: dict[str, Any], words: str) -> None:
    condition = BasicFilter(field="units", range_filter=True, start=10, end=20, **bounds)
    assert say_condition(condition) == f"units is {words}"


def test_a_range_of_dates_without_its_ends() -> None:
    condition = BasicFilter(
        field="bought", range_filter=True, is_date=True, start="2021-12-31", end="2024-01-01",
        start_exclusive=True, end_exclusive=True,
    )  # fmt: skip
    assert say_condition(condition) == "bought is after 2021-12-31 and before 2024-01-01"
