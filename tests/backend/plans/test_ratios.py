"""A ratio of two totals is asked for in plain words, for all documents or for each group."""

from collections import defaultdict
from collections.abc import Callable

import pytest

from tests.backend.plans.desk import Desk
from tests.backend.plans.domains import invoices

Desks = Callable[[str], Desk]


def _expected() -> dict[str, float]:
    amounts: dict[str, float] = defaultdict(float)
    items: dict[str, int] = defaultdict(int)
    for record in invoices()[0]:
        amounts[record["supplier"]] += record["amount_keur"]
        items[record["supplier"]] += record["line_items"]
    return {name: amounts[name] / items[name] for name in amounts}


@pytest.mark.parametrize(
    "question",
    [
        "amount per line item for each supplier",
        "total amount divided by total line items for each supplier",
        "For each supplier, take the total amount and divide by the total line items",
        "ratio of total amount to total line items for each supplier",
    ],
)
def test_one_total_is_divided_by_another_in_each_group(desks: Desks, question: str) -> None:
    desk = desks("invoices")
    rows = desk.rows(desk.ask(question))
    expected = _expected()
    assert rows.keys() == expected.keys()
    for name, value in expected.items():
        assert rows[name] == pytest.approx(value)


def test_a_ratio_is_described_in_words(desks: Desks) -> None:
    plan = desks("invoices").ask("total amount divided by total line items")
    assert "divided by" in (plan.nodes[str(plan.result_node)].description or "")


def test_readings_that_give_the_same_documents_are_not_a_choice(desks: Desks) -> None:
    desk = desks("invoices")
    plan = desk.ask("invoices with 30 line items or fewer and an amount over 100")
    assert desk.result(plan) == desk.result(desk.ask("invoices with an amount over 100"))
