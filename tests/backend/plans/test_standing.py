"""What was said about a question stays with the answers to its follow-ups, as long as it holds."""

from collections.abc import Callable

import pytest

from tests.backend.plans.desk import ACCOUNT, Desk
from workbench.contract.plan import EditRequest, Plan, Query

Desks = Callable[[str], Desk]
QUESTION = "satellites launched in 2019 for the army"
IGNORED = "ignored these words: “launched”, “army”"


def _edited(desk: Desk, plan: Plan, feedback: str) -> Plan:
    """The plan after feedback from a client that keeps the report, but no text."""
    kept = plan.model_copy(update={"llm_plan": None})
    query = Query(docset_id=desk.docset_id, plan=kept)
    return desk.service.edit(EditRequest(query=query, feedback=feedback), ACCOUNT)


@pytest.fixture(params=["text", "report"])
def edit(request: pytest.FixtureRequest) -> Callable[[Desk, Plan, str], Plan]:
    """Feedback from the two kinds of clients."""
    return Desk.edit if request.param == "text" else _edited


def _report(plan: Plan) -> tuple[list[str], list[str]]:
    assert plan.edit is not None
    return plan.edit.unused, plan.edit.warnings


def test_an_unused_word_stays(desks: Desks, edit: Callable[..., Plan]) -> None:
    desk = desks("satellites")
    plan = desk.ask(QUESTION)
    assert _report(plan) == (["army"], [IGNORED])
    for feedback in ("only active ones", "how many per orbit", "sort them by count"):
        plan = edit(desk, plan, feedback)
        assert _report(plan) == (["army"], [IGNORED])
    assert desk.run(plan).unused == ["army"]


@pytest.mark.parametrize(
    "feedback",
    ["army satellites have the purpose Navigation", "start over: how many satellites are there?"],
)
def test_it_ends_with_feedback_about_the_word_and_with_another_question(
    desks: Desks, edit: Callable[..., Plan], feedback: str
) -> None:
    desk = desks("satellites")
    edited = edit(desk, desk.ask(QUESTION), feedback)
    assert edited.edit is not None and edited.edit.unused == [] and desk.run(edited).unused == []


def test_undo_brings_it_back(desks: Desks, edit: Callable[..., Plan]) -> None:
    desk = desks("satellites")
    anew = edit(desk, desk.ask(QUESTION), "start over: how many satellites are there?")
    assert _report(edit(desk, anew, "undo")) == (["army"], [IGNORED])


def test_an_assumption_ends_with_its_step(desks: Desks, edit: Callable[..., Plan]) -> None:
    desk = desks("satellites")
    plan = desk.ask("How many Auroras are there?")
    (assumed,) = _report(plan)[1]
    active = edit(desk, plan, "only active ones")
    assert _report(active)[1] == [assumed]
    anyone = edit(desk, active, "no matter which operator")
    assert assumed not in _report(anyone)[1]


def test_a_clause_that_was_not_applied_is_not_forgotten(
    desks: Desks, edit: Callable[..., Plan]
) -> None:
    desk = desks("satellites")
    partly = edit(desk, desk.ask("satellites of 2019"), "only active ones, and sort by colour")
    (refused,) = partly.edit.not_applied if partly.edit is not None else ()
    later = edit(desk, partly, "only those in GEO")
    assert later.edit is not None and later.edit.not_applied == []
    assert later.edit.warnings == [f"“{refused.clause}” was not applied: {refused.reason}"]
