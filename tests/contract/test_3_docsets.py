"""Section 3 of the contract: DocSets and the spellings of their schema."""

import time
from datetime import datetime
from typing import Any

import httpx
import pytest

PATH = "/v1/storage/docsets"
METADATA = {
    "account_id", "docset_id", "name", "created_at", "readonly", "properties", "size", "schema",
    "prompts",
}  # fmt: skip


def create(http: httpx.Client, **body: Any) -> dict[str, Any]:
    answer = http.post(PATH, json={"name": f"a set {time.monotonic()}", **body})
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def add(http: httpx.Client, docset_id: str, name: str, text: str) -> str:
    answer = http.post(f"{PATH}/{docset_id}/docs", files={"file": (name, text)})
    return str(answer.raise_for_status().json()["doc_id"])


def names(http: httpx.Client, docset_id: str) -> list[str]:
    return [item["name"] for item in http.get(f"{PATH}/{docset_id}/docs").json()["items"]]


def hits(http: httpx.Client, docset_id: str, words: str) -> int:
    answer = http.post(f"/v1/query/search/{docset_id}", json={"query": words})
    return len(answer.raise_for_status().json()["results"])


def test_3_create_takes_explicit_nulls_and_answers_with_all_metadata(http: httpx.Client) -> None:
    made = create(http, properties=None, schema=None, prompts=None)
    assert set(made) == METADATA
    assert (made["size"], made["readonly"], made["prompts"]) == (0, False, {})
    assert made["schema"] is None
    assert datetime.fromisoformat(made["created_at"]).tzinfo is not None
    assert http.get(f"{PATH}/{made['docset_id']}").json() == made


@pytest.mark.parametrize(
    "body",
    [
        {}, {"name": None}, {"name": ""}, {"name": "x" * 501}, {"name": 5}, [], None, "x",
        {"name": " \t"}, {"name": "\u200b\u202e \ufeff"}, {"name": "x", "shcema": None},
        {"name": "x", "prompts": {"OTHER": "y"}}, {"name": "x", "properties": []},
        {"name": "x", "properties": {"confidence_limit": "high"}},
        {"name": "x", "properties": {"confidence_limit": 1.01}},
        {"name": "x", "properties": {"reread_after_corrections": "maybe"}},
        {"name": "x", "schema": {}}, {"name": "x", "schema": {"properties": [{"name": "a"}]}},
        {"name": "x", "schema": {"properties": [{"name": "a", "field_type": "int"}] * 2}},
        {"name": "x", "schema": {"properties": [{"name": "a", "type": {"type": "choice"}}]}},
    ],
)  # fmt: skip
def test_3_create_refuses_a_wrong_body(http: httpx.Client, body: object) -> None:
    answer = http.post(PATH, json=body)
    assert answer.status_code == 422
    assert all(set(fault) == {"loc", "msg", "type"} for fault in answer.json()["detail"])


def test_3_list_filters_by_exact_name_and_pages(http: httpx.Client) -> None:
    name = f"pages {time.monotonic()}"
    ids = [create(http, name=name)["docset_id"] for _ in range(3)]
    create(http, name=name.upper())
    query: dict[str, Any] = {"name_eq": name, "page_size": 2}
    first = http.get(PATH, params=query).json()
    create(http, name=name.upper())
    second = http.get(PATH, params=query | {"page_token": first["next_page_token"]}).json()
    listed = [item["docset_id"] for item in first["items"] + second["items"]]
    assert listed == ids and second["next_page_token"] is None
    assert http.get(PATH, params={"name_eq": name[:-1]}).json()["items"] == []


def test_3_a_page_of_large_docsets_ends_early_and_the_next_continues(http: httpx.Client) -> None:
    """A thousand DocSets of 2 MB would make an answer of 2 GB."""
    name, large = f"large {time.monotonic()}", {"x": "a" * 1_900_000}
    ids = [create(http, name=name, properties=large)["docset_id"] for _ in range(5)]
    query: dict[str, Any] = {"name_eq": name, "page_size": 1000}
    pages, token = [], None
    while token or not pages:
        answer = http.get(PATH, params=query | ({"page_token": token} if token else {}))
        assert len(answer.content) < 6_500_000
        pages.append([item["docset_id"] for item in answer.json()["items"]])
        token = answer.json()["next_page_token"]
    assert pages == [ids[:3], ids[3:]]


def test_3_update_replaces_given_values_and_ignores_nulls(http: httpx.Client) -> None:
    made = create(http, properties={"a": 1, "b": 2}, prompts={"CHAT_SYSTEM": "be brief"})
    path = f"{PATH}/{made['docset_id']}"
    body = {"name": None, "properties": {"c": 3}, "schema": None, "prompts": None}
    changed = http.patch(path, json=body).json()
    assert changed == {**made, "properties": {"c": 3}}
    assert http.patch(path, json={}).json() == changed
    assert http.patch(path, json={"name": ""}).status_code == 422
    for key in ("schema", "query_schema"):
        schema = {"properties": [{"name": key, "property_type": "int"}]}
        renewed = http.patch(path, json={key: schema}).json()["schema"]
        assert [item["name"] for item in renewed["properties"]] == [key]


def test_3_readonly_is_set_and_unset(http: httpx.Client, docset: str) -> None:
    assert http.post(f"{PATH}/{docset}/readonly/1").json()["readonly"] is True
    assert http.get(f"{PATH}/{docset}").json()["readonly"] is True
    assert http.post(f"{PATH}/{docset}/readonly/0").json()["readonly"] is False
    assert http.post(f"{PATH}/{docset}/readonly/2").status_code == 422


def test_3_readonly_refuses_every_write_and_changes_nothing(http: httpx.Client) -> None:
    schema = {"properties": [{"name": "wind", "field_type": "string"}]}
    docset_id = create(http, schema=schema)["docset_id"]
    doc_id = add(http, docset_id, "a.txt", "Wind: strong")
    path = f"{PATH}/{docset_id}"
    http.post(f"{path}/readonly/1").raise_for_status()
    before = (http.get(path).json(), http.get(f"{path}/docs/{doc_id}").json())
    sent = {"files": {"file": ("b.txt", "more")}}
    job = {"params": {"docset_id": docset_id}}
    add_option = {"options": f'{{"add_to_docset_id": "{docset_id}"}}'}
    replace = {"op": "replace", "path": "/properties/entity/wind", "value": "calm"}
    refused = [
        http.patch(path, json={"name": "other"}),
        http.delete(path),
        http.post(f"{path}/docs", **sent),
        http.post(f"/v1/async/submit/storage/docsets/{docset_id}/docs", **sent),
        http.delete(f"{path}/docs/{doc_id}"),
        http.patch(f"{path}/docs/{doc_id}/properties", json={"operations": [replace]}),
        http.post("/v1/jobs/extract-properties", json=schema, **job),
        http.post("/v1/async/submit/jobs/extract-properties", json=schema, **job),
        http.post("/v1/jobs/delete-properties", json={"names": ["wind"]}, **job),
        http.post("/v1/async/submit/jobs/delete-properties", json={"names": ["wind"]}, **job),
        http.post("/v1/document/partition", data=add_option, **sent),
    ]
    for answer in refused:
        assert answer.status_code == 403
        assert docset_id in answer.json()["detail"] and "read-only" in answer.json()["detail"]
    assert before == (http.get(path).json(), http.get(f"{path}/docs/{doc_id}").json())
    assert names(http, docset_id) == ["a.txt"]


def test_3_a_clone_is_a_writable_copy_that_is_searchable_at_once(http: httpx.Client) -> None:
    schema = {"properties": [{"name": "wind", "field_type": "string"}]}
    made = create(http, schema=schema, properties={"a": 1}, prompts={"CHAT_SYSTEM": "x"})
    add(http, made["docset_id"], "a.txt", "Wind: strong\n\nThe crane fell.")
    http.post(f"{PATH}/{made['docset_id']}/readonly/1").raise_for_status()
    copy = http.post(f"{PATH}/{made['docset_id']}/clone").json()
    assert set(copy) == METADATA
    for key in ("schema", "properties", "prompts", "account_id"):
        assert copy[key] == made[key]
    assert copy["docset_id"] != made["docset_id"]
    assert (copy["size"], copy["readonly"]) == (1, False)
    assert hits(http, copy["docset_id"], "crane") == 1


def test_3_a_clone_is_fully_independent(http: httpx.Client) -> None:
    source = create(http)["docset_id"]
    first = add(http, source, "first.txt", "alpha crane")
    add(http, source, "second.txt", "beta crane")
    copy = http.post(f"{PATH}/{source}/clone").json()["docset_id"]
    copies = {item["name"]: item for item in http.get(f"{PATH}/{copy}/docs").json()["items"]}
    assert copies["first.txt"]["doc_id"] != first
    http.delete(f"{PATH}/{source}/docs/{first}").raise_for_status()
    add(http, copy, "third.txt", "gamma crane")
    value = {"op": "replace", "path": "/properties/path", "value": "renamed"}
    http.patch(
        f"{PATH}/{copy}/docs/{copies['second.txt']['doc_id']}/properties",
        json={"operations": [value]},
    ).raise_for_status()
    assert (hits(http, source, "crane"), hits(http, copy, "crane")) == (1, 3)
    assert names(http, source) == ["second.txt"]
    (kept,) = http.get(f"{PATH}/{source}/docs").json()["items"]
    assert kept["properties"]["path"] == "second.txt"
    binary = f"{PATH}/{copy}/docs/{copies['first.txt']['doc_id']}/binary"
    assert http.get(binary).text == "alpha crane"
    http.delete(f"{PATH}/{source}").raise_for_status()
    assert http.get(binary).text == "alpha crane"
    assert hits(http, copy, "alpha") == 1


def test_3_delete_answers_with_the_last_metadata(http: httpx.Client, docset: str) -> None:
    doc_id = add(http, docset, "a.txt", "text")
    last = http.get(f"{PATH}/{docset}").json()
    assert http.delete(f"{PATH}/{docset}").json() == last
    for path in (docset, f"{docset}/docs", f"{docset}/docs/{doc_id}/binary"):
        assert http.get(f"{PATH}/{path}").status_code == 404
    assert http.delete(f"{PATH}/{docset}").status_code == 404


def test_3_suggest_answers_with_a_schema(http: httpx.Client, incidents: str) -> None:
    path = f"{PATH}/{incidents}/suggest-properties"
    fresh = {"existing_schema": {"properties": []}}
    doc_ids = [http.get(f"{PATH}/{incidents}/docs").json()["items"][0]["doc_id"]]
    for body in (fresh, fresh | {"sample_ratio": 1}, fresh | {"sample_ratio": 0}):
        suggested = http.post(path, json=body).raise_for_status().json()
        assert {"state", "injuries"} <= {item["name"].lower() for item in suggested["properties"]}
    for body in ({}, {"doc_ids": doc_ids}, {"doc_ids": None, "sample_ratio": None}):
        assert list(http.post(path, json=body).raise_for_status().json()) == ["properties"]
    assert http.post(path, json={"sample_ratio": 2}).status_code == 422
    assert http.post(path, json={"doc_ids": ["wb:f-unknown"]}).status_code == 404


PLAIN = {"name": "a b", "default": 1, "description": "d", "examples": [1, 2]}


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({**PLAIN, "field_type": "int"}, {**PLAIN, "property_type": "int"}),
        ({**PLAIN, "property_type": "int"}, {**PLAIN, "property_type": "int"}),
        ({"name": "a b", "type": {**PLAIN, "type": "int"}}, {**PLAIN, "property_type": "int"}),
        ({**PLAIN, "field_type": "integer"}, {**PLAIN, "property_type": "int"}),
        ({**PLAIN, "field_type": "text"}, {**PLAIN, "property_type": "string"}),
        ({**PLAIN, "field_type": "boolean"}, {**PLAIN, "property_type": "bool"}),
        ({**PLAIN, "field_type": "Currency"}, {**PLAIN, "property_type": "Currency"}),
    ],
)
@pytest.mark.parametrize("key", ["properties", "fields"])
def test_3_1_plain_properties_in_any_spelling_come_back_in_one(
    http: httpx.Client, sent: dict[str, Any], kept: dict[str, Any], key: str
) -> None:
    assert create(http, schema={key: [sent]})["schema"]["properties"] == [kept]


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "array", "item_type": {"type": "string"}},
        {"type": "list"},
        {"type": "choice", "choices": ["a", "b"]},
        {"type": "object", "properties": [{"name": "x", "type": {"type": "int"}}]},
        {"type": "struct", "properties": [{"name": "x", "type": {"type": "int"}}]},
        {"type": "date", "format": "YYYY-MM-DD"},
        {"type": "int", "required": True, "extraction_instructions": "look at the top"},
        {"type": "int", "validators": [{"type": "boolean_exp", "expression": "x > 0"}]},
        {"type": "string", "validators": [{"type": "regex", "regex": "[A-Z]+"}]},
    ],
)
def test_3_1_complex_properties_are_returned_in_the_nested_form(
    http: httpx.Client, shape: dict[str, Any]
) -> None:
    sent = {"name": "it", "type": shape}
    (kept,) = create(http, schema={"properties": [sent]})["schema"]["properties"]
    assert kept["name"] == "it"
    synonyms = {"list": "array", "struct": "object"}
    assert kept["type"]["type"] == synonyms.get(shape["type"], shape["type"])
    for key in ("required", "choices", "format", "extraction_instructions"):
        assert kept["type"].get(key, "absent") == shape.get(key, kept["type"].get(key, "absent"))
    (again,) = create(http, schema={"properties": [kept]})["schema"]["properties"]
    assert again == kept


@pytest.mark.parametrize(
    "validator",
    [
        {"type": "regex", "regex": "("},
        {"type": "boolean_exp", "expression": "import os"},
        {"type": "other"},
    ],
)
def test_3_1_a_validator_that_cannot_be_read_is_a_422(
    http: httpx.Client, validator: dict[str, str]
) -> None:
    shape = {"type": "string", "validators": [validator]}
    schema = {"properties": [{"name": "a", "type": shape}]}
    assert http.post(PATH, json={"name": "x", "schema": schema}).status_code == 422


@pytest.mark.parametrize(
    ("prop", "words"),
    [
        ({"name": "a", "property_type": "string", "descripton": "x"}, "did you mean 'description'"),
        ({"name": "a", "type": {"type": "string", "exampels": ["x"]}}, "did you mean 'examples'"),
    ],
)
def test_a_misspelt_key_of_a_property_is_refused_with_the_right_name(
    http: httpx.Client, prop: dict[str, Any], words: str
) -> None:
    body = {"name": "misspelt", "schema": {"properties": [prop]}}
    refused = http.post("/v1/storage/docsets", json=body)
    assert refused.status_code == 422
    assert words in refused.text
