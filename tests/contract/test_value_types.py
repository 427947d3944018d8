"""Values that people and programs send for properties: what cannot be of the type is refused."""

import json
from typing import Any

import httpx
import pytest

from tests.contract.test_3_docsets import add, create

PATH = "/v1/storage/docsets"
_SHAPES: dict[str, dict[str, Any]] = {
    "int": {"type": "int"},
    "float": {"type": "float"},
    "bool": {"type": "bool"},
    "string": {"type": "string"},
    "date": {"type": "date"},
    "datetime": {"type": "datetime"},
    "choice": {"type": "choice", "choices": ["a", "b", "Ko\u0308ln"]},
    "array": {"type": "array", "item_type": {"type": "int"}},
    "object": {"type": "object", "properties": [{"name": "x", "type": {"type": "date"}}]},
    "custom": {"type": "Currency"},
}
_WRONG = [
    ("int", "unknown"), ("int", [1]), ("int", 1.5), ("int", True), ("int", 2**70),
    ("float", {}), ("float", "NaN"), ("float", "12,5"), ("bool", "perhaps"), ("bool", 5),
    ("string", ["a"]),
    ("string", {"a": 1}), ("date", "2023-02-30"), ("date", 5), ("date", "soon"), ("choice", "c"),
    ("date", "2024"), ("date", "2024-3"), ("date", 2024), ("datetime", "2024-03"),
    ("choice", ["a"]), ("array", "a"), ("array", {"a": 1}), ("array", [1, "x"]),
    ("object", [1]), ("object", "a"), ("object", {"x": "2023-02-30"}),
    ("object", {"x": "2024-01-01", "more": [1]}),
]  # fmt: skip
_RIGHT: list[tuple[str, Any, Any]] = [
    ("int", 7, 7), ("int", 7.0, 7), ("int", "1,200", 1200), ("int", None, None), ("float", 1, 1),
    ("float", "1.5", 1.5), ("bool", False, False), ("bool", "yes", True), ("bool", 1, True),
    ("string", "", ""), ("string", 5, "5"), ("date", "2024-02-29", "2024-02-29"),
    ("date", "20240209", "2024-02-09"), ("date", "2024-W05-1", "2024-01-29"),
    ("date", "2024-02-09T10:00", "2024-02-09"),
    ("datetime", "20240209T1000", "2024-02-09T10:00:00"),
    ("datetime", "2024-02-09 10:00Z", "2024-02-09T10:00:00+00:00"), ("choice", "b", "b"),
    ("choice", "Ko\u0308ln", "K\u00f6ln"), ("choice", "K\u00f6ln", "K\u00f6ln"),
    ("string", "Ko\u0308ln", "K\u00f6ln"),
    ("array", [], []), ("array", ["1", None], [1, None]),
    ("object", {"x": "20240101"}, {"x": "2024-01-01"}),
    ("custom", {"any": ["thing"]}, {"any": ["thing"]}),
]  # fmt: skip


def _schema(kind: str, **more: Any) -> dict[str, Any]:
    return {"properties": [{"name": "it", "type": {**_SHAPES[kind], **more}}]}


def _document(http: httpx.Client, kind: str) -> str:
    """The path of a document of a DocSet with one property."""
    docset = create(http, schema=_schema(kind))["docset_id"]
    return f"{PATH}/{docset}/docs/{add(http, docset, 'a.txt', 'Nothing of it.')}"


def _set(http: httpx.Client, document: str, path: str, value: object) -> httpx.Response:
    operation = {"op": "replace", "path": path, "value": value}
    return http.patch(f"{document}/properties", json={"operations": [operation]})


@pytest.mark.parametrize(("kind", "value"), _WRONG)
def test_a_value_that_cannot_be_of_the_type_is_a_422_and_changes_nothing(
    http: httpx.Client, kind: str, value: object
) -> None:
    document = _document(http, kind)
    before = http.get(document).json()
    for path, sent in (
        ("/properties/entity/it", value),
        ("/properties/entity", {"it": value}),
        ("/properties", {**before["properties"], "entity": {"it": value}}),
    ):
        answer = _set(http, document, path, sent)
        assert answer.status_code == 422, answer.text
        (fault,) = answer.json()["detail"]
        assert fault["loc"] == ["body", "operations"] and fault["msg"].startswith("it: ")
    assert http.get(document).json() == before


@pytest.mark.parametrize(
    ("value", "shown"), [(True, "true"), ({"a": None}, '{"a": null}'), ("x", "'x'")]
)
def test_a_refused_value_is_shown_as_it_was_sent(
    http: httpx.Client, value: object, shown: str
) -> None:
    answer = _set(http, _document(http, "int"), "/properties/entity/it", value)
    assert answer.json()["detail"][0]["msg"].startswith(f"it: {shown} cannot be of type int.")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("B", "did you mean 'b'?"),
        (" köln", "did you mean 'K\u00f6ln'?"),
        ("c", "they are a, b, K\u00f6ln."),
    ],
)
def test_a_value_that_is_no_choice_is_refused_with_the_spelling_of_the_choice(
    http: httpx.Client, value: str, hint: str
) -> None:
    answer = _set(http, _document(http, "choice"), "/properties/entity/it", value)
    msg = answer.json()["detail"][0]["msg"]
    assert msg.startswith(f"it: {value!r} is not one of the choices: {hint}")


def test_a_misspelt_part_of_an_object_is_named_with_the_one_that_was_meant(
    http: httpx.Client,
) -> None:
    parts = [
        {"name": "size", "type": {"type": "int"}},
        {"name": "town", "type": {"type": "string"}},
    ]
    shape = {"type": "array", "item_type": {"type": "object", "properties": parts}}
    docset = create(http, schema={"properties": [{"name": "it", "type": shape}]})["docset_id"]
    document = f"{PATH}/{docset}/docs/{add(http, docset, 'a.txt', 'Nothing of it.')}"
    for part, hint in (("siez", "did you mean 'size'?"), ("colour", "its parts are size, town.")):
        answer = _set(http, document, "/properties/entity/it", [{part: 5}])
        assert answer.status_code == 422
        msg = answer.json()["detail"][0]["msg"]
        assert msg.startswith(f"it: {part!r} is not a property of the object: {hint}")


@pytest.mark.parametrize(("kind", "value", "stored"), _RIGHT)
def test_a_value_that_can_be_read_as_the_type_is_stored_as_extraction_writes_it(
    http: httpx.Client, kind: str, value: object, stored: object
) -> None:
    """Searches and facets compare what is stored; plans read it."""
    answer = _set(http, _document(http, kind), "/properties/entity/it", value)
    assert answer.status_code == 200, answer.text
    kept = answer.json()["properties"]["entity"]["it"]
    assert (kept, type(kept)) == (stored, type(stored))


@pytest.mark.parametrize(("kind", "value"), _WRONG)
def test_a_default_that_cannot_be_of_the_type_is_a_422(
    http: httpx.Client, kind: str, value: object
) -> None:
    schema = _schema(kind, default=value)
    docset = create(http)["docset_id"]
    for answer, loc in (
        (http.post(PATH, json={"name": "x", "schema": schema}), ["body", "schema"]),
        (http.patch(f"{PATH}/{docset}", json={"schema": schema}), ["body", "schema"]),
        (
            http.post("/v1/jobs/extract-properties", json=schema, params={"docset_id": docset}),
            None,
        ),
    ):
        assert answer.status_code == 422, answer.text
        (fault,) = answer.json()["detail"]
        assert fault["loc"][-3:] == ["properties", 0, "default"]
        assert loc is None or fault["loc"][:2] == loc


@pytest.mark.parametrize(("kind", "value", "_stored"), _RIGHT)
def test_a_default_that_can_be_read_as_the_type_is_kept(
    http: httpx.Client, kind: str, value: object, _stored: object
) -> None:
    assert create(http, schema=_schema(kind, default=value))["docset_id"]


@pytest.mark.parametrize(
    ("shape", "place"),
    [
        ({"type": "int", "default": "unknown"}, ["default"]),
        ({"type": "string", "validators": [{"type": "regex", "regex": "("}]}, ["regex"]),
        ({"type": "int", "validators": [{"type": "boolean_exp", "expression": "import os"}]},
         ["expression"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/document/partition", "/v1/async/submit/document/partition"])
def test_a_schema_among_the_options_of_a_file_is_checked_as_any_other(
    http: httpx.Client, path: str, shape: dict[str, Any], place: list[str]
) -> None:
    schema = [{"name": "it", "type": shape}]
    options = {"property_extraction_options": {"schema": schema}}
    sent = {"files": {"file": ("a.txt", "It: 5")}, "data": {"options": json.dumps(options)}}
    answer = http.post(path, **sent)  # type: ignore[arg-type]
    assert answer.status_code == 422, answer.text
    (fault,) = answer.json()["detail"]
    assert fault["loc"][:2] == ["body", "options"] and fault["loc"][-1:] == place


def test_a_property_is_found_however_the_accents_of_its_name_are_written(
    http: httpx.Client,
) -> None:
    name = "cafe\u0301"
    schema = {"properties": [{"name": name, "field_type": "string"}]}
    docset = create(http, schema=schema)["docset_id"]
    doc_id = add(http, docset, "a.txt", "Nothing of it.")
    document = f"{PATH}/{docset}/docs/{doc_id}"
    assert _set(http, document, f"/properties/entity/{name}", "v").status_code == 200
    assert _set(http, document, "/properties/entity", {name: "w"}).status_code == 200
    assert http.get(document).json()["properties"]["entity"] == {"caf\u00e9": "w"}
    node = {"node_type": "QueryDatabase", "node_id": 0, "inputs": []}
    group = {"node_type": "GroupBy", "node_id": 1, "inputs": [0], "field": f"entity.{name}"}
    count = {"node_type": "AggregateCount", "node_id": 2, "inputs": [1]}
    plan = {"query": "q", "nodes": {"0": node, "1": group, "2": count}, "result_node": 2}
    decision = {"doc_id": doc_id, "field": name, "value": "x"}
    search = {"query": "nothing", "include_fields": [f"$.properties.entity.{name}"]}
    for path, body in (
        ("/v1/query", {"docset_id": docset, "plan": plan}),
        (f"/v1/workbench/docsets/{docset}/decisions", {"decisions": [decision]}),
        (f"/v1/workbench/review/{docset}", {"fields": [name]}),
        (f"/v1/workbench/docsets/{docset}/rereadings", {"fields": [name]}),
        (f"/v1/workbench/docsets/{docset}/merged-values",
         {"field": name, "values": ["v", "w"], "into": "v"}),
        (f"/v1/query/search/{docset}", search),
    ):  # fmt: skip
        answer = http.post(path, json=body)
        assert answer.is_success, (path, answer.text)
    assert answer.json()["results"][0]["properties"]["entity"] == {"caf\u00e9": "x"}
    job = http.post(
        "/v1/jobs/delete-properties", json={"names": [name]}, params={"docset_id": docset}
    )
    assert job.is_success
    assert http.get(document).json()["properties"]["entity"] == {}
