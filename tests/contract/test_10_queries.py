"""Section 10 of the contract: running a query, at once and as a stream; and the bodies of 9."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

QUERY = "/v1/query"
PLAN = "/v1/query/plan"
NAMES = {
    "complete", "error", "plan", "result", "result_doc", "status", "trace_doc", "result_summary",
    "rag_source", "rag_answer", "citations",
}  # fmt: skip
HOW_MANY = "How many incidents were in Texas?"
WHICH = "Show incidents in Texas"


def sent(docset_id: str, **body: Any) -> dict[str, Any]:
    """A query object with every key that the public client sends."""
    keys = (
        "query", "plan", "model_name", "doc_inclusion_list", "doc_exclusion_list",
        "bookmark_source", "bookmark_target",
    )  # fmt: skip
    flags = dict.fromkeys(("stream", "summarize_result", "rag_mode"), False)
    return {"docset_id": docset_id, **dict.fromkeys(keys), **flags, **body}


def events(http: httpx.Client, body: dict[str, Any]) -> list[tuple[str, str]]:
    """Name and text of all events of a streamed query."""
    with http.stream("POST", QUERY, json={**body, "stream": True}) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        return list(_parsed(answer.iter_lines()))


def _parsed(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    name, data = "", list[str]()
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data:"):
            data.append(line.removeprefix("data:").removeprefix(" "))
        elif not line:
            yield name, "\n".join(data)
            name, data = "", []


@pytest.fixture(scope="session")
def plan(backend: Any, incidents: str) -> dict[str, Any]:
    """The plan of how many incidents were in Texas."""
    with backend.client() as http:
        answer = http.post(PLAN, json=sent(incidents, query=HOW_MANY))
        made: dict[str, Any] = answer.raise_for_status().json()
    return made


def test_9_a_plan_has_its_nodes_under_their_ids_as_text(plan: dict[str, Any]) -> None:
    assert {"query", "nodes", "result_node", "llm_prompt", "llm_plan"} <= set(plan)
    for key, node in plan["nodes"].items():
        assert key == str(node["node_id"])
        assert {"node_type", "description", "inputs"} <= set(node)
    assert str(plan["result_node"]) in plan["nodes"]


@pytest.mark.parametrize("number", [str(2**63), "9" * 5000, "-1", "1e5"])
def test_9_a_history_number_that_was_never_issued_is_ignored(
    http: httpx.Client, incidents: str, plan: dict[str, Any], number: str
) -> None:
    claimed = plan | {"llm_plan": f"(history {number})"}
    for feedback in ("undo", "only those in Texas"):
        body = {"query": sent(incidents, plan=claimed), "feedback": feedback}
        assert http.patch(PLAN, json=body).status_code in (200, 422)


def test_9_an_edit_takes_the_plan_with_and_without_its_question(
    http: httpx.Client, incidents: str, plan: dict[str, Any]
) -> None:
    feedback = "only those with more than 2 injuries"
    for query in (None, HOW_MANY):
        body = {"query": sent(incidents, plan=plan, query=query), "feedback": feedback}
        edited = http.patch(PLAN, json=body)
        assert edited.status_code == 200, edited.text
        result = http.post(QUERY, json=sent(incidents, plan=edited.json())).json()
        assert result["result"] == 1
    without = {"query": sent(incidents, query=HOW_MANY), "feedback": feedback}
    assert http.patch(PLAN, json=without).status_code == 422


def test_9_unknown_fields_survive_a_round_trip(
    http: httpx.Client, incidents: str, plan: dict[str, Any]
) -> None:
    node = {**plan["nodes"]["0"], "colour": "blue"}
    marked = {**plan, "nodes": {**plan["nodes"], "0": node}, "note": {"a": 1}}
    kept = http.post(QUERY, json=sent(incidents, plan=marked)).json()["plan"]
    assert kept["nodes"]["0"]["colour"] == "blue" and kept["note"] == {"a": 1}


@pytest.mark.parametrize("name", ["then", "aggregations", "any_of", "fields", "per", "field"])
@pytest.mark.parametrize("value", [5, [5], [{"field": 5}]])
def test_9_fields_of_other_kinds_of_steps_mean_nothing_on_a_step(
    http: httpx.Client, incidents: str, plan: dict[str, Any], name: str, value: object
) -> None:
    node = {**plan["nodes"]["0"], name: value}
    odd = {**plan, "nodes": {**plan["nodes"], "0": node}}
    result = http.post(QUERY, json=sent(incidents, plan=odd)).json()
    assert result["result"] == 2 and result["plan"]["nodes"]["0"][name] == value
    edit = {"query": sent(incidents, plan=odd), "feedback": "by state"}
    assert http.patch(PLAN, json=edit).status_code == 200


@pytest.mark.parametrize("path", [QUERY, PLAN])
@pytest.mark.parametrize("which", ["both", "neither", "empty", "plan for an answer from text"])
def test_9_exactly_one_of_query_and_plan(
    http: httpx.Client, incidents: str, plan: dict[str, Any], path: str, which: str
) -> None:
    more: dict[str, Any] = {
        "both": {"query": HOW_MANY, "plan": plan},
        "neither": {},
        "empty": {"query": " "},
        "plan for an answer from text": {"plan": plan, "rag_mode": True},
    }[which]
    assert http.post(path, json=sent(incidents, **more)).status_code == 422


def test_9_a_result_node_that_does_not_exist_is_a_422(
    http: httpx.Client, incidents: str, plan: dict[str, Any]
) -> None:
    answer = http.post(QUERY, json=sent(incidents, plan={**plan, "result_node": 77}))
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"][:2] == ["body", "plan"]


def test_10_an_answer_has_id_plan_and_result(
    http: httpx.Client, incidents: str, plan: dict[str, Any]
) -> None:
    counted = http.post(QUERY, json=sent(incidents, query=HOW_MANY)).json()
    assert {"query_id", "plan", "result"} <= set(counted) and counted["result"] == 2
    again = http.post(QUERY, json=sent(incidents, plan=plan)).json()
    assert again["result"] == 2 and again["query_id"] != counted["query_id"]
    listed = http.post(QUERY, json=sent(incidents, query=WHICH)).json()
    assert len(listed["result"]) == 2 and all("doc_id" in row for row in listed["result"])


def test_10_a_stream_gives_the_plan_first_and_complete_last_and_once(
    http: httpx.Client, incidents: str
) -> None:
    streamed = events(http, sent(incidents, query=WHICH))
    names = [name for name, _ in streamed]
    assert set(names) <= NAMES
    assert names.count("plan") == names.count("complete") == 1 and names[-1] == "complete"
    assert set(names[: names.index("plan")]) <= {"status"}
    assert names.count("result_doc") == 2
    data = dict(streamed)
    assert "nodes" in json.loads(data["plan"])
    for name, text in streamed:
        if name in ("result_doc", "trace_doc"):
            body = json.loads(text)
            assert "doc_id" in (body["doc"] if name == "trace_doc" else body)
            assert name != "trace_doc" or isinstance(body["node_id"], int)


def test_10_a_number_is_streamed_as_its_text(http: httpx.Client, incidents: str) -> None:
    streamed = dict(events(http, sent(incidents, query=HOW_MANY)))
    assert streamed["result"] == "2" and "result_doc" not in streamed


def test_10_a_summary_comes_only_with_a_stream_that_asks_for_it(
    http: httpx.Client, incidents: str
) -> None:
    asked = dict(events(http, sent(incidents, query=WHICH, summarize_result=True)))
    assert asked["result_summary"]
    assert "result_summary" not in dict(events(http, sent(incidents, query=WHICH)))
    plain = http.post(QUERY, json=sent(incidents, query=WHICH, summarize_result=True))
    assert plain.status_code == 200


def test_10_an_empty_result_is_reported_at_the_end(http: httpx.Client, incidents: str) -> None:
    body = sent(incidents, query=WHICH, doc_inclusion_list=["wb:f-none"])
    assert events(http, body)[-1][1].endswith("0 results")


def test_10_an_answer_from_text_comes_with_its_sources(http: httpx.Client, incidents: str) -> None:
    body = sent(incidents, query="What struck the gantry?", rag_mode=True)
    streamed = events(http, body)
    names = [name for name, _ in streamed]
    assert "rag_answer" in names and "rag_source" in names and names[-1] == "complete"
    assert "crane" in "".join(text for name, text in streamed if name == "rag_answer").lower()
    plain = http.post(QUERY, json=body).json()
    assert "crane" in plain["result"].lower()


def test_10_a_failure_is_the_last_event_of_a_stream_and_a_status_of_a_plain_call(
    http: httpx.Client,
) -> None:
    body = sent("wb:ds-unknown", query=HOW_MANY)
    streamed = events(http, body)
    assert streamed[-1][0] == "error" and "complete" not in dict(streamed)
    assert http.post(QUERY, json=body).status_code == 404


def test_10_only_the_named_documents_are_asked(http: httpx.Client, incidents: str) -> None:
    items = http.get(f"/v1/storage/docsets/{incidents}/docs").json()["items"]
    ids = [item["doc_id"] for item in items]
    for more, count in (
        ({"doc_inclusion_list": ids[:2]}, 1),
        ({"doc_exclusion_list": ids[2:]}, 1),
        ({"doc_exclusion_list": ids[:1]}, 2),
    ):
        assert (
            http.post(QUERY, json=sent(incidents, query=HOW_MANY, **more)).json()["result"] == count
        )
