"""When two plans are the same."""

import os
import subprocess
import sys

from tests.contract.plans import plan, source, step
from workbench.contract.plan_canonical import canonical, plan_hash

OHIO = {"field": "properties.entity.state", "query": "Ohio", "match": "exact"}
FATAL = {"field": "properties.entity.dead", "range_filter": True, "start": 1}


def test_ids_and_descriptions_do_not_matter() -> None:
    one = plan(source(), step("BasicFilter", 1, 0, **OHIO))
    other = plan(source(8), step("BasicFilter", 3, 8, **OHIO))
    assert plan_hash(one) == plan_hash(other)


def test_defaults_written_out_and_nulls_do_not_matter() -> None:
    one = plan(source(), step("BasicFilter", 1, 0, **OHIO))
    spoken = {**OHIO, "negate": False, "values": None, "range_filter": False, "is_date": False}
    assert plan_hash(one) == plan_hash(plan(source(), step("BasicFilter", 1, 0, **spoken)))


def test_the_spelling_of_a_field_does_not_matter() -> None:
    one = plan(source(), step("BasicFilter", 1, 0, **OHIO))
    other = plan(source(), step("BasicFilter", 1, 0, **{**OHIO, "field": "state"}))
    assert plan_hash(one) == plan_hash(other)


def test_the_order_of_filters_next_to_each_other_does_not_matter() -> None:
    one = plan(source(), step("BasicFilter", 1, 0, **OHIO), step("BasicFilter", 2, 1, **FATAL))
    other = plan(source(), step("BasicFilter", 1, 0, **FATAL), step("BasicFilter", 2, 1, **OHIO))
    assert plan_hash(one) == plan_hash(other)


def test_the_order_of_filters_around_a_limit_matters() -> None:
    cut = step("Limit", 2, 1, num_records=5)
    one = plan(source(), step("BasicFilter", 1, 0, **OHIO), cut, step("BasicFilter", 3, 2, **FATAL))
    other = plan(
        source(), step("BasicFilter", 1, 0, **FATAL), cut, step("BasicFilter", 3, 2, **OHIO)
    )
    assert plan_hash(one) != plan_hash(other)


def test_a_filter_that_feeds_two_steps_keeps_its_place() -> None:
    one = plan(
        source(),
        step("BasicFilter", 1, 0, **OHIO),
        step("BasicFilter", 2, 1, **FATAL),
        step("Count", 3, 1),
        step("Count", 4, 2),
        step("Math", 5, 4, 3, operation="divide"),
    )
    other = plan(
        source(),
        step("BasicFilter", 1, 0, **FATAL),
        step("BasicFilter", 2, 1, **OHIO),
        step("Count", 3, 1),
        step("Count", 4, 2),
        step("Math", 5, 4, 3, operation="divide"),
    )
    assert plan_hash(one) != plan_hash(other)


def test_steps_that_nothing_uses_do_not_matter() -> None:
    assert plan_hash(plan(source(), source(1), result=1)) == plan_hash(plan(source()))


def test_the_last_step_is_the_result_and_inputs_come_first() -> None:
    nodes = canonical(plan(source(4), step("Limit", 2, 4, num_records=3)))
    assert [node["node_type"] for node in nodes] == ["QueryDatabase", "Limit"]
    assert nodes[1]["inputs"] == [0]


def test_the_spelling_of_fields_inside_lists_does_not_matter_either() -> None:
    long, short = "properties.entity.mass", "mass"
    for one, other in [
        ({"aggregations": [{"func": "avg", "field": long, "where": []}]},
         {"aggregations": [{"func": "avg", "field": short, "name": None}]}),
        ({"aggregations": [{"func": "count", "where": [{"field": long, "start": 1}]}]},
         {"aggregations": [{"func": "count", "where": [{"field": short, "start": 1}]}]}),
    ]:  # fmt: skip
        assert plan_hash(plan(source(), step("Aggregate", 1, 0, **one))) == plan_hash(
            plan(source(), step("Aggregate", 1, 0, **other))
        )
    first = step("Project", 1, 0, fields=[long, "doc_id"])
    again = step("Project", 1, 0, fields=["entity.mass", "doc_id"])
    assert plan_hash(plan(source(), first)) == plan_hash(plan(source(), again))


def test_columns_of_small_tables_are_spelled_as_such() -> None:
    rows = (source(), step("GroupBy", 1, 0, field="x"), step("AggregateCount", 2, 1))
    long = plan(*rows, step("Sort", 3, 2, field="properties.count"))
    short = plan(*rows, step("Sort", 3, 2, field="count"))
    assert plan_hash(long) == plan_hash(short)


def test_an_empty_list_of_values_matters_inside_a_filter_and_a_default_does_not() -> None:
    def hashed(**test: object) -> str:
        body = [{"field": "x", "query": 1}, {"field": "y", **test}]
        return plan_hash(plan(source(), step("BasicFilter", 1, 0, field="x", any_of=body)))

    assert hashed(values=[]) != hashed()
    assert hashed(query=2, negate=False, is_date=None) == hashed(query=2)


_EDITED_ELSEWHERE = """
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_nodes import BasicFilter, Node
from backend.plans.edits.applying import apply
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import AddFilter

draft = Draft({0: Node(node_type="QueryDatabase", node_id=0)}, 0)
for condition in (
    BasicFilter(field="properties.entity.town", query="Ashby", match="exact", negate=True),
    BasicFilter(field="properties.entity.fee", range_filter=True, start=5, start_exclusive=True),
    BasicFilter(field="properties.entity.opened", range_filter=True, is_date=True, end="2024"),
):
    draft, _, _ = apply(draft, AddFilter(condition), "")
print(plan_hash(draft.as_plan(Plan(query="q", nodes={}, result_node=0))))
"""


def test_two_processes_give_the_same_plan_the_same_hash() -> None:
    hashes = set()
    for seed in ("0", "1", "2", "3", "4", "5"):
        done = subprocess.run(
            [sys.executable, "-c", _EDITED_ELSEWHERE],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        hashes.add(done.stdout)
    assert len(hashes) == 1


def test_the_spelling_of_a_field_inside_a_step_does_not_matter() -> None:
    def written(prefix: str) -> object:
        beside = {"field": "paid", "range_filter": True, "end_field": f"{prefix}total"}
        then = [{"field": f"{prefix}year", "descending": False}]
        return plan(
            source(), step("BasicFilter", 1, 0, **beside), step("Sort", 2, 1, field="a", then=then)
        )

    assert plan_hash(written("")) == plan_hash(written("properties.entity."))


def test_the_compared_value_matters() -> None:
    def beside(name: str) -> object:
        fields = {"field": "paid", "range_filter": True, "end_field": name}
        return plan(source(), step("BasicFilter", 1, 0, **fields))

    assert plan_hash(beside("total")) != plan_hash(beside("net"))
