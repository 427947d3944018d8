"""Questions about figures of firms: profit and loss, parts of a business year, rates, the best."""

from collections import defaultdict
from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest

from tests.backend.plans.answers import same_number
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid

Record = dict[str, Any]
Desks = Callable[[str], Desk]


@pytest.mark.parametrize(
    ("question", "test"),
    [
        ("which sheets lost money", lambda r: r["result_keur"] < 0),
        ("unprofitable Food sheets", lambda r: r["result_keur"] < 0 and r["branch"] == "Food"),
        ("sheets of cooperatives that made a profit in 2022",
         lambda r: r["result_keur"] > 0 and r["business_year"] == 2022),
        ("Q3 2022 sheets", lambda r: r["quarter"] == "Q3" and r["business_year"] == 2022),
        ("turnover above 300 keur in Q1 2021",
         lambda r: r["turnover_keur"] > 300 and r["quarter"] == "Q1"
         and r["business_year"] == 2021),
        ("profit margin above 20%", lambda r: r["gross_margin_pct"] > 20),
        ("sheets where the dues were cut", lambda r: r["dues"] == "Lowered"),
        ("sheets where the dues were lifted", lambda r: r["dues"] == "Raised"),
    ],
)  # fmt: skip
def test_documents_are_found(desks: Desks, question: str, test: Callable[[Record], Any]) -> None:
    desk = desks("cooperatives")
    assert set(desk.keys(desk.ask(question))) == desk.expected(test)


def grouped(desk: Desk, key: str, field: str) -> dict[Any, list[float]]:
    groups: dict[Any, list[float]] = defaultdict(list)
    for record in desk.records:
        groups[record[key]].append(record[field])
    return groups


def test_the_best_of_an_income_that_may_be_a_loss_is_the_highest(desks: Desks) -> None:
    desk = desks("cooperatives")
    totals = {k: sum(v) for k, v in grouped(desk, "cooperative", "result_keur").items()}
    best = sorted(totals, key=lambda name: -totals[name])[:2]
    assert list(desk.rows(desk.ask("best two cooperatives by total result"))) == best


def test_the_fastest_growing_has_the_highest_growth(desks: Desks) -> None:
    desk = desks("cooperatives")
    means = {k: mean(v) for k, v in grouped(desk, "cooperative", "growth_pct").items()}
    plan = desk.ask("which cooperative grew the fastest on average?")
    assert list(desk.rows(plan)) == [max(means, key=lambda name: means[name])]


def test_the_deadliest_year_and_place_have_the_most_deaths_in_all(desks: Desks) -> None:
    desk = desks("cooperatives")
    totals = {k: sum(v) for k, v in grouped(desk, "cooperative", "mishaps").items()}
    assert list(desk.rows(desk.ask("deadliest cooperative"))) == [
        max(totals, key=lambda name: totals[name])
    ]
    years = {k: sum(v) for k, v in grouped(desk, "business_year", "mishaps").items()}
    assert max(years.values()) in desk.rows(desk.ask("what was the deadliest year?")).values()


def test_so_much_for_each_member_is_one_total_divided_by_the_other(desks: Desks) -> None:
    desk = desks("cooperatives")
    wanted = sum(r["turnover_keur"] for r in desk.records) / sum(r["members"] for r in desk.records)
    assert same_number(desk.result(desk.ask("turnover per member")), wanted)
    with pytest.raises(Invalid, match="group by itself"):
        desk.ask("sheets per member")


def test_averages_of_a_truth_and_its_opposite_are_compared(desks: Desks) -> None:
    desk = desks("cooperatives")
    rows = grouped(desk, "checked", "turnover_keur")
    plan = desk.ask("difference between the average turnover of checked and unchecked sheets")
    assert same_number(desk.result(plan), mean(rows[True]) - mean(rows[False]))


def test_who_runs_something_is_the_office_holder(desks: Desks) -> None:
    desk = desks("cooperatives")
    assert set(desk.rows(desk.ask("who runs Birch Mill?"))) == {"Per Holm"}
