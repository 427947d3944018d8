"""Steps that compare with what comes in: above the average, shares, the first of each group."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.answers import average, same_table
from tests.backend.plans.desk import ACCOUNT, Desk
from tests.contract.plans import plan, source, step
from workbench.contract.errors import Invalid
from workbench.contract.plan_canonical import plan_hash

Desks = Callable[[str], Desk]
LEO = step("BasicFilter", 1, 0, field="orbit", query="LEO", match="exact")


@pytest.fixture
def desk(desks: Desks) -> Desk:
    return desks("satellites")


def heavier(number: int, before: int, **more: Any) -> dict[str, Any]:
    above = {"range_filter": True, "start_at": "avg", "start_exclusive": True}
    return step("BasicFilter", number, before, **({"field": "mass_kg"} | above | more))


def test_above_average_compares_with_the_input_of_the_step(desk: Desk) -> None:
    low = [r for r in desk.records if r["orbit"] == "LEO"]
    middle = average(r["mass_kg"] for r in low)
    keys = desk.keys(plan(source(), LEO, heavier(2, 1)))
    assert set(keys) == desk.expected(lambda r: r["orbit"] == "LEO" and r["mass_kg"] > middle)


def test_a_filter_beside_the_average_does_not_change_places_with_others(desk: Desk) -> None:
    after = plan(source(), LEO, heavier(2, 1))
    moved = {**LEO, "node_id": 2, "inputs": [1]}
    before = plan(source(), heavier(1, 0), moved)
    assert plan_hash(after) != plan_hash(before)
    assert set(desk.keys(after)) != set(desk.keys(before))


def test_only_numbers_have_an_average_to_compare_with(desk: Desk) -> None:
    with pytest.raises(Invalid) as refusal:
        desk.result(plan(source(), heavier(1, 0, field="orbit")))
    assert refusal.value.faults[0].type == "field_type"


def test_edits_keep_a_filter_beside_the_average_behind_the_others(desk: Desk) -> None:
    made = desk.edit(desk.ask("satellites with above average mass"), "only LEO")
    relative = next(n for n in made.nodes.values() if "start_at" in n.extras)
    assert made.result_node == relative.node_id
    assert "orbit" in str(made.node(relative.inputs[0]).description)


def test_the_share_of_each_group_counts_matches(desk: Desk) -> None:
    made = desk.ask("share of active satellites per orbit")
    orbits = {r["orbit"] for r in desk.records if r["orbit"]}
    wanted = {
        orbit: average(float(r["active"] or 0) for r in desk.records if r["orbit"] == orbit)
        for orbit in orbits
    }
    assert same_table(desk.rows(made), wanted)
    trace = desk.service.trace(desk.run(made).query_id, ACCOUNT)
    assert trace.status == "done"


def test_other_numbers_are_of_the_groups_that_conditions_left(desk: Desk) -> None:
    made = desk.edit(
        desk.ask("average mass per orbit"),
        "drop orbits with fewer than 2 satellites",
        "highest first",
        "share of active ones instead",
    )
    assert "Sort" in [node.node_type for node in made.nodes.values()]
    rows = [row["properties"] for row in desk.result(made)]
    orbits = [r["orbit"] for r in desk.records if r["orbit"]]
    assert {row["key"] for row in rows} == {o for o in orbits if orbits.count(o) >= 2}
    assert {row["share"] <= 1 for row in rows} == {True}
    assert [row["share"] for row in rows] == sorted((r["share"] for r in rows), reverse=True)


def test_a_doubled_letter_in_a_keyword_is_corrected_and_reported(desk: Desk) -> None:
    made = desk.edit(desk.ask("active satellites"), "onnly LEO")
    assert made.edit is not None
    assert any("read “onnly” as “only”" in warning for warning in made.edit.warnings)
    assert set(desk.keys(made)) == desk.expected(lambda r: r["active"] and r["orbit"] == "LEO")


def test_percentages_of_groups_add_up_to_one_hundred(desk: Desk) -> None:
    shares = desk.rows(desk.ask("percentage of satellites by orbit"))
    assert sum(shares.values()) == pytest.approx(100)


def test_the_first_of_each_group_are_documents(desk: Desk) -> None:
    made = desk.ask("the heaviest satellite in each orbit")
    documents = desk.result(made)
    heaviest = {
        orbit: max(r["mass_kg"] for r in desk.records if r["orbit"] == orbit)
        for orbit in {r["orbit"] for r in desk.records if r["orbit"]}
    }
    entities = [item["properties"]["entity"] for item in documents]
    assert {e["orbit"]: e["mass_kg"] for e in entities} == heaviest
    assert len(documents) == len(heaviest)


def test_a_limit_per_group_reports_the_rest(desk: Desk) -> None:
    each = step("Limit", 1, 0, num_records=1, per=["orbit"])
    result = desk.run(plan(source(), each))
    trace = desk.service.trace(result.query_id, ACCOUNT).nodes[1]
    assert trace.rows_in == trace.rows_out + sum(trace.dropped.values())
    with pytest.raises(Invalid) as refusal:
        desk.result(plan(source(), step("Limit", 1, 0, num_records=1, per=["planet"])))
    assert refusal.value.faults[0].type == "unknown_field"


def test_an_aggregate_may_count_only_matches(desk: Desk) -> None:
    where = [{"field": "active", "query": True, "match": "exact"}]
    item = {"func": "count", "name": "active", "where": where}
    made = plan(source(), step("GroupBy", 1, 0, field="orbit"),
                step("Aggregate", 2, 1, aggregations=[item]))  # fmt: skip
    for orbit, count in desk.rows(made).items():
        assert count == len([r for r in desk.records if r["orbit"] == orbit and r["active"]])
    wrong = {"func": "share", "where": [{"field": "planet", "query": "Mars"}]}
    with pytest.raises(Invalid) as refusal:
        desk.result(plan(source(), step("Aggregate", 1, 0, aggregations=[wrong])))
    assert refusal.value.faults[0].type == "unknown_field"
