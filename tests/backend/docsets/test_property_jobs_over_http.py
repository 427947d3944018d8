"""Property jobs as callers see them: searches follow at once, and no kill loses a job."""

import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.backend_process import BackendProcess

EXTRACT = "/v1/jobs/extract-properties"
DELETE = "/v1/jobs/delete-properties"
SCHEMA = {"properties": [{"name": "river", "property_type": "string"}]}
RIVERS = ("Elbe", "Oder", "Elbe", "Rhine")


def fill(http: httpx.Client, docset: str, count: int = len(RIVERS)) -> None:
    for number in range(count):
        text = f"Report {number}\n\nRiver: {RIVERS[number % len(RIVERS)]}\n"
        path = f"/v1/storage/docsets/{docset}/docs"
        http.post(path, files={"file": (f"{number}.txt", text)}).raise_for_status()


def named(http: httpx.Client, docset: str, filter: str) -> list[str]:
    answer = http.post(f"/v1/query/search/{docset}", json={"properties_filter": filter})
    if answer.status_code == 422:
        return []
    hits = answer.raise_for_status().json()["results"]
    return sorted(hit["properties"]["path"] for hit in hits)


def counted(http: httpx.Client, docset: str) -> dict[str, int]:
    answer = http.post(f"/v1/workbench/facets/{docset}", json={}).raise_for_status()
    rivers = [facet for facet in answer.json() if facet["field"] == "properties.entity.river"]
    return {v["value"]: v["count"] for facet in rivers for v in facet["values"]}


def planned(http: httpx.Client, docset: str) -> bool:
    question = {"docset_id": docset, "query": "how many reports per river?"}
    answer = http.post("/v1/query/plan", json=question)
    return answer.status_code == 200 and "properties.entity.river" in answer.text


def test_search_facets_and_plans_see_new_and_deleted_properties_at_once(
    http: httpx.Client, docset: str
) -> None:
    fill(http, docset)
    job = {"params": {"docset_id": docset}}
    http.post(EXTRACT, json=SCHEMA, **job).raise_for_status()
    assert named(http, docset, '(properties.entity.river="Elbe")') == ["0.txt", "2.txt"]
    assert counted(http, docset) == {"Elbe": 2, "Oder": 1, "Rhine": 1}
    assert planned(http, docset)
    http.post(DELETE, json={"names": ["river"]}, **job).raise_for_status()
    assert named(http, docset, '(properties.entity.river="Elbe")') == []
    assert counted(http, docset) == {}
    assert not planned(http, docset)


def test_corrections_are_overwritten_only_on_request(http: httpx.Client, docset: str) -> None:
    fill(http, docset, 1)
    job = {"params": {"docset_id": docset}}
    http.post(EXTRACT, json=SCHEMA, **job).raise_for_status()
    (item,) = http.get(f"/v1/storage/docsets/{docset}/docs").json()["items"]
    document = f"/v1/storage/docsets/{docset}/docs/{item['doc_id']}"
    operation = {"op": "replace", "path": "/properties/entity/river", "value": "Saale"}
    http.patch(f"{document}/properties", json={"operations": [operation]}).raise_for_status()
    http.post(EXTRACT, json=SCHEMA, **job).raise_for_status()
    assert http.get(document).json()["properties"]["entity"] == {"river": "Saale"}
    job["params"]["overwrite_corrections"] = "true"
    http.post(EXTRACT, json=SCHEMA, **job).raise_for_status()
    assert http.get(document).json()["properties"]["entity"] == {"river": "Elbe"}


def test_suggestions_follow_instructions(http: httpx.Client, docset: str) -> None:
    for number in range(3):
        text = f"River: {RIVERS[number]}\n\nGauge: {number}.5 m\n\nOfficer: Ann {number}\n"
        path = f"/v1/storage/docsets/{docset}/docs"
        http.post(path, files={"file": (f"{number}.txt", text)}).raise_for_status()
    path = f"/v1/storage/docsets/{docset}/suggest-properties"

    def suggested(**body: Any) -> list[str]:
        answer = http.post(path, json=body).raise_for_status().json()
        return [prop["name"] for prop in answer["properties"]]

    assert set(suggested()) == {"river", "gauge", "officer"}
    assert suggested(instructions="gauges first")[0] == "gauge"
    assert "officer" not in suggested(instructions="no officers")


LETTER = "# Weather\n\nIt rained a lot, which does no harm.\n\n# Place\n\nRiver: Elbe\n\nEnd.\n"
CHUNKS = {"chunking_options": {"max_tokens": 12, "strategy": "context_rich"}}


def test_the_evidence_of_a_chunked_document_points_to_the_chunk_with_the_value(
    http: httpx.Client, docset: str
) -> None:
    path = f"/v1/storage/docsets/{docset}/docs"
    sent = {"files": {"file": ("l.md", LETTER)}, "data": {"options": json.dumps(CHUNKS)}}
    doc_id = http.post(path, **sent).raise_for_status().json()["doc_id"]
    http.post(EXTRACT, json=SCHEMA, params={"docset_id": docset}).raise_for_status()
    shown = f"/v1/workbench/docsets/{docset}/docs/{doc_id}/evidence"
    place = http.get(shown).raise_for_status().json()["river"]["element_id"]
    elements = {e["id"]: e for e in http.get(f"{path}/{doc_id}").json()["elements"]}
    assert "River: Elbe" in elements[place]["text_representation"]


def test_attributions_of_a_chunked_answer_point_to_its_chunks(http: httpx.Client) -> None:
    options = CHUNKS | {"property_extraction_options": {"schema": SCHEMA["properties"]}}
    sent = {"files": {"file": ("l.md", LETTER)}, "data": {"options": json.dumps(options)}}
    answer = json.loads(http.post("/v1/document/partition", **sent).raise_for_status().text)
    (index,) = answer["property_metadata"]["river"]["attribution"]["element_indices"]
    assert "River: Elbe" in answer["elements"][index]["text_representation"]


def shared(http: httpx.Client, docset: str) -> int:
    items = http.get(f"/v1/storage/docsets/{docset}/docs", params={"page_size": 1000}).json()[
        "items"
    ]
    return sum(
        item["properties"]["entity"].get("river") == RIVERS[int(item["name"][:-4]) % 4]
        for item in items
    )


@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.soak)])
def test_an_acknowledged_extraction_survives_kills(tmp_path: Path, rounds: int) -> None:
    backend = BackendProcess(tmp_path, {"workers": "1"}).start()
    count = 60
    with backend.client() as http:
        body = {"name": "killed"}
        docset = str(http.post("/v1/storage/docsets", json=body).json()["docset_id"])
        fill(http, docset, count)
        task = http.post(
            EXTRACT.replace("/v1/", "/v1/async/submit/"), json=SCHEMA, params={"docset_id": docset}
        ).json()["task_id"]
    for number in range(rounds):
        time.sleep(0.05 * number)
        backend.kill()
        backend.start()
    with backend.client() as http:
        deadline = time.monotonic() + 60
        while http.get(f"/v1/async/result/{task}").status_code == 202:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert http.get(f"/v1/async/result/{task}").json() == {"exit_status": 0}
        assert shared(http, docset) == count
    backend.stop()


def test_an_object_with_two_properties_of_one_name_is_refused_everywhere(
    http: httpx.Client, docset: str
) -> None:
    part = {"name": "k", "type": {"type": "int"}}
    twice = {"name": "o", "type": {"type": "object", "properties": [part, part]}}
    schema = {"properties": [twice]}
    made = http.post("/v1/storage/docsets", json={"name": "x", "schema": schema})
    extracted = http.post(EXTRACT, params={"docset_id": docset}, json=schema)
    assert made.status_code == extracted.status_code == 422
    assert "property named twice: k" in made.text and "property named twice: k" in extracted.text
