"""A Ray cluster of the tests' own on loopback, each node with an address of its own."""

import itertools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from backend.tasks.own_address import overseen
from backend.tasks.pool import Limits
from backend.tasks.ray_node import node_command, node_environment
from backend.tasks.ray_pool import RayPool
from tests.backend_process import COMMAND
from tests.network import Machine, listening

KEY = "the key of the tests' own cluster"
_MEMORY = 100 * 2**20
_PATIENCE = 600
"""Seconds until a node must run; on a busy machine one takes minutes."""
_AGENTS = ("dashboard-agent-listen", "dashboard-agent-grpc", "runtime-env-agent", "metrics-export")
_numbers = itertools.count(1)
LIMITS = Limits(memory=512 * 2**20, cpu_seconds=60, wall_seconds=60)


def free_ports(count: int) -> list[int]:
    """That many ports that nobody listens on now, all different."""
    with ExitStack() as stack:
        free = [stack.enter_context(socket.create_server(("", 0))) for _ in range(count)]
        return [int(one.getsockname()[1]) for one in free]


class Node:
    """A node in a process group of its own, as on a machine of its own."""

    def __init__(
        self, head: str, number: int, places: int, log: Path, settings: Mapping[str, str]
    ) -> None:
        host = head.rpartition(":")[0]
        command = node_command(
            head=head,
            places=places,
            memory=_MEMORY,
            is_head=number == 0,
            address=f"{host.rpartition('.')[0]}.{number + 1}" if number else host,
        )
        # With ports of their own nobody waits for agents, which take long on a busy machine.
        for name, port in zip(_AGENTS, free_ports(len(_AGENTS)), strict=True):
            command += [f"--{name}-port", str(port)]
        self.log = log
        self.process = _started(command, log, settings)

    def signal(self, number: signal.Signals) -> None:
        """To all processes of the node at once."""
        for pid in _session(self.process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def listening(self) -> set[tuple[str, int]]:
        """The addresses and ports at which its processes listen."""
        return set().union(*map(listening, _session(self.process.pid)))

    def end(self) -> None:
        """As when its machine is switched off."""
        while _session(self.process.pid):
            self.signal(signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(0.1)
        self.process.wait()


class Worker(Node):
    """`workbench worker` on a machine; it starts its node again when that has ended. Without a
    machine it is the head, here.
    """

    def __init__(
        self, head: str, machine: Machine | None, log: Path, settings: Mapping[str, str]
    ) -> None:
        command = [sys.executable, "-m", COMMAND, "worker", "--address"]
        if machine is None:
            command += [head.rpartition(":")[0], "--places", "0", "--head"]
        else:
            command = [*machine.inside, *command, machine.address, "--places", "1"]
        own = {"cluster": f"ray:{head}", "api_key": KEY, "node_memory": str(_MEMORY)}
        self.process = _started(command, log, own | dict(settings))


class Cluster:
    """A head without places at `address`; `node` adds nodes. `head` is its address and port."""

    def __init__(self, folder: Path, address: str | None = None) -> None:
        self.folder = folder
        # Ray starts no two heads on one address.
        address = address or f"127.{os.getpid() % 250}.{next(_numbers)}.1"
        self.head = f"{address}:{free_ports(1)[0]}"
        self.nodes: list[Node] = []
        self._started = 0

    def begin(self, places: int = 1, **settings: str) -> None:
        """Begins to start the next node; the first one is the head."""
        self._started += 1
        log = self.folder / f"node-{self._started}.log"
        settings = {"data_dir": str(self.folder / "data")} | settings
        self.nodes.append(Node(self.head, len(self.nodes), places, log, settings))

    def node(self, places: int = 1, **settings: str) -> Node:
        """Starts the next node and waits until it runs."""
        self.begin(places, **settings)
        deadline = time.monotonic() + _PATIENCE
        while True:
            ended = self.nodes[-1].process.poll() is not None
            log = self.nodes[-1].log.read_text()
            if "Ray runtime started" in log:
                return self.nodes[-1]
            assert time.monotonic() < deadline, log
            if ended:
                # Ray gives up after 30 s of its own; `workbench worker` tries again too.
                assert "timed out during startup" in log, log
                self.nodes.pop().end()
                self.begin(places, **settings)
            time.sleep(0.05)

    def worker(self, machine: Machine | None = None, **settings: str) -> None:
        """Starts a worker on a machine, or the head as one; it joins when it can."""
        log = self.folder / f"worker-{machine.name if machine else 'head'}.log"
        self.nodes.append(Worker(self.head, machine, log, settings))

    def end(self) -> None:
        """Ends all nodes."""
        for node in reversed(self.nodes):
            node.end()


@contextmanager
def cluster(address: str | None = None) -> Iterator[Cluster]:
    """A cluster that has no nodes yet and none at the end."""
    # Not below the folder of a test: names of Unix sockets are short.
    with tempfile.TemporaryDirectory(prefix="wb-ray-", ignore_cleanup_errors=True) as folder:
        made = Cluster(Path(folder), address)
        try:
            yield made
        finally:
            made.end()


@contextmanager
def pool_on(head: str, places: tuple[int, int] = (1, 1), **more: object) -> Iterator[RayPool]:
    """A pool of a server on the cluster with that head, with its least number of places ready."""
    pool = RayPool(head, places, LIMITS, key=KEY, **more)  # type: ignore[arg-type]
    pool.warm("tests.backend.tasks.jobs")
    try:
        wait_for_places(pool, places[0])
        yield pool
    finally:
        pool.close()


def wait_for_places(pool: RayPool, count: int, seconds: float = 120) -> None:
    """Waits until the pool has that many places."""
    deadline = time.monotonic() + seconds
    while pool.size != count:
        assert time.monotonic() < deadline, pool.state()
        time.sleep(0.02)


def _started(
    command: Sequence[str], log: Path, settings: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    own = {f"WORKBENCH_{key.upper()}": value for key, value in settings.items()}
    with log.open("ab") as file, overseen() as (more, descriptors):
        return subprocess.Popen(
            command,
            env=node_environment(os.environ, KEY) | own | {"RAY_TMPDIR": str(log.parent)} | more,
            pass_fds=descriptors,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )


def _session(leader: int) -> list[int]:
    """The processes of a session, however they have parted from each other."""
    members = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader and fields[0] != "Z":
                members.append(int(entry.name))
    return members
