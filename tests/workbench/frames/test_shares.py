"""Which numbers of a step are shown in percent, and which of them have to be multiplied."""

from typing import Any

from workbench.contract.plan import Plan
from workbench.frames.shares import percent_columns


def plan(*nodes: dict[str, Any]) -> Plan:
    keyed = {
        str(i): {"node_id": i, "inputs": [i - 1] if i else [], **n} for i, n in enumerate(nodes)
    }
    return Plan.model_validate({"nodes": keyed, "result_node": len(nodes) - 1})


SOURCE = {"node_type": "QueryDatabase"}
SHARE = {"func": "share", "where": [{"field": "state", "query": "WA"}]}


def test_a_single_share_is_the_value_of_its_step():
    one = plan(SOURCE, {"node_type": "Aggregate", "aggregations": [SHARE]})
    assert "value" in percent_columns(one, 1)
    assert percent_columns(one, 0) == {}


def test_of_several_measures_only_shares_are_in_percent_even_after_sorting():
    group = {"node_type": "GroupBy", "field": "state"}
    both = {"node_type": "Aggregate", "aggregations": [{"func": "count"}, SHARE]}
    several = plan(SOURCE, group, both, {"node_type": "Sort", "field": "share"})
    assert percent_columns(several, 3) == {"share": 100, "properties.share": 100}


def dividing(whole: int) -> Plan:
    """The number of documents of a filter, divided by that of step `whole`."""
    return plan(
        SOURCE,
        {"node_type": "BasicFilter", "field": "state", "query": "WA"},
        {"node_type": "Count"},
        {"node_type": "Count", "inputs": [whole]},
        {"node_type": "Math", "operation": "divide", "inputs": [2, 3]},
    )


def test_a_count_divided_by_the_count_that_includes_it_is_a_share_and_others_are_not():
    assert percent_columns(dividing(0), 4) == {"value": 100}
    other = dividing(0)
    other.nodes["4"] = other.nodes["4"].model_copy(update={"inputs": [3, 2]})
    assert percent_columns(other, 4) == {}


def test_numbers_in_percent_are_not_multiplied_again():
    quotient = dividing(0)
    quotient.nodes["4"] = quotient.nodes["4"].with_fields(percent=True)
    assert percent_columns(quotient, 4) == {"value": 1}
    both = {"node_type": "Aggregate", "aggregations": [SHARE | {"percent": True, "name": "late"}]}
    assert percent_columns(plan(SOURCE, {"node_type": "GroupBy", "field": "state"}, both), 2) == {
        "late": 1, "properties.late": 1, "value": 1,
    }  # fmt: skip


def test_invalid_plans_have_no_shares():
    circle = plan({"node_type": "Sort", "field": "x", "inputs": [0]})
    assert percent_columns(circle, 0) == {}
    broken = plan(SOURCE, {"node_type": "Aggregate", "aggregations": "x"})
    assert percent_columns(broken, 1) == {}
    assert percent_columns(broken, 99) == {}
