"""The OpenAPI text is true: schemathesis holds every operation to it, and its examples work."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from backend.api import examples
from tests.backend_process import BackendProcess
from tests.contract.texts import TABLE

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]
OURS = "/v1/workbench"
NEVER_ENDS = {"/v1/workbench/tasks/events"}
ENDS_THE_SERVER = {"/v1/workbench/stop"}
TAKES_NOTHING = {"/v1/workbench/health", "/v1/workbench/ready"}
SHORT, LONG = 6, 100
MODES = {
    "valid": GenerationMode.POSITIVE,
    "invalid": GenerationMode.NEGATIVE,
}


@pytest.fixture
def text(http: httpx.Client) -> dict[str, Any]:
    document: dict[str, Any] = http.get("/openapi.json").raise_for_status().json()
    return document


def operations(text: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in text["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def test_every_operation_documents_its_refusals_and_carries_the_call_id(
    text: dict[str, Any],
) -> None:
    for path, method, operation in operations(text):
        responses = operation["responses"]
        assert {"403", "404", "422", "429", "500"} <= set(responses), (method, path)
        assert all("x-aryn-call-id" in response["headers"] for response in responses.values())
        fault = responses["422"]["content"]["application/json"]["schema"]
        assert fault == {"$ref": "#/components/schemas/ValidationBody"}


def test_every_spelling_of_the_type_of_a_property_is_described(text: dict[str, Any]) -> None:
    schema = text["components"]["schemas"]["SchemaProperty-Input"]
    spellings = [name for (name,) in (one["required"] for one in schema["anyOf"])]
    assert set(spellings) == {"property_type", "field_type", "type", "kind"}
    assert set(spellings) <= set(schema["properties"])
    assert "default" not in schema["properties"]["kind"]


def test_the_limits_of_a_plan_and_of_paths_are_those_that_hold(
    http: httpx.Client, text: dict[str, Any]
) -> None:
    schemas = text["components"]["schemas"]
    most = schemas["Plan-Input"]["properties"]["nodes"]["maxProperties"]
    paths = schemas["SearchRequest"]["properties"]["include_fields"]["anyOf"][0]
    longest = paths["items"]["maxLength"]
    docset = http.post("/v1/storage/docsets", json={"name": "limits"}).json()["docset_id"]
    for more, status in ((0, 200), (1, 422)):
        nodes = {str(i): {"node_type": "QueryDatabase", "node_id": i} for i in range(most + more)}
        plan = {"query": "?", "nodes": nodes, "result_node": 0}
        for path, body in (
            ("/v1/workbench/plans/validate", {"docset_id": docset, "plan": plan}),
            ("/v1/workbench/plans/diff", {"before": plan, "after": plan}),
            ("/v1/query", {"docset_id": docset, "plan": plan}),
            (
                f"/v1/query/search/{docset}",
                {"query": "x", "include_fields": ["a" * (longest + more)]},
            ),
        ):
            answer = http.post(path, json=body)
            assert answer.status_code == status, (path, more, answer.text)


def test_only_extensions_are_marked(text: dict[str, Any]) -> None:
    for path, _method, operation in operations(text):
        assert operation.get("x-extension", False) == path.startswith(OURS)


def test_operations_have_names_of_their_own(text: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(text)]
    assert len(names) == len(set(names))


def test_only_health_and_readiness_need_no_credential(text: dict[str, Any]) -> None:
    open_paths = {path for path, _, item in operations(text) if item.get("security") == []}
    assert open_paths == TAKES_NOTHING and text["security"] == [{"token": []}]


def test_the_examples_are_those_that_are_tried_here(text: dict[str, Any]) -> None:
    shown = [
        operation["requestBody"]["content"]["application/json"].get("examples")
        for _path, _method, operation in operations(text)
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    ]
    assert all(shown)


def test_the_examples_of_bodies_work(http: httpx.Client, incidents: str) -> None:
    copy = http.post(f"/v1/storage/docsets/{incidents}/clone").json()["docset_id"]
    path, job = f"/v1/storage/docsets/{copy}", {"docset_id": copy}
    first = http.get(f"{path}/docs").json()["items"][0]["doc_id"]
    tried = [
        ("POST", "/v1/storage/docsets", {}, examples.CREATE),
        ("PATCH", path, {}, examples.UPDATE),
        ("POST", f"{path}/suggest-properties", {}, examples.SUGGEST),
        ("PATCH", f"{path}/docs/{first}/properties", {}, examples.PROPERTIES),
        ("POST", f"/v1/query/search/{copy}", {}, examples.SEARCH),
        ("POST", f"/v1/workbench/facets/{copy}", {}, examples.FACETS),
        ("POST", f"/v1/workbench/completions/{copy}", {}, examples.COMPLETION),
        ("POST", "/v1/jobs/extract-properties", job, examples.EXTRACT),
        ("POST", "/v1/jobs/delete-properties", job, examples.DELETE_PROPERTIES),
        ("POST", "/v1/workbench/plans/diff", {}, examples.about(copy)["diff"]),
    ]
    for method, where, params, bodies in tried:
        for name, example in bodies.items():
            answer = http.request(method, where, params=params, json=example["value"])
            assert answer.status_code == 200, (where, name, answer.text)


@pytest.mark.skipif("WORKBENCH_CONTRACT_URL" in os.environ, reason="fills a server with rubbish")
@pytest.mark.parametrize("number", [SHORT, pytest.param(LONG, marks=pytest.mark.soak)])
@pytest.mark.parametrize("mode", list(MODES))
def test_no_generated_request_causes_a_fault_or_an_undocumented_answer(
    number: int, mode: str, own: Callable[..., BackendProcess]
) -> None:
    backend = own(submit_rate="100000", workers="2")
    schema = schemathesis.openapi.from_url(f"{backend.url}/openapi.json", timeout=120)
    with backend.client() as http:
        ids = known_ids(http)
        for result in schema.get_all_operations():
            operation = result.ok()
            skipped = TAKES_NOTHING if mode == "invalid" else set()
            if operation.path not in NEVER_ENDS | ENDS_THE_SERVER | skipped:
                cases = operation.as_strategy(generation_mode=MODES[mode])
                hold(cases, number, http, ids)
                if operation.method != "get":
                    ids = known_ids(http)  # it may have changed or removed the others
    assert "Traceback" not in backend.log.read_text()


def known_ids(http: httpx.Client) -> dict[str, str]:
    """The ids of things that are there, by the names of their parameters."""
    docset = http.post("/v1/storage/docsets", json={"name": "known"}).json()["docset_id"]
    path = f"/v1/storage/docsets/{docset}/docs"
    document = http.post(path, files={"file": ("a.md", TABLE)}).json()["doc_id"]
    submit = "/v1/async/submit/document/partition"
    task = http.post(submit, files={"file": ("a.md", TABLE)}).json()["task_id"]
    return {"docset_id": docset, "doc_id": document, "task_id": task}


def hold(
    cases: st.SearchStrategy[schemathesis.Case],
    number: int,
    http: httpx.Client,
    ids: dict[str, str],
) -> None:
    """Sends that many generated requests, half of them about things that are there."""
    headers = {"Authorization": http.headers["Authorization"]}

    @given(case=cases, known=st.booleans())
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def holds(case: schemathesis.Case, known: bool) -> None:
        for place in (case.path_parameters, case.query, case.body):
            if known and isinstance(place, dict):
                place.update({name: ids[name] for name in ids if name in place})
        case.call_and_validate(headers=headers, checks=CHECKS)

    holds()
