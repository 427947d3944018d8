"""Who asks for percent gets percent: 65 rather than 0.65, in questions and in feedback."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

Desks = Callable[[str], Desk]


@pytest.fixture
def desk(desks: Desks) -> Desk:
    return desks("satellites")


def _active(desk: Desk, **only: Any) -> float:
    records = [r for r in desk.records if all(r[k] == v for k, v in only.items())]
    return sum(r["active"] for r in records) / len(records)


def _by_orbit(desk: Desk) -> dict[str, float]:
    return {orbit: 100 * _active(desk, orbit=orbit) for orbit in {r["orbit"] for r in desk.records}}


@pytest.mark.parametrize(
    "question",
    [
        "what percentage of satellites are active?",
        "what % of satellites are active?",
        "how many per cent of the satellites are active?",
        "share of active satellites, in percent",
        "active satellites as a percentage of all satellites",
    ],
)
def test_a_share_asked_for_in_percent_is_given_in_percent(desk: Desk, question: str) -> None:
    plan = desk.ask(question)
    assert desk.result(plan) == pytest.approx(100 * _active(desk))
    assert plan.edit is None or not plan.edit.unused
    assert (plan.node(plan.result_node).description or "").endswith(", in percent")
    assert desk.run(plan).sentences[-1].endswith(" %")


@pytest.mark.parametrize(
    "question",
    [
        "what share of satellites are active?",
        "what fraction of satellites is active?",
        "proportion of active satellites",
    ],
)
def test_other_words_for_a_share_give_a_fraction(desk: Desk, question: str) -> None:
    assert desk.result(desk.ask(question)) == pytest.approx(_active(desk))


def test_percentages_of_groups_are_in_percent(desk: Desk) -> None:
    rows = desk.rows(desk.ask("what percentage of satellites are active in each orbit?"))
    assert rows == pytest.approx(_by_orbit(desk))


def test_a_later_turn_keeps_the_percent(desk: Desk) -> None:
    plan = desk.begin("what percentage of satellites are active?")
    in_leo = desk.edit(plan, "and in LEO?")
    assert desk.result(in_leo) == pytest.approx(100 * _active(desk, orbit="LEO"))
    assert desk.rows(desk.edit(plan, "per orbit")) == pytest.approx(_by_orbit(desk))


def test_percent_can_be_asked_for_later_and_undone(desk: Desk) -> None:
    plan = desk.begin("what share of satellites are active?")
    percent = desk.edit(plan, "in percent please")
    assert desk.result(percent) == pytest.approx(100 * _active(desk))
    assert percent.edit is not None and percent.edit.diff is not None
    assert "percent" in " ".join(percent.edit.diff.lines)
    for words in ("as a fraction", "undo"):
        assert desk.result(desk.edit(percent, words)) == pytest.approx(_active(desk))
    with pytest.raises(Invalid, match="in percent already"):
        desk.edit(percent, "as a percentage")


@pytest.mark.parametrize(
    ("feedback", "bound"),
    [("only those over 55 %", 55), ("only orbits above 55 percent", 55)],
)
@pytest.mark.parametrize("asked", ["percentage", "share"])
def test_a_condition_on_a_share_has_the_numbers_of_the_share(
    desk: Desk, feedback: str, bound: float, asked: str
) -> None:
    plan = desk.edit(desk.begin(f"{asked} of active satellites per orbit"), feedback)
    whole = 1 if asked == "percentage" else 100
    kept = {orbit: n / whole for orbit, n in _by_orbit(desk).items() if n > bound}
    assert 0 < len(kept) < len(_by_orbit(desk))
    assert desk.rows(plan) == pytest.approx(kept)
    other = desk.edit(plan, "as fractions" if asked == "percentage" else "in percent")
    assert desk.rows(other).keys() == kept.keys()


def test_a_condition_in_percent_does_not_ask_for_percent(desks: Desks) -> None:
    invoices = desks("invoices")
    plan = invoices.ask("what share of invoices has a vat pct over 10 percent?")
    assert 0 < invoices.result(plan) < 1


@pytest.mark.parametrize(
    "question",
    [
        "orbits where over 55 percent of satellites are active",
        "which orbits have more than 55 % active satellites",
    ],
)
def test_groups_are_kept_by_the_percentage_of_a_part(desk: Desk, question: str) -> None:
    kept = {orbit for orbit, percent in _by_orbit(desk).items() if percent > 55}
    assert desk.rows(desk.ask(question)).keys() == kept


def _quotient(desk: Desk, operation: str) -> Plan:
    source = desk.everything().nodes["0"].model_dump()
    count = {"node_type": "Count", "inputs": [0]}
    nodes = [
        source,
        {**count, "node_id": 1},
        {**count, "node_id": 2},
        {"node_type": "Math", "node_id": 3, "inputs": [1, 2], "operation": operation,
         "percent": True},
    ]  # fmt: skip
    return Plan.model_validate(
        {"nodes": {str(i): node for i, node in enumerate(nodes)}, "result_node": 3}
    )


def test_only_parts_of_a_whole_can_be_in_percent(desk: Desk) -> None:
    assert desk.result(_quotient(desk, "divide")) == 100
    with pytest.raises(Invalid, match=r"^percent is for divide, not for add"):
        desk.result(_quotient(desk, "add"))
