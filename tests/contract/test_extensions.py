"""Our own additions: health, capabilities, facets, task events, the documentation page."""

import json
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.contract.pages import pdf
from tests.contract.texts import LONG

SUBMIT = "/v1/async/submit/document/partition"
EVENTS = "/v1/workbench/tasks/events"


def test_health_needs_no_credential(anonymous: httpx.Client) -> None:
    health = anonymous.get("/v1/workbench/health").json()
    assert health["status"] == "ok" and {"version", "pid", "started"} < set(health)


def test_the_cluster_shows_places_queue_and_waiting_tasks(http: httpx.Client) -> None:
    state = http.get("/v1/workbench/cluster").raise_for_status().json()
    assert state["engine"] == "local" and state["connected"] and state["places"] > 0
    assert {"queued", "running", "done", "cancelled"} == set(state["tasks"])
    health = http.get("/v1/workbench/health").json()
    assert (health["places"], health["waits_for"]) == (state["places"], [])


def test_capabilities_list_formats_languages_vectors_and_limits(http: httpx.Client) -> None:
    body = http.get("/v1/workbench/capabilities").json()
    assert {"application/pdf", "text/html", "image/png"} <= set(body["formats"])
    assert {"english", "german"} <= set(body["ocr_languages"])
    assert body["embedding"] in body["embedding_providers"]
    assert body["limits"]["max_page_size"] == 1000 and body["limits"]["max_upload"] > 0


def test_facets_count_the_values_of_a_property(http: httpx.Client, incidents: str) -> None:
    path = f"/v1/workbench/facets/{incidents}"
    (facet,) = http.post(path, json={"fields": ["properties.entity.state"]}).json()
    counts = {item["value"]: item["count"] for item in facet["values"]}
    assert counts == {"Texas": 2, "Ohio": 1}


def test_facets_count_the_documents_of_a_search(http: httpx.Client, incidents: str) -> None:
    path = f"/v1/workbench/facets/{incidents}"
    search = {"properties_filter": "state = 'Ohio'", "return_type": "element"}
    (facet,) = http.post(path, json={"fields": ["state"], "search": search}).json()
    assert [(item["value"], item["count"]) for item in facet["values"]] == [("Ohio", 1)]
    wrong = http.post(path, json={"search": {"properties_filter": "stat = 'Ohio'"}})
    assert wrong.status_code == 422 and "properties.entity.state" in wrong.text
    unknown = http.post(path, json={"fields": ["stat"]})
    assert unknown.json()["detail"][0]["loc"] == ["body", "fields", 0]


def test_a_filter_in_the_making_is_completed(http: httpx.Client, incidents: str) -> None:
    path = f"/v1/workbench/completions/{incidents}"
    body = http.post(path, json={"filter": "state = 'T"}).json()
    assert (body["start"], body["end"]) == (8, 10)
    assert body["items"][0] | {"detail": None} == {
        "text": '"Texas"', "kind": "value", "detail": None, "count": 2
    }  # fmt: skip
    assert http.post(path, json={"filter": "", "cursor": -1}).status_code == 422


def events(http: httpx.Client, seconds: float = 20, **how: Any) -> Iterator[dict[str, Any]]:
    """The events of a stream with their ids, until it is left or that time is over."""
    end = time.monotonic() + seconds
    with http.stream("GET", EVENTS, timeout=seconds, **how) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        event: dict[str, Any] = {}
        for line in answer.iter_lines():  # the stream sends comments where nothing happens
            if time.monotonic() > end:
                return
            name, _, value = line.partition(": ")
            if not line and event:
                assert event["event"] == "task"
                yield json.loads(event["data"]) | {"id": int(event["id"])}
                event = {}
            elif name:
                event[name] = value


def latest(http: httpx.Client) -> int:
    """The number of the last change so far."""
    task_id = http.post(SUBMIT, files={"file": "x"}).json()["task_id"]
    for event in events(http):
        if event["task_id"] == task_id and event["status"] == "done":
            return int(event["id"])
    raise AssertionError


def test_events_begin_anew_after_a_number_that_the_server_has_not_given(
    http: httpx.Client,
) -> None:
    number = latest(http)
    for how in ({"params": {"after": 2**53 - 1}}, {"headers": {"Last-Event-ID": "999999999"}}):
        assert next(events(http, **how))["id"] <= number


def test_events_report_each_task_from_submission_to_its_end_with_its_pages(
    http: httpx.Client,
) -> None:
    after = latest(http)
    seen: list[dict[str, Any]] = []
    started = threading.Event()

    def watch() -> None:
        with httpx.Client(base_url=http.base_url, headers=http.headers) as own:
            started.set()
            for event in events(own, params={"after": after}):
                seen.append(event)
                if event["status"] == "done":
                    return

    watcher = threading.Thread(target=watch)
    watcher.start()
    started.wait()
    file = ("two pages.pdf", pdf(["One", "Two"]))
    task_id = http.post(SUBMIT, files={"file": file}).json()["task_id"]
    watcher.join(60)
    assert {event["task_id"] for event in seen} == {task_id}
    states = [event["status"] for event in seen]
    assert states == sorted(states, key=["queued", "running", "done"].index)
    end = seen[-1]
    assert (end["status"], end["outcome"], end["name"]) == ("done", 200, "two pages.pdf")
    assert (end["done"], end["total"], end["unit"]) == (2, 2, "pages")
    ids = [event["id"] for event in seen]
    assert ids == sorted(set(ids)) == [event["sequence"] for event in seen]


def test_events_name_the_docset_that_a_task_works_on(http: httpx.Client) -> None:
    made = http.post("/v1/storage/docsets", json={"name": "two harbours"}).json()["docset_id"]
    after = latest(http)
    http.post(f"/v1/async/submit/storage/docsets/{made}/docs", files={"file": ("a.txt", b"Words.")})
    event = next(events(http, params={"after": after}))
    assert (event["docset_id"], event["docset_name"]) == (made, "two harbours")
    http.post(SUBMIT, files={"file": "x"})
    other = next(one for one in events(http, params={"after": after}) if one["name"] != "a.txt")
    assert other["docset_id"] is other["docset_name"] is None


def test_events_resume_behind_the_last_id_and_miss_nothing(http: httpx.Client) -> None:
    after = latest(http)
    ids = [http.post(SUBMIT, files={"file": "x"}).json()["task_id"] for _ in range(5)]
    done: set[str] = set()
    deadline = time.monotonic() + 60
    while not done.issuperset(ids):  # one connection for each event; other tasks may end as well
        assert time.monotonic() < deadline
        event = next(events(http, headers={"Last-Event-ID": str(after)}))
        assert event["id"] > after
        after = event["id"]
        if event["status"] == "done":
            done.add(event["task_id"])


@pytest.mark.alone
def test_a_change_is_reported_within_a_second(http: httpx.Client) -> None:
    after = latest(http)
    for _ in range(5):
        stream = events(http, params={"after": after})
        began = time.monotonic()
        submit = threading.Timer(0.1, lambda: http.post(SUBMIT, files={"file": "x"}))
        submit.start()
        event = next(stream)
        assert time.monotonic() - began < 1.1
        submit.join()  # its answer is read before the stream closes
        while event["status"] != "done":
            event = next(stream)
        after = event["id"]
        stream.close()


@pytest.mark.parametrize("last", ["x", "-1", "²", "9" * 40])
def test_an_id_that_is_not_a_number_is_a_422(http: httpx.Client, last: str) -> None:
    headers = {"Last-Event-ID": last.encode("latin-1")}
    assert http.get(EVENTS, headers=headers).status_code == 422


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_a_stream_ends_with_its_token(http: httpx.Client, end: str) -> None:
    wanted = {"name": "watcher", "days": None if end == "revoked" else 2 / 86_400}
    made = http.post("/v1/workbench/tokens", json=wanted).raise_for_status().json()
    as_watcher = {"Authorization": f"Bearer {made['token']}"}
    with http.stream("GET", EVENTS, params={"after": latest(http)}, headers=as_watcher) as stream:
        lines = stream.iter_lines()
        assert next(lines) == ": task events"
        if end == "revoked":
            http.delete(f"/v1/workbench/tokens/{made['token_id']}").raise_for_status()
        else:
            time.sleep(2)
        began = time.monotonic()
        http.post(SUBMIT, files={"file": "x"}).raise_for_status()
        for line in lines:
            assert not line.startswith("data") and time.monotonic() - began < 6
        assert time.monotonic() - began < 6


def test_stopping_ends_open_streams_and_hands_work_back(own: Any) -> None:
    backend: BackendProcess = own()
    with backend.client() as http:
        http.post(SUBMIT, files={"file": LONG})
        stream = events(http)
        next(stream)
        assert http.post("/v1/workbench/stop").status_code == 200
        began = time.monotonic()
        list(stream)
        assert time.monotonic() - began < 5
    assert backend.stop() == 0


def test_the_documentation_page_needs_no_outside_host_and_no_credential(
    anonymous: httpx.Client,
) -> None:
    page = anonymous.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "http" not in policy
    addresses = re.findall(r'(?:src|href|url)\s*[=:]\s*"([^"]+)"', page.text)
    addresses += re.findall(r'url: "([^"]+)"', anonymous.get("/docs/start.js").text)
    assert len(addresses) >= 4
    for address in addresses:
        if not address.startswith("data:"):
            assert address.startswith("/")
            assert anonymous.get(address).status_code == 200


def test_an_index_reports_its_state_and_is_rebuilt(http: httpx.Client, incidents: str) -> None:
    path = f"/v1/workbench/docsets/{incidents}"
    query = {"query": "crane", "query_type": "hybrid"}
    before = http.post(f"/v1/query/search/{incidents}", json=query).json()
    count = http.get(f"/v1/storage/docsets/{incidents}").json()["size"]
    ready = {"state": "ready", "done": count, "total": count}
    assert http.post(f"{path}/rebuild").json() == ready
    assert http.get(f"{path}/index").json() == ready
    assert http.post(f"/v1/query/search/{incidents}", json=query).json() == before
    missing = http.post("/v1/workbench/docsets/wb:ds-none/rebuild")
    assert missing.status_code == 404
