"""Feedback that corrects a plan: by contrast, by the opposite, by what is unsaid; and its laws."""

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.language.dates import Span, whole_year
from backend.language.shorthand import written_out
from backend.language.tokens import tokenise
from backend.plans.edits.merging import excludes, merge, union
from backend.plans.reading.dates_beside import date_beside
from backend.plans.reading.history_requests import is_redo, steps_back
from backend.plans.reading.whole_requests import fresh_start, is_either
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_nodes import BasicFilter

Desks = Callable[[str], Desk]
QUICK = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
CUISINES = ["Thai", "Greek", "French", "Mexican", "Ethiopian"]


@QUICK
@given(pair=st.lists(st.sampled_from(CUISINES), min_size=2, max_size=2, unique=True))
def test_however_two_values_are_set_against_each_other_the_plan_is_the_same(
    desks: Desks, pair: list[str]
) -> None:
    desk, (old, new) = desks("recipes"), pair
    start = desk.begin(f"{old} recipes")
    ways = [
        f"{new}, not {old}",
        f"{new} instead of {old}",
        f"not {old} but {new}",
        f"replace {old} with {new}",
        f"I meant {new}",
        f"drop {old} and put {new}",
    ]
    plans = {way: plan_hash(desk.edit(start, way)) for way in ways}
    assert len(set(plans.values())) == 1, plans


@pytest.mark.parametrize("start", ["vegetarian recipes", "recipes over 30 minutes", "Thai recipes"])
def test_the_opposite_of_the_opposite_is_the_plan_itself(desks: Desks, start: str) -> None:
    desk = desks("recipes")
    before = desk.begin(start)
    there = desk.edit(before, "the opposite")
    assert set(desk.keys(there)).isdisjoint(desk.keys(before))
    assert plan_hash(desk.edit(there, "the opposite")) == plan_hash(before)


@pytest.mark.parametrize(
    "feedback", ["only the vegetarian ones", "vegetarian please", "they must be vegetarian"]
)
def test_a_change_the_plan_already_contains_is_reported_as_such(
    desks: Desks, feedback: str
) -> None:
    desk = desks("recipes")
    before = desk.begin("vegetarian recipes")
    after = desk.edit(before, feedback)
    assert plan_hash(after) == plan_hash(before)
    assert after.edit is not None and not after.edit.applied
    assert [item.kind for item in after.edit.not_applied] == ["no_change"]


def test_a_new_plan_can_be_undone(desks: Desks) -> None:
    desk = desks("recipes")
    before = desk.begin("Thai recipes under 60 minutes")
    anew = desk.edit(before, "start over: Greek recipes")
    assert set(desk.keys(anew)) == desk.expected(lambda r: r["cuisine"] == "Greek")
    assert plan_hash(desk.edit(anew, "undo")) == plan_hash(before)


def test_a_new_start_that_is_not_understood_leaves_the_plan(desks: Desks) -> None:
    desk = desks("recipes")
    with pytest.raises(Invalid) as refusal:
        desk.edit(desk.begin("Thai recipes"), "start over: zorbic flumes")
    assert refusal.value.faults[0].loc == ["body", "feedback"]


def test_both_together_restores_what_the_last_edit_replaced(desks: Desks) -> None:
    desk = desks("recipes")
    plan = desk.edit(desk.begin("how many Thai recipes?"), "and Greek?", "both together")
    assert desk.result(plan) == len(desk.expected(lambda r: r["cuisine"] in ("Thai", "Greek")))


def test_both_together_is_refused_when_nothing_was_replaced(desks: Desks) -> None:
    desk = desks("recipes")
    with pytest.raises(Invalid, match="could come back"):
        desk.edit(desk.begin("how many Thai recipes?"), "both together")


def test_either_of_more_than_two_conditions_is_asked_back(desks: Desks) -> None:
    desk = desks("recipes")
    with pytest.raises(Invalid, match="which two"):
        desk.edit(desk.begin("vegetarian Thai recipes under 60 minutes"), "either one is enough")


def test_except_her_excludes_the_person_in_the_plan(desks: Desks) -> None:
    desk = desks("recipes")
    author = desk.records[0]["author"]
    plan = desk.edit(desk.begin(f"recipes by {author}"), "except her")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["author"] != author)


def test_one_grouping_key_of_two_can_be_removed(desks: Desks) -> None:
    desk = desks("recipes")
    one = desk.edit(desk.begin("number of recipes per cuisine and difficulty"), "drop the cuisine")
    assert plan_hash(one) == plan_hash(desk.ask("number of recipes per difficulty"))


def test_a_second_number_is_computed_like_the_first(desks: Desks) -> None:
    desk = desks("recipes")
    plan = desk.edit(desk.begin("average calories per cuisine"), "show the servings as well")
    columns = set(desk.result(plan)[0]["properties"])
    assert columns == {"key", "avg_calories", "avg_servings"}


def test_the_other_side_of_a_month_begins_with_its_first_day(desks: Desks) -> None:
    desk = desks("recipes")
    plan = desk.edit(desk.begin("recipes published after March 2023"), "no wait, before")
    results = {r["recipe_id"] for r in desk.records if (r["published_on"] or "9") < "2023-03-01"}
    assert set(desk.keys(plan)) == results


YEAR = whole_year(2023)
BESIDE = [
    ("the first half", "2023-01-01", "2023-06-30"),
    ("the last quarter", "2023-10-01", "2023-12-31"),
    ("Q3", "2023-07-01", "2023-09-30"),
    ("June", "2023-06-01", "2023-06-30"),
    ("winter", "2023-12-01", "2024-02-29"),
    ("a year later", "2024-01-01", "2024-12-31"),
    ("the previous year", "2022-01-01", "2022-12-31"),
]


@pytest.mark.parametrize(("text", "start", "end"), BESIDE)
def test_parts_of_a_year_are_meant_of_the_year_of_the_plan(text: str, start: str, end: str) -> None:
    tokens = [token for token in tokenise(text) if token.lower != "the"]
    dated = date_beside(tokens, 0, YEAR)
    assert dated is not None
    assert (dated[0].start, dated[0].end) == (date.fromisoformat(start), date.fromisoformat(end))


def test_a_month_with_its_own_year_is_not_relative_to_the_plan() -> None:
    assert date_beside(tokenise("June 2021"), 0, YEAR) is None


def test_a_year_cannot_be_shifted_by_a_month() -> None:
    half = Span(date(2023, 1, 5), date(2023, 6, 30))
    assert date_beside(tokenise("the month after"), 1, half) is None


BOUNDS = st.one_of(st.none(), st.integers(0, 20))


@st.composite
def ranges(draw: st.DrawFn) -> BasicFilter:
    low, high = draw(BOUNDS), draw(BOUNDS)
    if low is None and high is None:
        low = 5
    if low is not None and high is not None:
        low, high = min(low, high), max(low, high)
    return BasicFilter(field="f", range_filter=True, start=low, end=high)


def passes(condition: BasicFilter, value: int) -> bool:
    if condition.any_of:
        return any(inside(part.start, part.end, value) for part in condition.any_of)
    return inside(condition.start, condition.end, value)


def inside(low: object, high: object, value: int) -> bool:
    above = not isinstance(low, int) or value >= low
    return above and (not isinstance(high, int) or value <= high)


@given(old=ranges(), new=ranges())
def test_widening_a_range_never_narrows_it(old: BasicFilter, new: BasicFilter) -> None:
    wider = union(old, new)
    for value in range(-1, 22):
        if passes(old, value):
            assert wider is None or passes(wider, value)


@given(old=ranges(), new=ranges())
def test_a_narrowed_range_keeps_the_last_bound(old: BasicFilter, new: BasicFilter) -> None:
    narrowed = merge(old, new)
    assert narrowed is not None
    for value in range(-1, 22):
        if passes(narrowed, value):
            assert passes(new, value)
        elif passes(old, value) and passes(new, value):
            assert excludes(old, new)


def test_abbreviations_in_quotation_marks_are_left_alone() -> None:
    assert written_out('only "w/o pls" thx') == 'only "w/o pls" thanks'


@pytest.mark.parametrize(
    "text",
    ["undo", "go back to how it was before", "please revert the last change", "put it back"],
)
def test_ways_to_take_the_last_edit_back(text: str) -> None:
    assert steps_back(text.removeprefix("please "))


@pytest.mark.parametrize(
    "text", ["undo the sort", "revert to the Thai ones", "put it back in 2022"]
)
def test_undoing_a_named_thing_is_another_wish(text: str) -> None:
    assert not steps_back(text)
    assert not is_redo(text)


@pytest.mark.parametrize(
    ("text", "rest"),
    [("start over", ""), ("start over: only Leeds", "only Leeds"), ("from scratch, Rome", "Rome")],
)
def test_starting_over_with_and_without_a_new_question(text: str, rest: str) -> None:
    assert fresh_start(text) == rest


@pytest.mark.parametrize("text", ["drop everything with a budget under 5", "starting in 2022"])
def test_removing_something_is_not_a_new_start(text: str) -> None:
    assert fresh_start(text) is None


def test_alternatives_must_name_their_conditions() -> None:
    assert is_either("either of the two is enough")
    assert not is_either("either Thai or Greek")


OTHER_WORDINGS = [
    ("recipes", "Thai recipes", "I said Thai but meant Greek", "Greek recipes"),
    ("recipes", "Thai easy recipes", "I said Thai but want all cuisines", "easy recipes"),
    ("recipes", "Thai recipes", "forget Thai, Greek", "Greek recipes"),
    ("recipes", "easy Thai recipes", "make it easy or Thai", "recipes that are easy or Thai"),
    ("recipes", "5 recipes with the highest rating", "let me see everyone", "all recipes"),
    ("recipes", "Thai vegetarian recipes", "I don't care if vegetarian or not", "Thai recipes"),
    ("recipes", "Thai vegetarian recipes", "forget the vegetarian part", "Thai recipes"),
    ("recipes", "Thai vegetarian recipes", "now without the cuisine", "vegetarian recipes"),
    ("recipes", "Thai recipes under 60 minutes", "no limit on minutes at all", "Thai recipes"),
    ("recipes", "recipes with 4 servings", "or 6", "recipes with 4 servings or 6 servings"),
    ("recipes", "list the cuisines", "how many recipes in each", "recipes per cuisine"),
    ("invoices", "invoices issued in 2024", "I was talking about due on", "invoices due in 2024"),
    (
        "recipes",
        "highest rating per cuisine",
        "per author instead and the lowest rating, not the highest",
        "lowest rating per author",
    ),
    (
        "recipes",
        "average calories per cuisine",
        "ratings are what I'm interested in",
        "average rating per cuisine",
    ),
    (
        "recipes",
        "average calories per cuisine",
        "replace calories by rating",
        "average rating per cuisine",
    ),
    (
        "recipes",
        "5 recipes with the highest rating",
        "largest by calories",
        "5 recipes with the highest calories",
    ),
]


@pytest.mark.parametrize(("name", "question", "feedback", "meant"), OTHER_WORDINGS)
def test_feedback_leads_to_the_plan_of_the_complete_question(
    desks: Desks, name: str, question: str, feedback: str, meant: str
) -> None:
    desk = desks(name)
    plan = desk.edit(desk.begin(question), feedback)
    assert plan.edit is not None
    assert plan.edit.not_applied == []
    assert _answer(desk, plan) == _answer(desk, desk.ask(meant))


def _answer(desk: Desk, plan: Plan) -> list[tuple[object, ...]]:
    """What a plan gives, without the order of rows and the names of the steps."""
    rows = [item["properties"] for item in desk.result(plan)]
    return sorted((str(row.get("entity")), str(row.get("key")), _numbers(row)) for row in rows)


def _numbers(row: dict[str, object]) -> tuple[float, ...]:
    return tuple(round(v, 6) for v in row.values() if isinstance(v, int | float))


@pytest.mark.parametrize(
    "words",
    [
        "mm no, take that back",
        "return to the previous version",
        "cancel the last edit",
        "never mind, revert this",
        "undo, the first was right",
    ],
)
def test_undo_accepts_many_wordings(desks: Desks, words: str) -> None:
    desk = desks("recipes")
    before = desk.begin("Thai recipes")
    assert plan_hash(desk.edit(before, "only the vegetarian ones", words)) == plan_hash(before)


def test_an_additional_requirement_is_combined_with_the_first(desks: Desks) -> None:
    """A property of several values can hold both; `must` does not widen."""
    desk = desks("rentals")
    one, other = "bow", "stand"
    for feedback in (f"{other} must be there as well", f"and {other} too"):
        plan = desk.edit(desk.begin(f"rentals with {one}"), feedback)
        assert set(desk.keys(plan)) == desk.expected(lambda r: {one, other} <= set(r["extras"]))


def test_an_adverb_without_a_condition_is_skipped_and_reported(desks: Desks) -> None:
    desk = desks("recipes")
    plan = desk.edit(desk.begin("Thai recipes"), "nonetheless only the vegetarian ones")
    assert plan.edit is not None
    assert any("nonetheless" in warning for warning in plan.edit.warnings)
    assert set(desk.keys(plan)) == desk.expected(
        lambda r: r["cuisine"] == "Thai" and r["vegetarian"]
    )


def test_an_order_by_nothing_known_leaves_the_present_one(desks: Desks) -> None:
    desk = desks("recipes")
    with pytest.raises(Invalid, match="by what"):
        desk.edit(
            desk.ask("recipe with the most calories"),
            "the strongest one, not the highest calories",
        )


def test_an_adjective_that_a_condition_explains_takes_nothing_away(desks: Desks) -> None:
    desk = desks("recipes")
    plan = desk.edit(desk.begin("Thai recipes"), "clear recipes only, I mean not vegetarian")
    wanted = desk.expected(lambda r: r["cuisine"] == "Thai" and not r["vegetarian"])
    assert set(desk.keys(plan)) == wanted
