"""How long another account waits beside heavy requests, and how much memory the server takes.

    python -m tests.bench.heavy_requests [NAME …]

Starts a backend of its own. While one account sends one of the requests below, another searches,
lists its documents and asks a question in turn, every 20 milliseconds. A line for each request has
the time until its answer (or until nobody waits any longer), what was answered, the other account's
longest wait and the one that 99 of 100 stay below, and the most memory of the server process and of
all its workers during it. The first line is the same without a heavy request. Goals: 2 s and 1 GB.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from tests.backend_process import COMMAND, BackendProcess
from tests.bench.processes import below
from tests.reliability.growing_documents import GROWING, name_of

_MOST = 60.0
_PAUSE = 0.02
_FEW = 1.0
"""Seconds before and after each request in which waits count too."""
_STORAGE = "/v1/storage/docsets"
_SCHEMA = {
    "properties": [
        {"name": "town", "field_type": "string"},
        {"name": "total", "field_type": "float"},
        *(
            {"name": name, "type": {"type": "array", "item_type": {"type": "string"}}}
            for name in ("words", "ships", "ports")
        ),
    ]
}
Send = Callable[[httpx.Client, str], httpx.Response]


def _plan(docset: str, *steps: dict[str, Any]) -> dict[str, Any]:
    """A plan of steps in a row behind all documents."""
    first = {"node_id": 0, "node_type": "QueryDatabase", "index": docset, "inputs": []}
    nodes = {"0": first}
    for at, step in enumerate(steps, 1):
        nodes[str(at)] = {"node_id": at, "inputs": [at - 1], **step}
    return {"query": "q", "nodes": nodes, "result_node": len(steps)}


def _unrolled(docset: str) -> dict[str, Any]:
    fields = [f"properties.entity.{name}" for name in ("words", "ships", "ports")]
    steps = [{"node_type": "Unroll", "field": field} for field in fields]
    return {"docset_id": docset, "plan": _plan(docset, *steps)}


def _rewired(docset: str, count: int, by: int) -> dict[str, Any]:
    step = {"node_type": "BasicFilter", "field": "properties.entity.town", "query": f"town {by}"}
    return _plan(docset, *([step] * count))


def _validators(http: httpx.Client, docset: str) -> httpx.Response:
    body = {"name": "x", "schema": {"properties": [
        {"name": "n", "type": {"type": "int", "validators": [1] * 400_000}}]}}  # fmt: skip
    return http.post(_STORAGE, json=body)


def _diff(http: httpx.Client, docset: str) -> httpx.Response:
    body = {"before": _rewired(docset, 2000, 1), "after": _rewired(docset, 2000, 2)}
    return http.post("/v1/workbench/plans/diff", json=body)


def _feedback(http: httpx.Client, docset: str) -> httpx.Response:
    plan = _plan(docset, {"node_type": "Count"})
    query = {"docset_id": docset, "query": "how many", "plan": plan}
    body = {"query": query, "feedback": "1,000," * 330}
    return http.patch("/v1/query/plan", json=body)


def _question(http: httpx.Client, docset: str) -> httpx.Response:
    return http.post("/v1/query/plan", json={"docset_id": docset, "query": "of town and " * 160})


def _search(http: httpx.Client, docset: str) -> httpx.Response:
    body = {"query": "a* b* c* " * 400, "query_type": "lexical"}
    return http.post(f"/v1/query/search/{docset}", json=body)


def _filter(http: httpx.Client, docset: str) -> httpx.Response:
    some = " or ".join(f"town like '%a%b%{number}%'" for number in range(300))
    return http.post(f"/v1/query/search/{docset}", json={"properties_filter": some[:9_990]})


def _nested(http: httpx.Client, docset: str) -> httpx.Response:
    content = b"[" * 500_000 + b"]" * 500_000
    headers = {"Content-Type": "application/json"}
    return http.post("/v1/workbench/plans/validate", content=content, headers=headers)


def _decided(http: httpx.Client, docset: str) -> httpx.Response:
    page = http.get(f"{_STORAGE}/{docset}/docs", params={"page_size": 1000}).json()["items"]
    some = [{"doc_id": one["doc_id"], "field": "town", "value": "Ulm"} for one in page]
    path = f"/v1/workbench/docsets/{docset}/decisions"
    return http.post(path, json={"decisions": some})


def _addresses(http: httpx.Client, docset: str) -> httpx.Response:
    """Files from addresses that do not answer (TEST-NET, RFC 5737)."""
    path = f"/v1/async/submit{_STORAGE.removeprefix('/v1')}/{docset}/docs"
    for number in range(40):
        answer = http.post(path, data={"file_url": f"http://192.0.2.{number + 1}/a.pdf"})
    return answer


def _partition(construct: str) -> Send:
    """A document of 1 MB or so of one construct."""

    def send(http: httpx.Client, docset: str) -> httpx.Response:
        make, few = GROWING[construct]
        count = few
        while len(content := make(count)) < 1_000_000 and count < 4096 * few:
            count *= 4
        return http.post("/v1/document/partition", files={"file": (name_of(construct), content)})

    return send


REQUESTS: dict[str, Send] = {
    "nothing": lambda http, docset: http.get("/v1/workbench/health"),
    "400,000 validators": _validators,
    "nested brackets": _nested,
    "three unrolls": lambda http, docset: http.post("/v1/query", json=_unrolled(docset)),
    "diff of 2,000 nodes": _diff,
    "feedback of numbers": _feedback,
    "a long question": _question,
    "a search of prefixes": _search,
    "a long filter": _filter,
    "decisions on all documents": _decided,
    "40 silent addresses": _addresses,
    "a check of all files": lambda http, docset: http.post(
        "/v1/workbench/storage/check", json={"read_files": True}
    ),
    **{construct: _partition(construct) for construct in GROWING},
}


class Other(threading.Thread):
    """The other account: each wait in seconds, until it is ended."""

    def __init__(self, http: httpx.Client, docset: str) -> None:
        super().__init__(daemon=True)
        self.waits: list[float] = []
        self._http = http
        self._ended = threading.Event()
        question = {"docset_id": docset, "query": "total by town"}
        self._calls: list[Callable[[], httpx.Response]] = [
            lambda: http.post(f"/v1/query/search/{docset}", json={"query": "harbour"}),
            lambda: http.get(f"{_STORAGE}/{docset}/docs"),
            lambda: http.post("/v1/query", json=question),
        ]

    def run(self) -> None:
        at = 0
        while not self._ended.wait(_PAUSE):
            began = time.perf_counter()
            self._calls[at % len(self._calls)]().raise_for_status()
            self.waits.append(time.perf_counter() - began)
            at += 1

    def end(self) -> list[float]:
        self._ended.set()
        self.join()
        return sorted(self.waits)


def _peak(process: int, *, forget: bool = False) -> int:
    """Most bytes of a process since it was last forgotten; 0 for one that has ended."""
    with suppress(OSError):
        if forget:
            Path(f"/proc/{process}/clear_refs").write_text("5")
        status = Path(f"/proc/{process}/status").read_text()
        return 1024 * int(status.partition("VmHWM:")[2].split()[0])
    return 0


def _filled(http: httpx.Client, documents: int, words: int) -> str:
    made = http.post(_STORAGE, json={"name": "heavy", "schema": _SCHEMA}).raise_for_status().json()
    docset = str(made["docset_id"])
    listed = [f"word {number}" for number in range(words)]
    for number in range(documents):
        text = f"Town: town {number % 7}\n\nTotal: {number}\n\nThe crane at the harbour fell."
        path = f"{_STORAGE}/{docset}/docs"
        doc = http.post(path, files={"file": (f"{number}.txt", text)}).raise_for_status().json()
        changes = [
            {"op": "replace", "path": f"/properties/entity/{name}", "value": listed}
            for name in ("words", "ships", "ports")
        ]
        body = {"operations": changes}
        http.patch(f"{path}/{doc['doc_id']}/properties", json=body).raise_for_status()
    return docset


def _measured(name: str, http: httpx.Client, docset: str, other: Other, server: int) -> str:
    processes = [server, *below(server)]
    for process in processes:
        _peak(process, forget=True)
    other.start()
    time.sleep(_FEW)
    began = time.perf_counter()
    try:
        answer = str(REQUESTS[name](http, docset).status_code)
    except httpx.TimeoutException:
        answer = "none"
    took = time.perf_counter() - began
    time.sleep(_FEW)
    waits = other.end()
    workers = sum(_peak(process) for process in {*processes, *below(server)} - {server})
    return (
        f"{name:<28} {took:7.2f} s {answer:>5}  waits: longest {waits[-1]:6.2f} s,"
        f" 99 of 100 {waits[int(0.99 * (len(waits) - 1))]:6.2f} s"
        f"  memory: server {_peak(server) / 1e6:5.0f} MB, workers {workers / 1e6:5.0f} MB"
    )


def main() -> None:
    names = sys.argv[1:] or list(REQUESTS)
    with tempfile.TemporaryDirectory() as folder:
        backend = BackendProcess(Path(folder) / "data", {"submit_rate": "10000"}, COMMAND).start()
        try:
            with backend.client(timeout=_MOST) as http:
                body = {"name": "other", "account_id": "wb:a-other", "scope": "write"}
                token = http.post("/v1/workbench/tokens", json=body).raise_for_status().json()
                headers = {"Authorization": f"Bearer {token['token']}"}
                docset = _filled(http, documents=3, words=700)
                with backend.client(headers=headers, timeout=600) as theirs:
                    ours = _filled(theirs, documents=20, words=3)
                    for name in names:
                        other = Other(theirs, ours)
                        print(_measured(name, http, docset, other, backend.pid), flush=True)
        finally:
            backend.stop()


if __name__ == "__main__":
    main()
