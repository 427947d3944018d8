"""Amounts in everyday words: revenue, currencies in front of numbers, how often, neither."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

Record = dict[str, Any]
JOBS: list[dict[str, Any]] = [
    {"name": "job_no", "type": {"type": "string"}},
    {"name": "mechanic", "type": {"type": "string"}},
    {
        "name": "part",
        "type": {"type": "string", "choices": ["brake", "chain", "gear"]},
    },
    {"name": "price_eur", "type": {"type": "float", "description": "Price of the job in euros"}},
    {"name": "returns", "type": {"type": "int", "description": "How often the bike came back"}},
    {"name": "guarantee", "type": {"type": "bool"}},
]
_JOBS: list[Record] = [
    {
        "job_no": f"J{i:02d}",
        "mechanic": ["Ove Lund", "Siri Bakke", "Tor Eide"][i % 3],
        "part": ["brake", "chain", "gear"][i // 2 % 3],
        "price_eur": 40.0 + 7 * i,
        "returns": i % 4,
        "guarantee": i % 5 > 1,
    }
    for i in range(15)
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return make_desk(tmp_path_factory.mktemp("jobs"), "jobs", JOBS, _JOBS, [["A job"]] * 15)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("jobs with a price between EUR 60 and EUR 100", lambda r: 60 <= r["price_eur"] <= 100),
        ("Which jobs cost us more than Euro 90?", lambda r: r["price_eur"] > 90),
        ("brake jobs or chain jobs", lambda r: r["part"] != "gear"),
        ("jobs that were neither brake jobs nor chain jobs", lambda r: r["part"] == "gear"),
        ("jobs with returns at least twice", lambda r: r["returns"] >= 2),
        ("jobs without any guarantee", lambda r: not r["guarantee"]),
    ],
)
def test_jobs_are_found_by_amounts_in_words(
    desk: Desk, question: str, wanted: Callable[[Record], bool]
) -> None:
    expected = {record["job_no"] for record in _JOBS if wanted(record)}
    assert set(desk.keys(desk.ask(question))) == expected


def _revenue() -> Counter[str]:
    totals: Counter[str] = Counter()
    for record in _JOBS:
        totals[record["mechanic"]] += record["price_eur"]
    return totals


def test_revenue_is_the_total_of_the_amount_of_money(desk: Desk) -> None:
    assert desk.rows(desk.ask("revenue by mechanic")) == _revenue()
    earned = sum(r["price_eur"] for r in _JOBS if r["part"] == "gear")
    assert desk.result(desk.ask("How much did we earn on gear jobs?")) == earned
