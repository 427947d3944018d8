"""Each kind of step with each of its fields: validated, hashed, compared, estimated, run, and kept
with unknown fields.
"""

from typing import Any

import pytest

from backend.plans.running.estimates import estimated
from tests.backend.plans.catalogue import EXAMPLES, Example
from tests.backend.plans.desk import ACCOUNT, Desk, add_document, make_desk
from tests.contract.plans import plan, step
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_diff import diff
from workbench.contract.plan_nodes import CATALOGUE
from workbench.contract.plan_validation import validate

EACH = [(kind, example) for kind, example in EXAMPLES.items()]
FIELDS = [
    (kind, example, name)
    for kind, example in EXAMPLES.items()
    for name in CATALOGUE[kind].fields.model_fields
]
WRONG = {"nonsense": [1]}
"""No field takes this: not a text, not a number, not a list."""
ANYTHING = {"query", "result_filter", "opensearch_filter", "doc_filter", "examples"}
"""Fields that take any object, or lists of anything."""


@pytest.fixture(scope="module")
def desk(desks: Any) -> Desk:
    made: Desk = desks("satellites")
    return made


def of_field(kind: str, example: Example, name: str) -> Plan:
    """A sound plan in which a field has a value."""
    if name in example.alone:
        place = len(example.before)
        inputs = example.plan(kind).node(place).inputs
        return plan(*example.before, step(kind, place, *inputs, **example.alone[name]))
    return example.plan(kind)


def test_the_table_has_every_kind_and_every_field() -> None:
    assert set(EXAMPLES) == set(CATALOGUE) - {"DataLoader"}
    for kind, example in EXAMPLES.items():
        assert {*example.fields, *example.alone} == set(CATALOGUE[kind].fields.model_fields), kind
        assert set(example.fields) == set(example.other), kind


@pytest.mark.parametrize(("kind", "example", "name"), FIELDS)
def test_a_value_of_each_field_is_valid_and_runs(
    desk: Desk, kind: str, example: Example, name: str
) -> None:
    asked = of_field(kind, example, name)
    verdict = validate(asked, desk.service.collection(desk.docset_id, ACCOUNT).fields)
    assert verdict.faults == []
    result = desk.run(asked)
    trace = desk.service.trace(result.query_id, ACCOUNT)
    assert {n.node_id: n.flow for n in trace.nodes} == verdict.flows
    if name in example.other:
        desk.run(example.plan(kind, **{name: example.other[name]}))


@pytest.mark.parametrize(("kind", "example", "name"), FIELDS)
def test_a_value_that_a_field_cannot_take_is_a_fault_at_its_place(
    desk: Desk, kind: str, example: Example, name: str
) -> None:
    value: Any = 7 if name in ANYTHING and kind != "BasicFilter" else WRONG
    place = len(example.before)
    fields = {**example.alone.get(name, example.fields), name: value}
    inputs = example.plan(kind).node(place).inputs
    asked = plan(*example.before, step(kind, place, *inputs, **fields))
    faults = desk.service.validate(asked, desk.docset_id, ACCOUNT)
    places = [(fault.loc[:4], fault.loc[4].partition(".")[0]) for fault in faults]
    assert (["body", "plan", "nodes", str(place)], name) in places
    with pytest.raises(Invalid):
        desk.run(asked)


@pytest.mark.parametrize(("kind", "example", "name"), FIELDS)
def test_a_null_is_the_default_and_another_value_another_plan(
    kind: str, example: Example, name: str
) -> None:
    asked = of_field(kind, example, name)
    place = asked.result_node
    body = asked.node(place).model_dump()
    without = {k: v for k, v in body.items() if k != name}
    null = plan(*example.before, {**body, name: None})
    left_out = plan(*example.before, without)
    assert plan_hash(null) == plan_hash(left_out)
    changed = plan(*example.before, {**body, name: example.other.get(name)})
    assert plan_hash(changed) != plan_hash(asked) or name == "field"
    changes = diff(asked, changed).changes
    assert [(c.kind, c.after, [f.field for f in c.fields]) for c in changes] == [
        ("changed", place, [name])
    ]


@pytest.mark.parametrize(("kind", "example"), EACH)
def test_unknown_fields_survive_and_change_the_hash(
    desk: Desk, kind: str, example: Example
) -> None:
    asked = example.plan(kind, colour={"deep": [1, None]})
    again = Plan.model_validate_json(asked.model_dump_json())
    assert again.node(asked.result_node).unchecked["colour"] == {"deep": [1, None]}
    assert plan_hash(again) == plan_hash(asked) != plan_hash(example.plan(kind))
    ran = desk.run(asked).plan
    assert ran is not None
    assert ran.node(asked.result_node).unchecked["colour"] == {"deep": [1, None]}


@pytest.mark.parametrize(("kind", "example"), EACH)
def test_each_step_has_an_estimate_that_bounds_its_output(
    desk: Desk, kind: str, example: Example
) -> None:
    asked = example.plan(kind)
    estimates = estimated(asked, desk.service.collection(desk.docset_id, ACCOUNT)).estimates or []
    assert {item.node_id for item in estimates} == set(map(int, asked.nodes))
    trace = desk.service.trace(desk.run(asked).query_id, ACCOUNT)
    rows = {node.node_id: node.rows_out for node in trace.nodes}
    assert all(rows[item.node_id] <= item.rows or item.exact is False for item in estimates)
    assert all(rows[item.node_id] == item.rows for item in estimates if item.exact)


@pytest.mark.parametrize(("kind", "example"), EACH)
def test_a_step_takes_only_as_many_inputs_as_it_can(
    desk: Desk, kind: str, example: Example
) -> None:
    place = len(example.before)
    extra = step("QueryDatabase", place + 1)
    inputs = [*example.plan(kind).node(place).inputs, *([place + 1] * 17)]
    body = step(kind, place, *inputs, **example.fields)
    asked = plan(*example.before, extra, body)
    faults = desk.service.validate(asked, desk.docset_id, ACCOUNT)
    assert "arity" in {fault.type for fault in faults}


def test_all_faults_of_all_steps_are_reported_at_once_and_nothing_runs(desk: Desk) -> None:
    asked = plan(
        step("QueryDatabase", 0, query={"fuzzy": {"orbit": "LEO"}}),
        step("BasicFilter", 1, 0, field="colour", query="red"),
        step("DataLoader", 2, path="/etc/passwd"),
        step("FieldIn", 3, 1, 2, field_one="orbit", field_two="height"),
        step("Limit", 4, 3, num_records=0),
    )
    faults = desk.service.validate(asked, desk.docset_id, ACCOUNT)
    assert [(fault.loc[3], fault.type) for fault in faults] == [
        ("0", "unsupported_query"),
        ("1", "unknown_field"),
        ("2", "refused_node"),
        ("3", "unknown_field"),
        ("4", "bad_limit"),
    ]
    with pytest.raises(Invalid) as refusal:
        desk.run(asked)
    assert refusal.value.faults == faults


KINDS = ["string", "int", "float", "bool", "date", "datetime", "array"]
VALUES = {
    "string": "Blue heron", "int": 4, "float": 2.5, "bool": True,
    "date": "2024-05-01", "datetime": "2024-05-01T12:30:00", "array": ["a", "b"],
}  # fmt: skip
CONDITIONS: list[dict[str, Any]] = [
    {"query": "2024-05-01"},
    {"query": "heron"},
    {"query": 4, "match": "exact"},
    {"query": True},
    {"values": ["2024", 4, "a"], "match": "prefix"},
    {"range_filter": True, "start": "2024-01-01", "end": "2024-12-31"},
    {"range_filter": True, "start": "2024-01-01", "is_date": True, "negate": True},
    {"range_filter": True, "start": 1, "end": 9, "end_exclusive": True},
    {"range_filter": True, "end": "m", "start_exclusive": True},
    {"query": "2024", "is_date": True},
    {"exists": True},
    {"start_at": "avg"},
    {"end_at": "median", "end_exclusive": True},
]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Two documents with a property of each kind, the second without values."""
    schema = [{"name": kind, "field_type": kind, "description": kind} for kind in KINDS]
    records = [VALUES, dict.fromkeys(KINDS)]
    return make_desk(tmp_path_factory.mktemp("mixed"), "mixed", schema, records, [["A."], ["B."]])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_condition_on_a_property_of_any_kind_runs_or_is_refused_before(
    mixed: Desk, kind: str, condition: dict[str, Any]
) -> None:
    asked = plan(step("QueryDatabase", 0), step("BasicFilter", 1, 0, field=kind, **condition))
    faults = mixed.service.validate(asked, mixed.docset_id, ACCOUNT)
    if faults:
        assert {fault.type for fault in faults} <= {"bad_value", "field_type"}
    else:
        assert len(mixed.result(asked)) <= 2


def test_dates_among_other_texts_are_compared_as_dates(fresh: Desk) -> None:
    with fresh.database.writing() as connection:
        for note in ("2021-03-01", "2022-03-01", "soon"):
            add_document(connection, fresh.docset_id, "n.txt", {"note": note}, ["New."])
    early = step("BasicFilter", 1, 0, field="note", is_date=True, range_filter=True, end="2021")
    result = fresh.result(plan(step("QueryDatabase", 0), early))
    assert [item["properties"]["entity"]["note"] for item in result] == ["2021-03-01"]


ON_A_FIELD: list[dict[str, Any]] = [
    {"node_type": "LlmFilter", "question": "heron"},
    {"node_type": "LlmExtractEntity", "question": "which heron", "new_field": "bird"},
    {"node_type": "GroupBy"},
    {"node_type": "GroupBy", "bucket": "month"},
    {"node_type": "TopK", "K": 1},
    {"node_type": "TopK", "llm_cluster": True},
    {"node_type": "Sort"},
    {"node_type": "Sort", "descending": True, "default_value": "2024-01-01"},
    {"node_type": "Sort", "default_value": 7},
    {"node_type": "Distinct"},
    {"node_type": "Unroll"},
    {"node_type": "KMeanClustering", "K": 2},
    {"node_type": "LLMClustering"},
    *(
        {"node_type": "Aggregate", "aggregations": [{"func": func, "name": "n"}]}
        for func in ("avg", "sum", "min", "max", "median", "count", "distinct", "share", "ratio")
    ),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", ON_A_FIELD, ids=str)
def test_a_step_on_a_property_of_any_kind_runs_or_is_refused_before(
    mixed: Desk, kind: str, body: dict[str, Any]
) -> None:
    fields = {name: value for name, value in body.items() if name != "node_type"}
    if "aggregations" in fields:
        fields["aggregations"] = [item | {"field": kind} for item in fields["aggregations"]]
    else:
        fields["field"] = kind
    asked = plan(step("QueryDatabase", 0), step(body["node_type"], 1, 0, **fields))
    faults = mixed.service.validate(asked, mixed.docset_id, ACCOUNT)
    if faults:
        assert {fault.type for fault in faults} <= {"bad_value", "field_type"}
    else:
        mixed.run(asked)


@pytest.mark.parametrize("one", KINDS)
@pytest.mark.parametrize("two", KINDS)
def test_properties_of_any_kinds_can_be_joined(mixed: Desk, one: str, two: str) -> None:
    asked = plan(
        step("QueryDatabase", 0),
        step("QueryDatabase", 1),
        step("FieldIn", 2, 0, 1, field_one=one, field_two=two),
        step("Limit", 3, 2, num_records=1, per=[one]),
        step("Count", 4, 3, distinct_field=two),
    )
    assert mixed.result(asked) > 0 or one != two
