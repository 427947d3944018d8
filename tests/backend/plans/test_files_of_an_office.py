"""Questions about files whose name has several words, some of which also name properties."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from backend.plans.tables.mixed_units import parted_units
from tests.backend.plans.desk import Desk, make_desk

_DESCRIPTIONS = {
    "file_number": ("string", "Number of the file"),
    "roof": ("string", "Building whose roof was surveyed"),
    "surveyor": ("string", "Person who did the survey"),
    "survey_date": ("date", "Day of the survey"),
    "next_survey_date": ("date", "Day planned for the next survey"),
    "outcome": ("string", "Outcome of the survey"),
    "event": ("string", "Storm that led to the survey"),
    "fee": ("float", "Fee that the owner pays"),
    "currency": ("string", "Currency of the fee"),
    "height_m": ("float", "Height in metres"),
}
_ROWS = [
    ("F1", "Town Hall", "Ann Oak", "2025-03-01", "2026-09-01", "sound", "Alma", 900, "EUR", 14.0),
    ("F2", "Town Hall", "Ben Ash", "2025-08-09", "2026-02-01", "sound with repairs", "Alma",
     2400, "NOK", 14.0),
    ("F3", "Library", "Ann Oak", "2025-05-20", "2027-01-15", "leaking", "Boris", 3100, "EUR", 9.5),
    ("F4", "Theatre", "Cid Elm", "2025-06-11", "2026-05-05", "sound with repairs", "Boris",
     2600, "NOK", 21.0),
    ("F5", "Library", "Cid Elm", "2025-01-30", "2026-01-01", "sound", "Cora", 1500, "EUR", 9.5),
]  # fmt: skip


@pytest.fixture(scope="module")
def surveys(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    schema = [{"name": n, "type": {"type": kind, "description": text}}
              for n, (kind, text) in _DESCRIPTIONS.items()]  # fmt: skip
    records = [dict(zip(_DESCRIPTIONS, row, strict=True)) for row in _ROWS]
    texts = [[f"{name}: {value}" for name, value in record.items()] for record in records]
    return make_desk(
        tmp_path_factory.mktemp("surveys"), "roof_survey_files", schema, records, texts
    )


def _count(desk: Desk, question: str) -> Any:
    return desk.result(desk.ask(question))


@pytest.mark.parametrize(
    "question",
    ["number of roof survey files?", "how many roof surveys are there?", "count the survey files"],
)
def test_several_words_of_the_name_mean_the_documents(surveys: Desk, question: str) -> None:
    assert _count(surveys, question) == 5


def test_one_word_of_the_name_is_still_its_property(surveys: Desk) -> None:
    assert _count(surveys, "how many different roofs are there?") == 3
    assert surveys.rows(surveys.ask("roof surveys per roof")) == {
        "Town Hall": 2, "Library": 2, "Theatre": 1
    }  # fmt: skip


def test_a_general_word_for_documents_is_a_property_that_is_called_so(surveys: Desk) -> None:
    assert surveys.rows(surveys.ask("total height per event")) == {
        "Alma": 28.0, "Boris": 30.5, "Cora": 9.5
    }  # fmt: skip


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Which roof was surveyed most recently?", "F2"),
        ("the surveyor of the roof that was surveyed last", "F2"),
        ("which roof has the latest next survey date?", "F3"),
    ],
)
def test_a_date_is_not_named_by_the_whole_name_of_another(
    surveys: Desk, question: str, number: str
) -> None:
    ((doc_id),) = [item["doc_id"] for item in surveys.result(surveys.ask(question))]
    everything = surveys.result(surveys.everything())
    (found,) = [i["properties"]["entity"] for i in everything if i["doc_id"] == doc_id]
    assert found["file_number"] == number


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many euro surveys are over 2000?", 1),
        ("how many surveys cost over 2000 euros?", 1),
        ("how many surveys have a fee above 2000 NOK?", 2),
        ("how many surveys have a fee above 2000?", 3),
    ],
)
def test_a_number_beside_a_currency_is_an_amount_in_it(
    surveys: Desk, question: str, count: int
) -> None:
    assert _count(surveys, question) == count


def test_the_past_of_a_verb_begins_a_value_of_several_words(tmp_path: Path) -> None:
    values = ["pass with remarks", "pass", "fail", "pass with remarks"]
    schema = [{"name": "code", "type": {"type": "string"}},
              {"name": "result", "type": {"type": "string"}}]  # fmt: skip
    records = [{"code": f"T{i}", "result": value} for i, value in enumerate(values)]
    desk = make_desk(tmp_path, "tests", schema, records, [["x"] for _ in records])
    assert _count(desk, "how many tests passed with remarks?") == 2
    assert _count(desk, "how many tests failed?") == 1


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("average euro amount per roof", {"Town Hall": 900.0, "Library": 2300.0}),
        ("average NOK fee per roof", {"Town Hall": 2400.0, "Theatre": 2600.0}),
    ],
)
def test_a_value_may_stand_before_what_is_averaged(
    surveys: Desk, question: str, expected: dict[str, float]
) -> None:
    assert surveys.rows(surveys.ask(question)) == expected


@pytest.mark.parametrize(
    ("units", "right", "odd"),
    [
        (["km", "kilometer", "km", "m/km"], ["kilometer", "km"], {"m/km": 1}),
        (["kg", "lb", "kg"], ["kg", "lb"], {}),
        (["EUR", "EUR", "percent"], ["EUR"], {"percent": 1}),
        (["points", "points", "km"], ["km", "points"], {}),
    ],
)
def test_a_unit_that_measures_something_else_than_most_is_a_mistake(
    units: list[str], right: list[str], odd: dict[str, int]
) -> None:
    assert parted_units(pl.Series(units)) == (right, odd)


def test_what_is_forbidden_is_not_allowed(tmp_path: Path) -> None:
    schema = [{"name": "code", "type": {"type": "string"}},
              {"name": "pets_allowed", "type": {"type": "bool"}}]  # fmt: skip
    records = [{"code": f"L{i}", "pets_allowed": i > 2} for i in range(5)]
    desk = make_desk(tmp_path, "leases", schema, records, [["x"] for _ in records])
    assert _count(desk, "in how many leases are pets forbidden?") == 3
