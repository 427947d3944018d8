"""What the chart reads of follow-ups without the rules: other numbers, sides, filters by position,
steps over texts, and clause by clause.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from backend.plans.requests.choose import Candidate
from backend.plans.requests.contrary import Contrary
from backend.plans.requests.follow_ups import (
    Asked,
    edit_candidates,
    problem_of,
    refuse_contradiction,
)
from backend.plans.requests.in_turn import clauses_of, in_turn
from tests.backend.plans.desk import ACCOUNT, NOW, Desk, make_desk
from tests.backend.plans.test_constructions import BOATS, _boats
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

LOC = ("body", "feedback")


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return make_desk(tmp_path_factory.mktemp("boats"), "boats", BOATS, _boats(), [["A boat"]] * 12)


def _asked(desk: Desk, before: Plan, feedback: str) -> Asked:
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    today = datetime.fromtimestamp(NOW, UTC).date()
    return Asked(before, feedback, vocabulary.collection, vocabulary, today)


def _edited(desk: Desk, before: Plan, feedback: str) -> Candidate:
    return edit_candidates(_asked(desk, before, feedback), None, [])[0]


ABOVE = "boats with a price above 500"
CHEAP = "sloops with a price below 700"
GROUPS = "number of boats per home port"


@pytest.mark.parametrize(
    ("question", "feedback", "wish"),
    [
        (ABOVE, "the threshold should be 600", "boats with a price above 600"),
        (ABOVE, "raise it by 100", "boats with a price above 600"),
        (ABOVE, "100 more", "boats with a price above 600"),
        (ABOVE, "increase the limit by 20%", "boats with a price above 600"),
        (ABOVE, "cap it at 700", "boats with a price above 500 and at most 700"),
        (ABOVE, "below, not above", "boats with a price below 500"),
        ("5 longest boats", "double it", "10 longest boats"),
        ("6 longest boats", "half as many", "3 longest boats"),
        (CHEAP, "drop the second filter", "sloops"),
        (CHEAP, "only the price filter", "boats with a price below 700"),
        (CHEAP, "drop the filters except price", "boats with a price below 700"),
        ("boats built in 2015", "and after", "boats built since 2015"),
    ],
)
def test_a_number_a_side_or_a_filter_of_the_plan_is_changed(
    boats: Desk, question: str, feedback: str, wish: str
) -> None:
    made = _edited(boats, boats.begin(question), feedback)
    assert made.skipped == ()
    assert set(boats.keys(made.plan)) == set(boats.keys(boats.begin(wish)))


def test_a_summary_comes_and_goes(boats: Desk) -> None:
    with_summary = _edited(boats, boats.begin("sloops"), "summarise them").plan
    assert "SummarizeData" in {node.node_type for node in with_summary.nodes.values()}
    without = _edited(boats, with_summary, "drop the summary").plan
    assert "SummarizeData" not in {node.node_type for node in without.nodes.values()}


def test_a_wish_that_the_plan_fulfils_changes_nothing_and_is_reported(boats: Desk) -> None:
    made = _edited(boats, boats.begin("sloops"), "only the sloops")
    assert made.plan.nodes == boats.begin("sloops").nodes
    assert made.plan.edit is not None
    assert [item.kind for item in made.plan.edit.not_applied] == ["no_change"]


def test_what_the_plan_lacks_cannot_be_removed(boats: Desk) -> None:
    problem = problem_of(_asked(boats, boats.begin("sloops"), "drop the limit"))
    assert problem is not None
    assert problem.kind == "no_such_node"


def test_a_follow_up_that_contradicts_itself_is_refused(boats: Desk) -> None:
    with pytest.raises(Contrary):
        refuse_contradiction(_asked(boats, boats.begin("boats"), "only sloops and no sloops"))


# -- clause by clause


@pytest.fixture
def clause_reader(boats: Desk) -> Callable[[Plan, str], Candidate | Invalid]:
    def read(before: Plan, clause: str) -> Candidate | Invalid:
        found = edit_candidates(_asked(boats, before, clause), None, [])
        return found[0] if found and not found[0].skipped else Invalid.at(LOC, "unknown", "x")

    return read


def test_clauses_that_are_not_understood_are_reported_and_the_others_applied(
    boats: Desk, clause_reader: Callable[[Plan, str], Candidate | Invalid]
) -> None:
    before = boats.begin("boats sorted by price")
    plan = in_turn(before, "only sloops, then paint them green", clause_reader, LOC)
    assert plan is not None
    assert plan.edit is not None
    assert set(boats.keys(plan)) == set(boats.keys(boats.begin("sloops")))
    assert [item.clause for item in plan.edit.not_applied] == ["paint them green"]


def test_a_clause_that_points_at_an_unknown_one_is_not_applied(
    boats: Desk, clause_reader: Callable[[Plan, str], Candidate | Invalid]
) -> None:
    text = "only the purple ones, then drop that"
    assert in_turn(boats.begin("sloops"), text, clause_reader, LOC) is None


def test_names_in_a_list_are_no_clauses(
    boats: Desk, clause_reader: Callable[[Plan, str], Candidate | Invalid]
) -> None:
    text = "built after 2014, built after 2016 and wobbly"
    assert in_turn(boats.begin("boats"), text, clause_reader, LOC) is None


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("over 1,000 euros", ["over 1,000 euros"]),
        ("Drop that. Then sort by price", ["Drop that", "sort by price"]),
        ("only sloops, and no ketches", ["only sloops", "no ketches"]),
        ("by type, not by maker", ["by type, not by maker"]),
    ],
)
def test_clauses_end_at_marks_and_conjunctions(text: str, clauses: list[str]) -> None:
    assert [text[span.start : span.stop] for span in clauses_of(text)] == clauses
