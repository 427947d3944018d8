"""A name that only long values such as addresses contain is looked for in them."""

from pathlib import Path
from typing import Any

import pytest

from backend.plans.tables.value_index import index_for
from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.schema import Schema

_STREETS = ("Harbour Row", "Old Mill Lane", "Station Approach", "Quarry Road")
_TOWNS = ("Port Morvyn", "Tarvik", "Eskenholm")
FIELDS = [
    {"name": "ticket", "field_type": "string", "description": "Number of the ticket"},
    {"name": "address", "field_type": "string", "description": "Address of the shop"},
]
RECORDS: list[dict[str, Any]] = [
    {
        "ticket": f"T{i}",
        "address": f"Unit {i}, Third Floor, {_STREETS[i % 4]} {i + 3}, {4000 + i} {_TOWNS[i % 3]},"
        " North Province" if i else "Quay 1, Tarvik",
    }
    for i in range(18)
]  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("tickets")
    return make_desk(folder, "tickets", FIELDS, RECORDS, [["ticket"] for _ in RECORDS])


@pytest.mark.parametrize(
    ("question", "town"),
    [
        ("tickets from Port Morvyn", "Port Morvyn"),
        ("tickets with an address in Eskenholm", "Eskenholm"),
        ("which tickets come from tarvik?", "Tarvik"),
    ],
)
def test_all_long_values_with_the_name_are_meant(desk: Desk, question: str, town: str) -> None:
    plan = desk.ask(question)
    expected = {r["ticket"] for r in RECORDS if town in r["address"]}
    assert set(desk.keys(plan)) == expected
    assert plan.edit is not None
    assert any("in address" in remark for remark in plan.edit.warnings)


def test_the_words_of_a_long_value_are_removed_with_its_last_document() -> None:
    empty = index_for("tickets", Schema(properties=[]))
    line = "Unit 3, Third Floor, Quarry Road 6, 4003 Port Morvyn, North Province"
    full = empty.changed({}, {"address": {line: 2}}, {})
    assert "address" in full.lines["morvyn"] and "address" not in empty.lines.get("morvyn", {})
    assert full.changed({"address": {line: 1}}, {}, {}).lines["morvyn"]["address"] == 1
    assert not full.changed({"address": {line: 2}}, {}, {}).lines["morvyn"]


def test_a_name_in_the_text_of_most_documents_is_not_a_noun_for_them(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, "tickets", FIELDS, RECORDS, [["Eskenholm"] for _ in RECORDS])
    plan = desk.ask("tickets from Eskenholm")
    assert set(desk.keys(plan)) == {r["ticket"] for r in RECORDS if "Eskenholm" in r["address"]}
