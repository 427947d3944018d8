"""How long documents took from beginning to end, what is counted by an event, and all of them."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from tests.backend.plans.rentals import rentals

Desks = Callable[[str], Desk]
_RECORDS, _ = rentals()
_DAYS = {
    record["rental_id"]: (
        date.fromisoformat(record["ends_on"]) - date.fromisoformat(record["starts_on"])
    ).days
    for record in _RECORDS
    if record["ends_on"] is not None
}


def _numbers(result: Any) -> list[float]:
    if isinstance(result, dict | list):
        parts = result.values() if isinstance(result, dict) else result
        return [number for part in parts for number in _numbers(part)]
    return [result] if isinstance(result, int | float) else []


@pytest.mark.parametrize(
    "question",
    [
        "How long does a rental last on average, in days?",
        "On average, how many days does a rental take?",
        "What is the average number of days a rental took?",
    ],
)
def test_documents_have_a_duration_of_their_own(desks: Desks, question: str) -> None:
    desk = desks("rentals")
    average = sum(_DAYS.values()) / len(_DAYS)
    assert _numbers(desk.result(desk.ask(question))) == [pytest.approx(average)]


def test_documents_are_kept_and_ranked_by_how_long_they_lasted(desks: Desks) -> None:
    desk = desks("rentals")
    found = desk.result(desk.ask("rentals that lasted more than 300 days"))
    named = {one["properties"]["entity"]["rental_id"] for one in found}
    assert named == {name for name, days in _DAYS.items() if days > 300}
    (longest,) = desk.result(desk.ask("Which rental took the longest?"))
    assert _DAYS[longest["properties"]["entity"]["rental_id"]] == max(_DAYS.values())


@pytest.mark.parametrize("words", ["over all rentals", "of all rentals"])
def test_a_question_about_all_of_them_keeps_no_condition(desks: Desks, words: str) -> None:
    desk = desks("rentals")
    plan = desk.edit(desk.ask("flutes from Norway"), f"What is the median price {words}?")
    middle = median(record["price_eur"] for record in _RECORDS)
    assert _numbers(desk.result(plan)) == [middle]


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("visits")
    described = {
        "visit_no": ("string", "Number of the visit"),
        "fault": ("choice", "Fault found"),
        "reported_on": ("date", "Day the fault was reported"),
        "visited_on": ("date", "Day of the visit"),
        "price_eur_kg": ("float", "Price of the tin, in euros per kilogram"),
    }
    choices = {"fault": {"choices": ["Leak", "Dead note"]}}
    schema = [
        {"name": name, "type": {"type": kind, "description": text, **choices.get(name, {})}}
        for name, (kind, text) in described.items()
    ]
    records: list[dict[str, Any]] = [
        {
            "visit_no": f"V{i}",
            "fault": ["Leak", "Dead note"][i % 2],
            "reported_on": f"202{2 + i % 3}-0{1 + i % 5}-10",
            "visited_on": f"202{2 + i % 3}-0{4 + i % 5}-20",
            "price_eur_kg": 20.0 + i,
        }
        for i in range(24)
    ]
    return make_desk(folder, "visits", schema, records, [[r["visit_no"]] for r in records])


def test_what_was_reported_is_counted_one_by_one(visits: Desk) -> None:
    assert _numbers(visits.result(visits.ask("How many faults were reported in 2023?"))) == [8]
    kinds = visits.ask("How many different faults were reported in 2023?")
    assert _numbers(visits.result(kinds)) == [2]


def test_a_price_may_be_named_with_its_unit_in_words(visits: Desk) -> None:
    plan = visits.ask("What is the lowest price per kilo?")
    assert _numbers(visits.result(plan)) == [20.0]
