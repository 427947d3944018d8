"""A server without more memory makes a change or refuses it, and works on when it gets some."""

import random
import resource
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.contract.plans import plan, source, step
from tests.reliability.mixed_load import STORAGE, documents

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")


def data_bytes(pid: int) -> int:
    """What the process was given to write to, as the kernel counts it for the limit."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[5])
    return pages * resource.getpagesize()


def limit(pid: int, most: int) -> None:
    resource.prlimit(pid, resource.RLIMIT_DATA, (most, resource.RLIM_INFINITY))


def tried(call: object) -> int:
    """The status of an answer; 0 without one."""
    try:
        return int(call().status_code)  # type: ignore[operator]
    except httpx.HTTPError:
        return 0


# Nothing is let in with the first two; with the third some of it is.
@pytest.mark.parametrize("room", [0, 9_000_000, 68_000_000])
def test_out_of_memory_calls_succeed_or_are_refused_never_half(tmp_path: Path, room: int) -> None:
    make_changes_with(room, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("room", random.Random(21).sample(range(120_000_000), 50))
def test_the_same_with_any_room(tmp_path: Path, room: int) -> None:
    make_changes_with(room, tmp_path)


def make_changes_with(room: int, tmp_path: Path) -> None:
    """Has a server that may take so many bytes more make changes, and looks at what came of it."""
    backend = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    with backend.client() as http:
        http.timeout = httpx.Timeout(8)
        made = http.post(STORAGE, json={"name": "kept", "schema": None}).raise_for_status().json()
        docs = f"{STORAGE}/{made['docset_id']}/docs"
        first = http.post(docs, files={"file": ("first.txt", "The first words.")}).json()
        http.post(f"/v1/query/search/{made['docset_id']}", json={"query": "first"})
        limit(backend.pid, data_bytes(backend.pid) + room)
        large = "x" * 1_200_000
        changes = [{"op": "replace", "path": "/properties/entity", "value": {"large": large}}]
        statuses = {
            "docset": tried(lambda: http.post(STORAGE, json={"name": f"new {large}"[:400]})),
            "added": tried(lambda: http.post(docs, files={"file": ("added.txt", large)})),
            "changed": tried(
                lambda: http.patch(
                    f"{docs}/{first['doc_id']}/properties", json={"operations": changes}
                )
            ),
            "cloned": tried(lambda: http.post(f"{STORAGE}/{made['docset_id']}/clone")),
        }
        limit(backend.pid, resource.RLIM_INFINITY)
    with backend.client() as http:
        assert http.get("/v1/workbench/ready").status_code == 200
        names = [one["name"] for one in documents(http, made["docset_id"])]
        docsets = http.get(STORAGE, params={"page_size": 1000}).json()["items"]
        entity = http.get(f"{docs}/{first['doc_id']}").raise_for_status().json()["properties"]
        seen = {
            "docset": any(one["name"].startswith("new") for one in docsets),
            "added": "added.txt" in names,
            "changed": entity.get("entity", {}).get("large") == large,
            "cloned": sum("kept" in one["name"] for one in docsets) > 1,
        }
        for what, status in statuses.items():
            if 200 <= status < 300:
                assert seen[what], f"{what} was acknowledged and is not there"
            elif status:
                assert status >= 500 or status == 429, (what, status)
        report = http.post("/v1/workbench/storage/check", json={"read_files": True}).json()
        unused = "no document and no open task uses it"  # takes room until the next start
        assert [fault for fault in report["faults"] if fault["found"] != unused] == []
    assert backend.stop() == 0


def test_runs_out_of_memory_are_refused_and_the_server_goes_on(tmp_path: Path) -> None:
    run_with([100_000_000, 260_000_000], tmp_path)


@pytest.mark.soak
def test_runs_with_any_room(tmp_path: Path) -> None:
    run_with(random.Random(22).sample(range(60_000_000, 420_000_000), 30), tmp_path)


_READING_LONG_TEXTS = [
    plan(source(), step("BasicFilter", 1, 0, field="note", query="word 7"), step("Count", 2, 1)),
    plan(source(), step("TopK", 1, 0, field="note", K=3)),
    plan(source(), step("Sort", 1, 0, field="price"), step("Limit", 2, 1, num_records=5)),
    plan(source(), step("Sort", 1, 0, field="note")),
]


def run_with(rooms: Sequence[int], tmp_path: Path) -> None:
    """Three clients run plans over 48 MB of texts in a server that may take so many bytes more, for
    each room. Polars ends the process when an allocation fails, and does so in any of its steps.
    """
    backend = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    with backend.client() as http:
        made = http.post(STORAGE, json={"name": "texts", "schema": {"properties": _TEXTS}}).json()
        docs = f"{STORAGE}/{made['docset_id']}/docs"
        for number in range(40):
            added = http.post(docs, files={"file": (f"{number}.txt", f"Number {number}.")}).json()
            values = {"price": number, "note": f"word {number} " * 130_000}
            change = [{"op": "replace", "path": "/properties/entity", "value": values}]
            path = f"{docs}/{added['doc_id']}/properties"
            http.patch(path, json={"operations": change}).raise_for_status()
        bodies = [
            {"docset_id": made["docset_id"], "plan": one.model_dump(mode="json")}
            for one in _READING_LONG_TEXTS
        ]
        for room in rooms:
            limit(backend.pid, data_bytes(backend.pid) + room)
            statuses = run_all(backend, bodies)
            assert not backend.ended_by_itself(0.2), backend.log.read_text()[-500:]
            assert set(statuses) <= {200, 422, 503}, room  # 422: the answer is too large
            limit(backend.pid, resource.RLIM_INFINITY)
            http.post("/v1/query", json=bodies[0]).raise_for_status()
    assert backend.stop() == 0


def run_all(backend: BackendProcess, bodies: Sequence[object]) -> list[int]:
    """The statuses of all plans, which three clients run at once, each from another one on."""
    statuses: list[int] = []

    def run(first: int) -> None:
        with backend.client(timeout=30) as own:
            for body in (*bodies[first:], *bodies[:first]):
                statuses.append(tried(lambda body=body: own.post("/v1/query", json=body)))

    clients = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    return statuses


_TEXTS = [
    {"name": "price", "property_type": "float"},
    {"name": "note", "property_type": "string"},
]
