"""What a follow-up changes, and no words were found for, is an edit of the plan before."""

import pytest

from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import (
    AddFilter,
    ChangeFilter,
    ListValues,
    Operation,
    RemoveFilter,
    RemoveGroup,
    RemoveLimit,
    SetGroup,
    SetMeasures,
    SetSort,
    ShareOf,
    ToCount,
    ToDocuments,
)
from backend.plans.reading.phrasing import Key, Measure
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.edit_agreement import foresee_edit
from backend.plans.requests.foreseen_edits import foreseen_edits
from backend.plans.requests.outlook import Outlook, standing_of
from backend.plans.requests.plan_state import PlanState, state_of
from tests.backend.plans.calls import ENTITY, make_calls, outlook
from tests.backend.plans.desk import ACCOUNT, Desk
from workbench.contract.plan_nodes import BasicFilter

ROUTINE = "calls where urgency is routine"


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return make_calls(tmp_path_factory.mktemp("calls"))


@pytest.fixture(scope="module")
def vocabulary(calls: Desk) -> Vocabulary:
    return calls.service._vocabulary(calls.docset_id, ACCOUNT)


def state(desk: Desk, *requests: str) -> PlanState:
    plan = desk.ask(requests[0])
    for feedback in requests[1:]:
        plan = desk.edit(plan, feedback)
    return state_of(Draft.of(plan))


def first(made: PlanState, seen: Outlook, vocabulary: Vocabulary) -> tuple[Operation, ...]:
    """The likeliest edit."""
    return next(iter(foreseen_edits(made, seen, vocabulary))).operations


ROUTINELY = {"urgency": ["is"]}
STILL = {"urgency": ["routine"]}


@pytest.mark.parametrize(
    ("asked", "roles", "traits", "values", "expected"),
    [
        (ROUTINE, ROUTINELY | {"minutes": ["down"]}, ["list"], STILL,
         SetSort(ENTITY + "minutes", None, True)),
        (ROUTINE, ROUTINELY, ["count"], STILL, ToCount()),
        (ROUTINE, ROUTINELY | {"engineer": ["distinct"]}, ["distinct"], STILL,
         ListValues(ENTITY + "engineer")),
        (ROUTINE, ROUTINELY | {"minutes": ["avg"]}, ["figure"], STILL,
         SetMeasures((Measure("avg", ENTITY + "minutes"),))),
        (ROUTINE, ROUTINELY | {"engineer": ["group"]}, ["groups"], STILL,
         SetGroup(Key((ENTITY + "engineer",)))),
        ("calls by engineer", {"urgency": ["group"]}, ["groups"], {},
         SetGroup(Key((ENTITY + "urgency",)))),
        ("number of calls by engineer", {}, ["count"], {}, RemoveGroup()),
        ("the 5 longest calls by minutes", {"minutes": ["down"]}, ["list"], {}, RemoveLimit()),
    ],
)  # fmt: skip
def test_an_answer_becomes_the_one_that_is_foreseen(
    calls: Desk, vocabulary: Vocabulary, asked: str, roles: dict[str, list[str]],
    traits: list[str], values: dict[str, list[str]], expected: Operation,
) -> None:  # fmt: skip
    made = foreseen_edits(state(calls, asked), outlook(roles, traits, values), vocabulary)
    assert any(expected in act.operations for act in made)


def test_a_condition_that_is_no_longer_wanted_is_dropped(
    calls: Desk, vocabulary: Vocabulary
) -> None:
    made = state(calls, ROUTINE)
    assert first(made, outlook({}, ["list"]), vocabulary) == (
        RemoveFilter(condition=made.filters[0]),
    )


def test_the_others_are_those_whose_condition_is_denied(
    calls: Desk, vocabulary: Vocabulary
) -> None:
    made = state(calls, ROUTINE)
    seen = outlook({"urgency": ["is not"]}, ["list"], STILL)
    changes = [op for act in foreseen_edits(made, seen, vocabulary) for op in act.operations]
    denied = [op.new for op in changes if isinstance(op, ChangeFilter) and op.old is not None]
    assert [(one.field, one.query, one.negate) for one in denied][:1] == [
        (ENTITY + "urgency", "routine", True)
    ]


def test_another_value_takes_the_place_of_the_one_before(
    calls: Desk, vocabulary: Vocabulary
) -> None:
    seen = outlook(ROUTINELY, ["list"], {"urgency": ["stop"]})
    (change,) = first(state(calls, ROUTINE), seen, vocabulary)
    assert isinstance(change, ChangeFilter)
    assert (change.new.field, change.new.query) == (ENTITY + "urgency", "stop")


def test_a_further_condition_is_added(calls: Desk, vocabulary: Vocabulary) -> None:
    seen = outlook(ROUTINELY | {"warranty": ["is"]}, ["list"], STILL)
    (added,) = first(state(calls, ROUTINE), seen, vocabulary)
    assert added == AddFilter(BasicFilter(field=ENTITY + "warranty", query=True, match="exact"))


def test_a_period_moves_to_the_date_that_is_foreseen(calls: Desk, vocabulary: Vocabulary) -> None:
    made = state(calls, "calls with called on in April 2024")
    (change,) = first(made, outlook({"fixed_on": ["from", "to"]}, ["list"]), vocabulary)
    assert isinstance(change, ChangeFilter)
    assert change.old == made.filters[0]
    assert change.new == made.filters[0].model_copy(update={"field": ENTITY + "fixed_on"})


def test_months_of_one_date_become_months_of_another(calls: Desk, vocabulary: Vocabulary) -> None:
    made = state(calls, "number of calls by month of called on")
    seen = outlook({"fixed_on": ["group", "part"]}, ["groups"])
    (group,) = first(made, seen, vocabulary)
    assert isinstance(group, SetGroup)
    assert (group.key.fields[0].split(".")[2], group.key.bucket) == ("fixed_on", "month")


def test_several_changes_are_made_at_once(calls: Desk, vocabulary: Vocabulary) -> None:
    seen = outlook({"warranty": ["is"], "engineer": ["group"]}, ["groups"])
    made = first(state(calls, ROUTINE), seen, vocabulary)
    assert {type(operation) for operation in made} >= {RemoveFilter, AddFilter, SetGroup}


def test_a_share_is_that_of_the_documents_before(calls: Desk, vocabulary: Vocabulary) -> None:
    made = state(calls, "how many " + ROUTINE + "?")
    seen = outlook(ROUTINELY, ["share"], STILL)
    ways = [act.operations for act in foreseen_edits(made, seen, vocabulary)]
    assert (ToDocuments(), ShareOf(made.filters)) in ways


def test_nothing_is_edited_where_the_plan_does_what_is_foreseen(
    calls: Desk, vocabulary: Vocabulary
) -> None:
    seen = outlook(ROUTINELY, ["list"], STILL)
    assert list(foreseen_edits(state(calls, ROUTINE), seen, vocabulary)) == []


def test_the_network_is_not_asked_questions_too_long_for_it(
    calls: Desk, vocabulary: Vocabulary
) -> None:
    before = calls.ask(ROUTINE)
    assert foresee_edit("only the ones under warranty", before, [], vocabulary) is not None
    assert foresee_edit("well " * 60 + "only routine", before, [], vocabulary) is None


def test_a_plan_before_is_read_with_its_values(calls: Desk) -> None:
    now = standing_of(calls.edit(calls.ask(ROUTINE), "by engineer"))
    assert now.of(ENTITY + "urgency") == ("is routine",)
    assert now.of(ENTITY + "engineer") == ("group",)
    assert now.traits == ("groups",)
