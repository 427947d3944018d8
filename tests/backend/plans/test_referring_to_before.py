"""Follow-ups refer to what the plan before has: bounds, restrictions, the whole of a share."""

from collections.abc import Callable

import pytest

from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

Desks = Callable[[str], Desk]


def after(desk: Desk, *turns: str) -> Plan:
    plan = desk.ask(turns[0])
    for turn in turns[1:]:
        plan = desk.edit(plan, turn)
    return plan


def steps(plan: Plan) -> list[str | None]:
    return [node.description for node in plan.nodes.values()][1:]


RATED = ("average price by maker", "only those above 400")
BUSY = ("rentals per clerk", "only with 20 or more")
COUNTED = ["Group by clerk", "Compute the number of documents of each group"]


@pytest.mark.parametrize(
    ("turns", "bound"),
    [
        ((*RATED, "raise the threshold to 450"), "avg price eur is more than 450"),
        ((*BUSY, "lower the minimum to 10"), "count is at least 10"),
    ],
)
def test_another_number_takes_the_place_of_the_bound_of_groups(
    desks: Desks, turns: tuple[str, ...], bound: str
) -> None:
    assert steps(after(desks("rentals"), *turns))[2:] == [f"Keep groups where {bound}"]


@pytest.mark.parametrize("feedback", ["no minimum", "drop the 20 or more", "drop the 20+"])
def test_the_bound_of_groups_goes(desks: Desks, feedback: str) -> None:
    assert steps(after(desks("rentals"), *BUSY, feedback)) == COUNTED


def test_a_bound_goes_beside_another_group(desks: Desks) -> None:
    plan = after(desks("rentals"), *BUSY, "by maker instead, drop the 20 or more")
    assert steps(plan) == ["Group by maker", COUNTED[1]]


def test_a_bound_that_is_named_by_its_number_goes(desks: Desks) -> None:
    plan = after(desks("rentals"), "harp rentals", "only those with a price over 300",
                 "forget the 300 limit")  # fmt: skip
    assert steps(plan) == ["Keep where instrument is harp"]


def test_which_has_the_least_is_one_group(desks: Desks) -> None:
    plan = after(desks("rentals"), "total price by instrument", "which instrument has the least?")
    assert steps(plan)[2:] == ["Sort by sum price eur from low to high", "Keep the first 1"]


@pytest.mark.parametrize(
    ("turns", "share"),
    [
        (("How many violin rentals are there?", "Of those, how many are closed?",
          "As a share of all violin rentals"), "is closed is true"),
        (("closed rentals of violins", "as a share of everything"),
         "what fits"),
        (("How many rentals started in 2022?", "How many of these are closed?",
          "as a share of that year"), "is closed is true"),
    ],
)  # fmt: skip
def test_the_whole_of_a_share_is_part_of_the_plan(
    desks: Desks, turns: tuple[str, ...], share: str
) -> None:
    assert (
        steps(after(desks("rentals"), *turns))[-1] == f"Divide the two counts: the share of {share}"
    )


def test_what_the_whole_has_besides_is_asked_back(desks: Desks) -> None:
    with pytest.raises(Invalid, match="choose one"):
        after(
            desks("moorings"), "sloops in Holm", "how many are insured?", "as a share of all sloops"
        )


@pytest.mark.parametrize("feedback", ["in per cent", "as percentages", "as a share"])
def test_groups_in_per_cent(desks: Desks, feedback: str) -> None:
    plan = after(desks("moorings"), "moorings by harbour", feedback)
    form = "" if feedback == "as a share" else ", in percent"
    assert steps(plan)[-1] == f"Compute the share of all documents of each group{form}"


def test_per_cent_is_a_unit(desks: Desks) -> None:
    plan = after(desks("moorings"), "contracts with a fee rise", "only those below 2 per cent")
    assert "fee rise pct is less than 2" in str(steps(plan)[-1])


@pytest.mark.parametrize("feedback", ["No, everyone", "No, all of them", "all of them again"])
def test_all_again_takes_the_last_restriction_back(desks: Desks, feedback: str) -> None:
    plan = after(desks("rentals"), "cello rentals", "Only those by Ben Osei", feedback)
    assert steps(plan) == ["Keep where instrument is cello"]


def test_all_again_with_a_further_wish(desks: Desks) -> None:
    plan = after(desks("rentals"), "cello rentals", "Only those by Ben Osei",
                 "No, all of them, but sorted by price")  # fmt: skip
    assert steps(plan) == ["Keep where instrument is cello", "Sort by price eur from low to high"]
    assert plan.edit is not None
    assert plan.edit.applied[0].op == "undo"


@pytest.mark.parametrize(
    ("feedback", "kept"),
    [
        ("drop the ones that have ended", "ends on is unknown"),
        ("drop those which are closed", "is closed is false"),
    ],
)
def test_what_a_clause_describes_goes(desks: Desks, feedback: str, kept: str) -> None:
    plan = after(desks("rentals"), "harp rentals", feedback)
    assert steps(plan) == ["Keep where instrument is harp", f"Keep where {kept}"]


def test_what_about_another_value_of_a_list_replaces_the_first(desks: Desks) -> None:
    plan = after(desks("rentals"), "rentals with a bow", "and with a stand?")
    assert steps(plan) == ["Keep where extras is stand"]


def test_instead_leaves_none_of_the_keys(desks: Desks) -> None:
    plan = after(desks("rentals"), "rentals per month of start", "by weekday instead")
    assert steps(plan)[0] == "Group by weekday of starts on"


@pytest.mark.parametrize(
    ("turns", "month"),
    [
        (("contracts that began in 2022", "and in May?"),
         "began on is from 2022-05-01 to 2022-05-31"),
        (("How many contracts began in January?", "And in March?"),
         "calendar month of began on is March"),
    ],
)  # fmt: skip
def test_a_month_is_that_of_the_year_of_the_plan(
    desks: Desks, turns: tuple[str, ...], month: str
) -> None:
    assert f"Keep where {month}" in steps(after(desks("moorings"), *turns))


def test_together_adds_up(desks: Desks) -> None:
    plan = after(desks("rentals"), "harp rentals", "What is their price together?")
    assert steps(plan)[-1] == "Compute the total price eur"


@pytest.mark.parametrize(
    ("feedback", "left"),
    [
        ("no upper limit", "price eur is at least 300"),
        ("drop the lower limit", "price eur is at most 600"),
    ],
)
def test_one_end_of_a_range_goes(desks: Desks, feedback: str, left: str) -> None:
    plan = after(desks("rentals"), "rentals with a price between 300 and 600", feedback)
    assert steps(plan) == [f"Keep where {left}"]


def test_the_year_goes(desks: Desks) -> None:
    plan = after(desks("rentals"), "cello rentals started in 2022", "drop the year")
    assert steps(plan) == ["Keep where instrument is cello"]


def test_other_values_are_listed_instead(desks: Desks) -> None:
    plan = after(desks("rentals"), "which makers made harps?", "clerk instead")
    assert steps(plan) == ["Keep where instrument is harp", "List the different values of clerk"]
