"""The least certain values come first, and what a person decides on them stays."""

from typing import Any

import httpx
import pytest

NOTES = {
    "a.md": "# Report\n\nState: Ohio\n\nInjuries: 3\n",
    "b.md": "# Report\n\nState: Texas\n\nNothing else is known of it.\n",
    "c.md": "# Report\n\nSomebody wrote that 7 were hurt, somewhere in Nevada.\n",
}
SCHEMA = {
    "properties": [
        {"name": "state", "field_type": "string", "examples": ["Maine", "Utah"]},
        {"name": "injuries", "field_type": "int"},
    ]
}
Row = tuple[str, str]


@pytest.fixture
def docset(http: httpx.Client) -> str:
    body = {"name": "to review", "schema": SCHEMA}
    docset_id = http.post("/v1/storage/docsets", json=body).raise_for_status().json()["docset_id"]
    for name, text in NOTES.items():
        path = f"/v1/storage/docsets/{docset_id}/docs"
        http.post(path, files={"file": (name, text)}).raise_for_status()
    return str(docset_id)


def queue(http: httpx.Client, docset: str, size: int = 50, **request: Any) -> list[dict[str, Any]]:
    """All values of the queue, read in pages of that size."""
    items: list[dict[str, Any]] = []
    token = None
    while True:
        params = {"page_size": size, **({"page_token": token} if token else {})}
        path = f"/v1/workbench/review/{docset}"
        page = http.post(path, json=request, params=params).raise_for_status().json()
        items += page["items"]
        token = page["next_page_token"]
        if token is None:
            return items


def rows(items: list[dict[str, Any]]) -> list[Row]:
    return [(item["name"], item["field"]) for item in items]


def value_of(http: httpx.Client, docset: str, doc_id: str, field: str) -> Any:
    path = f"/v1/storage/docsets/{docset}/docs/{doc_id}"
    return http.get(path).json()["properties"]["entity"][field]


def decide(http: httpx.Client, docset: str, item: dict[str, Any], **more: Any) -> httpx.Response:
    decision = {"doc_id": item["doc_id"], "field": item["field"], **more}
    path = f"/v1/workbench/docsets/{docset}/decisions"
    return http.post(path, json={"decisions": [decision]})


def test_the_least_certain_values_come_first_with_place_and_words(
    http: httpx.Client, docset: str
) -> None:
    items = queue(http, docset, below=None)
    assert len(items) == 6
    certainties = [item["certainty"] for item in items]
    assert certainties == sorted(certainties)
    [ohio] = [item for item in items if item["value"] == "Ohio"]
    assert ohio["kind"] == "string" and ohio["certainty"] == ohio["confidence"]
    assert ohio["page"] == 1 and "Ohio" in ohio["quote"] and ohio["element_id"]
    limited = queue(http, docset, below=certainties[3])
    assert rows(limited) == rows(items[:3]) or certainties[2] == certainties[3]


def test_pages_give_every_value_once_also_when_some_are_decided_meanwhile(
    http: httpx.Client, docset: str
) -> None:
    whole = rows(queue(http, docset, below=None))
    assert rows(queue(http, docset, size=1, below=None)) == whole
    path = f"/v1/workbench/review/{docset}"
    body = {"below": None}
    first = http.post(path, json=body, params={"page_size": 2}).json()
    assert (first["total"], first["checked"]) == (6, 0)
    assert decide(http, docset, first["items"][0], value=None).status_code == 200
    token = {"page_size": 10, "page_token": first["next_page_token"]}
    second = http.post(path, json=body, params=token).json()
    assert rows(first["items"] + second["items"]) == whole and second["total"] is None
    again = http.post(path, json=body).json()
    assert (again["total"], again["checked"]) == (5, 1)


def test_the_queue_can_be_that_of_one_property_and_some_documents(
    http: httpx.Client, docset: str
) -> None:
    items = queue(http, docset, below=None)
    ids = {item["name"]: item["doc_id"] for item in items}
    chosen = queue(
        http, docset, below=None, fields=["injuries"], doc_ids=[ids["a.md"], ids["c.md"]]
    )
    assert sorted(rows(chosen)) == [("a.md", "injuries"), ("c.md", "injuries")]


def test_a_decision_survives_an_extraction_and_can_be_undone(
    http: httpx.Client, docset: str
) -> None:
    [ohio] = [item for item in queue(http, docset, below=None) if item["value"] == "Ohio"]
    doc_id = ohio["doc_id"]
    assert decide(http, docset, ohio, value="Iowa").json() == {"changed": 1, "confirmed": 0}
    job = {"docset_id": docset}
    http.post("/v1/jobs/extract-properties", params=job, json=SCHEMA).raise_for_status()
    assert value_of(http, docset, doc_id, "state") == "Iowa"
    assert decide(http, docset, ohio, value=None).json() == {"changed": 1, "confirmed": 0}
    http.post("/v1/jobs/extract-properties", params=job, json=SCHEMA).raise_for_status()
    assert value_of(http, docset, doc_id, "state") is None
    decide(http, docset, ohio, reopen=True)
    assert value_of(http, docset, doc_id, "state") == "Ohio"
    [back] = [item for item in queue(http, docset, below=None) if item["value"] == "Ohio"]
    assert back == ohio


def test_a_confirmed_value_keeps_its_place(http: httpx.Client, docset: str) -> None:
    [ohio] = [item for item in queue(http, docset, below=None) if item["value"] == "Ohio"]
    assert decide(http, docset, ohio, value="Ohio").json() == {"changed": 0, "confirmed": 1}
    path = f"/v1/workbench/docsets/{docset}/docs/{ohio['doc_id']}/evidence"
    item = http.get(path).json()["state"]
    assert item["corrected"] and item["confidence"] == 1.0
    assert (item["page"], item["bbox"], item["element_id"]) == (
        ohio["page"],
        ohio["bbox"],
        ohio["element_id"],
    )
    assert ("a.md", "state") not in rows(queue(http, docset, below=None))


def test_faults_of_a_decision_are_named_and_nothing_is_kept(
    http: httpx.Client, docset: str
) -> None:
    item = queue(http, docset, below=None)[0]
    good = {"doc_id": item["doc_id"], "field": "state", "value": "Utah"}
    path = f"/v1/workbench/docsets/{docset}/decisions"
    for bad, loc in (
        ({**good, "field": "colour"}, "field"),
        ({**good, "field": "injuries", "value": "three"}, "value"),
        ({**good, "field": "injuries", "value": True}, "value"),
        ({**good, "valeu": "Utah"}, "valeu"),
    ):
        refused = http.post(path, json={"decisions": [good, bad]})
        assert refused.status_code == 422, refused.text
        assert refused.json()["detail"][0]["loc"] == ["body", "decisions", 1, loc]
    undecided = {name: good[name] for name in ("doc_id", "field")}
    assert http.post(path, json={"decisions": [undecided]}).status_code == 422
    unknown = {**good, "doc_id": "wb:f-none"}
    assert http.post(path, json={"decisions": [good, unknown]}).status_code == 404
    assert http.post(path, json={"decisions": []}).status_code == 422
    assert len(queue(http, docset, below=None)) == 6
    http.post(f"/v1/storage/docsets/{docset}/readonly/1")
    assert http.post(path, json={"decisions": [good]}).status_code == 403


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("date", ["2024-02-29"], ["2024-02-30", "0000-01-01", "99999-01-01", "soon", ""]),
        ("datetime", ["2024-02-29T09:30", "2024-02-29"], ["2024-02-30T09:30", "2024-02-29T25:00"]),
        ("int", [2**63 - 1, -5], [2**63, -(10**400)]),
        ("float", [1.5, 10**30], [10**400, -(10**400)]),
    ],
)
def test_a_value_that_no_calculation_could_use_is_refused(
    http: httpx.Client, kind: str, good: list[Any], bad: list[Any]
) -> None:
    schema = {"properties": [{"name": "thing", "field_type": kind}]}
    body = {"name": "to decide", "schema": schema}
    docset = http.post("/v1/storage/docsets", json=body).raise_for_status().json()["docset_id"]
    path = f"/v1/storage/docsets/{docset}/docs"
    doc = http.post(path, files={"file": ("a.md", "# Words")}).raise_for_status().json()
    item = {"doc_id": doc["doc_id"], "field": "thing"}
    for value in bad:
        refused = decide(http, docset, item, value=value)
        assert refused.status_code == 422, (value, refused.text)
        assert refused.json()["detail"][0]["loc"] == ["body", "decisions", 0, "value"]
    for value in good:
        assert decide(http, docset, item, value=value).status_code == 200, value


def test_a_decision_with_both_a_value_and_reopen_is_refused(
    http: httpx.Client, docset: str
) -> None:
    [ohio] = [item for item in queue(http, docset, below=None) if item["value"] == "Ohio"]
    both = decide(http, docset, ohio, value="Utah", reopen=True)
    assert both.status_code == 422
    [fault] = both.json()["detail"]
    assert fault["loc"] == ["body", "decisions", 0] and "not both" in fault["msg"]
    # Clients write null for a value that is not set.
    assert decide(http, docset, ohio, value=None, reopen=True).status_code == 200


def test_a_queue_of_something_unknown_is_refused(http: httpx.Client, docset: str) -> None:
    path = f"/v1/workbench/review/{docset}"
    unknown = http.post(path, json={"fields": ["colour"]})
    assert unknown.status_code == 422 and unknown.json()["detail"][0]["loc"] == [
        "body",
        "fields",
        0,
    ]
    assert http.post("/v1/workbench/review/wb:ds-none", json={}).status_code == 404
    assert http.post(path, json={}, params={"page_token": "x"}).status_code == 422
