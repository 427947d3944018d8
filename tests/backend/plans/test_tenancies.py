"""Verbs for amounts and dates that no property is called by, names with commas, what a boolean
denies, and the other end of a ranking.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

Record = dict[str, Any]
_TOWNS = ("Baltimore, MD", "Dover, DE", "Austin, TX", "Reno, NV")
_SCHEMA = [
    {"name": "lease_no", "type": "string"},
    {"name": "tenant", "type": "string"},
    {"name": "town", "type": "string"},
    {"name": "monthly_rent", "type": "float", "description": "Rent per month in dollars"},
    {"name": "issue_date", "type": "date"},
    {"name": "end_date", "type": "date"},
    {"name": "remote", "type": {"type": "bool",
     "description": "Whether it was signed by mail instead of on site"}},
    {"name": "collected_on", "type": "date"},
]  # fmt: skip


def _leases() -> list[Record]:
    dice = random.Random(3)
    return [
        {
            "lease_no": f"L{i:03}",
            "tenant": dice.choice(["Ann Wu", "Bo Falk", "Cy Rao", "Di Sol", "Ed Moss"]),
            "town": dice.choice(_TOWNS),
            "monthly_rent": dice.choice([600, 750, 900, 1200, 1500]),
            "issue_date": f"20{dice.randint(19, 22)}-0{dice.randint(1, 9)}-12",
            "end_date": f"202{dice.randint(3, 7)}-0{dice.randint(1, 9)}-05",
            "remote": dice.random() < 0.4,
            "collected_on": None if dice.random() < 0.5 else "2023-02-01",
        }
        for i in range(50)
    ]


@pytest.fixture(scope="module")
def leases(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = _leases()
    texts = [[f"Lease {r['lease_no']}"] for r in records]
    return make_desk(tmp_path_factory.mktemp("leases"), "lease", _SCHEMA, records, texts)


def _remarks(plan: Plan) -> list[str]:
    return [*plan.edit.warnings, *plan.edit.unused] if plan.edit is not None else []


@pytest.mark.parametrize(
    ("question", "test"),
    [
        ("leases that pay more than 1000", lambda r: r["monthly_rent"] > 1000),
        ("who pays more than 1000 a month?", lambda r: r["monthly_rent"] > 1000),
        ("leases that pay less than 800", lambda r: r["monthly_rent"] < 800),
        ("which leases expire before 2025", lambda r: r["end_date"] < "2025"),
        ("leases that run out in 2024", lambda r: r["end_date"][:4] == "2024"),
        ("leases drawn up in 2020", lambda r: r["issue_date"][:4] == "2020"),
        ("hand me the leases in Reno, NV", lambda r: r["town"] == "Reno, NV"),
        ("leases in Dover, DE or Austin, TX", lambda r: r["town"] in ("Dover, DE", "Austin, TX")),
        ("leases signed on site", lambda r: not r["remote"]),
        ("remote leases", lambda r: r["remote"]),
    ],
)
def test_documents_are_found_by_words_that_no_property_has(
    leases: Desk, question: str, test: Callable[[Record], bool]
) -> None:
    assert set(leases.keys(leases.ask(question))) == leases.expected(test)


@pytest.mark.parametrize(
    "question",
    ["leases that run out in 2027", "leases in Dover, DE", "hand me the leases of Ann Wu"],
)
def test_words_that_are_read_are_not_called_ignored(leases: Desk, question: str) -> None:
    ignored = ("ignored", "run", "hand", "DE")
    assert not [line for line in _remarks(leases.ask(question)) if line.startswith(ignored)]


def test_who_pays_the_most_is_the_one_with_the_largest_total(leases: Desk) -> None:
    totals: dict[str, float] = {}
    for record in leases.records:
        totals[record["tenant"]] = totals.get(record["tenant"], 0) + record["monthly_rent"]
    [row] = leases.result(leases.ask("which tenant pays the most?"))
    assert row["properties"]["key"] == max(totals, key=lambda name: totals[name])


@pytest.mark.parametrize("words", ["which of them were on site?", "which of those were on site?"])
def test_what_a_boolean_denies_is_not_read_as_true(leases: Desk, words: str) -> None:
    plan = leases.edit(leases.begin("leases of Ann Wu"), words)
    wanted = leases.expected(lambda r: r["tenant"] == "Ann Wu" and not r["remote"])
    assert set(leases.keys(plan)) == wanted


@pytest.mark.parametrize(
    "words", ["which of them have been collected?", "which of those were collected?"]
)
def test_what_has_been_done_has_a_date(leases: Desk, words: str) -> None:
    try:
        plan = leases.edit(leases.begin("leases of Ann Wu"), words)
    except Invalid:
        return
    wanted = leases.expected(lambda r: r["tenant"] == "Ann Wu" and bool(r["collected_on"]))
    assert set(leases.keys(plan)) == wanted


def test_the_most_behind_the_fewest_is_the_other_end(leases: Desk) -> None:
    lowest = leases.begin("which town has the lowest average monthly rent?")
    highest = leases.ask("which town has the highest average monthly rent?")
    assert leases.rows(leases.edit(lowest, "and the highest rent?")) == leases.rows(highest)
