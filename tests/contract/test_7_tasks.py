"""Section 7 of the contract: asynchronous tasks and their filters."""

import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.contract.texts import LONG

SUBMIT = "/v1/async/submit/document/partition"
PENDING = {"detail": "Task is pending."}
NO_SUCH = {"detail": "No such task."}
NOT_FOUND = {"detail": "Task not found."}


def submit(http: httpx.Client, text: str = "text", **headers: str) -> str:
    answer = http.post(SUBMIT, files={"file": ("a.txt", text)}, headers=headers)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["task_id"])


def listed(http: httpx.Client, **filters: str) -> dict[str, Any]:
    tasks: dict[str, Any] = http.get("/v1/async/list", params=filters).json()["tasks"]
    return tasks


def test_7_submit_answers_202_with_the_id_alone(http: httpx.Client) -> None:
    answer = http.post(SUBMIT, files={"file": "text"})
    assert (answer.status_code, list(answer.json())) == (202, ["task_id"])
    assert answer.json()["task_id"].startswith("wb:t-")


def test_7_a_pending_result_is_a_202_and_a_finished_one_the_body_of_the_call(
    http: httpx.Client, finished: Callable[[str], httpx.Response]
) -> None:
    task_id = submit(http, LONG)
    pending = http.get(f"/v1/async/result/{task_id}")
    assert (pending.status_code, pending.json()) == (202, PENDING)
    result = finished(task_id)
    assert result.headers["content-type"] == "application/json"
    assert (result.status_code, result.json()["status_code"]) == (200, 200)
    assert result.json()["status"][-1] == ""


def test_7_a_failed_partition_task_is_a_200_with_error_and_status(
    http: httpx.Client, finished: Callable[[str], httpx.Response]
) -> None:
    answer = http.post(SUBMIT, files={"file": ("a.pdf", b"%PDF-1.7 broken")})
    result = finished(answer.json()["task_id"])
    assert result.status_code == 200 and result.json()["status_code"] >= 400
    assert result.json()["error"]


def test_7_a_failed_document_task_repeats_the_status_of_the_call(
    http: httpx.Client, docset: str, finished: Callable[[str], httpx.Response]
) -> None:
    path = f"/storage/docsets/{docset}/docs"
    sent = {"file": ("a.pdf", b"%PDF-1.7 broken")}
    result = finished(http.post(f"/v1/async/submit{path}", files=sent).json()["task_id"])
    called = http.post(f"/v1{path}", files=sent)
    assert called.status_code == result.status_code >= 400
    assert called.json() == result.json()


def test_7_the_list_has_action_status_and_userdata_of_open_and_done_tasks(
    http: httpx.Client, docset: str, finished: Callable[[str], httpx.Response]
) -> None:
    userdata = json.dumps({"owner": "me", "n": 1})
    done = submit(http, **{"X-Aryn-Userdata": userdata})
    assert finished(done).status_code == 200
    opened = submit(http, LONG)
    path = f"/storage/docsets/{docset}/docs"
    document = http.post(f"/v1/async/submit{path}", files={"file": "x"}).json()["task_id"]
    tasks = listed(http)
    action = "/v1/document/partition"
    assert tasks[done] == {"action": action, "task_status": "done", "userdata": userdata}
    assert tasks[opened]["task_status"] in ("queued", "running")
    assert set(tasks[opened]) == {"action", "task_status"}
    assert tasks[document]["action"] == f"/v1{path}"
    http.post(f"/v1/async/cancel/{opened}").raise_for_status()
    assert listed(http)[opened]["task_status"] == "cancelled"


def test_7_the_work_of_a_waiting_call_is_not_a_task(http: httpx.Client) -> None:
    before = set(listed(http))
    http.post("/v1/document/partition", files={"file": "text"}).raise_for_status()
    assert set(listed(http)) == before


@pytest.mark.parametrize(
    ("path_filter", "method_filter", "matches"),
    [
        ("^/v1/document/partition$", "", True),
        ("", "", True),
        ("/document/partition", "POST", True),
        ("partition", "^POST$", True),
        ("^/v1/storage", "", False),
        ("/document/partition", "GET", False),
        ("^document", "", False),
    ],
)
def test_7_filters_are_searched_in_action_and_method(
    http: httpx.Client, path_filter: str, method_filter: str, matches: bool
) -> None:
    task_id = submit(http)
    filters = {"path_filter": path_filter, "method_filter": method_filter}
    assert (task_id in listed(http, **filters)) == matches
    result = http.get(f"/v1/async/result/{task_id}", params=filters)
    assert result.status_code in ((200, 202) if matches else (404,))
    cancelled = http.post(f"/v1/async/cancel/{task_id}", params=filters)
    assert cancelled.status_code in ((200, 404) if matches else (404,))
    if not matches:
        assert (result.json(), cancelled.json()) == (NO_SUCH, NOT_FOUND)


def test_7_filters_of_document_tasks_take_the_paths_that_callers_send(
    http: httpx.Client, docset: str
) -> None:
    path = f"/storage/docsets/{docset}/docs"
    task_id = http.post(f"/v1/async/submit{path}", files={"file": "x"}).json()["task_id"]
    for sent in (path, "^/v1/storage/docsets/{docset_id}/docs$", r"^/v1/.*/docs$"):
        assert task_id in listed(http, path_filter=sent, method_filter="POST")


@pytest.mark.parametrize("pattern", ["(", "[", "a{2000}{2000}", r"(?P<x", "x" * 1001, "(a)\\1"])
def test_7_a_filter_that_is_not_a_pattern_is_a_422(http: httpx.Client, pattern: str) -> None:
    for path in ("/v1/async/list", "/v1/async/result/wb:t-1"):
        answer = http.get(path, params={"path_filter": pattern})
        assert answer.status_code == 422
        (fault,) = answer.json()["detail"]
        assert fault["loc"] == ["query", "path_filter"]
        assert "b'" not in fault["msg"] and 'b"' not in fault["msg"]


@pytest.mark.alone
def test_7_filters_are_matched_in_linear_time(http: httpx.Client) -> None:
    submit(http)
    began = time.monotonic()
    for pattern in ("(a*)*b", "(.*)*$x", "(/v1|/v1)+" * 20 + "x", "(.|.)*y" * 10):
        assert http.get("/v1/async/list", params={"path_filter": pattern}).status_code == 200
    assert time.monotonic() - began < 2


def test_7_cancel_works_once_and_then_the_task_is_unknown(http: httpx.Client) -> None:
    task_id = submit(http, LONG)
    assert http.post(f"/v1/async/cancel/{task_id}").status_code == 200
    result = http.get(f"/v1/async/result/{task_id}")
    assert (result.status_code, result.json()) == (404, NO_SUCH)
    again = http.post(f"/v1/async/cancel/{task_id}")
    assert (again.status_code, again.json()) == (404, NOT_FOUND)


def test_7_a_finished_task_cannot_be_cancelled_and_keeps_its_result(
    http: httpx.Client, finished: Callable[[str], httpx.Response]
) -> None:
    task_id = submit(http)
    assert finished(task_id).status_code == 200
    answer = http.post(f"/v1/async/cancel/{task_id}")
    assert (answer.status_code, answer.json()) == (404, NOT_FOUND)
    assert finished(task_id).status_code == 200


def test_7_a_cancelled_add_leaves_no_document(http: httpx.Client, docset: str) -> None:
    path = f"/storage/docsets/{docset}/docs"
    sent = {"file": ("a.txt", LONG)}
    task_id = http.post(f"/v1/async/submit{path}", files=sent).json()["task_id"]
    time.sleep(0.3)
    http.post(f"/v1/async/cancel/{task_id}").raise_for_status()
    time.sleep(1)
    assert http.get(f"/v1{path}").json()["items"] == []


def test_7_userdata_is_bounded(http: httpx.Client) -> None:
    headers = {"X-Aryn-Userdata": "x" * 5000}
    assert http.post(SUBMIT, files={"file": "x"}, headers=headers).status_code == 400


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://localhost/", "ftp://x/", "x"])
def test_7_a_webhook_that_would_never_be_called_is_refused_at_submit(
    http: httpx.Client, url: str
) -> None:
    answer = http.post(SUBMIT, files={"file": "x"}, headers={"X-Aryn-Webhook": url})
    assert answer.status_code == 400
