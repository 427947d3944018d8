import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.fake_client import plan
from workbench.contract.plan import Plan
from workbench.contract.plan_diff import diff
from workbench.contract.plan_validation import validate, walk
from workbench.sessions.plan_changes import change_key, without


def chain(*nodes):
    wired = {
        str(i): {"node_id": i, "inputs": [i - 1] if i else [], **node}
        for i, node in enumerate(nodes)
    }
    return Plan.model_validate({"query": "q", "nodes": wired, "result_node": len(nodes) - 1})


ALL = {"node_type": "QueryDatabase"}
COUNT = {"node_type": "Count"}


def year(value):
    return {"node_type": "BasicFilter", "field": "properties.entity.year", "query": value}


def state(value):
    return {"node_type": "BasicFilter", "field": "properties.entity.state", "query": value}


def steps(changes):
    return [(changes.node(i).node_type, changes.node(i).unchecked) for i in walk(changes)]


def refuse(before, after, *kinds):
    changes = diff(before, after)
    keys = {change_key(c) for c in changes.changes if c.kind in kinds}
    assert keys
    return without(before, after, changes, keys)


def test_refusing_a_changed_field_restores_it_and_keeps_other_changes():
    before, after = plan("q"), plan("q", group="state", limit=5)
    kept = refuse(before, after, "changed")
    assert kept.node(3).extras["field"] == "properties.entity.city"
    assert kept.node(6).node_type == "Limit"


def test_an_added_step_is_bridged_over():
    before, after = chain(ALL, COUNT), chain(ALL, year(2023), COUNT)
    assert steps(refuse(before, after, "added")) == steps(before)


def test_an_added_last_step_hands_the_result_back():
    before, after = plan("q"), plan("q", limit=5)
    kept = refuse(before, after, "added")
    assert kept.result_node == 5
    assert steps(kept) == steps(before)


def test_a_removed_step_comes_back_to_its_place():
    before = chain(ALL, year(2023), state("WA"), COUNT)
    assert steps(refuse(before, chain(ALL, COUNT), "removed")) == steps(before)


def test_a_removed_result_is_the_result_again():
    before, after = plan("q", limit=5), plan("q")
    kept = refuse(before, after, "removed")
    assert kept.node(kept.result_node).node_type == "Limit"
    assert steps(kept) == steps(before)


def test_a_restored_step_follows_a_new_one_that_is_kept():
    limit = {"node_type": "Limit", "num_records": 3}
    before, after = chain(ALL, year(2023), COUNT), chain(ALL, limit, COUNT)
    kinds = [kind for kind, _ in steps(refuse(before, after, "removed"))]
    assert kinds == ["QueryDatabase", "Limit", "BasicFilter", "Count"]


FILTERS = [year(2021), year(2022), state("WA"), state("AK")]


@st.composite
def two_plans(draw):
    """Two chains of filters with a limit or a count at the end."""

    def one():
        filters = draw(st.lists(st.sampled_from(FILTERS), max_size=4))
        end = draw(st.sampled_from([COUNT, {"node_type": "Limit", "num_records": 3}]))
        return chain(ALL, *filters, end)

    return one(), one()


@given(two_plans())
def test_refusing_everything_gives_the_old_steps_back(pair):
    before, after = pair
    changes = diff(before, after)
    kept = without(before, after, changes, {change_key(c) for c in changes.changes})
    assert sorted(map(repr, steps(kept))) == sorted(map(repr, steps(before)))
    assert not validate(kept, None).faults


@given(two_plans(), st.randoms(use_true_random=False))
def test_refusing_any_part_of_a_chain_leaves_a_plan_without_loose_ends(pair, chance: random.Random):
    before, after = pair
    changes = diff(before, after)
    refused = {change_key(c) for c in changes.changes if chance.random() < 0.5}
    kept = without(before, after, changes, refused)
    codes = {fault.type for fault in validate(kept, None).faults}
    assert not codes & {"unknown_input", "cycle", "id_mismatch", "no_result"}


def test_refusing_nothing_is_the_new_plan():
    before, after = plan("q"), plan("q", group="state")
    assert without(before, after, diff(before, after), set()).nodes == after.nodes


@pytest.mark.parametrize("limit", [None, 5])
def test_no_report_is_carried_along(limit):
    before, after = plan("q"), plan("q", group="state", limit=limit)
    assert refuse(before, after, "changed").edit is None
