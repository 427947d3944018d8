"""What a server says of its cluster, and settings that name one."""

import subprocess
import sys

import pytest
from pydantic import ValidationError

from backend.api.cluster import waits_for
from backend.api.metrics import Metrics
from backend.settings import Settings
from backend.store.database import Database
from backend.store.migrating import migrate
from backend.tasks.pool_port import PoolState

NODE = {"name": "a", "address": "10.0.0.2", "places": 2}


@pytest.mark.parametrize(
    ("state", "queued", "reason"),
    [
        (PoolState("ray", connected=False, head="10.0.0.1:6379"), 3, "10.0.0.1:6379 does not"),
        (PoolState("ray", places=2, busy=2, nodes=[NODE]), 3, "3 queued tasks wait for a free"),
        (PoolState("ray", places=2, starting=1, nodes=[NODE]), 0, "another node"),
        (PoolState("ray", problem="b has version 0"), 0, "b has version 0"),
        (PoolState("ray", shards=["a", None, None]), 0, "wait for 2 of 3 shards"),
    ],
)
def test_the_reason_why_work_waits_is_given(state: PoolState, queued: int, reason: str) -> None:
    (sentence,) = waits_for(state, queued)
    assert reason in sentence


def test_nothing_waits_while_places_are_free() -> None:
    assert waits_for(PoolState("ray", places=2, busy=1, nodes=[NODE]), 0) == []


def test_prometheus_gets_places_nodes_and_shards(tmp_path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    migrate(database)
    state = PoolState("ray", places=3, busy=1, starting=2, nodes=[NODE], shards=["a", "a", None])
    lines = Metrics(database, lambda: state).text().decode().splitlines()
    assert {
        'workbench_places{state="busy"} 1.0',
        'workbench_places{state="free"} 2.0',
        'workbench_places{state="starting"} 2.0',
        'workbench_shards{state="answering"} 2.0',
        'workbench_shards{state="away"} 1.0',
        "workbench_nodes 1.0",
        "workbench_cluster_connected 1.0",
    } <= {*lines}
    database.close()


def test_a_cluster_is_named_by_engine_host_and_port(tmp_path) -> None:
    settings = Settings(data_dir=tmp_path, cluster="ray:10.0.0.1:6379", places="0-50")
    assert (settings.cluster_head, settings.place_range) == ("10.0.0.1:6379", (0, 50))


@pytest.mark.parametrize(
    "wrong", [{"cluster": "dask:a:1"}, {"cluster": "ray:a"}, {"places": "5"}, {"places": "3-2"}]
)
def test_a_wrong_cluster_is_refused(tmp_path, wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Settings(data_dir=tmp_path, **wrong)  # type: ignore[arg-type]


def test_a_single_machine_loads_no_library_of_a_cluster() -> None:
    code = "import sys, backend.main, backend.api.service; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"ray", "obstore", "psycopg", "backend.search.shards.actor"} & {*run.stdout.split()}
