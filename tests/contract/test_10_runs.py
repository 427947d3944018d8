"""Section 10, and what we add to it: how far a run is, what is behind an answer, two compared."""

import json
from typing import Any

import httpx
import pytest
from aryn_sdk.client.client import Client
from aryn_sdk.types.query import Query

from tests.contract.plans import step
from tests.contract.test_10_queries import QUERY, sent

# The public client leaves its connections to the collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
RUNS = "/v1/workbench/runs"
TEXAS = {"match_phrase": {"properties.entity.state": "Texas"}}
GROUPED = (step("QueryDatabase", 0), step("GroupBy", 1, 0, field="state"))
ANSWERS: dict[str, list[dict[str, Any]]] = {
    "documents of a foreign query": [step("QueryDatabase", 0, index="theirs", query=TEXAS)],
    "rows": [*GROUPED, step("AggregateCount", 2, 1)],
    "number": [step("QueryDatabase", 0), step("Count", 1, 0)],
    "text": [step("QueryDatabase", 0), step("SummarizeData", 1, 0, question="What happened?")],
    "judged documents": [
        step("QueryDatabase", 0),
        step("LlmFilter", 1, 0, field="text_representation", question="Was there a storm?"),
    ],
}


def body_of(steps: list[dict[str, Any]]) -> dict[str, Any]:
    nodes = {str(item["node_id"]): item for item in steps}
    return {"query": "", "nodes": nodes, "result_node": steps[-1]["node_id"], "llm_prompt": None,
            "llm_plan": None}  # fmt: skip


def ran(http: httpx.Client, docset_id: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    answer = http.post(QUERY, json=sent(docset_id, plan=body_of(steps))).raise_for_status()
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.parametrize("kind", ANSWERS)
def test_10_the_public_client_reads_every_kind_of_answer_at_once_and_streamed(
    backend: Any, http: httpx.Client, incidents: str, kind: str
) -> None:
    client = Client(aryn_url=backend.url, aryn_api_key=backend.token)
    plan = body_of(ANSWERS[kind])
    at_once = client.query(query=Query(docset_id=incidents, plan=plan)).value
    streamed = client.query(query=Query(docset_id=incidents, plan=plan, stream=True))
    events = [(event.event_type.value, event.data) for event in streamed]
    client.client.close()
    listed = [data for name, data in events if name == "result_doc"]
    if isinstance(at_once.result, list):
        shown = [doc.properties for doc in listed]
        assert shown and shown == [doc["properties"] for doc in at_once.result]
    else:
        assert [data for name, data in events if name == "result"] == [str(at_once.result)]
    assert events[-1][0] == "complete"


def test_10_judged_rows_carry_score_and_place(http: httpx.Client, incidents: str) -> None:
    results = ran(http, incidents, ANSWERS["judged documents"])["result"]
    assert results
    for document in results:
        assert document["approximate"] is True and document["score"] > 0
        (place,) = document["evidence"]
        assert place["doc_id"] == document["doc_id"] and place["element_id"]
        assert place["page"] == 1 and len(place["bbox"]) == 4 and place["text"]


@pytest.mark.parametrize("kind", ANSWERS)
def test_10_every_answer_leads_to_its_documents_and_their_places(
    http: httpx.Client, incidents: str, kind: str
) -> None:
    run = ran(http, incidents, ANSWERS[kind])
    trace = http.get(f"{RUNS}/{run['query_id']}").raise_for_status().json()
    last = trace["nodes"][-1]
    window = http.get(f"{RUNS}/{run['query_id']}/nodes/{last['node_id']}").json()
    behind = {
        doc_id
        for row in window["rows"]
        for doc_id in (row["doc_ids"] if "doc_ids" in row else [row["doc_id"]])
    }
    assert behind and window["total"] == last["rows_out"]
    for doc_id in behind:
        body = http.get(f"/v1/storage/docsets/{incidents}/docs/{doc_id}").raise_for_status().json()
        places = [(e["properties"]["page_number"], len(e["bbox"])) for e in body["elements"]]
        assert places and all(page >= 1 and edges == 4 for page, edges in places)


def test_10_a_stream_reports_the_progress_of_each_step_beside_its_status(
    http: httpx.Client, incidents: str
) -> None:
    body = {**sent(incidents, plan=body_of(ANSWERS["rows"])), "stream": True}
    with http.stream("POST", QUERY, json=body) as answer:
        lines = list(answer.iter_lines())
    steps = [json.loads(line.removeprefix("progress: ")) for line in lines if "progress: " in line]
    assert [(item["node_id"], item["state"]) for item in steps] == [
        (0, "running"), (0, "done"), (1, "running"), (1, "done"), (2, "running"), (2, "done"),
    ]  # fmt: skip
    assert steps[-1]["rows_in"] == steps[3]["rows_out"]


def test_10_a_later_answer_is_compared_with_an_earlier_one(
    http: httpx.Client, incidents: str
) -> None:
    first = ran(http, incidents, ANSWERS["number"])
    texas = step("QueryDatabase", 0, query=TEXAS)
    second = ran(http, incidents, [texas, step("Count", 1, 0)])
    path = f"{RUNS}/{second['query_id']}/since/{first['query_id']}"
    body = http.get(path).raise_for_status().json()
    assert (body["value_before"], body["value_after"]) == (first["result"], second["result"])
    lost = body["documents"]["lost"]
    assert len(lost) == body["documents"]["lost_total"] == first["result"] - second["result"]
    assert http.get(f"{RUNS}/none/since/{first['query_id']}").status_code == 404


@pytest.mark.parametrize(
    ("body", "place", "kind"),
    [
        (step("DataLoader", 0, path="/etc/passwd"), ["0", "node_type"], "refused_node"),
        (step("QueryDatabase", 0, query={"fuzzy": {}}), ["0", "query"], "unsupported_query"),
        (step("QueryDatabase", 0, top_k=0), ["0", "top_k"], "bad_limit"),
    ],
    ids=["a file", "a query of another kind", "a limit"],
)
def test_10_an_invalid_plan_is_refused_with_its_step_and_field(
    http: httpx.Client, incidents: str, body: dict[str, Any], place: list[str], kind: str
) -> None:
    answer = http.post(QUERY, json=sent(incidents, plan=body_of([body])))
    assert answer.status_code == 422
    (fault,) = answer.json()["detail"]
    assert fault["loc"] == ["body", "plan", "nodes", *place] and fault["type"] == kind
