"""The process between a server and the Ray cluster: keeps places there and passes messages on.

Ray ends a process that has lost its head, and takes 150 MB, so it is loaded here and not in the
server. Started as `python -m backend.tasks.ray_bridge OPTIONS`; messages on standard input are

    run (blobs), answer, stop       with the number of a job as `job`
    waits                           whether tasks are queued for which there was no place

and those on standard output the messages of places with their `job`, and `state` every second.
"""

import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import ray
from ray.exceptions import RayError

from backend.tasks.messages import BrokenPipe, Message, receive, send
from backend.tasks.own_address import listen_at, needs_own_address
from backend.tasks.pool import Limits
from backend.tasks.ray_node import SHARDS, node_command, resolved, started_node
from backend.tasks.ray_place import UNDER_WAY, Place
from backend.tasks.spooling import spooled
from workbench.contract.version import __version__

_TURN = 1.0
"""Seconds between two adjustments of the number of places."""
_IDLE = 30.0
"""Idle seconds until a place beyond the minimum is ended."""
_AGAIN = 5.0
"""Seconds until the next try after a place could not start."""
_SILENT = 6.0
"""Seconds without a response from the head after which it counts as lost."""
_SHARD_LOOK, _SHARD_AGAIN = 3.0, 0.3
"""Seconds between two checks of a shard, and of one that does not respond."""
_SERVER_MEMORY = 100 * 2**20
"""Bytes of shared memory of a node without places."""


@dataclass(frozen=True)
class Options:
    """The options of a bridge; see the settings `cluster`, `places` and `shards`."""

    head: str
    least: int
    most: int
    limits: Limits
    module: str | None
    shards: int = 0
    shard: str = ""

    @classmethod
    def of(cls, text: str) -> "Options":
        fields = json.loads(text)
        return cls(**fields | {"limits": Limits(**fields["limits"])})


class _Place:
    def __init__(self, actor: Any) -> None:
        self.actor = actor
        self.node = ""
        self.idle_since = time.monotonic()


class _Job:
    def __init__(self, number: int) -> None:
        self.number = number
        self.stopped = False
        self.place: _Place | None = None


class _Shard:
    """A shard of the indexes, shared by all servers. It outlives this bridge; the cluster restarts
    it if it is lost. `node` is its machine and `address` where it answers; both are None while it
    does not respond. `changed` is called after a change of them.
    """

    def __init__(self, options: Options, place: int, changed: Callable[[], None]) -> None:
        self.node: str | None = None
        self.address: str | None = None
        self._options = options
        self._place = place
        self._changed = changed
        self._actor: Any = None

    def watch(self) -> None:
        """Keeps it running, and `node` and `address` current."""
        while True:
            before = self.address
            try:
                self.node, self.address = ray.get(self._known().about.remote())
            except (RayError, ValueError):  # ValueError: a dead shard still has that name
                self.node, self.address, self._actor = None, None, None
            if self.address != before:
                self._changed()
            time.sleep(_SHARD_AGAIN if self.address is None else _SHARD_LOOK)

    def _known(self) -> Any:
        if self._actor is None:
            options = self._options
            module, _, name = options.shard.partition(":")
            kind = ray.remote(getattr(importlib.import_module(module), name))
            self._actor = kind.options(
                name=f"shard {self._place} of {options.shards}, {__version__}",
                get_if_exists=True,
                lifetime="detached",
                max_restarts=-1,
                num_cpus=0,  # it must find room where places take all cores
                resources={SHARDS: 1},
                scheduling_strategy="SPREAD",
            ).remote(self._place, options.shards)
        return self._actor


class Bridge:
    """Places, jobs, and the waiting line; `outgoing` leads to the server."""

    def __init__(self, options: Options, outgoing: BinaryIO) -> None:
        self._options = options
        self._outgoing = outgoing
        self._sending = threading.Lock()
        self._changed = threading.Condition()
        self._starting: set[_Place] = set()
        self._places: set[_Place] = set()
        self._free: list[_Place] = []
        self._jobs: dict[int, _Job] = {}
        self._tasks_wait = False
        self._problem: str | None = None
        self._retry_at = 0.0
        self._nodes: list[dict[str, Any]] = []
        self._answered = time.monotonic()
        self._remote = ray.remote(Place)
        shards = range(options.shards)
        self._shards = [_Shard(options, place, self._report) for place in shards]

    def serve(self, incoming: BinaryIO) -> None:
        """Executes the server's requests until it closes the pipe."""
        for work in (self._keep_places, self._watch_nodes, *(one.watch for one in self._shards)):
            threading.Thread(target=work, daemon=True).start()
        while True:
            message = receive(incoming)
            data = message.data
            if message.kind == "waits":
                with self._changed:
                    self._tasks_wait = bool(data)
            elif message.kind == "run":
                with self._changed:
                    job = self._jobs[data["job"]] = _Job(data["job"])
                threading.Thread(target=self._work, args=(job, message), daemon=True).start()
            elif (known := self._jobs.get(data["job"])) is not None:
                (self._stop if message.kind == "stop" else self._answer)(known, data)

    def _stop(self, job: _Job, _data: Any) -> None:
        with self._changed:
            job.stopped = True
            place = job.place
            self._changed.notify_all()
        if place is not None:
            place.actor.stop.remote(job.number)

    def _answer(self, job: _Job, data: Any) -> None:
        if job.place is not None:
            job.place.actor.answer.remote(job.number, data["reply"])

    def _work(self, job: _Job, message: Message) -> None:
        place = self._occupied(job)
        end = Message("stopped")
        if place is not None:
            self._report()
            try:
                end = self._followed(job, place, message)
            except (RayError, BrokenPipe) as error:
                end = Message("lost", f"{place.node}: {type(error).__name__}")
                self._lose(place)
        with self._changed:
            self._jobs.pop(job.number, None)
            if place in self._places:
                place.idle_since = time.monotonic()
                self._free.append(place)
            self._changed.notify_all()
        self._send(job, end)
        self._report()

    def _occupied(self, job: _Job) -> _Place | None:
        """A free place, waited for; None for a job that was stopped meanwhile."""
        with self._changed:
            self._changed.notify_all()  # for who starts more places
            self._changed.wait_for(lambda: job.stopped or self._free)
            if job.stopped:
                return None
            job.place = self._free.pop()  # the last one is the warmest
            return job.place

    def _followed(self, job: _Job, place: _Place, message: Message) -> Message:
        """Runs the job, passes on its reports, and returns its outcome."""
        data = message.data
        stream = _Stream(
            place.actor.run.options(num_returns="streaming").remote(
                job.number, data["entry"], data["data"], list(message.blobs)
            )
        )
        while True:
            report = receive(stream, spooled)
            if report.kind not in UNDER_WAY:
                return report
            self._send(job, report)

    def _send(self, job: _Job, message: Message) -> None:
        data = {"job": job.number, "data": message.data}
        self._post(Message(message.kind, data, message.blobs))

    def _post(self, message: Message) -> None:
        with self._sending:
            try:
                send(self._outgoing, message)
            except BrokenPipe:  # the server has ended, and everything here with it
                os._exit(0)

    def _lose(self, place: _Place) -> None:
        with self._changed:
            self._places.discard(place)
            if place in self._free:
                self._free.remove(place)
            self._changed.notify_all()
        ray.kill(place.actor)

    def _keep_places(self) -> None:
        """Starts and ends places as work comes and goes, within the limits of the settings."""
        while True:
            with self._changed:
                wanted = self._wanted()
                missing = wanted - len(self._places) - len(self._starting)
                idle = [place for place in self._free if _is_idle(place)]
                surplus = idle[: max(0, len(self._places) - max(wanted, self._options.least))]
                # As many again, so that the cluster's autoscaler is not asked for all at once.
                room = max(1, len(self._places)) - len(self._starting)
            if time.monotonic() >= self._retry_at:
                for _ in range(min(missing, max(room, self._options.least))):
                    self._start_place()
            for place in surplus:
                self._lose(place)
            with self._changed:
                self._changed.wait(_TURN)

    def _wanted(self) -> int:
        """The target number of places. The caller holds the lock."""
        demand = len(self._jobs) + (self._tasks_wait and not self._free)
        return min(max(demand, self._options.least), self._options.most)

    def _start_place(self) -> None:
        options = {"num_cpus": 1, "max_concurrency": 4, "scheduling_strategy": "SPREAD"}
        actor = self._remote.options(**options).remote(self._options.limits, self._options.module)
        place = _Place(actor)
        with self._changed:
            self._starting.add(place)
        threading.Thread(target=self._await_place, args=(place,), daemon=True).start()

    def _await_place(self, place: _Place) -> None:
        """Waits for a CPU of the cluster and a process there, and checks the process's version."""
        problem: str | None = None
        try:
            place.node, version = ray.get(place.actor.about.remote())
            if version != __version__:
                problem = f"{place.node} has version {version} and this server {__version__}"
        except RayError as error:
            problem = f"a place could not start: {str(error).strip().splitlines()[-1]}"
        with self._changed:
            self._starting.discard(place)
            self._problem = problem
            if problem is None:
                place.idle_since = time.monotonic()
                self._places.add(place)
                self._free.append(place)
            else:
                self._retry_at = time.monotonic() + _AGAIN
            self._changed.notify_all()
        if problem is not None:
            ray.kill(place.actor)
        self._report()

    def _watch_nodes(self) -> None:
        threading.Thread(target=self._ask_head, daemon=True).start()
        while True:
            time.sleep(_TURN)
            self._report()

    def _ask_head(self) -> None:
        while True:
            nodes = ray.nodes()  # does not return while the head is away
            self._answered = time.monotonic()
            self._nodes = [
                {
                    "name": node["NodeManagerHostname"],
                    "address": node["NodeManagerAddress"],
                    "places": int(node["Resources"].get("CPU", 0)),
                }
                for node in nodes
                if node["Alive"]
            ]
            time.sleep(_TURN)

    def _report(self) -> None:
        with self._changed:
            state = {
                "connected": time.monotonic() - self._answered < _SILENT,
                "nodes": self._nodes,
                "places": len(self._places),
                "busy": len(self._places) - len(self._free),
                "starting": len(self._starting),
                "waiting": sum(job.place is None for job in self._jobs.values()),
                "problem": self._problem,
                "shards": [shard.node for shard in self._shards],
                "addresses": [shard.address for shard in self._shards],
            }
        self._post(Message("state", state))


class _Stream:
    """The pieces that an actor yields, read as one stream of bytes."""

    def __init__(self, pieces: Iterator[Any]) -> None:
        self._pieces = pieces
        self._rest = bytearray()

    def read(self, size: int, /) -> bytes:
        while len(self._rest) < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._rest += ray.get(piece)
        part = bytes(self._rest[:size])
        del self._rest[:size]
        return part


def _is_idle(place: _Place) -> bool:
    return time.monotonic() - place.idle_since > _IDLE


def _join(head: str) -> None:
    """Connects to the cluster, as a node without places where this machine has none yet."""
    from ray._private import services
    from ray._raylet import GcsClient  # type: ignore[attr-defined]  # it is compiled

    address = resolved(head)
    if address not in services.find_gcs_addresses():
        command = node_command(head=address, places=0, memory=_SERVER_MEMORY)
        started_node(command, os.environ, sys.stderr)
    gcs = GcsClient(address=services.canonicalize_bootstrap_address(address))
    here = services.get_node_to_connect_for_driver(gcs).node_manager_address
    if needs_own_address(os.environ):
        listen_at(here)
    ray.init(
        address=address,
        namespace="workbench",
        log_to_driver=False,
        configure_logging=False,
        _node_ip_address=here,
    )


def main() -> None:
    """Serves the pipe until it closes; ends with code 1 when the cluster cannot be reached."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of Ray must not look like a message
    options = Options.of(sys.argv[1])
    try:
        _join(options.head)
    except (OSError, RuntimeError, ValueError) as error:
        print(f"the cluster cannot be reached: {error}", file=sys.stderr)
        os._exit(1)
    try:
        Bridge(options, outgoing).serve(incoming)
    except BrokenPipe:
        os._exit(0)  # Ray ends the places of a process that has ended


if __name__ == "__main__":
    main()
