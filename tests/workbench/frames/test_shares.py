"""Which numbers of a step are fractions, and so shown in percent."""

from typing import Any

from workbench.contract.plan import Plan
from workbench.frames.shares import share_columns


def plan(*nodes: dict[str, Any]) -> Plan:
    keyed = {
        str(i): {"node_id": i, "inputs": [i - 1] if i else [], **n} for i, n in enumerate(nodes)
    }
    return Plan.model_validate({"nodes": keyed, "result_node": len(nodes) - 1})


SOURCE = {"node_type": "QueryDatabase"}
SHARE = {"func": "share", "where": [{"field": "state", "query": "WA"}]}


def test_a_single_share_is_the_value_of_its_step():
    one = plan(SOURCE, {"node_type": "Aggregate", "aggregations": [SHARE]})
    assert "value" in share_columns(one, 1)
    assert share_columns(one, 0) == frozenset()


def test_of_several_measures_only_shares_are_in_percent_even_after_sorting():
    group = {"node_type": "GroupBy", "field": "state"}
    both = {"node_type": "Aggregate", "aggregations": [{"func": "count"}, SHARE]}
    several = plan(SOURCE, group, both, {"node_type": "Sort", "field": "share"})
    assert share_columns(several, 3) == {"share", "properties.share"}


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
    assert share_columns(dividing(0), 4) == {"value"}
    other = dividing(0)
    other.nodes["4"] = other.nodes["4"].model_copy(update={"inputs": [3, 2]})
    assert share_columns(other, 4) == frozenset()


def test_invalid_plans_have_no_shares():
    circle = plan({"node_type": "Sort", "field": "x", "inputs": [0]})
    assert share_columns(circle, 0) == frozenset()
    broken = plan(SOURCE, {"node_type": "Aggregate", "aggregations": "x"})
    assert share_columns(broken, 1) == frozenset()
    assert share_columns(broken, 99) == frozenset()
