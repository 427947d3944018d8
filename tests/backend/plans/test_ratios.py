"""A ratio of two totals is asked for in plain words, for all documents or for each group."""

from collections import defaultdict
from collections.abc import Callable

import pytest

from tests.backend.plans.desk import Desk
from tests.backend.plans.domains import invoices
from workbench.contract.errors import Invalid

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


def _shares() -> dict[str, float]:
    amounts: dict[str, float] = defaultdict(float)
    for record in invoices()[0]:
        amounts[record["supplier"]] += record["amount_keur"]
    return {name: amount / sum(amounts.values()) for name, amount in amounts.items()}


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("what share of the amount does each supplier bring in?", 1),
        ("what percentage of the total amount comes from each supplier?", 100),
        ("percentage of total amount per supplier", 100),
    ],
)
def test_each_group_has_its_share_of_a_total(desks: Desks, question: str, whole: int) -> None:
    desk = desks("invoices")
    wanted = {supplier: whole * share for supplier, share in _shares().items()}
    assert desk.rows(desk.ask(question)) == pytest.approx(wanted)


def test_totals_become_shares_of_the_whole_total_and_totals_again(desks: Desks) -> None:
    desk = desks("invoices")
    totals = desk.begin("total amount per supplier")
    shares = desk.edit(totals, "as a share")
    assert desk.rows(shares) == pytest.approx(_shares())
    assert desk.rows(desk.edit(shares, "back to the plain totals")) == desk.rows(totals)


def test_an_average_is_no_part_of_a_whole(desks: Desks) -> None:
    desk = desks("invoices")
    with pytest.raises(Invalid, match="no part of a whole"):
        desk.edit(desk.begin("average amount per supplier"), "as a percentage")


def test_counts_of_some_documents_become_shares_of_those(desks: Desks) -> None:
    desk = desks("invoices")
    counted = desk.begin("invoices per supplier", "only those with an amount over 100")
    shares = desk.rows(desk.edit(counted, "as a share of the invoices with an amount over 100"))
    whole = sum(desk.rows(counted).values())
    assert shares == pytest.approx({key: n / whole for key, n in desk.rows(counted).items()})
