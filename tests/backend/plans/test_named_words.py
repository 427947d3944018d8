"""Words that name a property or a value are in the plan, or the question is not taken."""

from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

SCHEMA: list[dict[str, Any]] = [
    {"name": "full_name", "type": {"type": "string"}},
    {"name": "phone", "type": {"type": "string"}},
    {"name": "city", "type": {"type": "string"}},
    {"name": "desk_number", "type": {"type": "int"}},
    {"name": "mentor", "type": {"type": "int"}},
    {"name": "hired_on", "type": {"type": "date"}},
    {"name": "salary", "type": {"type": "int"}},
    {"name": "training", "type": {"type": "string"}},
]
NAMES = ["Ada Lund", "Bo Reyes", "Cleo Marsh", "Dan Okafor", "Eve Tran", "Finn Hale"]
RECORDS: list[dict[str, Any]] = [
    {
        "full_name": NAMES[i % 6] if i < 6 else f"{NAMES[i % 6]} {i}",
        "phone": f"555-01{i:02}",
        "city": ["Oslo", "Lima", "Turin"][i % 3],
        "desk_number": 40 + i % 9,
        "mentor": 300 + i % 4,
        "hired_on": f"20{18 + i % 3}-{1 + i % 12:02}-11",
        "salary": 3000 + 100 * i,
        "training": ["Check-up", "checkup", "Rescue"][i % 3],
    }
    for i in range(24)
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("employees")
    return make_desk(folder, "employees", SCHEMA, RECORDS, [[r["full_name"]] for r in RECORDS])


@pytest.mark.parametrize(
    "question",
    [
        "What is the phone number of Ada Lund?",
        "Return the phone numbers of employees with salaries of 3200 to 3600",
    ],
)
def test_phone_numbers_are_shown_or_offered_but_never_counted_unasked(
    desk: Desk, question: str
) -> None:
    try:
        plans = [desk.ask(question)]
    except Invalid as refusal:
        plans = [Plan.model_validate(c.plan) for c in refusal.faults[0].choices or []]
    assert any("555-01" in str(desk.result(plan)) for plan in plans)


@pytest.mark.parametrize("thing", ["mentors", "desks"])
def test_identifying_numbers_are_never_added(desk: Desk, thing: str) -> None:
    try:
        plan = desk.ask(f"How many {thing} are there?")
    except Invalid:
        return
    assert all('"sum"' not in node.model_dump_json() for node in plan.nodes.values())


def test_mentors_are_counted(desk: Desk) -> None:
    assert desk.result(desk.ask("How many mentors are there?")) == 4


@pytest.mark.parametrize(
    "question", ["employees with a salary over 3000 hired in May", "employees hired in May"]
)
def test_may_is_a_month(desk: Desk, question: str) -> None:
    hired = [r for r in RECORDS if r["hired_on"][5:7] == "05" and r["salary"] > 3000]
    assert len(desk.result(desk.ask(question))) == len(hired)


def test_reaching_a_number_means_at_least_that(desk: Desk) -> None:
    rows = desk.result(desk.ask("which employees have a salary that reached 5000?"))
    assert len(rows) == sum(r["salary"] >= 5000 for r in RECORDS)


def test_a_word_with_a_hyphen_finds_the_word_without(desk: Desk) -> None:
    rows = desk.result(desk.ask("employees whose training is Check-up"))
    assert len(rows) == sum(r["training"] != "Rescue" for r in RECORDS)


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Values as other programs write them, with underscores."""
    schema = [
        {"name": "visit", "type": {"type": "string"}},
        {"name": "phase", "type": {"type": "choice", "choices": ["phase_1", "phase_2", "phase_3"]}},
        {"name": "reason", "type": {"type": "string"}},
    ]
    records = [
        {"visit": f"V{n}", "phase": f"phase_{n % 3 + 1}",
         "reason": ("routine_service", "gate_stuck")[n % 2]}
        for n in range(18)
    ]  # fmt: skip
    texts = [[record["visit"]] for record in records]
    return make_desk(tmp_path_factory.mktemp("visits"), "visits", schema, records, texts)


@pytest.mark.parametrize(
    ("question", "field", "value"),
    [
        ("visits in phase 2", "phase", "phase_2"),
        ("visits where phase is phase_2", "phase", "phase_2"),
        ("Which visits were routine service?", "reason", "routine_service"),
        ("visits because of gate_stuck", "reason", "gate_stuck"),
    ],
)
def test_a_value_with_underscores_is_named_by_its_words(
    visits: Desk, question: str, field: str, value: str
) -> None:
    plan = visits.ask(question)
    assert set(visits.keys(plan)) == visits.expected(lambda r: r[field] == value)
