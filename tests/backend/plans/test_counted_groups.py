"""Groups that are kept and counted by how many documents they have, and lists in order."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import Desk

Record = dict[str, Any]
Desks = Callable[[str], Desk]


def counts(desk: Desk, test: Callable[[Record], Any] = lambda r: True) -> Counter[str]:
    return Counter(r["clerk"] for r in desk.records if test(r))


def makers(desk: Desk, test: Callable[[Record], Any]) -> Counter[str]:
    return Counter(f"{r['maker']}" for r in desk.records if test(r))


@pytest.mark.parametrize(
    ("question", "turns"),
    [
        ("how many clerks had more than 20 rentals", []),
        ("how many clerks are named more than 20 times", []),
        ("number of clerks with more than 20 rentals", []),
        ("rentals per clerk", ["only clerks with more than 20", "how many are there?"]),
    ],
)
def test_groups_that_keep_a_bound_are_counted(
    desks: Desks, question: str, turns: list[str]
) -> None:
    desk = desks("rentals")
    plan = desk.edit(desk.ask(question), *turns)
    assert desk.result(plan) == sum(n > 20 for n in counts(desk).values())


@pytest.mark.parametrize(
    ("question", "kind", "kept"),
    [
        ("makers with at least 3 closed violin rentals",
         lambda r: r["is_closed"] and r["instrument"] == "violin", lambda n: n >= 3),
        ("makers with more than 4 closed rentals", lambda r: r["is_closed"], lambda n: n > 4),
        ("makers with at least 5 harp rentals", lambda r: r["instrument"] == "harp",
         lambda n: n >= 5),
        ("makers that appear more than twice", lambda r: True, lambda n: n > 2),
    ],
)  # fmt: skip
def test_groups_are_kept_by_their_documents_of_a_kind(
    desks: Desks, question: str, kind: Callable[[Record], Any], kept: Callable[[int], bool]
) -> None:
    desk = desks("rentals")
    wanted = {key: n for key, n in makers(desk, kind).items() if kept(n)}
    assert desk.rows(desk.ask(question)) == wanted


@pytest.mark.parametrize(
    "question",
    [
        "authors that appear only once",
        "authors with only one recipe",
        "authors with exactly one recipe",
    ],
)  # fmt: skip
def test_values_that_occur_once_are_listed(desks: Desks, question: str) -> None:
    desk = desks("recipes")
    wanted = Counter(r["author"] for r in desk.records if r["author"] is not None)
    assert desk.rows(desk.ask(question)) == {k: n for k, n in wanted.items() if n == 1}


def test_groups_without_documents_in_a_period_are_listed(desks: Desks) -> None:
    desk = desks("rentals")
    plan = desk.ask("which makers had no rentals that started in May 2022")
    there = {r["maker"] for r in desk.records if r["starts_on"][:7] == "2022-05"}
    assert set(desk.rows(plan)) == {r["maker"] for r in desk.records} - there


@pytest.mark.parametrize(
    "question", ["list the makers alphabetically", "all makers in alphabetical order"]
)
def test_listed_values_come_in_the_order_that_is_asked_for(desks: Desks, question: str) -> None:
    desk = desks("rentals")
    listed = [row["properties"]["key"] for row in desk.result(desk.ask(question))]
    assert listed == sorted({r["maker"] for r in desk.records})


def test_how_recent_is_asked_of_the_documents_that_a_fact_holds_of(desks: Desks) -> None:
    desk = desks("rentals")
    closed = [r for r in desk.records if r["is_closed"]]
    newest = max(r["starts_on"] for r in closed)
    keys = desk.keys(desk.ask("most recent closed rental"))
    assert keys and keys[0] in {r["rental_id"] for r in closed if r["starts_on"] == newest}


@pytest.mark.parametrize(
    "question",
    ["burglaries closed early or with an alarm", "cases with an alarm or closed early"],
)
def test_two_facts_joined_by_or_are_alternatives(desks: Desks, question: str) -> None:
    desk = desks("burglaries")
    plan = desk.ask(question)
    wanted = desk.expected(lambda r: r["closed_early"] or r["alarm"])
    assert set(desk.keys(plan)) == wanted


def leads(desk: Desk, test: Callable[[Record], Any]) -> set[str]:
    """Who leads the digs that pass."""
    return {r["lead"] for r in desk.records if test(r)}


def test_groups_without_a_matching_document_are_listed(desks: Desks) -> None:
    desk = desks("burglaries")
    busy = {r["officer"] for r in desk.records if r["closed_early"]}
    plan = desk.ask("list the officers that never had a case closed early")
    assert set(desk.rows(plan)) == {r["officer"] for r in desk.records} - busy


def test_groups_whose_documents_all_match_are_listed(desks: Desks) -> None:
    desk = desks("cooperatives")
    unfit = {r["cooperative"] for r in desk.records if r["branch"] != "Food"}
    plan = desk.ask("cooperatives where all sheets are Food")
    assert set(desk.rows(plan)) == {r["cooperative"] for r in desk.records} - unfit


def test_the_group_with_the_highest_share_is_named(desks: Desks) -> None:
    desk = desks("digs")
    shares = {
        lead: len([r for r in desk.records if r["lead"] == lead and r["culture"] == "Celtic"])
        / len([r for r in desk.records if r["lead"] == lead])
        for lead in leads(desk, lambda r: True)
    }
    plan = desk.ask("which lead has the highest share of Celtic digs")
    assert list(desk.rows(plan)) == [max(shares, key=lambda lead: shares[lead])]


def test_at_least_one_of_a_step_of_a_scale_is_a_number_of_documents(desks: Desks) -> None:
    desk = desks("recipes")
    wanted = Counter(r["author"] for r in desk.records if r["difficulty"] == "Hard")
    plan = desk.ask("authors with at least one hard recipe")
    assert desk.rows(plan) == dict(wanted)
