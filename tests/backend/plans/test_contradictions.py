"""Filters that no document can pass together are reported, since such a question was misread."""

from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.plan import Plan

SCHEMA: list[dict[str, Any]] = [
    {"name": "number", "type": {"type": "string"}},
    {"name": "state", "type": {"type": "string"}},
    {"name": "total", "type": {"type": "float"}},
    {"name": "tags", "type": {"type": "array", "item_type": {"type": "string"}}},
]
TEXAS = {"field": "state", "query": "Texas", "match": "exact"}
OHIO = {"field": "state", "query": "Ohio", "match": "exact"}
HIGH = {"field": "total", "range_filter": True, "start": 100.0}
LOW = {"field": "total", "range_filter": True, "end": 50.0}
NEW = {"field": "tags", "query": "new", "match": "exact"}
OLD = {"field": "tags", "query": "old", "match": "exact"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = [
        {"number": f"N{i}", "state": "Texas" if i % 2 else "Ohio", "total": 30.0 * i,
         "tags": ["new" if i % 2 else "old"]}
        for i in range(8)
    ]  # fmt: skip
    folder: Path = tmp_path_factory.mktemp("orders")
    return make_desk(folder, "orders", SCHEMA, records, [["x"] for _ in records])


def _warnings(desk: Desk, *filters: dict[str, Any]) -> list[str]:
    nodes = dict(desk.everything().model_dump(mode="json")["nodes"])
    steps = [*({"node_type": "BasicFilter", **one} for one in filters), {"node_type": "Count"}]
    for i, step in enumerate(steps, 1):
        nodes[str(i)] = {"node_id": i, "inputs": [i - 1], **step}
    plan = Plan.model_validate({"query": "", "nodes": nodes, "result_node": len(steps)})
    return desk.run(plan).warnings


def test_filters_that_exclude_each_other_are_reported(desk: Desk) -> None:
    excluded = "state is Texas and state is Ohio exclude each other, so no document can be left"
    assert _warnings(desk, TEXAS, OHIO) == [excluded]
    assert _warnings(desk, TEXAS, LOW, OHIO) == [excluded]
    assert "exclude each other" in _warnings(desk, HIGH, LOW)[0]


def test_other_filters_without_a_result_are_not(desk: Desk) -> None:
    assert _warnings(desk, TEXAS, {"field": "total", "range_filter": True, "start": 999.0}) == []
    assert _warnings(desk, NEW, OLD) == [], "a list may contain both"
