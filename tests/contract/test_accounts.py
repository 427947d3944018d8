"""Several accounts on one server: nobody sees, changes or even notices what is another's."""

import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from backend.api import examples
from tests.backend_process import BackendProcess
from tests.contract.texts import INCIDENTS, SCHEMA

MARK = "zanzibar"


NAMES_NOTHING = {
    ("post", "/v1/storage/docsets"),
    ("get", "/v1/storage/docsets"),
    ("post", "/v1/document/partition"),
    ("post", "/v1/async/submit/document/partition"),
    ("get", "/v1/async/list"),
    ("get", "/v1/workbench/health"),
    ("get", "/v1/workbench/ready"),
    ("get", "/v1/workbench/capabilities"),
    ("get", "/v1/workbench/tasks/events"),
    ("post", "/v1/workbench/plans/diff"),
    ("get", "/v1/workbench/models"),
    # Of the server, for its administrators only:
    ("post", "/v1/workbench/stop"),
    ("get", "/v1/workbench/tokens"),
    ("post", "/v1/workbench/tokens"),
    ("delete", "/v1/workbench/tokens/{token_id}"),
    ("post", "/v1/workbench/backup"),
    ("post", "/v1/workbench/storage/check"),
    ("get", "/v1/workbench/metrics"),
    ("get", "/v1/workbench/cluster"),
}
"""Operations that take no id of what an account has, or take it in an option that a test of its
own tries."""


@dataclass
class Owned:
    """What one account has, and the clients of both accounts."""

    owner: httpx.Client
    other: httpx.Client
    ids: dict[str, str]
    others: dict[str, str]
    """What the other account has, by the same names."""


def _things(http: httpx.Client) -> dict[str, str]:
    """Makes one of each thing that an account can have; their ids."""
    docset = http.post("/v1/storage/docsets", json={"name": MARK, "schema": SCHEMA}).json()
    docs = f"/v1/storage/docsets/{docset['docset_id']}/docs"
    name, text = next(iter(INCIDENTS.items()))
    doc = http.post(docs, files={"file": (name, f"{text}\n\n{MARK}")}).json()
    task = http.post("/v1/async/submit/document/partition", files={"file": MARK}).json()
    question = {"docset_id": docset["docset_id"], "query": "How many incidents are there?"}
    runs = [http.post("/v1/query", json=question).raise_for_status().json() for _ in range(2)]
    return {
        "docset_id": docset["docset_id"],
        "doc_id": doc["doc_id"],
        "task_id": task["task_id"],
        "query_id": runs[1]["query_id"],
        "earlier_id": runs[0]["query_id"],
        "node_id": "0",
    }


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Owned]:
    if os.environ.get("WORKBENCH_CONTRACT_URL"):
        pytest.skip("needs a server with settings of its own")
    folder = tmp_path_factory.mktemp("accounts") / "data"
    backend = BackendProcess(folder, {"workers": "1"}).start()
    with backend.client() as owner:
        body = {"name": "other account", "account_id": "wb:a-other", "scope": "write"}
        token = owner.post("/v1/workbench/tokens", json=body).raise_for_status().json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=backend.url, headers=headers, timeout=60) as other:
            yield Owned(owner, other, _things(owner), _things(other))
    backend.stop()


def test_every_operation_on_a_resource_of_another_account_is_a_404(
    owned: Owned,
) -> None:
    """Whatever the OpenAPI text lists, so that a new route is held to it too."""
    text = owned.owner.get("/openapi.json").json()
    others = set()
    for path, item in text["paths"].items():
        for method, operation in item.items():
            if not _names_a_thing(operation, path):
                others.add((method, path))
                continue
            for ids in _mixtures(owned, path):
                answer = _ask(owned, ids, method, path, operation)
                assert answer.status_code == 404, (method, path, answer.status_code, answer.text)
                assert MARK not in answer.text
    assert others == NAMES_NOTHING, (
        "an operation is new: what could it reveal about another account?"
    )
    kept = owned.owner.get(f"/v1/storage/docsets/{owned.ids['docset_id']}")
    assert kept.json()["name"] == MARK and kept.json()["size"] == 1


def _mixtures(owned: Owned, path: str) -> list[dict[str, str]]:
    """The ids of the owner; and, where a path has several, one of them among one's own."""
    named = [name for name in owned.ids if f"{{{name}}}" in path and name != "node_id"]
    mixed = [owned.others | {name: owned.ids[name]} for name in named] if len(named) > 1 else []
    return [owned.ids, *mixed]


@pytest.mark.parametrize("path", ["/v1/document/partition", "/v1/async/submit/document/partition"])
def test_nothing_is_added_to_a_docset_of_another_account(owned: Owned, path: str) -> None:
    options = json.dumps({"add_to_docset_id": owned.ids["docset_id"]})
    sent = {"file": ("x.txt", "x"), "options": (None, options)}
    answer = owned.other.post(path, files=sent)
    if answer.status_code == 202:
        answer = _result(owned.other, answer.json()["task_id"])
    assert answer.status_code == 404 and MARK not in answer.text, answer.text
    docset = owned.owner.get(f"/v1/storage/docsets/{owned.ids['docset_id']}").json()
    assert docset["size"] == 1


def _result(http: httpx.Client, task: str) -> httpx.Response:
    deadline = time.monotonic() + 60
    while (answer := http.get(f"/v1/async/result/{task}")).status_code == 202:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return answer


def test_a_plan_reads_no_docset_of_another_account(owned: Owned) -> None:
    """Whatever DocSet a step of it names; the request names one's own."""
    foreign, own = owned.ids["docset_id"], owned.others["docset_id"]
    source = {"node_type": "QueryDatabase", "node_id": 0, "description": "all", "inputs": []}
    plan = {
        "query": "?",
        "nodes": {"0": {**source, "index": foreign, "query": None}},
        "result_node": 0,
    }
    answer = owned.other.post("/v1/query", json={"docset_id": own, "plan": plan})
    assert owned.ids["doc_id"] not in answer.text
    assert answer.status_code == 422 or owned.others["doc_id"] in answer.text, answer.text
    for path in ("plans/validate", "plans/estimate"):
        body = {"docset_id": own, "plan": plan}
        assert MARK not in owned.other.post(f"/v1/workbench/{path}", json=body).text


def test_a_page_token_of_another_account_opens_no_page(owned: Owned) -> None:
    owned.owner.post("/v1/storage/docsets", json={"name": "one more"}).raise_for_status()
    query = {"page_size": 1}
    token = owned.owner.get("/v1/storage/docsets", params=query).json()["next_page_token"]
    answer = owned.other.get("/v1/storage/docsets", params={**query, "page_token": token})
    assert answer.status_code == 422 and MARK not in answer.text


def test_lists_contain_only_the_account_s_own(owned: Owned) -> None:
    docsets = owned.other.get("/v1/storage/docsets").json()["items"]
    assert [one["docset_id"] for one in docsets] == [owned.others["docset_id"]]
    assert owned.ids["task_id"] not in owned.other.get("/v1/async/list").json()["tasks"]
    with owned.other.stream("GET", "/v1/workbench/tasks/events") as events:
        first = next(events.iter_text())
    assert owned.ids["task_id"] not in first


def test_an_account_that_may_not_rule_cannot_make_tokens_or_stop_the_server(owned: Owned) -> None:
    for method, path in (
        ("GET", "tokens"),
        ("POST", "tokens"),
        ("POST", "stop"),
        ("GET", "metrics"),
        ("POST", "backup"),
        ("POST", "storage/check"),
        ("DELETE", "tokens/wb:k-x"),
    ):
        assert owned.other.request(method, f"/v1/workbench/{path}").status_code == 403


@pytest.mark.parametrize("account", ["wb:a-other", "wb:a-local"])
def test_an_admin_of_one_account_sees_nothing_of_all(owned: Owned, account: str) -> None:
    """Backups and checks of the storage need the machine's own token; an admin of the machine's own
    account is not enough.
    """
    body = {"name": "one more admin", "account_id": account, "scope": "admin"}
    token = owned.owner.post("/v1/workbench/tokens", json=body).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    for path, sent in (
        ("backup", None),
        ("storage/check", {}),
        ("storage/check", {"repair": True}),
    ):
        asked = owned.other.post(f"/v1/workbench/{path}", headers=headers, json=sent)
        assert asked.status_code == 403 and "the machine itself" in asked.json()["detail"]
    listed = owned.other.get("/v1/workbench/tokens", headers=headers).json()["items"]
    assert {item["account_id"] for item in listed} == {account}
    for wanted in (None, "wb:a-other", "wb:a-local"):
        more = {"name": "more", "account_id": wanted, "scope": "admin"}
        made = owned.other.post("/v1/workbench/tokens", json=more, headers=headers)
        assert made.status_code == (200 if wanted in (None, account) else 403)


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


def _ask(
    owned: Owned, ids: dict[str, str], method: str, path: str, operation: dict[str, Any]
) -> httpx.Response:
    for name, value in ids.items():
        path = path.replace(f"{{{name}}}", value)
    path = re.sub(r"\{\w+\}", "1", path)
    content = operation.get("requestBody", {}).get("content", {})
    sent: dict[str, Any] = {}
    if "multipart/form-data" in content:
        sent["files"] = {"file": ("x.txt", "x")}
    elif "application/json" in content:
        example = _example(operation, "")
        placeholder = examples.about()["plan"]["a question"]["value"]["docset_id"]
        filled = json.dumps(example).replace(placeholder, ids["docset_id"])
        sent = {"content": filled, "headers": {"content-type": "application/json"}}
    queried = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
    if "docset_id" in queried:
        sent["params"] = {"docset_id": ids["docset_id"]}
    return owned.other.request(method.upper(), path, **sent)
