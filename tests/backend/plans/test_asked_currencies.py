"""Amounts in a currency are those in it, if documents state theirs; or else it is reported."""

from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

TOTAL = {"name": "total", "type": {"type": "float", "description": "Amount to be paid"}}
CURRENCY = {"name": "currency", "type": {"type": "string", "description": "Currency"}}


def _desk(folder: Path, currencies: list[str], *schema: dict[str, Any]) -> Desk:
    records = [
        {"number": f"B{at}", "total": 100.0 * at, "currency": currency}
        for at, currency in enumerate(currencies)
    ]
    number = {"name": "number", "type": {"type": "string"}}
    kept = {"number", *(prop["name"] for prop in schema)}
    rows = [{name: value for name, value in r.items() if name in kept} for r in records]
    return make_desk(folder, "bills", [number, *schema], rows, [["x"] for _ in rows])


def _remarks(desk: Desk, question: str) -> list[str]:
    plan = desk.ask(question)
    assert any(node.description == "Keep where total is more than 250" for node in
               plan.nodes.values())  # fmt: skip
    assert plan.edit is not None
    assert plan.edit.unused == []
    return plan.edit.warnings


@pytest.mark.parametrize(
    ("question", "currencies", "stored"),
    [
        ("bills with a total over 250 dollars", ["EUR"] * 6, "EUR"),
        ("bills with a total over $250", ["EUR", "€", "GBP"] * 2, "EUR and GBP"),
        ("bills with a total over 250 yen", ["EUR", "USD"] * 3, "EUR and USD"),
    ],
)
def test_another_currency_than_that_of_the_values_is_reported(
    tmp_path: Path, question: str, currencies: list[str], stored: str
) -> None:
    amount = question.partition("over ")[2]
    expected = f"total is in {stored}, compared with “{amount}” as plain numbers"
    assert expected in _remarks(_desk(tmp_path, currencies, TOTAL, CURRENCY), question)


def test_only_values_in_the_currency_are_kept_where_others_are_too(tmp_path: Path) -> None:
    desk = _desk(tmp_path, ["EUR", "USD", "EUR", "€", "USD", "EUR"], TOTAL, CURRENCY)
    question = "bills with a total over 250 euros"
    remark = "kept only where currency is EUR or €, because of “250 euros”"
    assert _remarks(desk, question) == [remark]
    assert desk.keys(desk.ask(question)) == ["B3", "B5"]
    counted = desk.ask("how many bills have a total over 250 euros?")
    assert counted.nodes[str(counted.result_node)].node_type == "Count"
    assert [node.node_id for node in counted.nodes.values()] == [0, 1, 2, 3]
    assert desk.result(counted) == 2


@pytest.mark.parametrize(
    "question", ["bills with a total over 250 euros", "bills with a total over 250"]
)
def test_the_same_currency_or_none_needs_no_remark(tmp_path: Path, question: str) -> None:
    desk = _desk(tmp_path, ["EUR", "€", "EUR"], TOTAL, CURRENCY)
    assert _remarks(desk, question) == []


@pytest.mark.parametrize("amount", ["250 ringgit", "250 euros"])
def test_an_amount_of_money_is_about_the_only_amount(tmp_path: Path, amount: str) -> None:
    remarks = _remarks(_desk(tmp_path, ["EUR"] * 4, TOTAL), f"bills over {amount}")
    assert remarks == [f"took “{amount}” to be about total"]
