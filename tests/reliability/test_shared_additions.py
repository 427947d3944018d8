"""What is added through one server is found through another at once, with originals in S3.

`WORKBENCH_SHARED_ADDITIONS` says how many are added.
"""

import os
from pathlib import Path

import pytest

from tests import object_store
from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import STORAGE

_TOKEN = "the same for both servers"
_MOST_REQUESTS = 10
"""Requests to the object store that one addition may cost, with all that both servers do beside."""


@pytest.mark.soak
def test_an_addition_is_found_elsewhere_at_once_and_costs_few_requests(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("moto", reason="pip install 'moto[server]'")
    count = int(os.environ.get("WORKBENCH_SHARED_ADDITIONS", "1000"))
    log = tmp_path / "s3.log"
    with object_store.running(log) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        shared = {
            "database_url": postgresql,
            "blob_url": object_store.URL,
            "workers": "1",
            "submit_rate": "10000",
            "api_key": _TOKEN,
        }
        first, second = (BackendProcess(tmp_path / name, shared).start() for name in ("a", "b"))
        first.token = second.token = _TOKEN
        with first.client() as here, second.client() as there:
            made = here.post(STORAGE, json={"name": "shared"}).raise_for_status().json()
            before = object_store.requests(log)
            for number in range(count):
                sent = {"file": (f"{number}.txt", f"Some words, among them word{number}x.")}
                path = f"{STORAGE}/{made['docset_id']}/docs"
                doc_id = here.post(path, files=sent).raise_for_status().json()["doc_id"]
                body = {"query": f"word{number}x", "query_type": "lexical"}
                answer = there.post(f"/v1/query/search/{made['docset_id']}", json=body)
                hits = answer.raise_for_status().json()["results"]
                assert [hit["doc_id"] for hit in hits] == [doc_id]
        for server in (first, second):
            server.stop(60)
        requests = (object_store.requests(log) - before) / count
    print(f"{count} additions, each found elsewhere at once; {requests:.1f} requests each")
    assert requests <= _MOST_REQUESTS
