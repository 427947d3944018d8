"""Three servers, each on a machine of its own, whose network is cut and healed again and again.

PostgreSQL and the object store are elsewhere on that network. `WORKBENCH_NETWORK_CUTS` says how
often it is cut.
"""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import network, object_store, postgresql_server
from tests.backend_process import COMMAND, BackendProcess
from tests.reliability.mixed_load import STORAGE
from tests.reliability.senders import Sender, assert_each_done_once, wait_for_more

_TOKEN = "the same for all of these servers"
_CUT_SECONDS = (2.0, 12.0, 40.0)
"""A hiccup, longer than a connection may be silent, and longer than the lease of a task."""


@pytest.fixture
def machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[tuple[network.Machine, BackendProcess]]]:
    pytest.importorskip("moto", reason="pip install 'moto[server]'")
    binaries = postgresql_server.programs()
    if binaries is None or not network.is_possible():
        pytest.skip("needs PostgreSQL, root and network namespaces")
    with (
        network.network() as made,
        postgresql_server.running(binaries, (made.address, made.range)) as postgresql,
        postgresql_server.database_on(postgresql) as database,
        object_store.running(tmp_path / "s3.log", made.address) as environment,
    ):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        settings = {
            "database_url": database,
            "blob_url": object_store.URL,
            "workers": "1",
            "submit_rate": "10000",
            "api_key": _TOKEN,
        }
        servers = []
        for name in ("a", "b", "c"):
            machine = made.machine()
            own = settings | {"host": machine.address}
            server = BackendProcess(tmp_path / name, own, COMMAND, machine.inside)
            servers.append((machine, server))
            server.start().token = _TOKEN
        yield servers
        for _, server in servers:
            server.stop(30)


@pytest.mark.soak
def test_nothing_is_lost_or_done_twice_when_networks_are_cut_and_healed(
    machines: list[tuple[network.Machine, BackendProcess]],
) -> None:
    cuts = int(os.environ.get("WORKBENCH_NETWORK_CUTS", "10"))
    chance = random.Random(cuts)
    servers = [server for _, server in machines]
    with servers[0].client() as http:
        docset = http.post(STORAGE, json={"name": "cut off"}).raise_for_status().json()["docset_id"]
    senders = [Sender(servers, docset, seed, seconds=5) for seed in range(3)]
    for number in range(cuts):
        wait_for_more(senders)
        time.sleep(chance.uniform(0.0, 2.0))
        machine, _ = chance.choice(machines)
        machine.cut()
        time.sleep(_CUT_SECONDS[number % len(_CUT_SECONDS)])
        machine.heal()
    for sender in senders:
        sender.end()
    with servers[0].client() as http:
        acknowledged = assert_each_done_once(http, docset, senders)
    print(f"{cuts} cuts, {acknowledged} acknowledged, none lost or twice")
