"""Every exact step against a second opinion, over random plans and an odd collection."""

import math
import random
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.backend.plans import naive
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from tests.backend.plans.odd_parcels import DERIVED, KINDS, SCHEMA, parcels
from tests.backend.plans.random_plans import plans
from tests.long_fuzz import fuzz
from workbench.contract.derived_fields import plain_name
from workbench.contract.plan import Plan, Query
from workbench.contract.plan_nodes import bare_field, canonical_field
from workbench.contract.query import NodeTrace, QueryResult

_NAMES = {"field", "field_one", "field_two", "distinct_field", "primary_field", "start_field",
          "end_field"}  # fmt: skip
_LISTS = {"fields", "per"}
_NESTED = {"any_of", "where", "aggregations", "then"}
_LARGEST = 2**63 - 1
_SAME_ROWS = {"BasicFilter", "Limit", "Unroll", "FieldIn", "GroupBy"}
CASES = st.tuples(
    plans(),
    st.integers(0, 9),
    st.sampled_from([0, 1, 5, 40, 90, 90]),
    st.sampled_from(["", "entity.", "properties.entity."]),
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = parcels()
    texts = [[f"Parcel number {i}."] for i in range(len(records))]
    return make_desk(tmp_path_factory.mktemp("odd"), "parcels", SCHEMA, records, texts)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(case=CASES)
def test_every_step_agrees_with_the_naive_implementation(desk: Desk, case: Any) -> None:
    _agree(desk, case)


@pytest.mark.soak
def test_very_many_plans_agree_with_the_naive_implementation(desk: Desk) -> None:
    fuzz("plans", CASES, partial(_agree, desk))


def _agree(desk: Desk, case: Any) -> None:
    (nodes, last), seed, size, prefix = case
    ids = [d["doc_id"] for d in _everything(desk)]
    places = sorted(random.Random(seed).sample(range(len(ids)), size))
    chosen = [ids[place] for place in places]
    given_, report = naive.run(
        nodes, last, [_entity(desk.records[p]) for p in places], {**KINDS, **DERIVED}
    )
    wire = {key: _spelled(node, prefix) for key, node in nodes.items()}
    plan = Plan.model_validate({"query": "", "nodes": wire, "result_node": last})
    query = Query(docset_id=desk.docset_id, plan=plan, doc_inclusion_list=chosen)
    result = desk.service.run(query, ACCOUNT, lambda event: None, lambda: False)
    trace = {n.node_id: n for n in desk.service.trace(result.query_id, ACCOUNT).nodes}
    assert trace.keys() == given_.keys()
    for node_id, expected in given_.items():
        shown = (nodes, node_id, expected)
        _same_trace(nodes[str(node_id)], trace[node_id], expected, given_, report[node_id], shown)
        _same_lines(desk, result, node_id, expected, chosen, shown)
    _same_answer(result, given_[last], chosen, (nodes, last))


def _everything(desk: Desk) -> list[dict[str, Any]]:
    documents: list[dict[str, Any]] = desk.result(desk.everything())
    return documents


def _entity(record: dict[str, Any]) -> dict[str, Any]:
    return {name: record.get(name) for name in KINDS}


def _spelled(body: dict[str, Any], prefix: str) -> dict[str, Any]:
    """A step with its fields spelled as some writers do."""
    out: dict[str, Any] = {}
    for key, value in body.items():
        if key in _NAMES:
            out[key] = prefix + value
        elif key in _LISTS:
            out[key] = [prefix + name for name in value]
        elif key in _NESTED:
            out[key] = [_spelled(item, prefix) for item in value]
        else:
            out[key] = value
    return out


def _height(flowing: Any) -> int:
    if isinstance(flowing, naive.Table):
        return len(flowing.lines)
    return len(flowing.groups) if isinstance(flowing, naive.Gathered) else 1


def _same_trace(
    node: dict[str, Any], trace: NodeTrace, expected: Any, all_given: Any, report: Any, shown: Any
) -> None:
    assert trace.rows_out == _height(expected), shown
    assert trace.rows_in == sum(_height(all_given[i]) for i in node["inputs"]), shown
    if node["node_type"] in _SAME_ROWS:
        assert sum(trace.dropped.values()) == report.dropped, (trace.dropped, shown)
    for name, count in report.unknown:
        begins = f"{count} document"
        worked_out = any(
            w.startswith(begins) and f"no {plain_name(name)} " in w for w in trace.warnings
        )
        covered = any(
            item.field == bare_field(canonical_field(name))
            and item.missing + item.doubtful == count
            for item in trace.coverage
        )
        assert worked_out or covered, (name, count, trace.coverage, trace.warnings, shown)


def _same_lines(
    desk: Desk, result: QueryResult, node_id: int, expected: Any, ids: list[str], shown: Any
) -> None:
    """Which documents are behind each line that the step kept."""
    rows = desk.service.node_output(result.query_id, node_id, ACCOUNT, 0, 10_000).rows
    if isinstance(expected, naive.Gathered):
        return
    if isinstance(expected, naive.Figure):
        assert set(rows[0]["doc_ids"]) == {ids[place] for place in expected.behind}, shown
    elif expected.docs:
        assert [row["doc_id"] for row in rows] == [ids[e.behind[0]] for e in expected.lines], shown
    else:
        behind = [{ids[place] for place in e.behind} for e in expected.lines]
        assert [set(row["doc_ids"]) for row in rows] == behind, shown


def _same_answer(result: QueryResult, expected: Any, ids: list[str], shown: Any) -> None:
    result_value = result.result
    if isinstance(expected, naive.Figure):
        assert _alike(result_value, expected.value), (result_value, expected.value, shown)
    elif isinstance(expected, naive.Gathered):
        doc_ids = sorted(ids[e.behind[0]] for lines in expected.groups.values() for e in lines)
        assert sorted(item["doc_id"] for item in result_value) == doc_ids
    elif expected.docs:
        for item, line in zip(result_value, expected.lines, strict=True):
            shown_tags = item["properties"]["entity"].get("tags")
            assert shown_tags == line.values.get("tags"), shown
    else:
        assert len(result_value) == len(expected.lines)
        for item, line in zip(result_value, expected.lines, strict=True):
            values = {k: v for k, v in item["properties"].items() if k != "values"}
            for name, value in line.values.items():
                assert _alike(values[name], value), (values, line.values, shown)


def _alike(result_value: Any, wanted: Any) -> bool:
    if isinstance(wanted, int) and abs(wanted) > _LARGEST:
        # Numbers that exceed 64 bits have the precision of JSON readers.
        wanted = float(wanted)
    if (
        isinstance(result_value, float | int)
        and isinstance(wanted, float)
        and not isinstance(result_value, bool)
    ):
        return math.isclose(result_value, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(result_value == wanted)
