"""Three servers over one PostgreSQL, of which one after the other is killed at a random moment.

What any of them has acknowledged is done once, by whoever is there. `WORKBENCH_SHARED_KILLS` says
how often the long forms kill.
"""

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from backend.store.database import Database
from tests import object_store
from tests.backend_process import BackendProcess
from tests.reliability.leases import age_leases
from tests.reliability.mixed_load import STORAGE
from tests.reliability.senders import Sender, assert_each_done_once, wait_for_more

_TOKEN = "the same for all of these servers"
Start = Callable[[str], list[BackendProcess]]


@pytest.fixture
def start(postgresql: str, tmp_path: Path) -> Iterator[Start]:
    """Starts three servers whose originals are at a URL."""
    made: list[BackendProcess] = []

    def begin_all(blob_url: str) -> list[BackendProcess]:
        settings = {
            "database_url": postgresql,
            "blob_url": blob_url,
            "workers": "1",
            "submit_rate": "10000",
            "api_key": _TOKEN,
        }
        for name in ("a", "b", "c"):
            made.append(BackendProcess(tmp_path / name, settings))
            begin(made[-1])
        return made

    yield begin_all
    for server in made:
        server.stop(30)


def begin(server: BackendProcess) -> None:
    server.start()
    server.token = _TOKEN


def kill_in_turn(
    servers: list[BackendProcess], rounds: int, afterwards: Callable[[], object] = lambda: None
) -> None:
    with servers[0].client() as http:
        docset = http.post(STORAGE, json={"name": "killed"}).raise_for_status().json()["docset_id"]
    chance = random.Random(rounds)
    senders = [Sender(servers, docset, seed) for seed in range(2)]
    for _ in range(rounds):
        wait_for_more(senders)
        time.sleep(chance.uniform(0.05, 1.0))
        victim = chance.choice(servers)
        victim.kill()
        begin(victim)
    for sender in senders:
        sender.end()
    afterwards()
    with servers[0].client() as http:
        acknowledged = assert_each_done_once(http, docset, senders)
    print(f"{rounds} kills, {acknowledged} acknowledged, none lost or twice")


def test_acknowledged_work_of_three_servers_survives_kills(
    start: Start, postgresql: str, tmp_path: Path
) -> None:
    """It does not wait until the leases of killed servers are over, but ages all."""
    with closing(Database(postgresql)) as database:
        kill_in_turn(start(f"file://{tmp_path / 'files'}"), 3, lambda: age_leases(database))


@pytest.mark.soak
@pytest.mark.parametrize("files", ["folder", "s3"])
def test_acknowledged_work_of_three_servers_survives_many_kills(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: str
) -> None:
    rounds = int(os.environ.get("WORKBENCH_SHARED_KILLS", "50"))
    if files == "folder":
        kill_in_turn(start(f"file://{tmp_path / 'files'}"), rounds)
        return
    pytest.importorskip("moto", reason="pip install 'moto[server]'")
    with object_store.running(tmp_path / "s3.log") as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        kill_in_turn(start(object_store.URL), rounds)
