"""`Nor X` in a follow-up excludes X beside everything that the plan excludes already."""

from pathlib import Path

import pytest

from backend.plans.requests.further_exclusions import all_stay
from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.plan_nodes import BasicFilter

_LOTS = [
    ("Ines", "B", "OR", True),
    ("Ines", "C", "IN", False),
    ("Boyd", "B", "OR", False),
    ("Boyd", "D", "ME", False),
    ("Sato", "C", "IN", True),
    ("Sato", "D", "OH", False),
    ("Sato", "E", "ME", True),
]
_NAMES = ("roaster", "grade", "state", "washed")


@pytest.fixture(scope="module")
def coffees(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("coffees")
    types = ("string", "string", "string", "bool")
    properties = [{"name": n, "type": t} for n, t in zip(_NAMES, types, strict=True)]
    records = [dict(zip(_NAMES, lot, strict=True)) for lot in _LOTS]
    texts = [[f"Coffee of {record['roaster']}"] for record in records]
    return make_desk(folder, "coffee", properties, records, texts)


@pytest.mark.parametrize(
    "question, further, counts",
    [
        ("how many coffees are not in OR?", ["nor those of Sato"], [5, 2]),
        ("how many coffees are not washed?", ["nor grade D"], [4, 2]),
        ("how many coffees are washed?", ["nor in ME"], [3, 2]),
        ("how many coffees are neither B nor C?", ["nor D"], [3, 1]),
        ("how many coffees are not in OR?", ["nor in IN", "nor in ME"], [5, 3, 1]),
        ("how many coffees are not washed?", ["but not those in OR", "nor in IN"], [4, 3, 2]),
    ],
)
def test_nor_takes_away_and_keeps_the_other_conditions(
    coffees: Desk, question: str, further: list[str], counts: list[int]
) -> None:
    plan = coffees.ask(question)
    results = [coffees.result(plan)]
    for feedback in further:
        plan = coffees.edit(plan, feedback)
        results.append(coffees.result(plan))
    assert results == counts


def test_an_exclusion_stays_if_it_gets_further_values() -> None:
    not_b = BasicFilter(field="properties.entity.grade", query="B", match="exact", negate=True)
    neither = not_b.model_copy(update={"query": None, "values": ["B", "C"]})
    assert all_stay([not_b], [neither])
    assert not all_stay([neither], [not_b])
    assert not all_stay([not_b], [not_b.model_copy(update={"negate": False})])
