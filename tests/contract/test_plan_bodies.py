"""Plans and queries on the wire."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from tests.contract.plans import plan, source, step
from workbench.contract.docsets import DocSetUpdate, PropertyNames
from workbench.contract.documents import PropertyUpdates
from workbench.contract.plan import EditRequest, NewQuery, Plan, Query
from workbench.contract.plan_nodes import Limit, Node
from workbench.contract.review import ReviewRequest
from workbench.contract.search import FacetRequest
from workbench.contract.wire import Wire

WIRE = {
    "query": "How many?",
    "nodes": {
        "0": {
            "node_type": "QueryDatabase",
            "node_id": 0,
            "description": "all",
            "inputs": [],
            "index": "ds",
            "query": None,
            "their_own": {"kept": [1, None]},
        },
        "7": {"node_type": "TheirStep", "node_id": 7, "description": "x", "inputs": [0], "Z": 1},
    },
    "result_node": 7,
    "llm_prompt": None,
    "llm_plan": None,
    "bookmark": "theirs",
}


@pytest.mark.parametrize(
    ("model", "body", "meant"),
    [
        (NewQuery, {"docset_id": "ds", "query": "?", "sumarize_result": True}, "summarize_result"),
        (EditRequest, {"query": {"docset_id": "ds", "plan": None}, "fedback": "x"}, "feedback"),
        (DocSetUpdate, {"nmae": "x"}, "name"),
        (DocSetUpdate, {"querry_schema": None}, "query_schema"),
        (PropertyUpdates, {"operation": []}, "operations"),
        (ReviewRequest, {"feilds": None}, "fields"),
    ],
)
def test_a_misspelt_key_is_refused_with_the_right_one(
    model: type[Wire], body: dict[str, Any], meant: str
) -> None:
    with pytest.raises(ValidationError, match=f"did you mean '{meant}'"):
        model.model_validate(body)


def test_a_key_like_none_of_ours_is_ignored() -> None:
    assert DocSetUpdate.model_validate({"name": "x", "colour": "red", "id": 5}).name == "x"


def _models(base: type[Wire]) -> Iterator[type[Wire]]:
    for model in base.__subclasses__():
        yield model
        yield from _models(model)


def _kinds(schema: Any) -> Iterator[str]:
    for part in (schema, *schema.get("anyOf", ()), *schema.get("prefixItems", ())):
        yield part.get("type", "")
    for part in (*schema.get("anyOf", ()), schema.get("items")):
        yield from _kinds(part) if isinstance(part, dict) else ()


NUMBERS = [
    (model, name)
    for model in dict.fromkeys(_models(Wire))
    for name, schema in model.model_json_schema().get("properties", {}).items()
    if {"integer", "number"} & set(_kinds(schema)) and "boolean" not in _kinds(schema)
]


@pytest.mark.parametrize(("model", "name"), NUMBERS)
@pytest.mark.parametrize("value", [True, [3, False], [[1, True]]])
def test_true_is_no_number_in_a_request(model: type[Wire], name: str, value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        model.model_validate({name: value})
    faults = {(fault["loc"], fault["type"]) for fault in refused.value.errors()}
    assert ((name,), "number_type") in faults


def test_plans_and_requests_have_numbers() -> None:
    assert {(Limit, "num_records"), (Node, "inputs"), (FacetRequest, "top")} <= set(NUMBERS)


def test_fields_that_we_do_not_know_survive_a_round_trip() -> None:
    assert json.loads(Plan.model_validate(WIRE).model_dump_json()) == WIRE


def test_a_plan_without_a_report_is_written_without_one() -> None:
    assert "edit" not in Plan.model_validate(WIRE).model_dump()


def test_a_query_takes_every_key_that_clients_send() -> None:
    sent = {
        "docset_id": "ds",
        "query": "How many?",
        "plan": None,
        "stream": None,
        "summarize_result": False,
        "rag_mode": False,
        "model_name": None,
        "doc_inclusion_list": None,
        "doc_exclusion_list": ["a"],
        "bookmark_source": None,
        "bookmark_target": None,
        "something_new": 1,
    }
    read = NewQuery.model_validate(sent)
    assert read.stream is False
    assert read.doc_exclusion_list == ["a"]


@pytest.mark.parametrize("body", [{}, {"query": "  "}, {"query": "x", "plan": WIRE}])
def test_a_run_needs_a_question_or_a_plan_and_not_both(body: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="exactly one"):
        NewQuery.model_validate({"docset_id": "ds", **body})


def test_an_edit_takes_a_plan_with_or_without_its_question() -> None:
    for question in (None, "How many?"):
        query = {"docset_id": "ds", "plan": WIRE, "query": question}
        assert EditRequest.model_validate({"query": query, "feedback": "undo"}).query.plan


def test_an_edit_without_a_plan_is_refused() -> None:
    with pytest.raises(ValidationError, match="needs the plan"):
        EditRequest.model_validate({"query": {"docset_id": "ds"}, "feedback": "undo"})


def test_rag_mode_excludes_a_plan() -> None:
    with pytest.raises(ValidationError, match="leave the plan out"):
        Query.model_validate({"docset_id": "ds", "plan": WIRE, "rag_mode": True})


def test_a_step_with_a_field_set_to_nothing_loses_it() -> None:
    node = plan(source(), step("Limit", 1, 0, num_records=5)).node(1)
    assert "num_records" not in node.with_fields(num_records=None).extras


def test_a_list_has_the_limit_of_its_field() -> None:
    """A general limit on lists must not replace it."""
    body = {"node_type": "Math", "node_id": 1, "operation": "add", "inputs": [0] * 64}
    assert len(Node.model_validate(body).inputs) == 64
    with pytest.raises(ValidationError, match="at most 64 items") as refused:
        Node.model_validate({**body, "inputs": [0] * 65})
    assert refused.value.error_count() == 1
    with pytest.raises(ValidationError, match="at most 500 items"):
        PropertyNames.model_validate({"names": [str(i) for i in range(501)]})
