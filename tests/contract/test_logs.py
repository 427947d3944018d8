"""What the log holds: the id of each call, and nothing that is secret."""

import json
import re
import time
from collections.abc import Callable

import pytest

from tests.backend_process import BackendProcess


@pytest.fixture
def backend(own: Callable[..., BackendProcess]) -> BackendProcess:
    return own(log_level="DEBUG")


def test_each_line_of_a_call_carries_its_id_and_names_its_task(backend: BackendProcess) -> None:
    with backend.client() as http:
        answer = http.post("/v1/async/submit/document/partition", files={"file": "x"})
    call, task_id = answer.headers["x-aryn-call-id"], answer.json()["task_id"]
    # The line about a call is written once it has been answered.
    deadline = time.monotonic() + 60
    lines: list[str] = []
    while not any("POST /v1/async/submit/document/partition 202" in line for line in lines):
        assert time.monotonic() < deadline, lines
        lines = [line for line in backend.log.read_text().splitlines() if f" {call} " in line]
        time.sleep(0.01)
    assert any(task_id in line for line in lines)


def test_lines_for_machines_are_json_with_the_id_of_their_call(
    own: Callable[..., BackendProcess],
) -> None:
    backend = own(log_format="json")
    with backend.client() as http:
        call = http.get("/v1/storage/docsets").headers["x-aryn-call-id"]
        task = http.post("/v1/async/submit/document/partition", files={"file": "x"}).json()
    backend.stop()
    lines = [json.loads(line) for line in backend.log.read_text().splitlines()]
    assert all({"at", "level", "call", "logger", "message"} <= line.keys() for line in lines)
    (line,) = [line for line in lines if line["call"] == call]
    assert line["message"].startswith("GET /v1/storage/docsets 200")
    assert any(task["task_id"] in line["message"] for line in lines)


def test_tokens_questions_names_and_texts_stay_out_of_the_log(backend: BackendProcess) -> None:
    with backend.client() as http:
        made = http.post("/v1/storage/docsets", json={"name": "s3cret-docset"}).json()
        path = f"/v1/storage/docsets/{made['docset_id']}/docs"
        options = {"options": json.dumps({"text_mode": "s3cret-mode"})}
        http.post(path, files={"file": ("s3cret-file.txt", "s3cret-text")})
        http.post(path, files={"file": ("s3cret-file.pdf", "%PDF s3cret-broken")})
        http.post(path, files={"file": ("s3cret-file.txt", "x")}, data=options)
        search = f"/v1/query/search/{made['docset_id']}"
        http.post(search, json={"query": "s3cret-question"})
        http.post(search, json={"properties_filter": "(s3cret = 's3cret"})
        http.get("/v1/storage/docsets", params={"name_eq": "s3cret-name"})
        http.get("/v1/storage/docsets", headers={"Authorization": "Bearer s3cret-token"})
    log = backend.log.read_text()
    assert "s3cret" not in log and backend.token not in log


def test_a_path_cannot_inject_log_lines(backend: BackendProcess) -> None:
    with backend.client() as http:
        http.get("/v1/x%0A2026-01-01 forged%0D")
    assert not re.search(r"^2026-01-01 forged", backend.log.read_text(), re.MULTILINE)
