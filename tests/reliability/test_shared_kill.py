"""Three servers over one PostgreSQL, of which one after the other is killed at a random moment.

What any of them has acknowledged is done once, by whoever is there. `WORKBENCH_SHARED_KILLS` says
how often the long form kills.
"""

import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import STORAGE, documents, drained, submitted_path

_TOKEN = "the same for all of these servers"


@pytest.fixture
def servers(postgresql: str, tmp_path: Path) -> Iterator[list[BackendProcess]]:
    settings = {
        "database_url": postgresql,
        "blob_url": f"file://{tmp_path / 'files'}",
        "workers": "1",
        "submit_rate": "10000",
        "api_key": _TOKEN,
    }
    made = [BackendProcess(tmp_path / name, settings) for name in ("a", "b", "c")]
    for server in made:
        begin(server)
    yield made
    for server in made:
        server.stop(30)


def begin(server: BackendProcess) -> None:
    server.start()
    server.token = _TOKEN


class Sender:
    """Submits small texts to one server after the other; knows which were acknowledged."""

    def __init__(self, servers: list[BackendProcess], docset: str, seed: int) -> None:
        self.acknowledged: list[str] = []
        self.unsure: list[str] = []
        self._servers = servers
        self._path = submitted_path(f"{STORAGE}/{docset}/docs")
        self._random = random.Random(seed)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._send, args=(seed,))
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _send(self, seed: int) -> None:
        number = 0
        while not self._ended.wait(0.05):
            number += 1
            name = f"{seed}-{number}.txt"
            try:
                with self._random.choice(self._servers).client() as http:
                    sent = {"file": (name, f"The text of {name}.")}
                    answer = http.post(self._path, files=sent)
            except httpx.HTTPError:
                self.unsure.append(name)  # it may have been taken before the line broke
                continue
            (self.acknowledged if answer.status_code == 202 else self.unsure).append(name)


def kill_in_turn(servers: list[BackendProcess], rounds: int) -> None:
    with servers[0].client() as http:
        docset = http.post(STORAGE, json={"name": "killed"}).raise_for_status().json()["docset_id"]
    chance = random.Random(rounds)
    senders = [Sender(servers, docset, seed) for seed in range(2)]
    for _ in range(rounds):
        time.sleep(chance.uniform(0.05, 1.0))
        victim = chance.choice(servers)
        victim.kill()
        begin(victim)
    for sender in senders:
        sender.end()
    with servers[0].client() as http:
        drained(http, seconds=240)
        names = sorted(one["name"] for one in documents(http, docset))
        assert len(names) == len(set(names)), "done twice"
        acknowledged = {name for sender in senders for name in sender.acknowledged}
        assert acknowledged - set(names) == set(), "lost"
        assert set(names) - acknowledged <= {n for sender in senders for n in sender.unsure}
        report = http.post("/v1/workbench/storage/check", json={"read_files": True}).json()
        assert report["faults"] == []
    print(f"{rounds} kills, {len(acknowledged)} acknowledged, none lost or twice")


def test_what_three_servers_acknowledged_survives_kills(servers: list[BackendProcess]) -> None:
    kill_in_turn(servers, 3)


@pytest.mark.soak
def test_what_three_servers_acknowledged_survives_many_kills(
    servers: list[BackendProcess],
) -> None:
    kill_in_turn(servers, int(os.environ.get("WORKBENCH_SHARED_KILLS", "50")))
