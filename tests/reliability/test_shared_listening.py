"""Nothing of a cluster listens beyond the addresses of its nodes in their own network."""

import socket
from pathlib import Path

import pytest

from tests import network
from tests.backend_process import BackendProcess
from tests.bench.processes import named
from tests.ray_cluster import cluster
from tests.reliability.mixed_load import STORAGE
from tests.reliability.test_shared_cluster import (
    begin,
    new_docset,
    search,
    settings,
    state,
    until,
)


@pytest.mark.soak
def test_a_cluster_listens_only_in_its_own_network(postgresql: str, tmp_path: Path) -> None:
    """A head and a server here; a worker with a place and a shard on a machine in two networks."""
    pytest.importorskip("ray", reason="the extra `cluster` is not installed")
    if not network.is_possible():
        pytest.skip("needs root and network namespaces")
    with network.network() as cables, cluster(cables.address) as ray:
        machine = cables.machine()
        outside = cables.second_address(machine)
        files = f"file://{tmp_path / 'files'}"
        data = str(tmp_path / "worker")
        ray.worker(machine, blob_url=files, database_url=postgresql, data_dir=data)
        ray.worker(data_dir=str(tmp_path / "head"))
        shared = settings(postgresql, tmp_path, ray.head) | {"shards": "1", "shards_from": "1"}
        server = begin(BackendProcess(tmp_path / "server", shared))
        with server.client() as http:
            until(lambda: state(http)["places"] > 0 and all(state(http)["shards"]), 900)
            docset = new_docset(http)
            sent = {"file": ("a.txt", "Some words.")}
            http.post(f"{STORAGE}/{docset}/docs", files=sent).raise_for_status()
            until(lambda: not list((tmp_path / "server" / "indexes").glob("*/words")), 300)
            assert len(search(http, docset, "words").raise_for_status().json()["results"]) == 1
            there, here = (node.listening() for node in ray.nodes)
            (bridge,) = named("backend.tasks.ray_bridge")
            by_server = network.listening(bridge)
        server.stop(60)
        assert {host for host, _ in there} == {machine.address}
        assert {host for host, _ in here | by_server} == {cables.address}
        assert len(there) >= 5, "two of the node, its agent, a place and a shard with two"
        for _, port in there:
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((outside, port), timeout=10)
