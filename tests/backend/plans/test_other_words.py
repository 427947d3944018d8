"""Everyday words: nouns for documents, light verbs, adjectives, units, opposites, refusals."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.answers import average, same_table
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid

Desks = Callable[[str], Desk]

DOCUMENTS: list[tuple[str, str, list[str], Callable[[dict[str, Any]], Any]]] = [
    ("sailings", "cancelled sailings", [], lambda r: r["cancelled"]),
    ("sailings", "sailings by Per Lie", [], lambda r: r["captain"] == "Per Lie"),
    ("sailings", "crossings that were not cancelled", [], lambda r: not r["cancelled"]),
    (
        "sailings",
        "crossings captained by Mona Berg in fog",
        [],
        lambda r: r["captain"] == "Mona Berg" and r["weather"] == "fog",
    ),
    ("sailings", "sailings with waves over 2 m", [], lambda r: r["wave_height_m"] > 2),
    ("sailings", "wind above 40 km/h", [], lambda r: r["wind_knots"] * 1.852 > 40),
    (
        "sailings",
        "departures delayed by more than half an hour",
        [],
        lambda r: r["delay_minutes"] > 30,
    ),
    (
        "sailings",
        "sailings with over 300 passengers",
        ["make it 250 passengers"],
        lambda r: r["passengers"] > 250,
    ),
    (
        "sailings",
        "sailings with over 300 passengers",
        ["at most 300"],
        lambda r: r["passengers"] <= 300,
    ),
    (
        "sailings",
        "sailings by Per Lie",
        ["or Inge Dahl"],
        lambda r: r["captain"] in ("Per Lie", "Inge Dahl"),
    ),
    (
        "sailings",
        "sailings by Per Lie in storm",
        ["remove all filters except the captain"],
        lambda r: r["captain"] == "Per Lie",
    ),
    ("sailings", "number of sailings per route", ["show the sailings behind this"], lambda r: True),
    ("clinic", "patients that did not need an operation", [], lambda r: not r["surgery"]),
    ("clinic", "animals without medication", [], lambda r: r["medication"] == "none"),
    ("clinic", "animals with a temperature above 104 °F", [], lambda r: r["body_temp_c"] > 40),
    (
        "clinic",
        "cats heavier than 5000 grams",
        [],
        lambda r: r["species"] == "cat" and r["weight_kg"] > 5,
    ),
    (
        "clinic",
        "dogs admitted in May or June 2022",
        [],
        lambda r: r["species"] == "dog" and r["admitted_on"][:7] in ("2022-05", "2022-06"),
    ),
    ("clinic", "cases with surgery", ["without surgery instead"], lambda r: not r["surgery"]),
    ("clinic", "dogs", ["instead of dogs, cats"], lambda r: r["species"] == "cat"),
    ("clinic", "cases in 2022", ["any year is fine"], lambda r: True),
    ("clinic", "cases in 2022", ["no date limit"], lambda r: True),
    (
        "clinic",
        "stays of at least 3 days",
        ["2 instead of 3"],
        lambda r: r["stay_days"] >= 2,
    ),
    (
        "clinic",
        "all cases",
        ["everyone except Dr Omar Aziz"],
        lambda r: r["vet"] != "Dr Omar Aziz",
    ),
]


@pytest.mark.parametrize(("name", "question", "feedback", "test"), DOCUMENTS)
def test_everyday_words_find_the_documents_that_are_meant(
    desks: Desks, name: str, question: str, feedback: list[str], test: Callable[..., Any]
) -> None:
    desk = desks(name)
    plan = desk.edit(desk.ask(question), *feedback)
    assert set(desk.keys(plan)) == desk.expected(test)


REFUSED = [
    ("sailings", "trips with helicopters", "helicopters"),
    ("sailings", "average salinity per route", "salinity"),
    ("sailings", "sailings from Oslo-Kiel to Turku-Visby", "Oslo-Kiel"),
    ("sailings", "storm and not storm", "storm"),
    ("clinic", "dogs over 30 stone", "stone"),
    ("clinic", "dogs treated for cancer", "cancer"),
    ("clinic", "blood pressure of dogs", "pressure"),
    ("clinic", "bitter medication", "bitter"),
    ("clinic", "dogs and helicopters", "helicopters"),
    ("clinic", "dogs with short stays", "short"),
    ("clinic", "cheap dogs", "cheap"),
]


@pytest.mark.parametrize(("name", "question", "word"), REFUSED)
def test_a_word_that_would_be_dropped_is_named_in_the_refusal(
    desks: Desks, name: str, question: str, word: str
) -> None:
    with pytest.raises(Invalid) as caught:
        desks(name).ask(question)
    assert word in caught.value.faults[0].msg


def test_a_noun_read_as_the_documents_is_reported(desks: Desks) -> None:
    plan = desks("sailings").ask("Oslo-Kiel trips")
    assert plan.edit is not None
    assert any("trips" in warning for warning in plan.edit.warnings)


def test_feedback_that_only_says_more_asks_for_a_number(desks: Desks) -> None:
    desk = desks("sailings")
    with pytest.raises(Invalid, match="compare passengers with a number"):
        desk.edit(desk.ask("sailings in fog"), "more passengers")


def test_all_but_keeps_an_unfiltered_subject(desks: Desks) -> None:
    desk = desks("sailings")
    with pytest.raises(Invalid, match="no other filter"):
        desk.edit(desk.ask("sailings by Per Lie"), "remove all filters except the captain")


def test_groups_are_kept_by_how_many_documents_they_have(desks: Desks) -> None:
    desk = desks("sailings")
    counts = Counter(record["captain"] for record in desk.records)
    plan = desk.ask("captains with more than 12 trips")
    wanted = {captain: n for captain, n in counts.items() if n > 12}
    assert same_table(desk.rows(plan), wanted)


def test_months_take_the_place_of_groups(desks: Desks) -> None:
    desk = desks("sailings")
    plan = desk.edit(desk.ask("average delay by captain"), "months instead of captains")
    months = {record["sailed_on"][:7] for record in desk.records}
    assert set(desk.rows(plan)) == months


def test_the_documents_of_the_leading_group_are_listed(desks: Desks) -> None:
    desk = desks("sailings")
    by_vessel: dict[str, list[float]] = {}
    for record in desk.records:
        by_vessel.setdefault(record["vessel"], []).append(record["delay_minutes"])
    worst = max(by_vessel, key=lambda vessel: average(by_vessel[vessel]))
    plan = desk.ask("sailings of the vessel with the highest average delay")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["vessel"] == worst)


SUPERLATIVES = [
    ("sailings", "windiest three sailings", "wind_knots", True, 3),
    ("sailings", "the five most expensive sailings", "ticket_price_nok", True, 5),
    ("clinic", "hottest three animals", "body_temp_c", True, 3),
    ("clinic", "the four lightest cases", "weight_kg", False, 4),
    ("clinic", "lowest five bills", "bill_eur", False, 5),
]


@pytest.mark.parametrize(("name", "question", "field", "descending", "count"), SUPERLATIVES)
def test_an_adjective_of_measure_sorts_by_its_measure(
    desks: Desks, name: str, question: str, field: str, descending: bool, count: int
) -> None:
    desk = desks(name)
    results = [item["properties"]["entity"][field] for item in desk.result(desk.ask(question))]
    wanted = sorted((r[field] for r in desk.records), reverse=descending)[:count]
    assert results == wanted


def test_an_english_word_is_never_corrected_as_a_typo(desks: Desks) -> None:
    desk = desks("clinic")
    with pytest.raises(Invalid, match="shoe"):
        desk.edit(desk.ask("dogs"), "sort by shoe")


def test_steps_of_a_new_plan_are_numbered_in_the_order_they_work(desks: Desks) -> None:
    plan = desks("clinic").ask("average bill of insured dogs by town, highest first, top 2")
    order, node_id = [], plan.result_node
    while True:
        order.append(node_id)
        inputs = plan.nodes[str(node_id)].inputs
        if not inputs:
            break
        node_id = inputs[0]
    assert order[::-1] == list(range(len(plan.nodes)))


def test_rows_name_their_key(desks: Desks) -> None:
    desk = desks("clinic")
    assert desk.run(desk.ask("average bill by species")).labels == {"key": "species"}
    assert desk.run(desk.ask("dogs")).labels == {}
