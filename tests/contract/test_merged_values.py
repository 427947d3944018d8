"""Spellings are merged by a person, remembered with the DocSet, and merged no more when undone."""

import httpx
import pytest

MERGE = {"field": "state", "values": ["CA", "California"], "into": "California"}


@pytest.fixture
def docset(http: httpx.Client) -> str:
    types = {"state": "string", "total": "float"}
    schema = {"properties": [{"name": n, "type": {"type": t}} for n, t in types.items()]}
    made = http.post("/v1/storage/docsets", json={"name": "merging", "schema": schema})
    return str(made.json()["docset_id"])


def test_a_merge_is_kept_once_listed_and_undone(http: httpx.Client, docset: str) -> None:
    path = f"/v1/workbench/docsets/{docset}/merged-values"
    assert http.get(path).json() == []
    assert http.post(path, json=MERGE).json() == [MERGE]
    assert http.post(path, json=MERGE).json() == [MERGE]
    assert http.get(path).json() == [MERGE]
    assert http.delete(f"{path}/0").json() == []
    assert http.delete(f"{path}/0").status_code == 404


def test_a_clone_keeps_the_merges(http: httpx.Client, docset: str) -> None:
    http.post(f"/v1/workbench/docsets/{docset}/merged-values", json=MERGE)
    copy = http.post(f"/v1/storage/docsets/{docset}/clone").json()["docset_id"]
    assert http.get(f"/v1/workbench/docsets/{copy}/merged-values").json() == [MERGE]


def test_faults_of_a_merge_are_named(http: httpx.Client, docset: str) -> None:
    path = f"/v1/workbench/docsets/{docset}/merged-values"
    unknown = http.post(path, json={**MERGE, "field": "colour"})
    assert unknown.status_code == 422 and unknown.json()["detail"][0]["loc"] == ["body", "field"]
    assert http.post(path, json={**MERGE, "values": []}).status_code == 422
    assert http.get("/v1/workbench/docsets/wb:ds-none/merged-values").status_code == 404
    http.post(f"/v1/storage/docsets/{docset}/readonly/1")
    assert http.post(path, json=MERGE).status_code == 403


def test_the_merges_of_a_docset_have_a_size_because_they_are_read_with_it(
    http: httpx.Client, docset: str
) -> None:
    path = f"/v1/workbench/docsets/{docset}/merged-values"
    large = {**MERGE, "values": ["x" * 400_000]}
    http.post(path, json=large).raise_for_status()
    refused = http.post(path, json={**MERGE, "values": ["z" * 200_000]})
    assert refused.status_code == 422 and "524,288 characters" in refused.text
    for number in range(9):
        values = [f"{number} {place}" for place in range(1_000)]
        http.post(path, json={**MERGE, "values": values}).raise_for_status()
    refused = http.post(path, json={**MERGE, "values": list(map(str, range(1_000)))})
    assert refused.status_code == 422 and "10,000 values" in refused.text
    assert len(http.get(path).json()) == 10


def test_a_merge_into_a_name_that_counts_as_another_is_refused(
    http: httpx.Client, docset: str
) -> None:
    path = f"/v1/workbench/docsets/{docset}/merged-values"
    first = {"field": "state", "values": ["Utah"], "into": "Ohio"}
    http.post(path, json=first).raise_for_status()
    refused = http.post(path, json={"field": "state", "values": ["Ohio"], "into": "Utah"})
    assert refused.status_code == 422
    [fault] = refused.json()["detail"]
    assert fault["loc"] == ["body", "into"] and "'Utah' counts as 'Ohio' already" in fault["msg"]
    assert http.get(path).json() == [first]
    further = {"field": "state", "values": ["Ohio"], "into": "Iowa"}
    assert http.post(path, json=further).json() == [first, further]


@pytest.mark.parametrize(
    ("merge", "loc"),
    [
        ({"field": "total", "values": ["1"], "into": "2"}, ["field"]),
        ({"field": "state", "values": ["CA", ""], "into": "California"}, ["values", 1]),
    ],
)
def test_values_without_a_spelling_cannot_be_merged(
    http: httpx.Client, docset: str, merge: dict[str, object], loc: list[object]
) -> None:
    refused = http.post(f"/v1/workbench/docsets/{docset}/merged-values", json=merge)
    assert refused.status_code == 422
    assert refused.json()["detail"][0]["loc"] == ["body", *loc]
