"""Questions in plain words over properties that are described at length: digs."""

from collections.abc import Callable
from statistics import median
from typing import Any

import polars as pl
import pytest

from backend.plans.reading.descriptions import nouns_of_descriptions
from backend.plans.reading.properties import read_property
from backend.plans.tables.value_index import ValueIndex
from tests.backend.plans.answers import same_number, same_table
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid

Record = dict[str, Any]
Desks = Callable[[str], Desk]

DOCUMENTS: list[tuple[str, list[str], Callable[[Record], Any]]] = [
    ("all digs except the German ones", [], lambda r: r["country"] != "Germany"),
    ("digs with a value of at least 900 keur", [], lambda r: r["value_keur"] >= 900),
    ("digs whose cost is below 9k a month", [], lambda r: r["monthly_cost_eur"] < 9000),
    ("digs", ["cost must be more than 15000 per month"], lambda r: r["monthly_cost_eur"] > 15000),
    ("digs directed by Ines Marsh", [], lambda r: r["lead"] == "Ines Marsh"),
    ("digs arranged by Oskar Lund", [], lambda r: r["lead"] == "Oskar Lund"),
    ("digs that took more than 8 weeks to excavate", [], lambda r: r["trench_days"] > 56),
    ("digs where at most 5 percent of the volunteers left early", [], lambda r: r["quit_pct"] <= 5),
    ("digs that watch their volunteers for longer than 36 weeks", [],
     lambda r: r["watch_weeks"] > 36),
    ("digs with over 40 volunteers", [], lambda r: r["volunteers"] > 40),
    ("digs that give the funder an option to extend the permit", [],
     lambda r: r["permit_renewable"]),
    ("Norse digs", ["only where the funder has a renewable permit"],
     lambda r: r["culture"] == "Norse" and r["permit_renewable"]),
    ("digs that brought more than 40 volunteers a meal", [], lambda r: r["volunteers"] > 40),
    ("digs opened before the end of 2021", [], lambda r: r["opened_on"] < "2022-01-01"),
    ("digs opened by the end of June 2021", [], lambda r: r["opened_on"] <= "2021-06-30"),
    ("digs opened after the start of 2022", [], lambda r: r["opened_on"] > "2022-01-01"),
    ("digs opened next year", [], lambda r: r["opened_on"][:4] == "2027"),
    ("digs with a noise limit of 50 dBA", [], lambda r: r["max_noise_dba"] == 50),
    ("Norse digs in Spain", ["Norse should be Roman"],
     lambda r: r["country"] == "Spain" and r["culture"] == "Roman"),
    ("digs won by Vale House", [], lambda r: r["patron"] == "Vale House"),
    ("digs narrower than 5 inches", [], lambda r: r["pipe_in"] < 5),
    ("digs that were not guarded by the country", [], lambda r: not r["guarded"]),
    ("every dig of the country with the largest total value", [],
     lambda r: r["country"] == RICHEST),
]  # fmt: skip


@pytest.fixture(autouse=True)
def richest(desks: Desks) -> None:
    global RICHEST
    totals: dict[str, float] = {}
    for record in desks("digs").records:
        totals[record["country"]] = totals.get(record["country"], 0) + record["value_keur"]
    RICHEST = max(totals, key=lambda country: totals[country])


RICHEST = ""


@pytest.mark.parametrize(("question", "turns", "test"), DOCUMENTS)
def test_documents_are_found(
    desks: Desks, question: str, turns: list[str], test: Callable[[Record], Any]
) -> None:
    desk = desks("digs")
    plan = desk.edit(desk.ask(question), *turns)
    assert set(desk.keys(plan)) == desk.expected(test)


def test_took_longest_is_one_document_and_not_its_days(desks: Desks) -> None:
    desk = desks("digs")
    longest = max(r["trench_days"] or 0 for r in desk.records)
    keys = desk.keys(desk.ask("which dig took the longest to excavate?"))
    assert len(keys) == 1
    assert keys[0] in desk.expected(lambda r: r["trench_days"] == longest)


def test_time_to_do_something_is_the_number_that_is_described_so(desks: Desks) -> None:
    desk = desks("digs")
    days: dict[str, list[int]] = {}
    for record in desk.records:
        if record["trench_days"] is not None:
            days.setdefault(record["site"], []).append(record["trench_days"])
    wanted = {site: median(values) for site, values in days.items()}
    assert same_table(desk.rows(desk.ask("median time to excavate by site")), wanted)


def test_the_type_of_something_is_the_property_that_is_described_so(desks: Desks) -> None:
    desk = desks("digs")
    wanted: dict[str, int] = {}
    for record in desk.records:
        wanted[record["culture"]] = wanted.get(record["culture"], 0) + 1
    assert same_table(desk.rows(desk.ask("number of digs per find type")), wanted)


@pytest.mark.parametrize(
    "question",
    [
        "Good morning! For the quarterly council review I have been asked to find out how many "
        "digs there were in Spain. Would you be able to look that up for me, please?",
        "Hello, the committee meets soon and the chair wants to know one thing from me: how many "
        "digs do we have in Spain?",
    ],
)
def test_a_story_before_a_question_does_not_filter(desks: Desks, question: str) -> None:
    desk = desks("digs")
    wanted = sum(r["country"] == "Spain" for r in desk.records)
    assert same_number(desk.result(desk.ask(question)), wanted)


def test_how_many_volunteers_are_there_in_total(desks: Desks) -> None:
    desk = desks("digs")
    question = "how many volunteers do Roman digs include in total?"
    wanted = sum(r["volunteers"] for r in desk.records if r["culture"] == "Roman")
    same_number(desk.result(desk.ask(question)), wanted)


def test_who_is_the_funder_asks_for_the_funder(desks: Desks) -> None:
    desk = desks("digs")
    wanted = {r["funder"] for r in desk.records if r["lead"] == "Tilda Ray"}
    assert set(desk.rows(desk.ask("who is the funder of Tilda Ray"))) == wanted


def test_the_biggest_by_a_number_has_the_largest_total_of_it(desks: Desks) -> None:
    desk = desks("digs")
    totals: dict[str, float] = {}
    for record in desk.records:
        totals[record["funder"]] = totals.get(record["funder"], 0) + record["lab_hours"]
    plan = desk.ask("biggest funder by lab hours")
    assert list(desk.rows(plan)) == [max(totals, key=lambda name: totals[name])]


def test_groups_are_kept_by_how_many_different_values_they_have(desks: Desks) -> None:
    desk = desks("digs")
    places: dict[str, set[str]] = {}
    for record in desk.records:
        if record["opened_on"] > "2023-06-30":
            places.setdefault(record["funder"], set()).add(record["country"])
    plan = desk.ask("funders with digs in more than two countries opened after June 2023")
    assert set(desk.rows(plan)) == {name for name, values in places.items() if len(values) > 2}


def test_a_number_is_not_thrown_away_for_a_list_of_values(desks: Desks) -> None:
    with pytest.raises(Invalid, match="how it belongs"):
        desks("digs").ask("what does the average Roman funder cost per month")


@pytest.mark.parametrize(
    ("question", "test"),
    [
        ("digs that fed more than 50 volunteers", lambda r: r["volunteers"] > 50),
        ("digs with no exceptions at all", lambda r: r["exceptions"] == 0),
    ],
)
def test_a_plural_is_the_number_whose_name_holds_it(
    desks: Desks, question: str, test: Callable[[Record], Any]
) -> None:
    desk = desks("digs")
    assert set(desk.keys(desk.ask(question))) == desk.expected(test)


def test_the_noun_of_most_descriptions_is_the_document() -> None:
    expected = {
        "deed_months": "Length of the deed in months",
        "place": "Town in which the deed was signed",
        "clerk": "Person who wrote the deed",
        "sealed": "Whether the deed is sealed",
        "fees_paid": "Whether the fees of the deed were paid",
        "fees": "What the fees were",
    }
    assert nouns_of_descriptions(expected, []) == {"deed"}


def test_the_head_of_a_name_is_its_noun_and_no_participle() -> None:
    column = pl.Series("x", [1, 2, 3])
    heads = {
        name: read_property(f"properties.entity.{name}", "int", "", column, ValueIndex()).head
        for name in ("bids_received", "monthly_rent", "rent_increase_pct")
    }
    assert heads == {"bids_received": "bid", "monthly_rent": "rent", "rent_increase_pct": "increas"}


def test_how_many_different_patrons_won_something(desks: Desks) -> None:
    desk = desks("digs")
    question = "how many different patrons have won a dig?"
    assert same_number(desk.result(desk.ask(question)), len({r["patron"] for r in desk.records}))


def test_many_wordings_sort_the_latest_first(desks: Desks) -> None:
    desk = desks("digs")
    plan = desk.edit(desk.ask("Norse digs"), "put the most recently opened ones at the top")
    opened = {r["dig_id"]: r["opened_on"] for r in desk.records}
    days = [opened[key] for key in desk.keys(plan)]
    assert days == sorted(days, reverse=True)
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["culture"] == "Norse")


def test_one_grouping_is_wanted_rather_than_another(desks: Desks) -> None:
    desk = desks("digs")
    phrase = (
        "Now that I look at it, I think our director would rather see these figures by site than "
        "by country, so could you please change that for me?"
    )
    plan = desk.edit(desk.ask("number of digs by country"), phrase)
    assert set(desk.rows(plan)) == {r["site"] for r in desk.records}


def test_a_bound_on_a_total_applies_to_groups(desks: Desks) -> None:
    desk = desks("digs")
    totals: dict[str, float] = {}
    for record in desk.records:
        totals[record["site"]] = totals.get(record["site"], 0) + record["prize_won_eur"]
    middle = sorted(totals.values())[1]
    plan = desk.edit(
        desk.ask("total prize by site"), f"only sites whose prizes add up to more than {middle:.0f}"
    )
    assert set(desk.rows(plan)) == {site for site, values in totals.items() if values > middle}


def test_another_measure_of_the_same_is_given_instead(desks: Desks) -> None:
    desk = desks("digs")
    plan = desk.edit(desk.ask("average lab hours"), "give me the lowest one instead of the average")
    assert same_number(desk.result(plan), min(r["lab_hours"] for r in desk.records))


def test_a_number_behind_an_exchange_is_how_many_are_wanted(desks: Desks) -> None:
    desk = desks("digs")
    plan = desk.edit(desk.ask("Norse digs"), "Roman instead of Norse, and give me 5")
    keys = desk.keys(plan)
    assert len(keys) == 5
    assert set(keys) <= desk.expected(lambda r: r["culture"] == "Roman")
