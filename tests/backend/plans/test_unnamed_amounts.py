"""Questions that name no property: the schema tells which amount, size or age they mean."""

from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

SCHEMA: list[dict[str, Any]] = [
    {"name": "reference", "type": {"type": "string"}},
    {"name": "firm", "type": {"type": "string", "description": "Gardener who wrote the estimate"}},
    {"name": "client", "type": {"type": "string", "description": "Who asked for it"}},
    {"name": "born_on", "type": {"type": "date", "description": "Birthday of the client"}},
    {"name": "visit_date", "type": {"type": "date", "description": "Day the garden was seen"}},
    {
        "name": "work",
        "type": {"type": "string", "choices": ["visit", "planting", "pass", "fail"]},
    },
    {"name": "total", "type": {"type": "float", "description": "What the work costs"}},
    {"name": "currency", "type": {"type": "string"}},
    {"name": "remarks", "type": {"type": "array", "item_type": {"type": "string"}}},
]
_FIRMS = ["Fern & Daughters Gardens Ltd", "The Mossbank Trust", "St. Orla's Nursery"]
_CLIENTS = ["Ada Quill", "Bram Oak", "Cleo Reed", "Dov Lark"]
RECORDS: list[dict[str, Any]] = [
    {
        "reference": f"E{i:03}",
        "firm": _FIRMS[i % 3],
        "client": _CLIENTS[i % 4],
        "born_on": f"19{50 + 7 * (i % 4)}-03-0{1 + i % 4}",
        "visit_date": f"20{23 + i % 2}-0{1 + i % 9}-11",
        "work": ["visit", "planting", "pass", "fail"][i // 2 % 4],
        "total": 100.0 + 37 * i,
        "currency": ["GBP", "EUR"][i % 2],
        "remarks": ["Left gate hinge failed"] if i == 3 else [],
    }
    for i in range(20)
]


def totals(**kept: Any) -> list[float]:
    """The totals of the records with these values."""
    some = [r for r in RECORDS if all(r[name] == value for name, value in kept.items())]
    return [r["total"] for r in some]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("estimates")
    return make_desk(folder, "estimates", SCHEMA, RECORDS, [["An estimate"]] * len(RECORDS))


@pytest.mark.parametrize(
    ("question", "firm"),
    [
        ("How much did St. Orla's Nursery charge in euros?", _FIRMS[2]),
        ("how much has the Mossbank Trust asked for in euros altogether", _FIRMS[1]),
        ("How much did Fern & Daughters estimate in euros?", _FIRMS[0]),
    ],
)
def test_how_much_without_a_noun_adds_up_the_only_amount(
    desk: Desk, question: str, firm: str
) -> None:
    assert desk.result(desk.ask(question)) == pytest.approx(sum(totals(firm=firm, currency="EUR")))


def test_the_average_document_is_its_average_amount(desk: Desk) -> None:
    euros = totals(currency="EUR")
    got = desk.result(desk.ask("average estimate in euros"))
    assert got == pytest.approx(sum(euros) / len(euros))


@pytest.mark.parametrize(
    ("question", "client"),
    [
        ("Which client got the highest estimate?", "Dov Lark"),
        ("Which client got the smallest estimate in euros?", "Bram Oak"),
        ("who asked for the largest planting in euros", "Dov Lark"),
    ],
)
def test_the_highest_document_has_the_highest_amount(
    desk: Desk, question: str, client: str
) -> None:
    assert client in str(desk.result(desk.ask(question)))


def test_the_oldest_person_has_the_earliest_birthday(desk: Desk) -> None:
    (item,) = desk.result(desk.ask("Who is the oldest client?"))
    assert item["properties"]["entity"]["client"] == "Ada Quill"


def test_a_listed_choice_is_a_value_even_if_a_property_has_its_word(desk: Desk) -> None:
    """`visit` is in the name of a date as well."""
    assert desk.result(desk.ask("how many visit estimates are there?")) == len(totals(work="visit"))


def test_an_inflected_value_precedes_a_word_of_a_longer_one(desk: Desk) -> None:
    assert desk.result(desk.ask("how many failed?")) == len(totals(work="fail"))


@pytest.mark.parametrize(
    "question",
    [
        "which firm wrote more estimates than any other?",
        "Which firm has more estimates than all others",
        "which firm has more estimates than any other firm",
    ],
)
def test_more_than_any_other_is_the_most(desk: Desk, question: str) -> None:
    assert list(desk.rows(desk.ask(question))) == [_FIRMS[0]]
