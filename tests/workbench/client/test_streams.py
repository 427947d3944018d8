"""Event streams, task results and the piecewise response of a partition."""

import asyncio
import json
from collections.abc import AsyncIterator
from itertools import pairwise

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.client import (
    AuthenticationFailed,
    ConnectionFailed,
    Invalid,
    MissingExtension,
    NotFound,
    ResultPending,
    ServerFailed,
)
from workbench.client.events import ServerEvent, read_events
from workbench.contract.plan import Plan


async def cut(content: bytes, at: list[int]) -> AsyncIterator[bytes]:
    places = sorted({0, len(content), *(place % (len(content) + 1) for place in at)})
    for start, end in pairwise(places):
        yield content[start:end]


async def events_of(content: bytes, at: list[int] | None = None) -> list[ServerEvent]:
    return [event async for event in read_events(cut(content, at or []))]


@given(
    text=st.text().filter(lambda text: "\r" not in text),
    end=st.sampled_from(["\n", "\r\n"]),
    at=st.lists(st.integers(0, 500), max_size=8),
)
def test_data_survives_any_line_ends_and_any_split_of_the_stream(text, end, at):
    lines = "".join(f"data: {line}{end}" for line in text.split("\n"))
    content = f"id: 7{end}event: task{end}{lines}{end}".encode("utf-8", "surrogatepass")
    if "\ufffd" in content.decode("utf-8", "replace"):
        return
    assert asyncio.run(events_of(content, at)) == [ServerEvent("task", text, "7")]


async def test_unicode_line_separators_inside_a_text_do_not_split_it():
    text = "page one\x0cpage two\u2028next"
    assert (await events_of(f"data: {text}\n\n".encode()))[0].data == text


async def test_comments_and_unnamed_events_are_read_and_a_cut_off_event_is_dropped():
    content = b": keep-alive\n\ndata: a\n\nevent: x\ndata: half"
    assert await events_of(content) == [ServerEvent("message", "a", None)]


PENDING = {"detail": "Task is pending."}

# -- tasks ----------------------------------------------------------------------------------------


async def test_waiting_polls_until_the_task_is_done(scene):
    answers = iter([202, 202, 200])

    def result(request: httpx.Request) -> httpx.Response:
        status = next(answers)
        return httpx.Response(status, json=PENDING if status == 202 else {"doc_id": "wb:f-1"})

    made = scene(result)
    done = await made.client.wait("wb:t-1")
    assert (done.pending, done.body, done.error) == (False, {"doc_id": "wb:f-1"}, None)
    assert made.pauses == [0.05, pytest.approx(0.075)]


async def test_waiting_ends_after_the_timeout_and_leaves_the_task_alone(scene):
    made = scene(lambda request: httpx.Response(202, json=PENDING), in_real_time=True)
    with pytest.raises(ResultPending, match="continues"):
        await made.client.wait("wb:t-1", timeout=0.01)
    assert {request.method for request in made.requests} == {"GET"}


async def test_waiting_survives_a_restart_of_the_server(scene):
    answers = iter([202, *[None] * 12, 200])

    def result(request: httpx.Request) -> httpx.Response:
        if (status := next(answers)) is None:
            raise httpx.ConnectError("restarting")
        return httpx.Response(status, json=PENDING if status == 202 else {"doc_id": "wb:f-1"})

    assert (await scene(result).client.wait("wb:t-1")).body == {"doc_id": "wb:f-1"}


async def test_a_failed_call_is_distinguished_from_an_unknown_task(scene):
    failed = scene(lambda request: httpx.Response(404, json={"detail": "No such DocSet."}))
    result = await failed.client.result("wb:t-1")
    assert (result.status, result.error) == (404, "No such DocSet.")
    unknown = scene(lambda request: httpx.Response(404, json={"detail": "No such task."}))
    with pytest.raises(NotFound):
        await unknown.client.result("wb:t-1")
    wrong = scene(lambda request: httpx.Response(403, json={"detail": "Invalid Aryn API key"}))
    with pytest.raises(AuthenticationFailed):
        await wrong.client.result("wb:t-1")


async def test_a_partition_that_failed_inside_its_body_counts_as_failed(scene):
    body = {"status_code": 422, "error": "selected_pages must not have empty or zero terms"}
    made = scene(lambda request: httpx.Response(200, json=body))
    result = await made.client.result("wb:t-1")
    assert isinstance(result.failure, Invalid) and result.error == body["error"]


def progress(sequence: int) -> bytes:
    body = {
        "task_id": "wb:t-1",
        "action": "/v1/document/partition",
        "status": "running",
        "submitted": 1.0,
        "sequence": sequence,
    }
    return f"id: {sequence}\nevent: task\ndata: {json.dumps(body)}\n\n".encode()


async def test_a_broken_event_stream_is_resumed_where_it_broke(scene):
    streams = iter([progress(1) + progress(2), None, progress(3)])

    def stream(request: httpx.Request) -> httpx.Response:
        if (content := next(streams)) is None:
            raise httpx.ReadError("cut")
        return httpx.Response(200, content=content)

    made = scene(stream)
    seen = []
    async for change in made.client.task_events():
        seen.append(change.sequence)
        if change.sequence == 3:
            break
    assert seen == [1, 2, 3]
    assert made.requests[0].headers.get("Last-Event-ID") is None
    assert made.requests[-1].headers["Last-Event-ID"] == "2"


async def test_a_server_that_stays_away_ends_the_stream(scene):
    def gone(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(ConnectionFailed):
        await anext(scene(gone).client.task_events())


async def test_a_server_without_task_events_says_so_at_once(scene):
    made = scene(lambda request: httpx.Response(404, json={"detail": "Not Found"}))
    with pytest.raises(MissingExtension):
        await anext(made.client.task_events())
    assert len(made.requests) == 1


# -- partition ------------------------------------------------------------------------------------

ANSWER = b"""{
  "status": [
    "An unfinished answer is completed with ]}",
    "T+   0.10: page 1, \\"first\\"",
    ""
  ],
  "status_code": 200,
  "elements": [
    "no status"
  ]
}
"""


@pytest.mark.parametrize("at", [[], list(range(0, len(ANSWER), 7))])
async def test_status_entries_are_reported_in_order_and_the_rest_is_the_result(scene, at):
    made = scene(lambda request: httpx.Response(200, content=cut(ANSWER, at)))
    entries: list[str] = []
    result = await made.client.partition(b"x", on_status=entries.append)
    assert entries == ["An unfinished answer is completed with ]}", 'T+   0.10: page 1, "first"']
    assert result["elements"] == ["no status"]


async def test_a_compact_response_is_parsed_as_well(scene):
    made = scene(lambda request: httpx.Response(200, content=b'{"status":[],"elements":[]}'))
    assert await made.client.partition(b"x", on_status=print) == {"status": [], "elements": []}


async def test_a_failure_reported_in_the_body_is_raised(scene):
    body = {"status": [], "status_code": 500, "error": "500: Failed to convert file to pdf"}
    made = scene(lambda request: httpx.Response(200, json=body))
    with pytest.raises(ServerFailed, match="Failed to convert"):
        await made.client.partition(b"x")


# -- plans ----------------------------------------------------------------------------------------

PLAN = Plan.model_validate(
    {
        "query": "how many?",
        "nodes": {
            "0": {"node_type": "QueryDatabase", "node_id": 0, "inputs": [], "index": "x"},
            "1": {"node_type": "Count", "node_id": 1, "inputs": [0], "unheard_of": {"a": 1}},
        },
        "result_node": 1,
    }
)


async def test_a_run_yields_its_events_with_documents_parsed_and_numbers_as_text(scene):
    content = (
        f"event: plan\ndata: {PLAN.model_dump_json()}\n\n"
        'event: result_doc\ndata: {"doc_id": "wb:f-1"}\n\n'
        "event: result\ndata: 4\n\nevent: complete\ndata: done\n\n"
    ).encode()
    made = scene(lambda request: httpx.Response(200, content=content))
    events = [event async for event in made.client.stream_plan("ds", PLAN, until_node=1)]
    assert [event.name for event in events] == ["plan", "result_doc", "result", "complete"]
    assert events[1].data == {"doc_id": "wb:f-1"} and events[2].data == "4"
    body = json.loads(made.requests[0].content)
    assert body["stream"] is True and body["query"] is None
    assert made.requests[0].url.params["until_node"] == "1"


async def test_an_edit_sends_the_plan_with_unknown_fields(scene):
    made = scene(lambda request: httpx.Response(200, json=PLAN.model_dump(mode="json")))
    edited = await made.client.edit_plan("ds", PLAN, "only 2023")
    body = json.loads(made.requests[0].content)
    assert body["feedback"] == "only 2023" and body["query"]["query"] is None
    assert body["query"]["plan"]["nodes"]["1"]["unheard_of"] == {"a": 1}
    assert edited.node(1).unchecked["unheard_of"] == {"a": 1}


async def test_a_refused_stream_raises_the_refusal(scene):
    made = scene(lambda request: httpx.Response(404, json={"detail": "No such DocSet."}))
    with pytest.raises(NotFound, match="No such DocSet"):
        await anext(made.client.stream_plan("ds", PLAN))


async def test_the_basis_of_an_answer_comes_with_the_last_event_of_its_run(scene):
    account = {"sentences": ["3 documents"], "unused": ["sender"]}
    done = {"node_id": 0, "state": "done", "rows_in": 0, "sentence": "3 documents"}
    lines = (
        "event: status\nprogress: " + json.dumps(done) + "\ndata: QueryDatabase (0): 3 docs\n\n"
        "event: complete\naccount: " + json.dumps(account) + "\ndata: 1 result\n\n"
    )
    made = scene(lambda request: httpx.Response(200, content=lines.encode()))
    events = [event async for event in made.client.stream_plan("ds", PLAN)]
    assert events[0].progress.sentence == "3 documents" and events[0].account is None
    assert (events[1].account.sentences, events[1].account.unused) == (["3 documents"], ["sender"])


async def test_the_documents_behind_a_row_are_requested_by_step_row_and_state(scene):
    value = {"field": "year", "value": 2018, "state": "doubtful", "confidence": 0.4, "page": 2}
    document = {"doc_id": "wb:f-1", "name": "a.pdf", "values": [value]}
    window = {"documents": [document], "total": 51}
    made = scene(lambda request: httpx.Response(200, json=window))
    window = await made.client.run_evidence(
        "wb:q-1", 2, row=3, field="year", state="left_out", offset=10, limit=5
    )
    assert (window.total, window.documents[0].values[0].confidence) == (51, 0.4)
    url = made.requests[0].url
    assert url.path == "/v1/workbench/runs/wb:q-1/nodes/2/evidence"
    assert dict(url.params) == {
        "row": "3", "field": "year", "state": "left_out", "offset": "10", "limit": "5",
    }  # fmt: skip
