"""Words of a question that its plan does not reflect are listed, whatever read the question."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backend.plans.requests.unused import unused_in
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from workbench.contract.plan import Plan

Desks = Callable[[str], Desk]


def _unused(desk: Desk, question: str, *steps: dict[str, object]) -> list[str]:
    nodes = dict(desk.everything().model_dump(mode="json")["nodes"])
    for i, step in enumerate(steps, 1):
        nodes[str(i)] = {"node_id": i, "inputs": [i - 1], **step}
    plan = Plan.model_validate({"query": question, "nodes": nodes, "result_node": len(steps)})
    return unused_in(plan, desk.service.collection(desk.docset_id, ACCOUNT))


COUNT: dict[str, object] = {"node_type": "Count"}
BY_STATUS: dict[str, object] = {"node_type": "GroupBy", "field": "status"}
PER_GROUP: dict[str, object] = {"node_type": "AggregateCount"}
MEAN: dict[str, object] = {
    "node_type": "Aggregate", "aggregations": [{"func": "avg", "field": "cost_musd"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("question", "steps", "words"),
    [
        ("How many satellites per status?", [COUNT], ["status"]),
        ("How many satellites per status?", [BY_STATUS, PER_GROUP], []),
        ("How many satellites per day?", [COUNT], ["per"]),
        ("What is the average cost of the satellites?", [MEAN], []),
        ("What is the average cost of purple satellites?", [MEAN], ["purple"]),
        ("What is the average cost?", [COUNT], ["average", "cost"]),
        ("average cost_musd", [MEAN], []),
        ("average cost_musd by launch_site", [MEAN], ["launch_site"]),
        ("Which satellite is the heaviest?", [], ["heaviest"]),
        ("How many satelites are there?", [COUNT], []),
        ("Difference between the satellites of 2018 and 2019", [COUNT], ["Difference"]),
        ("How many different satellites are there?", [COUNT], []),
        ("How many satellites are in FL?", [COUNT], ["FL"]),
        ("HOW MANY SATELLITES ARE UP", [COUNT], []),
    ],
)
def test_unused_words_of_a_question_are_listed(
    desks: object, question: str, steps: list[dict[str, object]], words: list[str]
) -> None:
    desk = desks("satellites")  # type: ignore[operator]
    assert _unused(desk, question, *steps) == words


def test_the_text_of_a_plan_carries_the_report_too(desks: Desks) -> None:
    plan = desks("satellites").ask("Which satellites concern the year 2019?")
    assert plan.edit is not None and plan.edit.unused == ["concern"]
    assert "\nNot used: “concern”.\n" in (plan.llm_plan or "")


@pytest.mark.parametrize(
    "words",
    ["top 3 by costs", "the three largest appeals by costs,", "the three largest by costs,"],
)
def test_ties_are_used_by_a_limit_that_keeps_them(desks: Desks, words: str) -> None:
    plan = desks("appeals").ask(f"{words} with ties")
    assert plan.edit is not None and "ties" not in (plan.edit.unused or [])
    assert any(node.extras.get("with_ties") for node in plan.nodes.values())


MINUTES = [
    {"name": "meeting_date", "type": {"type": "date", "description": "Date of the meeting"}},
    {"name": "quorum", "type": {"type": "bool", "description": "Whether the meeting had one"}},
    {"name": "chair", "type": {"type": "string", "description": "Who presided over it"}},
]


def test_a_word_by_which_the_schema_calls_the_documents_is_used(tmp_path: Path) -> None:
    records = [
        {"meeting_date": f"2022-0{i}-03", "quorum": i % 2 == 0, "chair": "Ann Lee"}
        for i in range(1, 7)
    ]
    desk = make_desk(tmp_path, "minutes", MINUTES, records, [["Minutes"] for _ in records])
    plan = desk.ask("In which meetings was there no quorum?")
    assert (plan.edit is None or plan.edit.unused == []) and len(desk.result(plan)) == 3
