"""Documents are read again, what is read differently is proposed, and nothing changes by itself."""

import copy
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.backend_process import BackendProcess

NOTES = {
    "a.md": "# Report\n\nState: Ohio\n\nInjuries: 3\n",
    "b.md": "# Report\n\nState: Texas\n",
    "c.md": "# Report\n\nState: Utah\n",
    "d.md": "# Report\n\nState: Iowa\n",
}
SCHEMA: dict[str, Any] = {
    "properties": [
        {"name": "state", "field_type": "string"},
        {"name": "injuries", "field_type": "int"},
    ]
}


def filled(http: httpx.Client) -> str:
    """A DocSet whose documents would be read differently now: the default is another."""
    body = {"name": "to read again", "schema": SCHEMA}
    docset = http.post("/v1/storage/docsets", json=body).raise_for_status().json()["docset_id"]
    for name, text in NOTES.items():
        path = f"/v1/storage/docsets/{docset}/docs"
        http.post(path, files={"file": (name, text)}).raise_for_status()
    schema = copy.deepcopy(SCHEMA)
    schema["properties"][1]["default"] = 0
    http.patch(f"/v1/storage/docsets/{docset}", json={"schema": schema}).raise_for_status()
    return str(docset)


@pytest.fixture
def docset(http: httpx.Client) -> str:
    return filled(http)


def injuries(http: httpx.Client, docset: str) -> dict[str, Any]:
    items = http.get(f"/v1/storage/docsets/{docset}/docs").json()["items"]
    return {item["name"]: item["properties"]["entity"]["injuries"] for item in items}


def ids(http: httpx.Client, docset: str) -> dict[str, str]:
    items = http.get(f"/v1/storage/docsets/{docset}/docs").json()["items"]
    return {item["name"]: item["doc_id"] for item in items}


def decide(http: httpx.Client, docset: str, name: str, value: Any) -> None:
    doc_id = ids(http, docset)[name]
    body = {"decisions": [{"doc_id": doc_id, "field": "injuries", "value": value}]}
    http.post(f"/v1/workbench/docsets/{docset}/decisions", json=body).raise_for_status()


def read_again(
    http: httpx.Client, docset: str, finished: Callable[[str], httpx.Response], **body: Any
) -> str:
    """Has them read again and waits; the path of the reading."""
    path = f"/v1/workbench/docsets/{docset}/rereadings"
    accepted = http.post(path, json=body)
    assert accepted.status_code == 202, accepted.text
    task_id = accepted.json()["task_id"]
    assert finished(task_id).json() == {"exit_status": 0}
    return f"{path}/{task_id}"


def proposed(http: httpx.Client, reading: str, state: str = "open") -> list[dict[str, Any]]:
    page = http.get(f"{reading}/changes", params={"state": state}).raise_for_status().json()
    assert page["total"] == len(page["items"]) and page["next_page_token"] is None
    return list(page["items"])


def test_changes_are_proposed_and_nothing_changes_until_they_are_accepted(
    http: httpx.Client, docset: str, finished: Callable[[str], httpx.Response]
) -> None:
    decide(http, docset, "b.md", 2)
    reading = read_again(http, docset, finished)
    changes = proposed(http, reading)
    assert [
        (c["name"], c["field"], c["before"]["value"], c["after"]["value"]) for c in changes
    ] == [
        ("c.md", "injuries", None, 0),
        ("d.md", "injuries", None, 0),
    ], "the corrected value and the one that is read as before are left alone"
    assert injuries(http, docset) == {"a.md": 3, "b.md": 2, "c.md": None, "d.md": None}
    [listed] = http.get(reading.rpartition("/")[0]).json()
    assert (listed["fields"], listed["documents"], listed["finished"]) == (["injuries"], 4, True)
    assert (listed["open"], listed["accepted"], listed["refused"]) == (2, 0, 0)


def test_changes_of_deleted_documents_and_properties_are_gone(
    http: httpx.Client, docset: str, finished: Callable[[str], httpx.Response]
) -> None:
    reading = read_again(http, docset, finished, fields=["injuries"])
    assert [change["name"] for change in proposed(http, reading)] == ["b.md", "c.md", "d.md"]
    doc_id = ids(http, docset)["c.md"]
    http.delete(f"/v1/storage/docsets/{docset}/docs/{doc_id}").raise_for_status()
    assert [change["name"] for change in proposed(http, reading)] == ["b.md", "d.md"]
    [listed] = http.get(reading.rpartition("/")[0]).json()
    assert listed["open"] == 2
    first = {"change_ids": [proposed(http, reading)[0]["change_id"]]}
    assert http.post(f"{reading}/accept", json=first).json()["done"] == 1
    dropped = {"docset_id": docset}
    path = "/v1/jobs/delete-properties"
    http.post(path, params=dropped, json={"names": ["injuries"]}).raise_for_status()
    assert http.post(f"{reading}/accept", json={}).json() == {"done": 0, "passed_over": 0}
    assert http.post(f"{reading}/undo").json() == {"done": 0, "passed_over": 0}
    items = http.get(f"/v1/storage/docsets/{docset}/docs").json()["items"]
    assert all("injuries" not in item["properties"]["entity"] for item in items)


def test_a_docset_rereads_after_a_correction_if_it_is_set_to(
    http: httpx.Client, docset: str
) -> None:
    readings = f"/v1/workbench/docsets/{docset}/rereadings"
    decide(http, docset, "b.md", 2)
    assert http.get(readings).json() == [], "nobody asked for it"
    setting = {"properties": {"reread_after_corrections": True}}
    http.patch(f"/v1/storage/docsets/{docset}", json=setting).raise_for_status()
    decide(http, docset, "b.md", 5)
    deadline = time.monotonic() + 60
    while not [one for one in http.get(readings).json() if one["finished"]]:
        assert time.monotonic() < deadline, "the rereading did not start or did not end"
        time.sleep(0.05)
    [reading] = http.get(readings).json()
    assert reading["fields"] == ["injuries"] and reading["open"] == 2
    assert injuries(http, docset) == {"a.md": 3, "b.md": 5, "c.md": None, "d.md": None}


def test_one_change_is_accepted_another_refused_and_both_count(
    http: httpx.Client, docset: str, finished: Callable[[str], httpx.Response]
) -> None:
    reading = read_again(http, docset, finished, fields=["injuries"])
    first, second, third = proposed(http, reading)
    body = {"change_ids": [first["change_id"]]}
    assert http.post(f"{reading}/accept", json=body).json() == {"done": 1, "passed_over": 0}
    body = {"change_ids": [second["change_id"]]}
    assert http.post(f"{reading}/refuse", json=body).json() == {"done": 1, "passed_over": 0}
    assert injuries(http, docset) == {"a.md": 3, "b.md": 0, "c.md": None, "d.md": None}
    assert [c["change_id"] for c in proposed(http, reading)] == [third["change_id"]]
    assert [c["change_id"] for c in proposed(http, reading, "refused")] == [second["change_id"]]
    evidence = f"/v1/workbench/docsets/{docset}/docs/{first['doc_id']}/evidence"
    assert http.get(evidence).json()["injuries"]["corrected"], "a person has looked at it"


@pytest.mark.parametrize(("kind", "done"), [("date", 0), ("string", 0), ("float", 3)])
def test_changes_that_the_property_can_no_longer_have_are_passed_over(
    http: httpx.Client,
    docset: str,
    finished: Callable[[str], httpx.Response],
    kind: str,
    done: int,
) -> None:
    """A decision with such a value would be refused."""
    reading = read_again(http, docset, finished, fields=["injuries"])
    schema = {"properties": [SCHEMA["properties"][0], {"name": "injuries", "field_type": kind}]}
    http.patch(f"/v1/storage/docsets/{docset}", json={"schema": schema}).raise_for_status()
    one = {"change_ids": [proposed(http, reading)[0]["change_id"]]}
    assert http.post(f"{reading}/accept", json=one).json()["passed_over"] == (not done)
    rest = http.post(f"{reading}/accept", json={}).json()
    assert rest == {"done": max(0, done - 1), "passed_over": 3 - done}
    value = 0 if done else None
    assert injuries(http, docset) == {"a.md": 3, "b.md": value, "c.md": value, "d.md": value}


def test_all_are_accepted_and_undone_as_one_step(
    http: httpx.Client, docset: str, finished: Callable[[str], httpx.Response]
) -> None:
    before = [
        http.get(f"/v1/workbench/docsets/{docset}/docs/{doc_id}/evidence").json()
        for doc_id in ids(http, docset).values()
    ]
    reading = read_again(http, docset, finished, fields=["injuries"])
    assert http.post(f"{reading}/accept", json={}).json() == {"done": 3, "passed_over": 0}
    assert injuries(http, docset) == {"a.md": 3, "b.md": 0, "c.md": 0, "d.md": 0}
    decide(http, docset, "c.md", 7)
    assert http.post(f"{reading}/undo").json() == {"done": 2, "passed_over": 1}
    assert injuries(http, docset) == {"a.md": 3, "b.md": None, "c.md": 7, "d.md": None}
    decide(http, docset, "c.md", None)
    after = [
        http.get(f"/v1/workbench/docsets/{docset}/docs/{doc_id}/evidence").json()
        for doc_id in ids(http, docset).values()
    ]
    assert [after[place] for place in (0, 1, 3)] == [before[place] for place in (0, 1, 3)]
    assert http.post(f"{reading}/accept", json={}).json() == {"done": 2, "passed_over": 1}


def test_a_new_reading_takes_the_place_of_open_changes(
    http: httpx.Client, docset: str, finished: Callable[[str], httpx.Response]
) -> None:
    first = read_again(http, docset, finished, fields=["injuries"])
    change = proposed(http, first)[0]
    http.post(f"{first}/accept", json={"change_ids": [change["change_id"]]})
    second = read_again(http, docset, finished, fields=["injuries"])
    assert proposed(http, first) == [] and len(proposed(http, second)) == 2
    assert http.post(f"{first}/undo").json() == {"done": 1, "passed_over": 0}


def test_impossible_rereadings_are_refused(http: httpx.Client, docset: str) -> None:
    path = f"/v1/workbench/docsets/{docset}/rereadings"
    nothing = http.post(path, json={})
    assert nothing.status_code == 422 and "nothing to reread" in nothing.text
    assert http.post(path, json={"fields": ["colour"]}).status_code == 422
    assert http.get(f"{path}/wb:t-none/changes").status_code == 404
    assert http.post(f"{path}/wb:t-none/undo").status_code == 404
    http.post(f"/v1/storage/docsets/{docset}/readonly/1")
    assert http.post(path, json={"fields": ["injuries"]}).status_code == 403


def test_accepted_changes_are_undone_after_a_restart(own: Callable[..., BackendProcess]) -> None:
    backend = own()

    def finished(task_id: str) -> httpx.Response:
        while (answer := http.get(f"/v1/async/result/{task_id}")).status_code == 202:
            pass
        return answer

    with backend.client() as http:
        docset = filled(http)
        reading = read_again(http, docset, finished, fields=["injuries"])
        assert http.post(f"{reading}/accept", json={}).json()["done"] == 3
    backend.stop()
    backend.start()
    with backend.client() as http:
        assert http.post(f"{reading}/undo").json() == {"done": 3, "passed_over": 0}
        assert injuries(http, docset) == {"a.md": 3, "b.md": None, "c.md": None, "d.md": None}


def test_corrections_in_some_documents_carry_over_to_the_others(
    http: httpx.Client, finished: Callable[[str], httpx.Response]
) -> None:
    quays = ("Kestrel Quay", "North Mole", "Long Pier", "Old Dock", "Sandy Hythe")
    body = {
        "name": "harbour",
        "schema": {"properties": [{"name": "berth", "field_type": "string"}]},
    }
    docset = http.post("/v1/storage/docsets", json=body).raise_for_status().json()["docset_id"]
    for number, quay in enumerate(quays):
        note = f"Watch report {number}\n\nZq: {quay}\n\nZx: Heron House\n"
        path = f"/v1/storage/docsets/{docset}/docs"
        http.post(path, files={"file": (f"{number}.md", note)}).raise_for_status()
    known = ids(http, docset)
    decisions = [
        {"doc_id": known[f"{number}.md"], "field": "berth", "value": quay}
        for number, quay in enumerate(quays[:4])
    ]
    path = f"/v1/workbench/docsets/{docset}/decisions"
    http.post(path, json={"decisions": decisions}).raise_for_status()
    [change] = proposed(http, read_again(http, docset, finished))
    assert (change["name"], change["after"]["value"]) == ("4.md", "Sandy Hythe")
    assert change["after"]["confidence"] > 0.7 and "Zq: Sandy Hythe" in change["after"]["quote"]


def test_a_new_document_is_read_with_the_checked_values_of_others(
    http: httpx.Client,
) -> None:
    schema = {"properties": [{"name": "tally", "field_type": "int"}]}
    body = {"name": "with lessons", "schema": schema}
    docset = http.post("/v1/storage/docsets", json=body).raise_for_status().json()["docset_id"]
    path = f"/v1/storage/docsets/{docset}/docs"

    def add(at: int) -> dict[str, Any]:
        text = f"# Sheet\n\nUpper: {at + 11}\n\nZork: {at + 52}\n\nLower: {at + 93}\n"
        sent = http.post(path, files={"file": (f"{at}.md", text)}).raise_for_status().json()
        return dict(sent)

    unread = [add(at) for at in range(4)]
    assert {one["properties"]["entity"]["tally"] for one in unread}.isdisjoint({52, 53, 54, 55})
    for at, one in enumerate(unread):
        decisions = [{"doc_id": one["doc_id"], "field": "tally", "value": at + 52}]
        decided = f"/v1/workbench/docsets/{docset}/decisions"
        http.post(decided, json={"decisions": decisions}).raise_for_status()
    # What a DocSet teaches is kept for a moment, so the first ones may still be read without it.
    read = [add(at)["properties"]["entity"]["tally"] == at + 52 for at in range(4, 24)]
    assert read[-1]


@pytest.mark.parametrize("number", [-(2**63) - 1, -1, 2**63 - 1, 2**63, 10**30])
@pytest.mark.parametrize("verb", ["accept", "refuse"])
def test_a_change_number_that_no_change_can_have_is_refused(
    http: httpx.Client,
    docset: str,
    finished: Callable[[str], httpx.Response],
    verb: str,
    number: int,
) -> None:
    reading = read_again(http, docset, finished, fields=["injuries"])
    refused = http.post(f"{reading}/{verb}", json={"change_ids": [number]})
    assert refused.status_code == 422, refused.text
    assert refused.json()["detail"][0]["loc"][:2] == ["body", "change_ids"]
