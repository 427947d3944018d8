"""Properties that some documents lack: asked for by having one, by what was done, by how many."""

import random
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

CHARTERS: list[dict[str, Any]] = [
    {"name": "charter_no", "field_type": "string", "description": "Number of the charter"},
    {"name": "harbour", "field_type": "string", "description": "Harbour where it begins"},
    {"name": "skipper", "field_type": "string", "description": "Name of the hired skipper"},
    {"name": "insurer", "field_type": "string", "description": "Company that carries the risk"},
    {"name": "charter_fee_eur", "field_type": "float", "description": "Price in euros"},
    {"name": "sailing_hours_per_day", "field_type": "float", "description": "Longest day's sail"},
    {
        "name": "experience_years",
        "field_type": "int",
        "description": "Years of sailing",
    },
]
HARBOURS = ["Kos", "Split", "Palma"]


def charters() -> list[dict[str, Any]]:
    dice = random.Random(5)
    return [
        {
            "charter_no": f"C{i:03d}",
            "harbour": dice.choice(HARBOURS),
            "skipper": f"Sam {chr(65 + i % 26)}. Nilsen {i}" if i % 3 else None,
            "insurer": dice.choice(["Nordlicht", "Medina Re"]) if i % 4 else None,
            "charter_fee_eur": float(dice.randrange(500, 9000, 10)),
            "sailing_hours_per_day": dice.choice([2.5, 4.0, 6.0, 8.0]),
            "experience_years": dice.randrange(1, 12),
        }
        for i in range(60)
    ]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = charters()
    texts = [[f"Charter {record['charter_no']} from {record['harbour']}"] for record in records]
    return make_desk(tmp_path_factory.mktemp("charters"), "charters", CHARTERS, records, texts)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("charters with a skipper", lambda r: r["skipper"]),
        ("charters without a skipper", lambda r: not r["skipper"]),
        ("charters with a skipper and an insurer", lambda r: r["skipper"] and r["insurer"]),
        ("which charters do not mention an insurer?", lambda r: not r["insurer"]),
        ("charters under 5 hours a day", lambda r: r["sailing_hours_per_day"] < 5),
        ("charters with at most 4 hours", lambda r: r["sailing_hours_per_day"] <= 4),
    ],
)
def test_having_or_lacking_a_value_is_a_condition(desk, question, wanted):
    assert set(desk.keys(desk.ask(question))) == desk.expected(wanted)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many have a skipper?", lambda rs: sum(r["skipper"] is not None for r in rs)),
        ("how many different skippers?", lambda rs: len({r["skipper"] for r in rs} - {None})),
        ("how many different charters are there", len),
        ("total spent on Palma", lambda rs: sum(fee(r) for r in rs if r["harbour"] == "Palma")),
        ("fees of Kos in total", lambda rs: sum(fee(r) for r in rs if r["harbour"] == "Kos")),
    ],
)  # fmt: skip
def test_a_number_belongs_to_a_name_elsewhere_in_the_question(desk, question, number):
    assert desk.result(desk.ask(question)) == pytest.approx(number(desk.records))


def test_cost_the_most_is_about_money_and_not_about_counts(desk):
    (first,) = desk.result(desk.ask("which harbour costs us the most"))
    assert max(desk.records, key=fee)["harbour"] == first["properties"]["key"]


def fee(record: dict[str, Any]) -> float:
    return float(record["charter_fee_eur"])
