"""Starts a node of the Ray cluster on this machine, with the settings that all of its nodes share.

`python -m backend.tasks.ray_node HEAD ADDRESS OPTIONS` is `ray start --block OPTIONS` that listens
at one address of this machine, and ends with its parent. A lost node is detected within ten
seconds. With an `api_key` in the settings, nodes and servers admit only callers with that key.
"""

import ctypes
import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

from backend.tasks.own_address import listen_at, needs_own_address, overseen
from workbench.contract.processes import importable, python_module

_SHARED = {
    "RAY_USAGE_STATS_ENABLED": "0",  # Ray reports to its makers otherwise
    "RAY_health_check_initial_delay_ms": "2000",
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_timeout_ms": "3000",
    "RAY_health_check_failure_threshold": "3",
    "RAY_grpc_keepalive_time_ms": "10000",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "20",
    "RAY_worker_niceness": "0",  # searches wait for shards; processes that parse give way
}
SHARDS = "shards"
"""A resource that only nodes with places have, so that no shard is placed on a server's machine."""
_MOST_SHARDS = 1_000
_SET_PARENT_DEATH_SIGNAL = 1


def resolved(head: str) -> str:
    """The numeric address of the head, as Ray's nodes use it. OSError for an unknown name."""
    host, _, port = head.rpartition(":")
    return f"{socket.gethostbyname(host)}:{port}"


def node_environment(environment: Mapping[str, str], key: str | None) -> dict[str, str]:
    """The environment of everything that talks to the cluster; `key` is the `api_key`."""
    shared = importable(environment) | _SHARED
    shared.pop("PYTHONDONTWRITEBYTECODE", None)  # Ray starts many processes
    if key is None:
        return shared | {"RAY_AUTH_MODE": "disabled"}
    # Not the key itself: who reads the environment of a node must not get into the servers.
    token = hashlib.sha256(f"workbench cluster {key}".encode()).hexdigest()
    return shared | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token}


def node_command(
    *, head: str, places: int, memory: int, is_head: bool = False, address: str | None = None
) -> list[str]:
    """The command of a node with that many places that joins `head` (`HOST:PORT`), or is it.

    `address` is this machine's address for the other nodes, if it has several. Shared memory of
    `memory` bytes carries results.
    """
    where = ["--address", head]
    if is_head:
        where = ["--head", "--port", head.rpartition(":")[2], "--include-dashboard=false"]
    room = ["--num-cpus", str(places), "--num-gpus", "0", "--object-store-memory", str(memory)]
    if places:
        room += ["--resources", json.dumps({SHARDS: _MOST_SHARDS})]
    options = [*where, *room, "--disable-usage-stats"]
    return python_module("backend.tasks.ray_node", head, address or "", *options)


def started_node(
    command: list[str], environment: Mapping[str, str], output: IO[bytes] | IO[str] | None = None
) -> "subprocess.Popen[bytes]":
    """Starts a `node_command`; this process decides where it listens."""
    with overseen() as (more, descriptors):
        return subprocess.Popen(
            command,
            env=dict(environment) | more,
            pass_fds=descriptors,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )


def main() -> None:
    """Becomes the node."""
    parent = os.getppid()
    with suppress(AttributeError, OSError):  # not Linux
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
    from ray.scripts.scripts import main as ray_main

    head, address, *options = sys.argv[1:]
    address = _own_address(head, address, is_head="--head" in options)
    if needs_own_address(os.environ):
        listen_at(address)
    sys.argv = ["ray", "start", "--block", "--node-ip-address", address, *options]
    ray_main()


def _own_address(head: str, given: str, *, is_head: bool) -> str:
    """The numeric address of this machine in the network of the cluster; the `given` one if any."""
    from ray._private import services

    if not (given or is_head):
        return str(services.get_node_ip_address(head))
    try:
        host = socket.gethostbyname(given or head.rpartition(":")[0])
        with socket.create_server((host, 0)):
            return str(services.resolve_ip_for_localhost(host))
    except OSError:
        if given:
            raise
        return str(services.get_node_ip_address())  # a service leads here


if __name__ == "__main__":
    main()
