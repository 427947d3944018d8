"""Conversations of six turns and more: each follow-up edits what the one before it made."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from tests.backend.plans.test_constructions import BOATS, _boats
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash

ROWS = _boats()
Row = dict[str, Any]


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return make_desk(tmp_path_factory.mktemp("boats"), "boats", BOATS, ROWS, [["A boat"]] * 12)


def names(*conditions: Callable[[Row], bool]) -> set[str]:
    """The names of the boats that fulfil all conditions."""
    return {row["name"] for row in ROWS if all(fits(row) for fits in conditions)}


def sloop(row: Row) -> bool:
    return bool(row["type"] == "sloop")


def ketch(row: Row) -> bool:
    return not sloop(row)


def licensed(row: Row) -> bool:
    return bool(row["licensed"])


def unlicensed(row: Row) -> bool:
    return not licensed(row)


def talk(desk: Desk, turns: Sequence[str]) -> list[Plan]:
    """The plan after each turn."""
    plans = [desk.begin(turns[0])]
    for turn in turns[1:]:
        plans.append(desk.edit(plans[-1], turn))
    return plans


def test_narrowing_the_others_counting_another_value_and_going_back(boats: Desk) -> None:
    plans = talk(
        boats,
        [
            "sloops",
            "which of them are licensed?",
            "and the others?",
            "how many is that?",
            "same for ketches",
            "list them, highest price first",
            "just the first one",
            "go back two steps",
        ],
    )
    assert set(boats.keys(plans[1])) == names(sloop, licensed)
    assert set(boats.keys(plans[2])) == names(sloop, unlicensed)
    assert boats.result(plans[3]) == len(names(sloop, unlicensed))
    assert boats.result(plans[4]) == len(names(ketch, unlicensed))
    dearest = sorted(names(ketch, unlicensed), key=lambda n: -price(n))
    assert boats.keys(plans[5]) == dearest
    assert boats.keys(plans[6]) == dearest[:1]
    assert boats.result(plans[7]) == len(names(ketch, unlicensed))


def price(name: str) -> float:
    return next(float(row["price"]) for row in ROWS if row["name"] == name)


def test_every_turn_can_be_undone_in_its_place_and_one_by_one_to_the_first(boats: Desk) -> None:
    plans = talk(
        boats,
        [
            "sloops",
            "only licensed ones",
            "built since 2014",
            "how many are there?",
            "per home port",
            "the average price instead",
            "New question: all ketches",
        ],
    )
    for earlier, later in pairwise(plans):
        assert plan_hash(boats.edit(later, "undo that")) == plan_hash(earlier)
    back = plans[-1]
    for earlier in reversed(plans[:-1]):
        back = boats.edit(back, "undo")
        assert plan_hash(back) == plan_hash(earlier)
    assert plan_hash(boats.edit(plans[-1], "undo the last three changes")) == plan_hash(plans[3])


def test_figures_of_groups_and_a_new_question(boats: Desk) -> None:
    plans = talk(
        boats,
        [
            "how many boats per type?",
            "now not the number, but the average price",
            "the median in place of the average please",
            "only those built since 2016",
            "by home port instead of type",
            "no, undo that",
            "which type comes first?",
            "New question: how many ketches are there?",
        ],
    )
    assert boats.rows(plans[0]) == {"ketch": 6, "sloop": 6}
    assert boats.rows(plans[1]) == {"ketch": 650.0, "sloop": 700.0}
    assert boats.rows(plans[2]) == {"ketch": 650.0, "sloop": 700.0}
    assert boats.rows(plans[3]) == {"ketch": 800.0, "sloop": 850.0}
    assert boats.rows(plans[5]) == {"ketch": 800.0, "sloop": 850.0}
    assert boats.rows(plans[6]) == {"sloop": 850.0}
    assert boats.result(plans[7]) == 6
    assert plans[7].edit is not None and plans[7].edit.applied[0].op == "start_over"


@pytest.mark.parametrize(
    "follow_up",
    ["and Colne?", "same for Colne", "please repeat this for Colne", "what about Colne?",
     "kindly state the corresponding number for Colne", "no, I meant Colne",
     "Goodness. And Colne?"],
)  # fmt: skip
def test_another_value_takes_the_place_of_the_one_before(boats: Desk, follow_up: str) -> None:
    plans = talk(boats, ["how many boats with the home port Ashby?", follow_up])
    assert boats.result(plans[1]) == len(names(lambda row: row["home_port"] == "Colne"))


@pytest.mark.parametrize(
    "follow_up",
    ["please differentiate this by type", "split that up by type", "kindly present this by type",
     "the same for each type"],
)  # fmt: skip
def test_a_figure_is_split_by_a_property(boats: Desk, follow_up: str) -> None:
    plans = talk(boats, ["average price of the boats", follow_up])
    assert boats.rows(plans[1]) == {"ketch": 650.0, "sloop": 700.0}


@pytest.mark.parametrize("follow_up", ["the last three", "show me the last 3"])
def test_the_last_of_dates_are_the_latest(boats: Desk, follow_up: str) -> None:
    plans = talk(boats, ["boats sorted by built, newest first", follow_up])
    assert boats.keys(plans[1]) == ["Skua", "Puffin", "Fulmar"]


@pytest.mark.parametrize(
    "question",
    ["and in Ashby?", "just the ones in Ashby", "what about sloops?",
     "of those, which are licensed?", "show me those",
     "the list should be limited to sloops", "how many is that?", "same for ketches"],
)  # fmt: skip
def test_a_first_question_that_refers_back_is_refused(boats: Desk, question: str) -> None:
    with pytest.raises(Invalid, match="earlier question"):
        boats.ask(question)


@pytest.mark.parametrize(
    ("follow_up", "keys"),
    [("the dearest of them", ["Skua"]), ("the longest one", ["Skua"]),
     ("and the cheapest?", ["Plover"]), ("the two cheapest", ["Plover", "Teal"]),
     ("the dearest at the top", None)],
)  # fmt: skip
def test_a_superlative_over_a_list_is_one_document(
    boats: Desk, follow_up: str, keys: list[str] | None
) -> None:
    plans = talk(boats, ["sloops", follow_up])
    dearest_first = sorted(names(sloop), key=lambda n: -price(n))
    assert boats.keys(plans[1]) == (keys or dearest_first)


def test_which_of_those_that_were_counted_lists_them(boats: Desk) -> None:
    plans = talk(boats, ["how many sloops are there?", "which of them are licensed?"])
    assert set(boats.keys(plans[1])) == names(sloop, licensed)


@pytest.mark.parametrize(
    ("follow_up", "result"),
    [("what do these two add up to?", 1850.0), ("what do they come to in total?", 1850.0),
     ("how much did they bring in", 1850.0), ("what did they cost on average?", 925.0)],
)  # fmt: skip
def test_a_figure_without_a_name_is_of_the_number_that_the_plan_is_about(
    boats: Desk, follow_up: str, result: float
) -> None:
    plans = talk(boats, ["boats with a price over 500", "the two dearest of them", follow_up])
    assert boats.result(plans[2]) == result


def test_an_order_without_a_name_is_by_the_number_that_the_plan_compares(boats: Desk) -> None:
    plans = talk(boats, ["sloops with a price over 600", "largest first"])
    assert boats.keys(plans[1]) == ["Skua", "Fulmar", "Godwit", "Avocet"]
    assert plans[1].edit is not None and any("price" in w for w in plans[1].edit.warnings)


@pytest.mark.parametrize("lead", ["I should have said", "sorry, I meant", "Correction, I mean"])
def test_a_correction_replaces_the_date(boats: Desk, lead: str) -> None:
    plans = talk(boats, ["boats inspected in 2023", f"{lead} built in 2014"])
    assert boats.keys(plans[1]) == ["Dunlin"]


def test_a_follow_up_whose_number_is_not_used_is_not_guessed(boats: Desk) -> None:
    with pytest.raises(Invalid) as refusal:
        talk(boats, ["sloops", "the three that go back furthest, oldest first"])
    assert refusal.value.faults[0].choices


@pytest.mark.parametrize("words", ["no, all of them", "No, show me all of them.", "show all again"])
@pytest.mark.parametrize(
    "question", ["how many boats by type", "average length of boats by type", "sloops"]
)
def test_all_of_them_takes_back_the_last_restriction_and_nothing_else(
    boats: Desk, question: str, words: str
) -> None:
    begun, restricted, again = talk(boats, [question, "only licensed", words])
    assert plan_hash(begun) == plan_hash(again) != plan_hash(restricted)


def test_what_was_asked_after_the_restriction_stays(boats: Desk) -> None:
    turns = ["how many boats by type", "only licensed", "highest first", "no, all of them"]
    ordered = boats.begin("how many boats by type", "highest first")
    assert plan_hash(talk(boats, turns)[-1]) == plan_hash(ordered)


def test_all_of_them_takes_a_limit_away_that_came_last(boats: Desk) -> None:
    turns = ["list the boats", "only licensed", "top 3 by length", "no, all of them"]
    assert set(boats.keys(talk(boats, turns)[-1])) == names(licensed)


def test_all_of_them_takes_back_the_only_condition_of_a_question(boats: Desk) -> None:
    plans = talk(boats, ["how many licensed boats by type", "no, all of them"])
    assert plan_hash(plans[-1]) == plan_hash(boats.begin("how many boats by type"))
