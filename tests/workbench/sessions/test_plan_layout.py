import pytest

from tests.tui.fake_client import plan
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import Node
from workbench.sessions.plan_layout import condition, graph_rows, summary


def drawn(wanted):
    return [f"{row.gutter}{row.node.node_id} {row.link}".rstrip() for row in graph_rows(wanted)]


def test_a_chain_has_no_gutter_and_one_result():
    rows = graph_rows(plan("q"))
    assert [row.gutter for row in rows] == [""] * 6
    assert [row.is_result for row in rows] == [False] * 5 + [True]
    assert [row.approximate for row in rows] == [False, False, True, False, False, False]


def test_two_branches_run_side_by_side_and_meet():
    wired = [
        ("QueryDatabase", []), ("BasicFilter", [0]), ("Count", [1]), ("Count", [0]),
        ("Math", [2, 3]),
    ]  # fmt: skip
    nodes = {
        str(i): {"node_id": i, "node_type": kind, "inputs": inputs, "field": "x"}
        for i, (kind, inputs) in enumerate(wired)
    }
    result = Plan.model_validate({"query": "q", "nodes": nodes, "result_node": 4})
    rows = graph_rows(result)
    assert len(rows) == 5
    assert rows[0].shared
    assert rows[-1].link == "⟵ 2,3"
    assert any("│" in row.gutter or "├" in row.gutter for row in rows)


def test_every_step_appears_once_even_when_nothing_uses_it():
    result = plan("q")
    result.nodes["9"] = Node(node_type="Count", node_id=9, inputs=[0])
    assert sorted(row.node.node_id for row in graph_rows(result)) == [0, 1, 2, 3, 4, 5, 9]


def test_an_invalid_plan_can_be_viewed():
    for inputs in ([99], [5], [1]):  # what is not there, a circle, itself
        result = plan("q")
        result.nodes["1"] = result.node(1).model_copy(update={"inputs": inputs})
        assert sorted(row.node.node_id for row in graph_rows(result)) == [0, 1, 2, 3, 4, 5]


def test_conditions_are_read_aloud():
    assert condition({"field": "properties.entity.year", "query": 2023}) == "year = 2023"
    assert condition({"field": "state", "query": "WA", "match": "exact", "negate": True}) == (
        "state ≠ WA"
    )
    assert condition({"field": "year", "range_filter": True, "start": 2020}) == "year ≥ 2020"
    assert condition({"field": "year", "exists": False}) == "year is unknown"
    assert condition({"field": "s", "values": ["a", "b"], "negate": True}) == "s not in a, b"


def test_a_step_without_fields_shows_its_description():
    assert summary(Node(node_type="Odd", node_id=0, description="does odd things")) == (
        "does odd things"
    )


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("2021-01-01", "2021-12-31", "day in 2021"),
        ("2024-02-01", "2024-02-29", "day in 2024-02"),
        ("2021-01-01", "2022-12-31", "day 2021-01-01 … 2022-12-31"),
        (3, 9, "day 3 … 9"),
    ],
)
def test_whole_years_and_months_are_named_by_their_grain(start, end, words):
    step = {"field": "properties.entity.day", "start": start, "end": end, "range_filter": True}
    assert condition(step) == words
