"""Questions about lists of numbers, such as the scores of several judges."""

from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

SCHEMA: list[dict[str, Any]] = [
    {"name": "skater", "type": {"type": "string", "description": "Name of the skater"}},
    {"name": "scores", "type": {"type": "array", "item_type": {"type": "int"}}},
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = [
        {"skater": "Ada Lane", "scores": [9, 10]},
        {"skater": "Bo Reed", "scores": [100, 9]},
        {"skater": "Cy Moss", "scores": []},
    ]
    texts = [[record["skater"]] for record in records]
    return make_desk(tmp_path_factory.mktemp("scores"), "scores", SCHEMA, records, texts)


@pytest.mark.parametrize(
    "question",
    [
        "highest scores",
        "what is the lowest scores",
        "average scores",
        "sum of scores",
        "total scores by skater",
        "documents with scores over 9",
        "scores above average",
        "sort by scores",
    ],
)
def test_the_numbers_of_lists_are_not_confused_with_how_many_there_are(
    desk: Desk, question: str
) -> None:
    with pytest.raises(Invalid, match="Ask for the number of scores"):
        desk.ask(question)


def test_feedback_does_not_confuse_them_either_but_may_undo_and_count(desk: Desk) -> None:
    counted = desk.ask("the document with the most scores")
    assert len(desk.keys(counted)) == 1
    with pytest.raises(Invalid, match="Ask for the number of scores"):
        desk.edit(desk.everything(), "only those with scores over 9")
    assert desk.keys(desk.edit(desk.everything(), "only those with more than 1 scores")) == [
        "Ada Lane", "Bo Reed",
    ]  # fmt: skip
    again = desk.edit(counted, "show all documents", "undo")
    assert desk.keys(again) == desk.keys(counted)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("average number of scores", 4 / 3),
        ("how many scores on average", 4 / 3),
        ("how many documents have more than 1 scores", 2),
        ("how many documents with scores of 100", 1),
    ],
)
def test_questions_for_how_many_there_are_are_answered(
    desk: Desk, question: str, answer: float
) -> None:
    assert desk.result(desk.ask(question)) == pytest.approx(answer)


def test_groups_by_the_numbers_of_lists_sort_as_numbers(desk: Desk) -> None:
    by_score = "select scores, count(*) from t group by scores order by scores desc"
    assert list(desk.rows(desk.ask(by_score))) == ["100", "10", "9"]
    assert list(desk.rows(desk.ask(f"{by_score} limit 1"))) == ["100"]
    assert desk.rows(desk.ask("count by scores")) == {"9": 2, "10": 1, "100": 1}
    distinct = desk.result(desk.ask("select distinct scores from t order by scores"))
    assert [row["properties"]["key"] for row in distinct] == ["9", "10", "100"]


def test_a_group_of_a_number_is_asked_for_by_its_text(desk: Desk) -> None:
    counts = "select scores, count(*) from t group by scores having scores = '100'"
    assert desk.rows(desk.ask(counts)) == {"100": 1}


def test_documents_with_a_line_for_each_number_sort_as_numbers(desk: Desk) -> None:
    nodes = {
        **desk.everything().model_dump(mode="json")["nodes"],
        "1": {"node_type": "Unroll", "node_id": 1, "inputs": [0], "field": "scores"},
        "2": {"node_type": "Sort", "node_id": 2, "inputs": [1], "field": "scores"},
        "3": {"node_type": "BasicFilter", "node_id": 3, "inputs": [2], "field": "scores",
              "query": "9", "match": "exact", "negate": True},
    }  # fmt: skip
    lines = Plan.model_validate({"query": "lines", "nodes": nodes, "result_node": 2})
    assert desk.keys(lines) == ["Ada Lane", "Bo Reed", "Ada Lane", "Bo Reed"]
    without = lines.model_copy(update={"result_node": 3})
    assert desk.keys(without) == ["Ada Lane", "Bo Reed"]
