"""Questions about identifiers that begin with the code of a country, such as VAT ids."""

from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

SCHEMA: list[dict[str, Any]] = [
    {"name": "delivery_number", "type": {"type": "string"}},
    {"name": "sent_on", "type": {"type": "date", "description": "Date of dispatch (Date d'envoi)"}},
    {"name": "due_on", "type": {"type": "date", "description": "Due date (Date limite de retour)"}},
    {"name": "grower", "type": {"type": "string", "description": "Nursery that grew the plants"}},
    {
        "name": "grower_tax_id",
        "type": {"type": "string", "description": "Tax id of the grower (USt-IdNr., N° TVA)"},
    },
    {"name": "variety", "type": {"type": "string"}},
]
_IDS = ["DE811222333", "NL001234567B01", "DE455666777", "EL094014201", None, "AT U12345678"]
RECORDS: list[dict[str, Any]] = [
    {
        "delivery_number": f"D-{i}",
        "sent_on": f"2022-03-{1 + i:02d}",
        "due_on": f"2022-05-{1 + i:02d}",
        "grower": f"Nursery {'ABCDEF'[i % 6]}",
        "grower_tax_id": _IDS[i % 6],
        "variety": ["Danish Beauty", "Boskoop"][i % 2],
    }
    for i in range(24)
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("deliveries")
    return make_desk(folder, "deliveries", SCHEMA, RECORDS, [["A delivery"]] * len(RECORDS))


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many deliveries have a German tax id?", 8),
        ("how many deliveries come from growers with a German tax id (DE...)", 8),
        ("number of deliveries with a tax id from Germany", 8),
        ("how many deliveries have a Greek tax id", 4),
        ("how many deliveries have a USt-IdNr. from Austria?", 4),
        ("how many deliveries have a Dutch tax id", 4),
    ],
)
def test_a_country_matches_ids_that_begin_with_its_code(
    desk: Desk, question: str, count: int
) -> None:
    answer = desk.run(desk.ask(question))
    assert answer.result == count
    assert answer.unused == []


def test_a_country_before_other_values_is_not_a_code(desk: Desk) -> None:
    result = desk.expected(lambda record: record["variety"] == "Danish Beauty")
    assert set(desk.keys(desk.ask("deliveries of Danish Beauty"))) == result
