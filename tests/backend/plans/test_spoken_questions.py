"""Questions as people speak: dates against dates in everyday verbs, words for what is missing,
orders by adjectives, and what no table can answer.
"""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from backend.language.phrasal_verbs import plain_verbs
from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

SCHEMA: list[dict[str, Any]] = [
    {"name": "job_no", "type": {"type": "string", "description": "Number of the job"}},
    {"name": "tuner", "type": {"type": "string", "description": "Tuner who did the job"}},
    {
        "name": "booked_for",
        "type": {"type": "date", "description": "Day the appointment was booked for"},
    },
    {"name": "arrived_on", "type": {"type": "date", "description": "Day the tuner arrived"}},
    {"name": "fee_eur", "type": {"type": "int", "description": "Fee in euros"}},
    {"name": "travel_eur", "type": {"type": "int", "description": "Travel costs in euros"}},
    {
        "name": "tuning_minutes",
        "type": {"type": "int", "description": "Minutes the tuning took; empty if not timed"},
    },
    {
        "name": "helper",
        "type": {"type": "string", "description": "Assistant; empty if none was hired"},
    },
    {
        "name": "faults",
        "type": {
            "type": "array",
            "description": "Faults found in the piano",
            "item_type": {"type": "string"},
        },
    },
]
_FIRST = date(2024, 3, 4)
RECORDS: list[dict[str, Any]] = [
    {
        "job_no": f"P{100 + i}",
        "tuner": ["Adair", "Blum", "Castell"][i % 3],
        "booked_for": str(_FIRST + timedelta(3 * i)),
        "arrived_on": str(_FIRST + timedelta(3 * i + i % 5 - 1)),
        "fee_eur": 100 + 7 * i,
        "travel_eur": 10 + 5 * (i % 9),
        "tuning_minutes": None if i % 6 == 5 else 60 + 11 * (i % 7),
        "helper": None if i % 4 else ["Dunn", "Eley"][i % 8 // 4],
        "faults": [["loose pin", "dead key"][: i % 3], []][i % 2],
    }
    for i in range(30)
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("jobs")
    return make_desk(folder, "jobs", SCHEMA, RECORDS, [["A job"]] * len(RECORDS))


def _days(record: dict[str, Any]) -> int:
    """How many days the tuner came after the appointment."""
    return (
        date.fromisoformat(record["arrived_on"]) - date.fromisoformat(record["booked_for"])
    ).days


def _found(desk: Desk, question: str) -> list[str]:
    result = desk.result(desk.ask(question))
    return sorted(item["properties"]["entity"]["job_no"] for item in result)


def _those(chosen: list[dict[str, Any]]) -> list[str]:
    return sorted(record["job_no"] for record in chosen)


@pytest.mark.parametrize(
    "question", ["jobs where the tuner turned up late", "which ones were late?"]
)
def test_late_is_after_the_day_that_was_booked(desk: Desk, question: str) -> None:
    assert _found(desk, question) == _those([r for r in RECORDS if _days(r) > 0])


def test_a_verb_with_a_particle_names_its_date(desk: Desk) -> None:
    keys = _found(desk, "jobs where he turned up more than two days after the appointment")
    assert keys == _those([r for r in RECORDS if _days(r) > 2])
    weekend = [r for r in RECORDS if date.fromisoformat(r["arrived_on"]).weekday() > 4]
    assert _found(desk, "jobs where he showed up at the weekend") == _those(weekend)
    counted = desk.result(desk.ask("how many turned up before they were booked?"))
    assert counted == sum(_days(r) < 0 for r in RECORDS)


@pytest.mark.parametrize(
    ("spoken", "meant"),
    [
        ("what turned up late", "what arrived late"),
        ("turning up", "arriving"),
        ("handed in on Monday", "submitted on Monday"),
    ],
)
def test_verbs_with_particles_are_read_as_one(spoken: str, meant: str) -> None:
    assert plain_verbs(spoken, lambda verb, particle: verb in ("arrive", "submit")) == meant
    assert plain_verbs(spoken, lambda verb, particle: False) == spoken


def test_a_part_of_another_amount_is_a_fraction_in_words(desk: Desk) -> None:
    dear = [r for r in RECORDS if 3 * r["travel_eur"] > r["fee_eur"]]
    assert _found(desk, "jobs where the travel costs were more than a third of the fee") == _those(
        dear
    )


@pytest.mark.parametrize(
    "question",
    [
        "jobs where nobody wrote down how long the tuning took",
        "jobs for which the tuning minutes were never noted",
    ],
)
def test_unrecorded_values_are_missing(desk: Desk, question: str) -> None:
    assert _found(desk, question) == _those([r for r in RECORDS if r["tuning_minutes"] is None])


def test_nothing_wrong_and_nobody_hired_mean_missing_values(desk: Desk) -> None:
    sound = _those([r for r in RECORDS if not r["faults"]])
    assert _found(desk, "jobs where nothing went wrong") == sound
    assert _found(desk, "jobs that were free of faults") == sound
    alone = _those([r for r in RECORDS if r["helper"] is None])
    assert _found(desk, "jobs done without hiring an assistant") == alone


def test_an_adjective_orders_by_the_number_at_hand(desk: Desk) -> None:
    plan = desk.ask("Only jobs over 150 euros: average tuning minutes per tuner, slowest first.")
    means = list(desk.rows(plan).values())
    assert len(means) == 3 and means == sorted(means, reverse=True)


@pytest.mark.parametrize(
    "question",
    [
        "Is it safe to play the pianos Blum tuned?",
        "Who sold the piano of job P107?",
        "Did the owners like Castell?",
    ],
)
def test_questions_beyond_the_table_are_refused(desk: Desk, question: str) -> None:
    with pytest.raises(Invalid):
        desk.ask(question)


def test_those_who_are_described_refer_to_nothing_before(desk: Desk) -> None:
    counted = desk.result(desk.ask("Of those with a fee above 200 euros, how many were late?"))
    assert counted == sum(r["fee_eur"] > 200 and _days(r) > 0 for r in RECORDS)
    with pytest.raises(Invalid, match="refers to an earlier question"):
        desk.ask("Of those, how many were late?")
