"""Questions about how many values a list holds, and about what documents do not have."""

from pathlib import Path
from typing import Any

import pytest

from backend.plans.running.behind import Asked
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from workbench.contract.plan import Plan

SCHEMA: list[dict[str, Any]] = [
    {"name": "held_on", "type": {"type": "date", "description": "Date of the rehearsal"}},
    {"name": "title", "type": {"type": "string", "description": "Title of the notes"}},
    {
        "name": "present",
        "type": {
            "type": "array",
            "item_type": {"type": "string"},
            "description": "Present: everybody who attended",
        },
    },
    {"name": "recording", "type": {"type": "string", "description": "Recording"}},
]
SINGERS = ["Ada Lane", "Bo Reed", "Cy Moss", "Dee Vale", "Eli Brook", "Fay Stone"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("rehearsals")
    records = [
        {
            "held_on": f"2021-{month:02d}-05",
            "title": f"Rehearsal {month}",
            "present": SINGERS[: 2 + month % 5],
            "recording": f"https://video.example.org/{month}",
        }
        for month in range(1, 11)
    ]
    return make_desk(folder, "rehearsals", SCHEMA, records, [[r["title"]] for r in records])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many people attended on average?", 4),
        ("how many people were present on average?", 4),
        ("average number of people present", 4),
        ("largest number of people present", 6),
        ("largest number of people present at one rehearsal", 6),
        ("smallest number of people present", 2),
    ],
)
def test_the_items_of_a_list_are_counted_where_only_a_list_is_named(
    desk: Desk, question: str, answer: float
) -> None:
    assert desk.run(desk.ask(question)).result == answer


@pytest.mark.parametrize(
    "question", ["how many rehearsals have no recording?", "how many are without recording?"]
)
def test_a_complete_property_is_missing_nowhere(desk: Desk, question: str) -> None:
    plan = desk.ask(question)
    assert [node.description for node in plan.nodes.values()][1] == (
        "Keep where recording is unknown"
    )
    assert desk.run(plan).result == 0


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("when was the first rehearsal?", "2021-01-05"),
        ("when was the last rehearsal held?", "2021-10-05"),
    ],
)
def test_when_shows_a_date_beside_the_title(desk: Desk, question: str, day: str) -> None:
    (result,) = desk.run(desk.ask(question)).result
    entity = result["properties"]["entity"]
    assert entity.keys() <= {"title", "held_on"}
    assert entity["held_on"] == day


@pytest.mark.parametrize(
    ("question", "start", "count"),
    [
        ("rehearsals whose title starts with Reh", "Reh", 10),
        ("rehearsals with a title that begins with “Rehearsal 1”", "Rehearsal 1", 2),
    ],
)
def test_a_prefix_condition_is_described_as_a_prefix(
    desk: Desk, question: str, start: str, count: int
) -> None:
    plan = desk.ask(question)
    assert [node.description for node in plan.nodes.values()][1:] == [
        f"Keep where title begins with {start}"
    ]
    assert plan.edit is not None and plan.edit.unused == []
    assert len(desk.run(plan).result) == count


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("how many people attended on average?", "present"),
        ("how many rehearsals had more than 4 people present?", "present"),
    ],
)
def test_behind_the_number_of_items_is_the_list(desk: Desk, question: str, field: str) -> None:
    plan = desk.ask(question)
    run = desk.run(plan)
    behind = desk.service.documents_behind(run.query_id, plan.result_node, ACCOUNT, Asked())
    assert behind.total and behind.fields == [field]


def test_behind_a_number_are_the_properties_of_all_its_conditions(desk: Desk) -> None:
    either = [{"field": "title", "query": "Rehearsal 1"}, {"field": "held_on", "exists": True}]
    counted = {"func": "count", "where": [{"field": "recording", "exists": True}]}
    plan = desk.everything()
    nodes = plan.model_dump(mode="json")["nodes"] | {
        "1": {"node_type": "BasicFilter", "node_id": 1, "description": "x", "inputs": [0],
              "field": "title", "any_of": either},
        "2": {"node_type": "Aggregate", "node_id": 2, "description": "x", "inputs": [1],
              "aggregations": [counted]},
    }  # fmt: skip
    run = desk.run(Plan.model_validate({"query": "x", "nodes": nodes, "result_node": 2}))
    behind = desk.service.documents_behind(run.query_id, 2, ACCOUNT, Asked())
    assert behind.fields == ["recording", "title", "held_on"]
