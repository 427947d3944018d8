"""Several accounts on one server: nobody sees, changes or even notices what is another's."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from backend.api import examples
from tests.backend_process import BackendProcess
from tests.contract.texts import INCIDENTS, SCHEMA

MARK = "zanzibar"


@dataclass
class Owned:
    """What one account has, and the clients of both accounts."""

    owner: httpx.Client
    other: httpx.Client
    ids: dict[str, str]


@pytest.fixture
def owned(own: Callable[..., BackendProcess]) -> Iterator[Owned]:
    backend = own()
    with backend.client() as owner:
        body = {"name": "other account", "account_id": "wb:a-other", "scope": "write"}
        token = owner.post("/v1/workbench/tokens", json=body).raise_for_status().json()["token"]
        docset = owner.post("/v1/storage/docsets", json={"name": MARK, "schema": SCHEMA}).json()
        docs = f"/v1/storage/docsets/{docset['docset_id']}/docs"
        name, text = next(iter(INCIDENTS.items()))
        doc = owner.post(docs, files={"file": (name, f"{text}\n\n{MARK}")}).json()
        task = owner.post("/v1/async/submit/document/partition", files={"file": MARK}).json()
        question = {"docset_id": docset["docset_id"], "query": "How many incidents are there?"}
        run = owner.post("/v1/query", json=question).raise_for_status().json()
        ids = {
            "docset_id": docset["docset_id"],
            "doc_id": doc["doc_id"],
            "task_id": task["task_id"],
            "query_id": run["query_id"],
            "node_id": "0",
        }
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=backend.url, headers=headers, timeout=60) as other:
            yield Owned(owner, other, ids)


def test_every_operation_that_names_a_thing_of_another_account_says_there_is_no_such_thing(
    owned: Owned,
) -> None:
    """Whatever the OpenAPI text lists, so that a new route is held to it too."""
    text = owned.owner.get("/openapi.json").json()
    asked = []
    for path, item in text["paths"].items():
        for method, operation in item.items():
            if not _names_a_thing(operation, path):
                continue
            answer = _ask(owned, method, path, operation)
            assert answer.status_code == 404, (method, path, answer.status_code, answer.text[:300])
            assert MARK not in answer.text
            asked.append(path)
    assert len(asked) > 25, asked
    kept = owned.owner.get(f"/v1/storage/docsets/{owned.ids['docset_id']}")
    assert kept.json()["name"] == MARK and kept.json()["size"] == 1


def test_lists_hold_only_what_is_ones_own(owned: Owned) -> None:
    assert owned.other.get("/v1/storage/docsets").json()["items"] == []
    assert owned.other.get("/v1/async/list").json()["tasks"] == {}
    with owned.other.stream("GET", "/v1/workbench/tasks/events") as events:
        first = next(events.iter_text())
    assert owned.ids["task_id"] not in first


def test_an_account_that_may_not_rule_cannot_make_tokens_or_stop_the_server(owned: Owned) -> None:
    for method, path in (
        ("GET", "tokens"),
        ("POST", "tokens"),
        ("POST", "stop"),
        ("GET", "metrics"),
    ):
        assert owned.other.request(method, f"/v1/workbench/{path}").status_code == 403


def _names_a_thing(operation: dict[str, Any], path: str) -> bool:
    named = any(f"{{{name}}}" in path for name in ("docset_id", "doc_id", "task_id", "query_id"))
    parameters = {parameter["name"] for parameter in operation.get("parameters", [])}
    return named or "docset_id" in parameters or _example(operation, "docset_id") is not None


def _example(operation: dict[str, Any], field: str) -> Any:
    """The first example of the body, if that field stands somewhere in it."""
    content = operation.get("requestBody", {}).get("content", {})
    for example in content.get("application/json", {}).get("examples", {}).values():
        if field in json.dumps(example["value"]):
            return example["value"]
    return None


def _ask(owned: Owned, method: str, path: str, operation: dict[str, Any]) -> httpx.Response:
    for name, value in owned.ids.items():
        path = path.replace(f"{{{name}}}", value)
    path = re.sub(r"\{\w+\}", "1", path)
    content = operation.get("requestBody", {}).get("content", {})
    sent: dict[str, Any] = {}
    if "multipart/form-data" in content:
        sent["files"] = {"file": ("x.txt", "x")}
    elif "application/json" in content:
        example = _example(operation, "")
        placeholder = examples.about()["plan"]["a question"]["value"]["docset_id"]
        filled = json.dumps(example).replace(placeholder, owned.ids["docset_id"])
        sent = {"content": filled, "headers": {"content-type": "application/json"}}
    queried = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
    if "docset_id" in queried:
        sent["params"] = {"docset_id": owned.ids["docset_id"]}
    return owned.other.request(method.upper(), path, **sent)
