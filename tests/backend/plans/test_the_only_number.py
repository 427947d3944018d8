"""Questions about documents of which few properties are known, so that only one can be meant."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

SCHEMA: list[dict[str, Any]] = [
    {"name": "number", "type": {"type": "string"}},
    {"name": "holder", "type": {"type": "string", "description": "Company that holds the bond"}},
    {
        "name": "jurisdiction",
        "type": {"type": "string", "description": "State or country whose law governs the bond"},
    },
    {"name": "signed_on", "type": {"type": "date"}},
    {"name": "folder_number", "type": {"type": "int"}},
    {"name": "total", "type": {"type": "float", "description": "Total amount of the bond"}},
]
RECORDS: list[dict[str, Any]] = [
    {
        "number": f"B{i}",
        "holder": ["Birch Ltd", "Elm Works", "Rowan Mills"][i % 3],
        "jurisdiction": ["Nevada", "Ohio", "Nevada", "Texas"][i % 4],
        "signed_on": f"20{19 + i % 3}-0{1 + i % 9}-14",
        "folder_number": 40 + i % 5,
        "total": 5.0 * (i + 1),
    }
    for i in range(24)
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("bonds")
    return make_desk(folder, "bonds", SCHEMA, RECORDS, [["A bond"]] * len(RECORDS))


@pytest.mark.parametrize(
    "question",
    [
        "how many bonds are below 40?",
        "how many bonds below 40 are there",
        "number of bonds below 40",
        "how many bonds are under 40 dollars?",
        "how many below 40",
    ],
)
def test_a_bare_number_is_about_the_only_property_of_numbers(desk: Desk, question: str) -> None:
    assert desk.result(desk.ask(question)) == 7


def test_a_bare_number_bounds_the_total(desk: Desk) -> None:
    assert desk.result(desk.ask("sum of bonds below 40")) == sum(5.0 * (i + 1) for i in range(7))


def test_a_number_before_the_documents_counts_them(desk: Desk) -> None:
    stored = Counter(record["holder"] for record in RECORDS)
    assert desk.rows(desk.ask("holders with more than 5 bonds")) == dict(stored)
    with pytest.raises(Invalid):
        desk.ask("which days had over 3 bonds")


def test_a_number_before_another_plural_counts_them_too(desk: Desk) -> None:
    plan = desk.ask(
        "how many bonds are there in each jurisdiction that has less than 9 guarantees?"
    )
    assert desk.rows(plan) == {"Ohio": 6, "Texas": 6}


@pytest.mark.parametrize(
    "question",
    ["bonds per holder with the total", "bonds by holder with total", "total per holder"],
)
def test_an_amount_that_is_wanted_beside_groups_is_added_up(desk: Desk, question: str) -> None:
    sums: Counter[str] = Counter()
    for record in RECORDS:
        sums[record["holder"]] += record["total"]
    assert desk.rows(desk.ask(question)) == dict(sums)


@pytest.mark.parametrize(
    "question",
    [
        "which state governs the most bonds?",
        "which state governs the most",
        "which state's law governs the most bonds?",
        "what law governs most bonds",
    ],
)
def test_one_group_is_asked_for_where_the_verb_ends_like_a_plural(
    desk: Desk, question: str
) -> None:
    assert desk.rows(desk.ask(question)) == {"Nevada": 12}


def test_several_groups_are_asked_for_in_the_plural(desk: Desk) -> None:
    rows = desk.rows(desk.ask("which states govern the most bonds?"))
    assert list(rows.items()) == Counter(r["jurisdiction"] for r in RECORDS).most_common()


def test_a_year_behind_a_superlative_is_no_number_of_documents(desk: Desk) -> None:
    (item,) = desk.result(desk.ask("largest bond of 2020"))
    latest = max((r for r in RECORDS if "2020" in r["signed_on"]), key=lambda r: r["total"])
    assert item["properties"]["entity"]["number"] == latest["number"]
