"""What makes a plan sound."""

from typing import Any

import pytest
from pydantic import ValidationError

from tests.contract.plans import plan, source, step
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import Columns
from workbench.contract.plan_nodes import MAX_NODES, Aggregation, Node
from workbench.contract.plan_validation import validate

FIELDS: Columns = {
    "properties.entity.state": "string",
    "properties.entity.dead": "int",
    "properties.entity.day": "date",
    "properties.entity.built": "bool",
}


def faults(judged: Plan) -> set[tuple[str, str]]:
    """The kinds of all faults, each with the part of the plan it is at."""
    result = validate(judged, FIELDS).faults
    return {(fault.type, ".".join(map(str, fault.loc[3:]))) for fault in result}


def keep(**fields: Any) -> Plan:
    return plan(source(), step("BasicFilter", 1, 0, **fields))


def test_a_sound_plan_has_no_faults() -> None:
    sound = plan(
        source(),
        step("BasicFilter", 1, 0, field="state", query="Ohio"),
        step("GroupBy", 2, 1, field="day", bucket="year"),
        step("Aggregate", 3, 2, aggregations=[{"func": "sum", "field": "dead", "name": "d"}]),
        step("Sort", 4, 3, field="properties.d", descending=True),
        step("Limit", 5, 4, num_records=3),
        step("SummarizeData", 6, 5, question="?"),
    )
    verdict = validate(sound, FIELDS)
    assert not verdict.faults
    assert [verdict.flows[i] for i in range(7)] == [
        "docs", "docs", "groups", "rows", "rows", "rows", "text",
    ]  # fmt: skip


def test_all_faults_are_reported_at_once_with_their_place() -> None:
    bad = plan(
        source(),
        step("BasicFilter", 1, 0, field="stat", query="Ohio"),
        step("Limit", 2, 1, num_records=0),
        step("Math", 3, 2, operation="add"),
    )
    assert faults(bad) == {
        ("unknown_field", "1.field"),
        ("bad_limit", "2.num_records"),
        ("arity", "3.inputs"),
        ("type_mismatch", "3.inputs"),
    }
    assert all(f.loc[:3] == ["body", "plan", "nodes"] for f in validate(bad, FIELDS).faults)


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (step("Sortt", 3, 2), "unknown_node_type"),
        (step("Limit", 3, 2, 9, num_records=1), "unknown_input"),
        (step("FieldIn", 3, 2, 3, field_one="state", field_two="state"), "cycle"),
    ],
)
def test_a_fault_of_the_graph_does_not_hide_those_of_fields(
    wrong: dict[str, Any], kind: str
) -> None:
    bad = plan(
        source(),
        step("Sort", 1, 0, field="colour"),
        step("Limit", 2, 1, num_records=0),
        wrong,
    )
    assert {("unknown_field", "1.field"), ("bad_limit", "2.num_records")} <= faults(bad)
    assert kind in {fault for fault, _ in faults(bad)}
    lost = plan(source(), step("Limit", 1, 0, num_records=0), result=7)
    assert {fault for fault, _ in faults(lost)} == {"no_result", "bad_limit"}


def test_an_unknown_field_names_the_nearest_ones() -> None:
    [fault] = validate(keep(field="stat", query="x"), FIELDS).faults
    assert "state" in fault.msg


@pytest.mark.parametrize("spelling", ["state", "entity.state", "properties.entity.state"])
def test_fields_may_be_spelled_in_three_ways(spelling: str) -> None:
    assert not faults(keep(field=spelling, query="Ohio"))


def test_a_cycle_is_reported() -> None:
    bad = plan(source(), step("Limit", 1, 2, num_records=1), step("Limit", 2, 1, num_records=1))
    assert {kind for kind, _ in faults(bad)} == {"cycle"}


def test_a_missing_result_is_reported() -> None:
    result = validate(plan(source(), result=9), FIELDS).faults
    assert [(fault.type, fault.loc) for fault in result] == [
        ("no_result", ["body", "plan", "result_node"])
    ]


def test_ids_inputs_and_types_that_do_not_match_are_reported() -> None:
    bad = plan(source(), step("Sortt", 1, 5, field="state"))
    bad.nodes["1"] = bad.nodes["1"].model_copy(update={"node_id": 2})
    assert faults(bad) == {
        ("id_mismatch", "1.node_id"),
        ("unknown_node_type", "1.node_type"),
        ("unknown_input", "1.inputs"),
    }


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"field": "dead", "query": "many"}, "bad_value"),
        ({"field": "day", "range_filter": True, "start": "soon"}, "bad_value"),
        ({"field": "built", "query": "perhaps"}, "bad_value"),
        ({"field": "dead", "range_filter": True, "start": 5, "end": 1}, "empty_range"),
        ({"field": "day", "is_date": True, "start": "2022-02-01", "end": "2022-01"}, "empty_range"),
        ({"field": "x" * 300, "query": 1}, "unknown_field"),
        ({"field": "state", "any_of": [{"field": "dead", "query": "no"}]}, "bad_value"),
        ({"field": "state", "match": "roughly"}, "bad_value"),
        ({"field": "state"}, "bad_value"),
        ({"field": "state", "any_of": [{"field": "dead"}]}, "bad_value"),
        ({"field": "state", "range_filter": True, "query": "Texas"}, "bad_value"),
        ({"field": "state", "range_filter": True, "start": 5}, "field_type"),
    ],
)
def test_unreadable_values_are_reported(fields: dict[str, Any], kind: str) -> None:
    assert {fault for fault, _ in faults(keep(**fields))} == {kind}


def test_numbers_of_words_are_refused() -> None:
    bad = plan(source(), step("Aggregate", 1, 0, aggregations=[{"func": "avg", "field": "state"}]))
    assert faults(bad) == {("field_type", "1.aggregations")}


def test_a_single_day_is_not_a_number_to_calculate_with() -> None:
    first = step("Aggregate", 1, 0, aggregations=[{"func": "min", "field": "day"}])
    assert not faults(plan(source(), first))
    later = step("Math", 3, 1, 2, operation="subtract")
    bad = plan(source(), first, step("Count", 2, 0), later)
    assert faults(bad) == {("type_mismatch", "3.inputs")}


@pytest.mark.parametrize(
    "steps",
    [
        [step("Aggregate", 1, 0, aggregations=[{"func": "avg", "field": "dead"}] * 2)],
        [
            step("GroupBy", 1, 0, field="state"),
            step("Aggregate", 2, 1, aggregations=[{"func": "count", "name": "key"}]),
        ],
        [step("GroupBy", 1, 0, field="state", fields=["dead", "properties.path", "path"])],
        [step("LlmExtractEntity", 1, 0, question="?", new_field="path")],
    ],
)
def test_two_columns_of_one_name_are_refused(steps: list[dict[str, Any]]) -> None:
    assert {kind for kind, _ in faults(plan(source(), *steps))} == {"bad_value"}


def test_fields_that_are_not_columns_of_rows_are_unknown_there() -> None:
    counted = (source(), step("GroupBy", 1, 0, field="state"), step("AggregateCount", 2, 1))
    for name in ("values", "properties.path", "doc_id"):
        assert faults(plan(*counted, step("Sort", 3, 2, field=name))) == {
            ("unknown_field", "3.field")
        }


@pytest.mark.parametrize("name", ["properties.unheard", "text", "properties.entity.", ""])
def test_no_spelling_makes_an_unknown_field_known(name: str) -> None:
    for bad in (keep(field=name, query=1), plan(source(), step("Sort", 1, 0, field=name))):
        assert faults(bad) == {("unknown_field", "1.field")}


def test_a_field_of_an_earlier_step_may_be_called_by_its_bare_name() -> None:
    made = step("LLMClustering", 1, 0, field="state", new_field="kind of state")
    rows = (step("GroupBy", 2, 1, field="kind of state"), step("AggregateCount", 3, 2))
    assert not faults(plan(source(), made, *rows))


def test_a_bucket_needs_a_date() -> None:
    bad = plan(
        source(),
        step("GroupBy", 1, 0, field="state", bucket="year"),
        step("AggregateCount", 2, 1),
    )
    assert faults(bad) == {("field_type", "1.bucket")}


def test_columns_of_small_tables_are_known() -> None:
    counted = (source(), step("TopK", 1, 0, field="state", K=3))
    assert not faults(plan(*counted, step("Sort", 2, 1, field="properties.count")))
    assert not faults(plan(*counted, step("Sort", 2, 1, field="count")))
    assert faults(plan(*counted, step("Sort", 2, 1, field="dead"))) == {
        ("unknown_field", "2.field")
    }


def test_a_field_read_from_the_text_is_known_afterwards() -> None:
    read = step("LlmExtractEntity", 1, 0, question="?", new_field="pilot", new_field_type="int")
    after = step("Aggregate", 2, 1, aggregations=[{"func": "max", "field": "properties.pilot"}])
    assert not faults(plan(source(), read, after))


def test_a_step_that_nothing_uses_is_only_warned_about() -> None:
    verdict = validate(plan(source(), source(1), result=1), FIELDS)
    assert not verdict.faults
    assert [fault.type for fault in verdict.warnings] == ["unreachable_node"]


def test_counting_semantic_matches_gives_a_warning() -> None:
    near = step("QueryVectorDatabase", 0, query_phrase="birds")
    verdict = validate(plan(near, step("Count", 1, 0)), FIELDS)
    assert [fault.type for fault in verdict.warnings] == ["incomplete_source"]


def test_plans_have_limits_of_size_and_depth() -> None:
    long = [source(), *(step("Limit", i, i - 1, num_records=1) for i in range(1, 40))]
    assert {kind for kind, _ in faults(plan(*long))} == {"too_deep"}
    many = [source(i) for i in range(MAX_NODES + 1)]
    with pytest.raises(ValidationError, match=f"at most {MAX_NODES} items"):
        plan(*many)
    nodes = {str(i): Node.model_validate(one) for i, one in enumerate(many)}
    made = plan(source()).model_copy(update={"nodes": nodes})
    assert {kind for kind, _ in faults(made)} == {"too_many_nodes"}


def test_a_known_name_may_be_as_long_as_a_schema_allows() -> None:
    name = "a" * 200
    fields: Columns = {f"properties.entity.{name}": "string"}
    grouped = plan(source(), step("GroupBy", 1, 0, field=f"properties.entity.{name}"))
    assert not validate(grouped, fields).faults
    assert Aggregation(func="distinct", field=name, name=f"distinct_{name}").name
    unknown = plan(source(), step("GroupBy", 1, 0, field="b" * 201))
    assert [fault.msg for fault in validate(unknown, fields).faults] == ["the name is too long"]


def test_without_the_fields_of_a_docset_names_are_not_checked() -> None:
    assert not validate(keep(field="whatever", query=1), None).faults


@pytest.mark.parametrize(
    "fields",
    [
        {"query": ""},
        {"values": ["Ohio", ""]},
        {"query": "", "match": "prefix"},
        {"start": "", "range_filter": True},
        {"any_of": [{"query": ""}]},
    ],
)
def test_a_filter_with_an_empty_text_is_refused_because_it_would_keep_all(
    fields: dict[str, Any],
) -> None:
    found = faults(plan(source(), step("BasicFilter", 1, 0, field="state", **fields)))
    assert {kind for kind, _ in found} == {"bad_value"}
    exact = step("BasicFilter", 1, 0, field="state", query="", match="exact")
    assert not faults(plan(source(), exact))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("QueryDatabase", {"query_text": ""}),
        ("QueryVectorDatabase", {"query_phrase": " ?! "}),
        ("LlmFilter", {"question": ""}),
    ],
)
def test_a_step_that_asks_texts_without_words_is_refused(kind: str, fields: dict[str, Any]) -> None:
    first = [] if kind.startswith("Query") else [source()]
    verdict = validate(plan(*first, step(kind, len(first), *range(len(first)), **fields)), FIELDS)
    assert [fault.msg for fault in verdict.faults] == [f"{next(iter(fields))}: it has no words"]


def test_an_empty_filter_of_properties_is_refused_as_in_searches() -> None:
    assert faults(plan(step("QueryDatabase", 0, properties_filter=""))) == {
        ("bad_value", "0.properties_filter")
    }


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("Sort", {"field": "dead", "decending": True}, "'decending': did you mean 'descending'?"),
        ("BasicFilter", {"field": "dead", "start": 1, "start_exclusiv": True},
         "'start_exclusiv': did you mean 'start_exclusive'?"),
        ("BasicFilter", {"field": "state", "query": "b", "mach": "exact"},
         "'mach': did you mean 'match'?"),
        ("TopK", {"field": "dead", "k": 1}, "'k': did you mean 'K'?"),
        ("Sort", {"field": "dead", "then": [{"field": "day", "descendin": True}]},
         "'descendin': did you mean 'descending'?"),
        ("Aggregate", {"aggregations": [{"func": "count", "were": [{"field": "dead"}]}]},
         "'were': did you mean 'where'?"),
        ("Aggregate", {"aggregations": [{"func": "count"}], "percent": True},
         "'percent' belongs in the items of aggregations"),
        ("Aggregate", {"aggregations": [{"func": "count"}], "percnt": True},
         "'percnt': did you mean 'percent'?"),
    ],
)  # fmt: skip
def test_a_misspelt_field_is_refused_with_the_right_name(
    kind: str, fields: dict[str, Any], words: str
) -> None:
    result = validate(plan(source(), step(kind, 1, 0, **fields)), FIELDS)
    assert any(words in fault.msg for fault in result.faults)


def test_a_field_that_is_like_none_of_ours_is_kept() -> None:
    judged = plan(source(), step("Sort", 1, 0, field="dead", note_of_mine="x"))
    assert not validate(judged, FIELDS).faults
    assert judged.node(1).unchecked["note_of_mine"] == "x"
