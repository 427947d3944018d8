"""Whole questions in unusual but correct English: columns of a kind beside each other, years before
1900, orders from one end to the other, and both ends at once.
"""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

OVENS: list[dict[str, Any]] = [
    {"name": "oven", "type": {"type": "string"}},
    {"name": "town", "type": {"type": "string"}},
    {"name": "fuel", "type": {"type": "string"}},
    {"name": "baker", "type": {"type": "string", "description": "Person who runs the oven"}},
    {"name": "lit", "type": {"type": "date", "description": "Day it was first lit"}},
    {"name": "heat_c", "type": {"type": "int", "description": "Highest heat in degrees"}},
    {"name": "loaves_2023", "type": {"type": "int", "description": "Loaves baked in 2023"}},
    {"name": "loaves_2024", "type": {"type": "int", "description": "Loaves baked in 2024"}},
    {"name": "rent_eur", "type": {"type": "float", "description": "Rent per month in euros"}},
    {"name": "rented_on", "type": {"type": "date", "description": "Day it was rented out"}},
    {"name": "open_to_all", "type": {"type": "bool", "description": "Anybody may bake there"}},
]
_BAKERS = ["Ida Moll", "Tom Rusk", "Ana Vidal", None]


def _oven(i: int) -> dict[str, Any]:
    return {
        "oven": f"Oven {chr(65 + i)}",
        "town": ["Harrow", "Selby", "Thirsk"][i % 3],
        "fuel": ["beech", "gas", "oak"][(i // 2) % 3],
        "baker": _BAKERS[i % 4],
        "lit": f"{1846 + 9 * i}-{1 + (5 * i) % 12:02d}-0{1 + i % 9}",
        "heat_c": 240 + 7 * ((i * 5) % 17),
        "loaves_2023": 4000 + 310 * ((i * 7) % 18),
        "loaves_2024": 4000 + 310 * ((i * 11) % 18) * (i % 4 > 0) + 2170 * i * (i % 4 == 0),
        "rent_eur": 120.0 + 35 * ((i * 13) % 18),
        "rented_on": f"202{i % 5}-03-1{i % 9}" if i % 3 else None,
        "open_to_all": i % 5 == 0,
    }


RECORDS = [_oven(i) for i in range(18)]


@pytest.fixture(scope="module")
def ovens(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("ovens")
    return make_desk(folder, "ovens", OVENS, RECORDS, [["An oven of a village"]] * len(RECORDS))


def _more(r: dict[str, Any]) -> bool:
    return r["loaves_2024"] > r["loaves_2023"]


@pytest.mark.parametrize(
    ("question", "fits"),
    [
        ("Which ovens baked more loaves in 2024 than in 2023?", _more),
        ("Ovens whose loaves rose from 2023 to 2024", _more),
        ("Which ovens had fewer loaves in 2024 than in 2023?",
         lambda r: r["loaves_2024"] < r["loaves_2023"]),
        ("ovens with as many loaves in 2023 as in 2024",
         lambda r: r["loaves_2024"] == r["loaves_2023"]),
        ("ovens lit from 1860 to 1899", lambda r: "1860" <= r["lit"] < "1900"),
        ("Which ovens were lit after the year 1900?", lambda r: r["lit"] > "1900-12-31"),
        ("Which ovens were lit in a month of June?", lambda r: r["lit"][5:7] == "06"),
        ("Ovens with another fuel than oak", lambda r: r["fuel"] != "oak"),
        ("Which ovens lack a baker?", lambda r: r["baker"] is None),
        ("unrented ovens", lambda r: r["rented_on"] is None),
        ("ovens in Harrow + Selby", lambda r: r["town"] != "Thirsk"),
        ("ovens hotter than 300 degrees, Selby only",
         lambda r: r["heat_c"] > 300 and r["town"] == "Selby"),
    ],
)  # fmt: skip
def test_the_ovens_that_are_meant_are_found(ovens: Desk, question: str, fits: Any) -> None:
    found = ovens.result(ovens.ask(question))
    names = {item["properties"]["entity"]["oven"] for item in found}
    assert names == {r["oven"] for r in RECORDS if fits(r)}


@pytest.mark.parametrize(
    ("question", "field", "falling"),
    [
        ("List the ovens of Selby, the smallest rent in front.", "rent_eur", False),
        ("The ovens of Selby from the greatest to the smallest rent", "rent_eur", True),
        ("The Selby ovens, lowest heat to highest", "heat_c", False),
    ],
)
def test_an_order_may_name_both_ends(ovens: Desk, question: str, field: str, falling: bool) -> None:
    found = ovens.result(ovens.ask(question))
    names = [item["properties"]["entity"]["oven"] for item in found]
    there = [r for r in RECORDS if r["town"] == "Selby"]
    assert names == [r["oven"] for r in sorted(there, key=lambda r: r[field], reverse=falling)]


def _towns(least: int) -> set[str]:
    sums: dict[str, int] = defaultdict(int)
    for record in RECORDS:
        sums[record["town"]] += record["loaves_2024"]
    return {town for town, loaves in sums.items() if loaves > least}


def test_groups_may_be_tested_by_a_total_or_an_average(ovens: Desk) -> None:
    plan = ovens.ask("Towns with over 60000 loaves in total in 2024")
    assert set(ovens.rows(plan)) == _towns(60000)
    plan = ovens.ask("Which towns average more than 300 euros of rent?")
    rents = {town: [r["rent_eur"] for r in RECORDS if r["town"] == town] for town in _towns(0)}
    assert set(ovens.rows(plan)) == {t for t, r in rents.items() if sum(r) / len(r) > 300}


def test_both_ends_may_be_asked_for_at_once(ovens: Desk) -> None:
    plan = ovens.ask("What is the smallest and what is the greatest rent of an oven?")
    rents = [record["rent_eur"] for record in RECORDS]
    found = ovens.result(plan)[0]["properties"]
    assert sorted(v for v in found.values() if isinstance(v, float)) == [min(rents), max(rents)]


@pytest.mark.parametrize("question", ["Which fuels do we have?", "all fuels, each only once"])
def test_what_there_is_is_listed_once(ovens: Desk, question: str) -> None:
    found = ovens.result(ovens.ask(question))
    assert [item["properties"]["key"] for item in found] == ["beech", "gas", "oak"]


def test_a_share_may_be_asked_for_behind_the_documents(ovens: Desk) -> None:
    plan = ovens.ask("How big is the part of oak ovens among all, in per cent?")
    assert "share" in " ".join(node.description or "" for node in plan.nodes.values())


def test_a_whole_question_may_begin_with_and(ovens: Desk) -> None:
    plan = ovens.ask("And how many ovens are there in each town?")
    assert ovens.rows(plan) == Counter(record["town"] for record in RECORDS)


@pytest.mark.parametrize(
    "question", ["And in Selby?", "And how many are there?", "And which ones?"]
)
def test_the_rest_of_a_question_still_refers_back(ovens: Desk, question: str) -> None:
    with pytest.raises(Invalid, match="refers to an earlier question"):
        ovens.ask(question)


def test_one_height_beside_another_is_no_comparison_with_itself(ovens: Desk) -> None:
    plan = ovens.ask("ovens where the 2024 loaves are fewer than the loaves of 2023")
    assert plan.nodes
