"""A step as a form: its fields say what they take, and what was typed becomes the step again."""

import pytest

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import CATALOGUE, Node
from workbench.contract.schema import Schema
from workbench.sessions.node_form import about, faults, form, read

SCHEMA = Schema.model_validate(
    {
        "properties": [
            {"name": "state", "field_type": "string"},
            {"name": "year", "field_type": "int"},
            {"name": "wind_speed", "field_type": "float"},
        ]
    }
)
E = "properties.entity."
STEPS = [
    {"node_type": "BasicFilter", "field": f"{E}year", "query": 2023, "match": "exact"},
    {"node_type": "GroupBy", "field": f"{E}state", "fields": [f"{E}state", f"{E}year"]},
    {"node_type": "Aggregate", "aggregations": [{"func": "count"},
                                                {"func": "avg", "field": f"{E}wind_speed"}]},
    {"node_type": "Sort", "field": "properties.count", "descending": True},
]  # fmt: skip


def plan(*steps):
    """The steps in a row behind a source, the last one the result."""
    nodes = [{"node_type": "QueryDatabase"}, *steps]
    made = [
        {**node, "node_id": place, "inputs": [place - 1] if place else []}
        for place, node in enumerate(nodes)
    ]
    return Plan.model_validate(
        {"nodes": {str(n["node_id"]): n for n in made}, "result_node": len(made) - 1}
    )


PLAN = plan(*STEPS)


def field(node_id, name, where=PLAN):
    return next(one for one in form(where, node_id, SCHEMA) if one.name == name)


def changed(node_id, where=PLAN, **texts):
    return read(where, node_id, texts, SCHEMA).unchecked


@pytest.mark.parametrize("node_id", range(len(STEPS) + 1))
def test_an_untouched_form_leaves_the_step_unchanged(node_id):
    texts = {one.name: one.text for one in form(PLAN, node_id, SCHEMA)}
    assert read(PLAN, node_id, texts, SCHEMA) == PLAN.node(node_id)


@pytest.mark.parametrize("kind", CATALOGUE)
def test_every_kind_of_step_has_a_form_in_which_only_json_is_left_to_experts(kind):
    one = plan({"node_type": kind})
    fields = {f.name: f for f in form(one, 1, SCHEMA)}
    assert fields.keys() == CATALOGUE[kind].fields.model_fields.keys() - {"index", "kin"}
    expert = {name for name, f in fields.items() if f.kind == "json"}
    assert expert <= {
        "query", "result_filter", "doc_filter", "opensearch_filter", "any_of", "examples",
    }  # fmt: skip
    assert isinstance(about(one.node(1)), str)


def test_properties_and_choices_are_offered_by_their_short_names():
    offered = field(1, "field").choices
    assert offered[3:6] == ("state", "year", "wind_speed")
    assert all(name.endswith(".confidence") for name in offered[6:])
    assert field(1, "field").text == "year" and field(1, "field").required
    assert field(1, "match").choices == ("exact", "contains", "prefix")
    assert {"key", "count", "avg_wind_speed"} <= set(field(4, "field").choices)


def test_typed_text_becomes_a_value_of_the_right_type():
    assert changed(1, query="2022")["query"] == 2022
    assert changed(1, field="state", query="2022")["query"] == "2022", "a word stays a word"
    assert changed(1, field="state")["field"] == f"{E}state"
    assert changed(1, values="2021, 2022")["values"] == [2021, 2022]
    assert changed(1, field="state", values="WA, AK")["values"] == ["WA", "AK"]
    assert changed(2, fields="state, wind_speed")["fields"] == [f"{E}state", f"{E}wind_speed"]
    assert changed(3, aggregations="count, max year")["aggregations"] == [
        {"func": "count"},
        {"func": "max", "field": f"{E}year"},
    ]
    named = [{"func": "avg", "field": f"{E}wind_speed", "name": "average wind speed"}]
    assert changed(3, aggregations="avg wind_speed as average wind speed")["aggregations"] == named
    own = plan({"node_type": "Aggregate", "aggregations": named})
    assert field(1, "aggregations", own).text == "avg wind_speed as average wind speed"
    assert changed(4, field="count", descending="false")["descending"] is False
    assert "match" not in changed(1, match=""), "an empty field means the default"


def test_a_bound_makes_a_range_of_a_filter():
    assert changed(1, query="", start="2020") == {
        "field": f"{E}year",
        "match": "exact",
        "start": 2020,
        "range_filter": True,
    }


def test_measures_with_a_condition_are_json_and_come_back_whole():
    item = {"func": "count", "where": [{"field": f"{E}year", "query": 2020}]}
    one = plan({"node_type": "Aggregate", "aggregations": [item]})
    text = field(1, "aggregations", one).text
    assert text.startswith("[{")
    assert changed(1, one, aggregations=text + " ")["aggregations"] == [item]


def test_a_fault_is_shown_beside_its_field():
    def wrong(node_id, **texts):
        return faults(PLAN, read(PLAN, node_id, texts, SCHEMA), SCHEMA)

    assert wrong(1) == {}
    assert "nearest are year" in wrong(1, field="yeer")["field"]
    assert "as a number" in wrong(1, query="late")["query"]
    assert wrong(1, match="fuzzy")["match"] == "match must be 'exact', 'contains' or 'prefix'"
    assert wrong(1, any_of="late")["any_of"] == "any_of must be a list"
    two = faults(PLAN, PLAN.node(3).with_fields(inputs=[1, 2]), SCHEMA)
    assert two == {"inputs": "Aggregate takes 1 input, not 2"}
    count = faults(PLAN, Node(node_type="Count", node_id=2, inputs=[1]), SCHEMA)
    assert "node 2 gives number" in count[""], "what is wrong elsewhere stands by itself"


def test_fields_of_other_programs_survive_the_form():
    one = plan({"node_type": "Limit", "num_records": 3, "colour": {"r": 1}})
    assert field(1, "colour", one).text == '{"r": 1}'
    assert changed(1, one, num_records="5") == {"num_records": 5, "colour": {"r": 1}}
    strange = plan({"node_type": "Teleport", "to": "x"})
    assert [f.name for f in form(strange, 1, SCHEMA)] == ["to"] and about(strange.node(1)) == ""
