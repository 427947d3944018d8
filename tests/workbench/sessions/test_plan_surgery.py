"""A plan changed by hand stays connected."""

import pytest

from tests.tui.fake_client import plan
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import MAX_NODES
from workbench.contract.plan_validation import validate, walk
from workbench.sessions.plan_surgery import fresh_node, put_behind, take_out


@pytest.fixture
def icing() -> Plan:
    """0 QueryDatabase, 1 BasicFilter, 2 LlmFilter, 3 GroupBy, 4 AggregateCount, 5 Sort."""
    return plan("which city had most?")


def with_join(before: Plan) -> Plan:
    """A second source and a FieldIn between the filter and the text filter."""
    source = fresh_node(before, "QueryDatabase")
    wider = put_behind(before, 1, source)
    join = fresh_node(wider, "FieldIn").with_fields(field_one="doc_id", field_two="doc_id")
    joined = put_behind(wider, 1, join)
    fed = joined.node(join.node_id).model_copy(update={"inputs": [1, source.node_id]})
    return joined.model_copy(update={"nodes": {**joined.nodes, str(fed.node_id): fed}})


def test_an_inserted_step_is_between_its_input_and_the_former_users(icing):
    step = fresh_node(icing, "Limit").with_fields(num_records=5)
    after = put_behind(icing, 2, step)
    assert walk(after) == [0, 1, 2, 6, 3, 4, 5]
    assert not validate(after, None).faults


def test_a_step_behind_the_result_is_the_result(icing):
    after = put_behind(icing, 5, fresh_node(icing, "Limit").with_fields(num_records=5))
    assert after.result_node == 6
    assert after.node(6).inputs == [5]


def test_a_source_waits_beside_the_plan_until_a_step_is_fed_by_it(icing):
    after = with_join(icing)
    assert walk(after) == [0, 1, 6, 7, 2, 3, 4, 5]
    assert not validate(after, None).faults


def test_a_removed_step_is_bridged(icing):
    assert walk(take_out(icing, 2)) == [0, 1, 3, 4, 5]
    shorter = take_out(icing, 5)
    assert (shorter.result_node, walk(shorter)) == (4, [0, 1, 2, 3, 4])


def test_a_source_that_only_the_removed_step_used_is_removed_with_it(icing):
    after = take_out(with_join(icing), 7)
    assert after.nodes.keys() == icing.nodes.keys()


def test_a_source_in_use_is_not_removed(icing):
    with pytest.raises(ValueError, match="rewire 1 first"):
        take_out(icing, 0)


def test_a_full_plan_takes_no_further_step(icing):
    full = icing
    while len(full.nodes) < MAX_NODES:
        full = put_behind(full, 0, fresh_node(full, "QueryDatabase"))
    with pytest.raises(ValueError, match=f"at most {MAX_NODES} steps"):
        put_behind(full, 0, fresh_node(full, "QueryDatabase"))
