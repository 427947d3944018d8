"""No part of a request silently replaces another, and none is read as something else."""

import random
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

_SCHEMA = [
    {"name": "loan_no", "type": "string"},
    {"name": "member", "type": "string"},
    {"name": "branch", "type": "string"},
    {"name": "digital", "type": "bool"},
    {"name": "lent_on", "type": "date"},
    {"name": "returned_on", "type": "date"},
    {"name": "fee", "type": "float"},
    {"name": "pages", "type": "int"},
]


def _loans() -> list[dict[str, Any]]:
    dice = random.Random(5)
    return [
        {
            "loan_no": f"N{i:03}",
            "member": dice.choice(["Ann Wu", "Bo Falk", "Cy Rao", "Di Sol"]),
            "branch": dice.choice(["Harbour", "Hill", "Market"]),
            "digital": dice.random() < 0.4,
            "lent_on": f"202{dice.randint(1, 4)}-0{dice.randint(1, 9)}-1{dice.randint(0, 9)}",
            "returned_on": None if dice.random() < 0.3 else f"2025-0{dice.randint(1, 9)}-01",
            "fee": dice.choice([1.5, 2, 3, 4.5, 8]),
            "pages": dice.randint(40, 700),
        }
        for i in range(60)
    ]


@pytest.fixture(scope="module")
def loans(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("loans")
    records = _loans()
    return make_desk(folder, "loan", _SCHEMA, records, [[f"Loan {r['loan_no']}"] for r in records])


def _steps(plan: Plan) -> list[str]:
    return [node.description or "" for node in plan.nodes.values()]


@pytest.mark.parametrize(
    "question",
    [
        "which branch has the most loans and what is the average fee?",
        "which branch has the most loans, and what is its average fee",
    ],
)
def test_a_second_figure_is_given_beside_the_one_that_ranks(loans: Desk, question: str) -> None:
    by_branch: dict[str, list[float]] = {}
    for record in loans.records:
        by_branch.setdefault(record["branch"], []).append(record["fee"])
    first = max(by_branch, key=lambda branch: len(by_branch[branch]))
    [row] = loans.result(loans.ask(question))
    fees = by_branch[first]
    assert row["properties"] == {
        "key": first, "count": len(fees), "avg_fee": pytest.approx(sum(fees) / len(fees)),
    }  # fmt: skip


def test_two_kinds_of_groups_are_not_answered_by_one(loans: Desk) -> None:
    with pytest.raises(Invalid, match="member"):
        loans.ask("which member has the highest fee per branch")


@pytest.mark.parametrize(
    "question",
    [
        "what percentage of the fees comes from Hill",
        "what percent of the total fees is for Hill",
        "of all the fees, what percentage was for Hill?",
    ],
)
def test_a_share_of_amounts_is_no_share_of_documents(loans: Desk, question: str) -> None:
    fees = {
        hill: sum(r["fee"] for r in loans.records if not hill or r["branch"] == "Hill")
        for hill in (True, False)
    }
    assert loans.result(loans.ask(question)) == pytest.approx(100 * fees[True] / fees[False])


def test_documents_are_not_ordered_by_a_date_that_none_of_them_has(loans: Desk) -> None:
    plan = loans.begin("loans without a return date")
    try:
        after = loans.edit(plan, "oldest first")
    except Invalid:
        return
    assert not any("returned on" in step for step in _steps(after) if step.startswith("Sort"))


@pytest.mark.parametrize("question", ["who was lent the most?", "who got lent the most?"])
def test_the_most_is_no_date(loans: Desk, question: str) -> None:
    with pytest.raises(Invalid):
        loans.ask(question)
    ranked = loans.result(loans.ask("which branch lent the most?"))
    assert ranked == loans.result(loans.ask("which branch has the most loans?"))


def test_about_a_number_replaces_a_bound_by_a_range(loans: Desk) -> None:
    plan = loans.begin("loans with a fee over 2")
    for words in ("about 3", "make it about 3", "around 3"):
        after = loans.edit(plan, words)
        assert set(loans.keys(after)) == loans.expected(lambda r: 2.7 <= r["fee"] <= 3.3)


def test_a_limit_is_no_bound_of_the_plan(loans: Desk) -> None:
    counted = loans.begin("loans per member", "only those with at least 5")
    limited = loans.edit(counted, "limit 2")
    assert len(loans.result(limited)) == 2
    assert "Keep groups where count is at least 5" in _steps(limited)


def test_the_first_few_of_one_number_need_an_order(loans: Desk) -> None:
    plan = loans.begin("average fee")
    with pytest.raises(Invalid, match=r"by what\?"):
        loans.edit(plan, "top 2")
    per_branch = loans.begin("average fee per branch")
    assert len(loans.result(loans.edit(per_branch, "top 2"))) == 2


def test_the_last_bit_is_the_last_change(loans: Desk) -> None:
    plan = loans.begin("loans of Ann Wu", "only digital ones")
    before = loans.edit(loans.edit(plan, "per branch"), "forget that last bit")
    assert loans.keys(before) == loans.keys(plan)
