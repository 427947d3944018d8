"""Servers over one PostgreSQL whose documents are worked on by a cluster.

The short form has a stand-in for Ray. The long ones start Ray itself on loopback, and kill, freeze
and cut off what they can; `WORKBENCH_CLUSTER_KILLS` says how often.
"""

import os
import random
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests import network
from tests.backend_process import BackendProcess
from tests.ray_cluster import KEY, Cluster, cluster
from tests.reliability.mixed_load import STORAGE, documents, submitted_path
from tests.reliability.senders import Sender, assert_each_done_once, wait_for_more

LONG_TEXT = "A line of text that goes on and on.\n\n" * 20_000
_GIVEN_UP = 15.0
"""Seconds after which the cluster does without a silent node."""
_MOST_SECONDS = 35.0
"""Seconds within which others have finished the work of a killed server."""
STATE = "/v1/workbench/cluster"
STAND_IN = "tests.reliability.stand_in_server"


def settings(postgresql: str, folder: Path, head: str) -> dict[str, str]:
    return {
        "database_url": postgresql,
        "blob_url": f"file://{folder / 'files'}",
        "cluster": f"ray:{head}",
        "places": "1-4",
        "submit_rate": "10000",
        "api_key": KEY,
    }


def begin(server: BackendProcess) -> BackendProcess:
    server.start()
    server.token = KEY
    return server


def state(http: httpx.Client) -> dict[str, Any]:
    answer: dict[str, Any] = http.get(STATE).raise_for_status().json()
    return answer


def until(condition: Callable[[], bool], seconds: float = 120) -> float:
    """Waits for the condition; the seconds that it took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds
        time.sleep(0.01)
    return time.monotonic() - began


def new_docset(http: httpx.Client) -> str:
    made = http.post(STORAGE, json={"name": "clustered"}).raise_for_status()
    return str(made.json()["docset_id"])


def task_status(http: httpx.Client, task: str) -> str | None:
    listed = http.get("/v1/async/list").raise_for_status().json()["tasks"]
    return listed.get(task, {}).get("task_status")


def test_documents_are_worked_on_by_the_cluster(postgresql: str, tmp_path: Path) -> None:
    shared = settings(postgresql, tmp_path, "127.0.0.1:6379")
    server = begin(BackendProcess(tmp_path / "a", shared, STAND_IN))
    with server.client() as http:
        docset = new_docset(http)
        path = f"{STORAGE}/{docset}/docs"
        sent = {"file": ("a.txt", "Some words.")}
        assert http.post(path, files=sent).raise_for_status().json()["name"] == "a.txt"
        until(lambda: state(http)["places"] > 0 and not state(http)["waits_for"])
        task = http.post(submitted_path(path), files={"file": ("b.txt", LONG_TEXT)})
        until(lambda: state(http)["busy"] == 1)
        http.post(f"/v1/async/cancel/{task.json()['task_id']}").raise_for_status()
        until(lambda: state(http)["busy"] == 0)
        assert [one["name"] for one in documents(http, docset)] == ["a.txt"]
    server.stop(60)


def search(http: httpx.Client, docset: str, query: str) -> httpx.Response:
    return http.post(f"/v1/query/search/{docset}", json={"query": query})


def test_a_large_docset_is_searched_in_shards_of_the_cluster(
    postgresql: str, tmp_path: Path
) -> None:
    shared = settings(postgresql, tmp_path, "127.0.0.1:6379") | {"shards": "2", "shards_from": "3"}
    server = begin(BackendProcess(tmp_path / "a", shared, STAND_IN))
    with server.client() as http:
        docset = new_docset(http)
        until(lambda: len([one for one in state(http)["shards"] if one]) == 2)
        for number in range(5):
            sent = {"file": (f"{number}.txt", f"Some words of number {number}.")}
            http.post(f"{STORAGE}/{docset}/docs", files=sent).raise_for_status()
            answer = search(http, docset, "words").raise_for_status().json()
            assert len(answer["results"]) == number + 1, "at once, wherever it is"
        kept = tmp_path / "a" / "shards"
        until(lambda: len(list(kept.glob("?of2-0/indexes/*/words"))) == 2)
        until(lambda: not list((tmp_path / "a" / "indexes").glob("*/words")))
        answer = search(http, docset, "words").raise_for_status().json()
        assert len(answer["results"]) == 5, "it has moved to the shards"
        http.delete(f"{STORAGE}/{docset}").raise_for_status()
        assert search(http, docset, "words").status_code == 404
    server.stop(60)


@pytest.fixture
def ray() -> Iterator[Cluster]:
    pytest.importorskip("ray", reason="the extra `cluster` is not installed")
    with cluster() as made:
        yield made


def node(made: Cluster, folder: Path, places: int, **more: str) -> None:
    files = f"file://{folder / 'files'}"
    made.node(places, blob_url=files, data_dir=str(folder / "nodes"), **more)


@pytest.fixture
def servers(ray: Cluster, postgresql: str, tmp_path: Path) -> Iterator[list[BackendProcess]]:
    """Two servers, a head without places, and two nodes of one place each."""
    for places in (0, 1, 1):
        node(ray, tmp_path, places)
    shared = settings(postgresql, tmp_path, ray.head)
    made = [begin(BackendProcess(tmp_path / name, shared)) for name in ("a", "b")]
    yield made
    for server in made:
        server.stop(30)


@pytest.mark.soak
@pytest.mark.parametrize(
    "kinds", [("node", "node", "server", "head"), ("frozen",)], ids=["killed", "frozen"]
)
def test_nothing_is_lost_or_done_twice_when_parts_are_killed_or_frozen(
    ray: Cluster, servers: list[BackendProcess], tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    """A frozen node wakes up after the cluster has given it up, as one that was cut off."""
    kills = int(os.environ.get("WORKBENCH_CLUSTER_KILLS", "10"))
    chance = random.Random(kills)
    with servers[0].client() as http:
        docset = new_docset(http)
        until(lambda: state(http)["places"] > 0)
    senders = [Sender(servers, docset, seed) for seed in range(2)]
    for _ in range(kills):
        time.sleep(chance.uniform(1.0, 4.0))
        kind = chance.choice(kinds)
        if kind == "server":
            victim = chance.choice(servers)
            victim.kill()
            begin(victim)
        elif kind in ("node", "frozen"):
            lost = ray.nodes.pop()
            if kind == "frozen":
                lost.signal(signal.SIGSTOP)
                time.sleep(_GIVEN_UP)
                lost.signal(signal.SIGCONT)
                time.sleep(1.0)
            lost.end()
            node(ray, tmp_path, 1)
        else:
            ray.end()
            ray.nodes.clear()
            for places in (0, 1, 1):
                node(ray, tmp_path, places)
    for sender in senders:
        sender.end()
    with servers[0].client() as http:
        acknowledged = assert_each_done_once(http, docset, senders, seconds=300)
    print(f"{kills} times {kinds}, {acknowledged} acknowledged, none lost or twice")


@pytest.mark.soak
def test_nothing_is_lost_or_done_twice_when_nodes_are_cut_off_and_healed(
    postgresql: str, tmp_path: Path
) -> None:
    """For a hiccup, until the head gives the node up, and longer than the lease of a task."""
    if not network.is_possible():
        pytest.skip("needs root and network namespaces")
    cuts = int(os.environ.get("WORKBENCH_NETWORK_CUTS", "10"))
    chance = random.Random(cuts)
    with network.network() as cables, cluster(cables.address) as made:
        node(made, tmp_path, 0)
        machines = [cables.machine() for _ in range(2)]
        for machine in machines:
            data = str(tmp_path / machine.name)
            made.worker(machine, blob_url=f"file://{tmp_path / 'files'}", data_dir=data)
        shared = settings(postgresql, tmp_path, made.head)
        servers = [begin(BackendProcess(tmp_path / name, shared)) for name in ("a", "b")]
        with servers[0].client() as http:
            docset = new_docset(http)
            until(lambda: _workers(http) == 2, 300)
            senders = [Sender(servers, docset, seed) for seed in range(2)]
            for number in range(cuts):
                wait_for_more(senders)
                machine = chance.choice(machines)
                machine.cut()
                time.sleep((2.0, 12.0, 40.0)[number % 3])
                machine.heal()
            for sender in senders:
                sender.end()
            acknowledged = assert_each_done_once(http, docset, senders, seconds=300)
            took = until(lambda: _workers(http) == 2, 300)
        print(
            f"{cuts} cuts, {acknowledged} acknowledged, none lost or twice; all nodes {took:.0f} s"
        )
        for server in servers:
            server.stop(30)


def _workers(http: httpx.Client) -> int:
    """How many nodes with places the cluster has."""
    return sum(one["places"] > 0 for one in state(http)["nodes"])


@pytest.mark.soak
def test_a_frozen_node_is_replaced_by_others(ray: Cluster, servers: list[BackendProcess]) -> None:
    with servers[0].client() as http:
        docset = new_docset(http)
        until(lambda: state(http)["places"] > 0)
        path = submitted_path(f"{STORAGE}/{docset}/docs")
        tasks = []
        for number in range(4):
            answer = http.post(path, files={"file": (f"{number}.txt", f"{number} {LONG_TEXT}")})
            tasks.append(answer.raise_for_status().json()["task_id"])
        until(lambda: state(http)["busy"] > 0)
        frozen = ray.nodes[1]
        frozen.signal(signal.SIGSTOP)
        took = until(lambda: {task_status(http, task) for task in tasks} == {"done"}, 300)
        frozen.signal(signal.SIGCONT)
        names = sorted(one["name"] for one in documents(http, docset))
        assert names == [f"{number}.txt" for number in range(4)]
    print(f"all done {took:.1f} s after a node froze")


@pytest.mark.soak
def test_others_continue_the_work_of_a_killed_node_and_of_a_killed_server(
    ray: Cluster, servers: list[BackendProcess]
) -> None:
    with servers[0].client() as first, servers[1].client() as second:
        docset = new_docset(first)

        def everywhere(field: str) -> int:
            return sum(int(state(http)[field]) for http in (first, second))

        def submitted(count: int, turn: str) -> list[str]:
            path = submitted_path(f"{STORAGE}/{docset}/docs")
            files = [(f"{turn}{number}.txt", LONG_TEXT + turn) for number in range(count)]
            sent = [first.post(path, files={"file": file}) for file in files]
            return [answer.raise_for_status().json()["task_id"] for answer in sent]

        def are_done(tasks: list[str]) -> bool:
            return {task_status(other, task) for task in tasks} == {"done"}

        other = second
        until(lambda: everywhere("places") == 2)
        tasks = submitted(2, "node")
        until(lambda: everywhere("busy") == 2)
        ray.nodes.pop().end()
        noticed = until(lambda: everywhere("places") == 1)
        until(lambda: are_done(tasks), 300)
        tasks = submitted(2, "server")
        until(lambda: everywhere("busy") == 1)  # either server may have the place that is left
        busy, other = (0, second) if state(first)["busy"] else (1, first)
        servers[busy].kill()
        ended = until(lambda: are_done(tasks), 300)
        assert ended < _MOST_SECONDS
        names = sorted(one["name"] for one in documents(other, docset))
        assert names == ["node0.txt", "node1.txt", "server0.txt", "server1.txt"]
    print(f"a killed node noticed after {noticed:.1f} s, work of a server done after {ended:.1f} s")


@pytest.mark.soak
def test_a_cancel_through_any_server_frees_the_core(servers: list[BackendProcess]) -> None:
    seconds: list[float] = []
    with servers[0].client() as first, servers[1].client() as second:
        docset = new_docset(first)
        path = submitted_path(f"{STORAGE}/{docset}/docs")
        until(lambda: state(first)["places"] > 0)
        for number in range(50):
            http = (first, second)[number % 2]
            task = http.post(path, files={"file": (f"{number}.txt", f"{number} {LONG_TEXT}")})
            until(lambda: state(first)["busy"] + state(second)["busy"] > 0)
            first.post(f"/v1/async/cancel/{task.json()['task_id']}").raise_for_status()
            seconds.append(until(lambda: state(first)["busy"] + state(second)["busy"] == 0))
    print(f"cancel: median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s")


@pytest.mark.soak
def test_a_shard_whose_node_is_lost_is_back_and_no_answer_is_smaller_meanwhile(
    ray: Cluster, postgresql: str, tmp_path: Path
) -> None:
    for places in (0, 1, 1):
        node(ray, tmp_path, places, database_url=postgresql)
    shared = settings(postgresql, tmp_path, ray.head) | {"shards": "2", "shards_from": "1"}
    server = begin(BackendProcess(tmp_path / "a", shared))
    with server.client() as http:
        docset = new_docset(http)
        until(lambda: len([one for one in state(http)["shards"] if one]) == 2, 300)
        for number in range(20):
            sent = {"file": (f"{number}.txt", f"Some words of number {number}.")}
            http.post(f"{STORAGE}/{docset}/docs", files=sent).raise_for_status()
        until(lambda: not list((tmp_path / "a" / "indexes").glob("*/words")), 300)
        assert len(search(http, docset, "words").raise_for_status().json()["results"]) == 20
        ray.nodes.pop().end()
        refused = 0
        began = time.monotonic()
        while (answer := search(http, docset, "words")).status_code != 200:
            assert answer.status_code == 503 and time.monotonic() - began < 300, answer.text
            refused += 1
            time.sleep(0.2)
        assert len(answer.json()["results"]) == 20
        print(f"shard back after {time.monotonic() - began:.1f} s, {refused} searches refused")
    server.stop(60)
