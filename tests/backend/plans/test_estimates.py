"""Estimates that a plan carries before it runs."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import Desk
from workbench.contract.plan import NodeEstimate, Plan

Desks = Callable[[str], Desk]


@pytest.fixture
def desk(desks: Desks) -> Desk:
    return desks("satellites")


def estimates_of(plan: Plan) -> list[NodeEstimate]:
    assert plan.estimates is not None
    return plan.estimates


@pytest.mark.parametrize(
    "question",
    [
        "active satellites in LEO",
        "top 3 satellites by mass",
        "average mass by orbit",
        "how many satellites were launched after 2018?",
        "what percentage of satellites are active?",
    ],
)
def test_rows_of_a_small_collection_are_exact(desk: Desk, question: str) -> None:
    plan = desk.ask(question)
    result: Any = desk.result(plan)
    last = next(item for item in estimates_of(plan) if item.node_id == plan.result_node)
    assert last.exact
    assert last.rows == (len(result) if isinstance(result, list) else 1)


def test_every_step_has_an_estimate_and_an_edit_renews_it(desk: Desk) -> None:
    plan = desk.ask("active satellites")
    assert {item.node_id for item in estimates_of(plan)} == {
        node.node_id for node in plan.nodes.values()
    }
    narrowed = desk.edit(plan, "only LEO")
    assert estimates_of(narrowed)[-1].rows < estimates_of(plan)[-1].rows
    assert len(estimates_of(narrowed)) == len(narrowed.nodes)


def test_steps_that_read_texts_report_how_many_and_guess_no_rows(desk: Desk) -> None:
    plan = desk.edit(desk.ask("active satellites"), "about overheated batteries")
    judging = next(n for n in plan.nodes.values() if n.node_type == "LlmFilter")
    item = next(item for item in estimates_of(plan) if item.node_id == judging.node_id)
    assert item.texts_read == len(desk.expected(lambda r: r["active"]))
    assert not item.exact
    assert item.ms > 1


def test_estimates_that_a_caller_sends_back_are_ignored(desk: Desk) -> None:
    plan = desk.ask("active satellites")
    assert desk.run(plan).plan == plan.model_copy(update={"estimates": None, "edit": None})
