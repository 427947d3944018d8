"""A number opens to the documents behind it: value, confidence, quote, page and box."""

from typing import Any

import httpx
import pytest

LETTERS = {
    "one.txt": "Invoice\n\nInvoice date: 2018-03-01\n\nTotal: 12.50 EUR",
    "two.txt": "Invoice\n\nInvoice date: 2019-04-02\n\nTotal: 20.00 EUR",
    "three.txt": "Invoice\n\nThe goods were sent without a bill.\n\nTotal: 7.00 EUR",
}
SCHEMA = {
    "properties": [
        {"name": "invoice_date", "type": {"type": "date", "description": "Date of the invoice"}},
        {"name": "total", "type": {"type": "float", "description": "Total amount"}},
    ]
}


@pytest.fixture
def answer(http: httpx.Client) -> dict[str, Any]:
    """How many invoices are from 2018, over three invoices of which one has no date."""
    made = http.post("/v1/storage/docsets", json={"name": "bills", "schema": SCHEMA}).json()
    docset_id = made["docset_id"]
    for name, text in LETTERS.items():
        added = http.post(
            f"/v1/storage/docsets/{docset_id}/docs",
            files={"file": (name, text.encode(), "text/plain")},
        )
        assert added.status_code == 200, added.text
    nodes = {
        "0": {"node_type": "QueryDatabase", "node_id": 0, "inputs": [], "index": docset_id},
        "1": {"node_type": "BasicFilter", "node_id": 1, "inputs": [0], "field": "invoice_date",
              "range_filter": True, "is_date": True, "start": "2018-01-01", "end": "2018-12-31"},
        "2": {"node_type": "Count", "node_id": 2, "inputs": [1]},
    }  # fmt: skip
    plan = {"query": "How many invoices are from 2018?", "nodes": nodes, "result_node": 2}
    run: dict[str, Any] = http.post("/v1/query", json={"docset_id": docset_id, "plan": plan}).json()
    return run


def _evidence(http: httpx.Client, answer: dict[str, Any], node: int, **asked: Any) -> Any:
    path = f"/v1/workbench/runs/{answer['query_id']}/nodes/{node}/evidence"
    return http.get(path, params=asked).json()


def test_a_number_opens_to_its_documents_with_value_and_place(
    http: httpx.Client, answer: dict[str, Any]
) -> None:
    assert answer["result"] == 1
    window = _evidence(http, answer, 2)
    assert window["total"] == 1
    (document,) = window["documents"]
    (value,) = document["values"]
    assert document["name"] == "one.txt"
    assert (value["field"], value["value"], value["state"]) == (
        "invoice_date",
        "2018-03-01",
        "used",
    )
    assert value["confidence"] >= 0.5 and value["page"] == 1 and len(value["bbox"]) == 4
    assert "2018-03-01" in value["quote"] and value["element_id"]


def test_a_remark_opens_to_the_documents_that_were_left_out(
    http: httpx.Client, answer: dict[str, Any]
) -> None:
    (missing,) = [item for item in answer["coverage"] if item["missing"]]
    window = _evidence(http, answer, missing["node_id"], state="left_out", field=missing["field"])
    assert [document["name"] for document in window["documents"]] == ["three.txt"]
    assert [v["state"] for d in window["documents"] for v in d["values"]] == ["missing"]
    assert answer["bounds"] == {"changeable": 1, "documents": 2, "low": 1, "high": 2}


@pytest.mark.parametrize("state", ["used", "left_out"])
def test_evidence_of_a_field_that_is_not_there_is_refused(
    http: httpx.Client, answer: dict[str, Any], state: str
) -> None:
    refused = _evidence(http, answer, 2, state=state, field="nope", row=0)
    assert refused["detail"][0]["msg"] == "There is no property 'nope'."


def test_evidence_says_what_changed_since_the_answer(
    http: httpx.Client, answer: dict[str, Any]
) -> None:
    docset_id = answer["plan"]["nodes"]["0"]["index"]
    total = {"node_type": "Aggregate", "node_id": 1, "inputs": [0],
             "aggregations": [{"func": "sum", "field": "total"}]}  # fmt: skip
    plan = {**answer["plan"], "result_node": 1}
    plan["nodes"] = {"0": plan["nodes"]["0"], "1": total}
    run = http.post("/v1/query", json={"docset_id": docset_id, "plan": plan}).json()
    assert run["result"] == 39.5
    before = _evidence(http, run, 1)
    assert not any(v["changed"] for d in before["documents"] for v in d["values"])
    ids = {document["name"]: document["doc_id"] for document in before["documents"]}
    at = f"/v1/storage/docsets/{docset_id}/docs"
    assert http.delete(f"{at}/{ids['one.txt']}").status_code == 200
    change = {"op": "replace", "path": "/properties/entity/total", "value": 21}
    changed = http.patch(f"{at}/{ids['two.txt']}/properties", json={"operations": [change]})
    assert changed.status_code == 200, changed.text
    window = _evidence(http, run, 1)
    shown = {d["name"]: (d["deleted"], d["values"][0]) for d in window["documents"]}
    assert len(shown) == window["total"] == 3
    deleted, value = shown["one.txt"]
    assert deleted and value["value"] == 12.5 and not value["changed"]
    deleted, value = shown["two.txt"]
    assert not deleted and (value["value"], value["before"], value["changed"]) == (21, 20.0, True)
    deleted, value = shown["three.txt"]
    assert not deleted and (value["value"], value["changed"]) == (7.0, False)
    dropped = http.post(
        "/v1/jobs/delete-properties", params={"docset_id": docset_id}, json={"names": ["total"]}
    )
    assert dropped.status_code == 200, dropped.text
    value = {d["name"]: d["values"][0] for d in _evidence(http, run, 1)["documents"]}["three.txt"]
    assert (value["value"], value["before"], value["changed"]) == (None, 7.0, True)


def test_faults_are_named(http: httpx.Client, answer: dict[str, Any]) -> None:
    base = f"/v1/workbench/runs/{answer['query_id']}/nodes"
    assert http.get(f"{base}/9/evidence").status_code == 404
    assert http.get(f"{base}/2/evidence", params={"row": 5}).status_code == 404
    unnamed = http.get(f"{base}/1/evidence", params={"state": "left_out"})
    assert unnamed.json()["detail"][0]["loc"] == ["query", "field"]
    wrong = http.get(f"{base}/1/evidence", params={"state": "left_out", "field": "colour"})
    assert wrong.status_code == 422 and "colour" in wrong.text


def test_a_search_filter_may_name_the_confidence_of_a_value(
    http: httpx.Client, answer: dict[str, Any]
) -> None:
    docset_id = answer["plan"]["nodes"]["0"]["index"]
    path = f"/v1/query/search/{docset_id}"

    def result(properties_filter: str) -> list[str]:
        hits = http.post(path, json={"properties_filter": properties_filter}).json()["results"]
        return sorted(hit["properties"]["path"] for hit in hits)

    assert result("confidence.invoice_date >= 0.5") == ["one.txt", "two.txt"]
    assert result("confidence.invoice_date < 0.5 or confidence.invoice_date is null") == [
        "three.txt"
    ]
    unknown = http.post(path, json={"properties_filter": "confidence.colour > 0.5"})
    assert unknown.status_code == 422 and "colour" in unknown.text
