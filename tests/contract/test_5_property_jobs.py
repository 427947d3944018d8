"""Section 5 of the contract: extracting and deleting properties."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.contract.texts import INCIDENTS

EXTRACT = "/v1/jobs/extract-properties"
DELETE = "/v1/jobs/delete-properties"


@pytest.fixture
def reports(http: httpx.Client, docset: str) -> str:
    """The id of a DocSet with documents and without a schema."""
    for name, text in INCIDENTS.items():
        sent = {"file": (name, text)}
        http.post(f"/v1/storage/docsets/{docset}/docs", files=sent).raise_for_status()
    return docset


def schema(*names: str, **more: Any) -> dict[str, Any]:
    return {"properties": [{"name": name, "field_type": "string", **more} for name in names]}


def entities(http: httpx.Client, docset: str) -> list[dict[str, Any]]:
    items = http.get(f"/v1/storage/docsets/{docset}/docs").json()["items"]
    return [item["properties"]["entity"] for item in items]


def names(http: httpx.Client, docset: str) -> list[str]:
    results = http.get(f"/v1/storage/docsets/{docset}").json()["schema"]
    return [item["name"] for item in results["properties"]]


def test_5_success_is_an_exit_status_of_nought(http: httpx.Client, reports: str) -> None:
    job = {"params": {"docset_id": reports}}
    answers = [
        http.post(EXTRACT, json=schema("state"), **job),
        http.post(DELETE, json={"names": ["state"]}, **job),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json()) == (200, {"exit_status": 0})


def test_5_async_twins_answer_202_and_end_with_the_same_object(
    http: httpx.Client, reports: str, finished: Callable[[str], httpx.Response]
) -> None:
    job = {"params": {"docset_id": reports}}
    bodies = {EXTRACT: schema("state"), DELETE: {"names": ["state"]}}
    for path, body in bodies.items():
        submitted = http.post(path.replace("/v1/", "/v1/async/submit/"), json=body, **job)
        assert submitted.status_code == 202
        result = finished(submitted.json()["task_id"])
        assert (result.status_code, result.json()) == (200, {"exit_status": 0})


def test_5_new_properties_come_first_and_apply_to_later_documents(
    http: httpx.Client, reports: str
) -> None:
    job = {"params": {"docset_id": reports}}
    http.post(EXTRACT, json=schema("state"), **job).raise_for_status()
    wanted = {"properties": [{"name": "injuries", "property_type": "int"}]}
    http.post(EXTRACT, json=wanted, **job).raise_for_status()
    assert names(http, reports) == ["injuries", "state"]
    text = INCIDENTS["report-1.md"].replace("Texas", "Maine")
    sent = {"file": ("later.md", text)}
    http.post(f"/v1/storage/docsets/{reports}/docs", files=sent).raise_for_status()
    assert entities(http, reports)[-1] == {"state": "Maine", "injuries": 2}


def test_5_a_missing_value_gets_the_default_or_null(http: httpx.Client, reports: str) -> None:
    wanted = {
        "properties": [
            {"name": "witness name", "field_type": "string"},
            {"name": "pilot licence", "field_type": "string", "default": "none"},
        ]
    }
    answer = http.post(EXTRACT, json=wanted, params={"docset_id": reports})
    assert answer.status_code == 200
    for entity in entities(http, reports):
        assert entity == {"witness name": None, "pilot licence": "none"}


def test_5_extraction_on_an_empty_docset_succeeds(http: httpx.Client, docset: str) -> None:
    """It does nothing, and its task says so."""
    answer = http.post(EXTRACT, json=schema("state"), params={"docset_id": docset})
    assert answer.json() == {"exit_status": 0}
    submit = "/v1/async/submit/jobs/extract-properties"
    task = http.post(submit, json=schema("state"), params={"docset_id": docset}).json()["task_id"]
    with http.stream("GET", "/v1/workbench/tasks/events") as stream:
        ends = (line for line in stream.iter_lines() if task in line and '"status":"done"' in line)
        assert "There were no documents to read" in next(ends)
    assert http.get(f"/v1/storage/docsets/{docset}").json()["schema"] is None


def test_5_deletion_removes_values_and_schema_entries_of_any_name(
    http: httpx.Client, reports: str
) -> None:
    job = {"params": {"docset_id": reports}}
    http.post(EXTRACT, json=schema("state", "the cause/reason"), **job).raise_for_status()
    http.post(DELETE, json={"names": ["the cause/reason", "never"]}, **job).raise_for_status()
    assert names(http, reports) == ["state"]
    assert all(set(entity) == {"state"} for entity in entities(http, reports))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (EXTRACT, {}), (EXTRACT, {"properties": None}), (EXTRACT, {"properties": [{}]}),
        (EXTRACT, []), (DELETE, {}), (DELETE, {"names": []}), (DELETE, {"names": [1]}),
        (DELETE, {"names": "state"}),
    ],
)  # fmt: skip
def test_5_wrong_bodies_are_a_422(http: httpx.Client, docset: str, path: str, body: object) -> None:
    assert http.post(path, json=body, params={"docset_id": docset}).status_code == 422


@pytest.mark.parametrize("path", [EXTRACT, DELETE])
def test_5_the_docset_must_be_named(http: httpx.Client, path: str) -> None:
    body = schema("state") | {"names": ["state"]}
    answer = http.post(path, json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["query", "docset_id"]


def test_5_a_schema_that_would_have_too_many_properties_is_refused_before_anything_is_read(
    http: httpx.Client, docset: str
) -> None:
    job = {"params": {"docset_id": docset}}
    sent = {"file": ("short.txt", b"Nothing here.")}
    http.post(f"/v1/storage/docsets/{docset}/docs", files=sent).raise_for_status()
    http.post(EXTRACT, json=schema(*(f"k{i}" for i in range(499))), **job).raise_for_status()
    for path in (EXTRACT, EXTRACT.replace("/v1/", "/v1/async/submit/")):
        answer = http.post(path, json=schema("more", "again"), **job)
        assert answer.status_code == 422
        assert "501 properties" in answer.json()["detail"][0]["msg"]
    assert len(names(http, docset)) == 499
