"""Questions about what was cut out first, about shares of it, and about numbers with units."""

from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

from tests.backend.plans.answers import average, same_number
from tests.backend.plans.desk import Desk, make_desk

Record = dict[str, Any]
Desks = Callable[[str], Desk]

LAKES: list[dict[str, Any]] = [
    {"name": "lake", "field_type": "string", "description": "Name of the lake"},
    {"name": "basin", "field_type": "string", "description": "Basin it lies in"},
    {"name": "phosphate_mg_l", "field_type": "float", "description": "Phosphate of the sample"},
    {"name": "clarity_rank", "field_type": "int", "description": "Clarity rank, lower is better"},
    {"name": "fee", "field_type": "int", "description": "yearly fee in CHF"},
    {"name": "in_service", "field_type": "bool", "description": "Whether the gauge is in service"},
    {"name": "restored_on", "field_type": "date", "description": "Day it was restored"},
    {
        "name": "founded",
        "field_type": "int",
        "description": "Year in which the station was founded",
    },
    {"name": "keeper", "field_type": "string", "description": "In whose care it is"},
    {"name": "visits", "field_type": "int", "description": "How often it was visited in a year"},
    {"name": "ice", "field_type": "int", "description": "Cover of ice in days"},
    {"name": "outlet_width", "field_type": "float", "description": "Width of the outlet"},
]


def lakes() -> list[Record]:
    records = []
    for i in range(24):
        record = {
            "lake": f"Lake {'ABCDEFGHIJKLMNOPQRSTUVWX'[i]}ora",
            "basin": ["Upper", "Middle", "Lower"][i % 3],
            "phosphate_mg_l": float(5 + i * 7 % 60),
            "clarity_rank": 1 + i * 5 % 24,
            "fee": 20_000 + 11_000 * (i * 7 % 24),
            "in_service": i % 4 > 0,
            "restored_on": f"20{10 + i % 9}-03-01" if i % 3 else None,
            "keeper": ["Ode Ruiz", "Kim Vogt"][i % 5 > 0],
            "ice": i * 5 % 90,
            "visits": 1 + i * 11 % 24,
            "founded": 1950 + i * 3,
            "outlet_width": 1.5 + i if i % 5 else None,
        }
        records.append({name: value for name, value in record.items() if value is not None})
    return records


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = lakes()
    texts = [[record["lake"]] for record in records]
    return make_desk(tmp_path_factory.mktemp("lakes"), "lakes", LAKES, records, texts)


def heaviest(records: list[Record], count: int) -> list[Record]:
    return sorted(records, key=lambda r: -(r["mass_kg"] or 0))[:count]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "of the 10 heaviest satellites, how many are active?",
            lambda rs: sum(r["active"] for r in heaviest(rs, 10)),
        ),
        (
            "how many of the 10 heaviest satellites are active?",
            lambda rs: sum(r["active"] for r in heaviest(rs, 10)),
        ),
        (
            "Take the 6 heaviest satellites - what is their average altitude?",
            lambda rs: average(r["altitude_km"] for r in heaviest(rs, 6)),
        ),
        (
            "average altitude of the 6 heaviest satellites",
            lambda rs: average(r["altitude_km"] for r in heaviest(rs, 6)),
        ),
        (
            "Among the 8 heaviest satellites, what percentage is active?",
            lambda rs: 100 * average(float(r["active"]) for r in heaviest(rs, 8)),
        ),
    ],
)
def test_a_question_about_the_first_few_is_about_those_alone(
    desks: Desks, question: str, answer: Callable[[list[Record]], float]
) -> None:
    satellites = desks("satellites")
    result = satellites.result(satellites.ask(question))
    assert same_number(result, answer(satellites.records))


def test_a_condition_on_the_first_few_is_applied_after_the_limit(desks: Desks) -> None:
    satellites = desks("satellites")
    plan = satellites.ask("which of the 10 heaviest satellites are active?")
    wanted = [r["satellite_id"] for r in heaviest(satellites.records, 10) if r["active"]]
    assert satellites.keys(plan) == wanted


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "of the lakes in the Upper basin, what percent is in service?",
            lambda rs: 100 * average(float(r["in_service"]) for r in rs if r["basin"] == "Upper"),
        ),
        (
            "Of the Lower basin lakes, what percentage has a phosphate above 30 mg/l?",
            lambda rs: (
                100 * average(float(r["phosphate_mg_l"] > 30) for r in rs if r["basin"] == "Lower")
            ),
        ),
        ("how many are out of service?", lambda rs: sum(not r["in_service"] for r in rs)),
        ("how many lakes have been restored?", lambda rs: sum("restored_on" in r for r in rs)),
        ("what is the best clarity rank", lambda rs: min(r["clarity_rank"] for r in rs)),
        (
            "how many lakes have neither an outlet width nor a restored date?",
            lambda rs: sum(not {"outlet_width", "restored_on"} & set(r) for r in rs),
        ),
        ("median clarity rank overall", lambda rs: median(r["clarity_rank"] for r in rs)),
        ("What is the average fee? Just the number.", lambda rs: average(r["fee"] for r in rs)),
        ("how much do we pay in francs", lambda rs: sum(r["fee"] for r in rs)),
    ],
)
def test_a_number_belongs_to_the_property_of_the_words_around_it(
    desk: Desk, question: str, answer: Callable[[list[Record]], float]
) -> None:
    assert same_number(desk.result(desk.ask(question)), answer(desk.records))


@pytest.mark.parametrize(
    ("question", "test"),
    [
        ("phosphate below 20 mg/l", lambda r: r["phosphate_mg_l"] < 20),
        ("lakes with more than 40 mg per litre of phosphate", lambda r: r["phosphate_mg_l"] > 40),
        ("clarity rank better than 5", lambda r: r["clarity_rank"] < 5),
        ("clarity rank worse than 20", lambda r: r["clarity_rank"] > 20),
        ("fee between 50'000 and 150'000 francs", lambda r: 50_000 <= r["fee"] <= 150_000),
        ("fees between 50,000 and 150,000 CHF", lambda r: 50_000 <= r["fee"] <= 150_000),
        ("lakes founded in 1980 or older", lambda r: r["founded"] <= 1980),
        ("lakes out of the Upper basin", lambda r: r["basin"] == "Upper"),
        ("lakes out of Kim Vogt", lambda r: r["keeper"] == "Kim Vogt"),
        ("fee above CHF 90,000", lambda r: r["fee"] > 90_000),
        ("lakes that cost more than CHF 90,000 per year", lambda r: r["fee"] > 90_000),
        ("lakes with more than 40 mg of phosphate per litre", lambda r: r["phosphate_mg_l"] > 40),
        ("ice above 6 weeks", lambda r: r["ice"] > 42),
        ("founded 1980 or older", lambda r: r["founded"] <= 1980),
        ("lakes visited fewer than 9 times", lambda r: r["visits"] < 9),
        ("from the 1953, 1956 and 1962 foundings", lambda r: r["founded"] in (1953, 1956, 1962)),
    ],
)
def test_a_bound_is_read_with_its_unit_and_its_direction(
    desk: Desk, question: str, test: Callable[[Record], bool]
) -> None:
    assert set(desk.keys(desk.ask(question))) == desk.expected(test)


def test_who_works_with_a_short_verb_and_with_how_often(desk: Desk) -> None:
    assert desk.rows(desk.ask("who keeps the most lakes?")) == {"Kim Vogt": 19}
    most = max(desk.records, key=lambda r: r["visits"])
    assert desk.keys(desk.ask("which lake was visited the most?")) == [most["lake"]]


def test_an_adjective_determines_the_property_of_an_average(desks: Desks) -> None:
    satellites = desks("satellites")
    results = set(satellites.keys(satellites.ask("satellites heavier than the average")))
    middle = average(r["mass_kg"] for r in satellites.records if r["mass_kg"] is not None)
    assert results == satellites.expected(lambda r: r["mass_kg"] > middle)
