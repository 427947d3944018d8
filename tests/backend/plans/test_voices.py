"""Questions in voices that differ from the names of the properties, each with its one answer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

PICKINGS: list[dict[str, Any]] = [
    {"name": "slip", "type": {"type": "string", "description": "Number of the slip"}},
    {"name": "variety", "type": {"type": "string"}},
    {"name": "region", "type": {"type": "string"}},
    {"name": "planted_year", "type": {"type": "int", "description": "Year of planting"}},
    {"name": "picked_on", "type": {"type": "date", "description": "Day of the picking"}},
    {"name": "inspected_on", "type": {"type": "date", "description": "Day of the inspection"}},
    {"name": "weight_kg", "type": {"type": "float", "description": "Weight in kilograms"}},
    {"name": "price_eur", "type": {"type": "float", "description": "Price in euros"}},
    {"name": "helpers", "type": {"type": "int", "description": "Number of helpers"}},
    {"name": "verdict", "type": {"type": "choice", "choices": ["Accepted", "Rejected"]}},
    {"name": "sex", "type": {"type": "string", "description": "Sex of the picker"}},
]


def _pickings() -> list[dict[str, Any]]:
    return [
        {
            "slip": f"P-{300 + 7 * i}",
            "variety": ["Bramley", "Cox", "Pippin"][i % 3],
            "region": ["New Forest", "Kent", "Isle of Wight"][i % 3 - i % 2],
            "planted_year": 1880 + 3 * i,
            "picked_on": f"2024-{1 + i % 12:02d}-{3 + i % 25:02d}",
            "inspected_on": None if i % 6 == 5 else f"2024-{1 + (i + 5) % 12:02d}-04",
            "weight_kg": None if i % 5 == 4 else 20.5 + 3 * i,
            "price_eur": 100.0 + 11 * i,
            "helpers": 2 + i % 4,
            "verdict": ["Accepted", "Accepted", "Rejected", "Accepted"][i % 4],
            "sex": "MF"[i % 2],
        }
        for i in range(30)
    ]


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = _pickings()
    texts = [[f"Slip {record['slip']} of the orchard"] for record in records]
    return make_desk(
        Path(tmp_path_factory.mktemp("pickings")), "pickings", PICKINGS, records, texts
    )


Wanted = Callable[[dict[str, Any]], bool]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("pickings where nobody wrote down the weight", lambda r: r["weight_kg"] is None),
        ("which pickings came from trees planted before 1895?", lambda r: r["planted_year"] < 1895),
        ("pickings from NF", lambda r: r["region"] == "New Forest"),
        ("pickings with sex F", lambda r: r["sex"] == "F"),
        ("pickings with either 3 or 5 helpers", lambda r: r["helpers"] in (3, 5)),
        ("only the rejected Cox pickings",
         lambda r: r["verdict"] == "Rejected" and r["variety"] == "Cox"),
        ("which Pippin pickings have turned up in Kent so far?",
         lambda r: r["variety"] == "Pippin" and r["region"] == "Kent"),
    ],
)  # fmt: skip
def test_the_documents_that_are_meant_are_found(
    orchard: Desk, question: str, wanted: Wanted
) -> None:
    expected = {record["slip"] for record in orchard.records if wanted(record)}
    assert expected
    assert set(orchard.keys(orchard.ask(question))) == expected


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("how many Cox were rejected?",
         lambda r: r["variety"] == "Cox" and r["verdict"] == "Rejected"),
        ("how many pickings were picked in the first three months of 2024?",
         lambda r: r["picked_on"] < "2024-04"),
        ("how many pickings were picked in the last 2 months of 2024?",
         lambda r: r["picked_on"] >= "2024-11"),
    ],
)  # fmt: skip
def test_the_documents_that_are_meant_are_counted(
    orchard: Desk, question: str, wanted: Wanted
) -> None:
    expected = sum(wanted(record) for record in orchard.records)
    assert expected
    assert orchard.result(orchard.ask(question)) == expected


def test_the_lightest_come_first_whatever_they_are_called(orchard: Desk) -> None:
    plan = orchard.ask("slip and weight of the Pippin pickings, the lightest basket first")
    rows = [item["properties"]["entity"] for item in orchard.result(plan)]
    weights = [row["weight_kg"] for row in rows if row["weight_kg"] is not None]
    assert len(rows) == sum(r["variety"] == "Pippin" for r in orchard.records)
    assert weights == sorted(weights)
