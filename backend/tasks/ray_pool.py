"""The pool whose places are on the nodes of a Ray cluster.

The server talks to a bridge, a separate process with Ray loaded; see `ray_bridge`. When the head or
the bridge is lost, running jobs raise PlaceLost, the pool has no places until a new bridge runs,
and tasks wait.
"""

import itertools
import json
import logging
import os
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from backend.tasks.lines import Awaited, Lines
from backend.tasks.messages import BrokenPipe, Message, receive, send
from backend.tasks.outcomes import PlaceLost, result_of
from backend.tasks.own_address import overseen
from backend.tasks.pool import Limits, WorkerStopped
from backend.tasks.pool_port import OnProgress, OnQuestion, PoolState, Running, no_answer
from backend.tasks.process import Process
from backend.tasks.ray_node import node_environment
from backend.tasks.spooling import spooled
from workbench.contract.processes import python_module

BRIDGE = "backend.tasks.ray_bridge"
_AGAIN = 2.0
"""Seconds before the bridge is started again."""
_LOOK_EVERY = 0.2
_log = logging.getLogger(__name__)


class _Job:
    """A job in progress; its messages arrive in `inbox`."""

    def __init__(self, number: int, bridge: "_Bridge") -> None:
        self.inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._number = number
        self._bridge = bridge

    def send(self, kind: str, blobs: Sequence[bytes] = (), **data: Any) -> None:
        self._bridge.send(Message(kind, {"job": self._number, **data}, blobs))

    def kill(self) -> None:
        """Stops it from any thread."""
        self.inbox.put(Message("stopped"))
        with suppress(BrokenPipe):
            self.send("stop")


class _Bridge:
    """The bridge process and its jobs."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        with overseen() as (more, descriptors):
            self.process = Process(command, environment | more, descriptors)
        self.jobs: dict[int, _Job] = {}
        self.state = PoolState(engine="ray")
        self._sending = threading.Lock()

    def send(self, message: Message) -> None:
        with self._sending:
            send(self.process.input, message)


class RayPool:
    """Places on the cluster with the head at `head` (`HOST:PORT`), within a minimum and maximum
    number.

    `key` is the `api_key` of the settings. `waits` says whether tasks are queued, `changed` is
    called when the number of places has changed. `shards` is the number of actors of the class
    `shard` (`module:name`) that the cluster keeps for all servers.
    """

    def __init__(
        self,
        head: str,
        places: tuple[int, int],
        limits: Limits,
        *,
        key: str | None = None,
        shards: int = 0,
        shard: str = "",
        waits: Callable[[], bool] = lambda: False,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._head = head
        self._places = places
        self._limits = limits
        self._shards = {"shards": shards, "shard": shard}
        self._environment = node_environment(os.environ, key)
        self._lines = [Lines(self._environment) for _ in range(shards)]
        self._waits = waits
        self._changed = changed
        self._numbers = itertools.count(1)
        self._bridge: _Bridge | None = None
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise, name="cluster", daemon=True)
        self._module: str | None = None

    @property
    def size(self) -> int:
        """Number of places this server has now; 0 while the head is lost."""
        state = self.state()
        return state.places if state.connected else 0

    def state(self) -> PoolState:
        """The latest report of the bridge."""
        with self._lock:
            bridge = self._bridge
        return (
            PoolState("ray", connected=False, head=self._head) if bridge is None else bridge.state
        )

    def warm(self, module: str) -> None:
        """Joins the cluster in the background."""
        self._module = module
        self._supervisor.start()

    def run(
        self,
        entry: str,
        data: Any,
        *,
        blobs: Sequence[bytes] = (),
        progress: OnProgress,
        started: Callable[[Running], None],
        stopped: Callable[[], bool] = lambda: False,
        answer: OnQuestion = no_answer,
    ) -> Message:
        """Runs one job in the next free place. PlaceLost if its node or the head goes away."""
        bridge, number = self._connected(stopped), next(self._numbers)
        job = bridge.jobs[number] = _Job(number, bridge)
        try:
            started(job)
            job.send("run", blobs, entry=entry, data=data)
            if bridge is not self._bridge:  # it was lost before it knew this job
                raise PlaceLost("the bridge has ended")
            return self._followed(job, progress, answer)
        except BrokenPipe:
            raise PlaceLost("the bridge has ended") from None
        finally:
            bridge.jobs.pop(number, None)

    def ask(self, shard: int, question: Message) -> Awaited:
        """Asks a shard. PlaceLost when it cannot be reached."""
        return self._lines[shard].ask(question)

    def close(self) -> None:
        """Ends the places of this server; running jobs raise WorkerStopped."""
        self._closed.set()
        with self._lock:
            bridge = self._bridge
        if bridge is not None:
            bridge.process.kill()
        if self._supervisor.is_alive():
            self._supervisor.join()
        for lines in self._lines:
            lines.lead_to(None)

    def _connected(self, stopped: Callable[[], bool]) -> _Bridge:
        while not (self._closed.is_set() or stopped()):
            if (bridge := self._bridge) is not None:
                return bridge
            self._closed.wait(_LOOK_EVERY)
        raise WorkerStopped

    def _followed(self, job: _Job, progress: OnProgress, answer: OnQuestion) -> Message:
        while True:
            message = job.inbox.get()
            if message.kind == "progress":
                progress(*message.data)
            elif message.kind == "question":
                asked = message.data
                try:
                    reply = answer(str(asked["kind"]), asked["data"], message.blobs)
                except BaseException:
                    job.kill()  # it would wait for an answer forever
                    raise
                job.send("answer", reply=reply)
            else:
                return result_of(message)

    def _supervise(self) -> None:
        """Keeps a bridge running."""
        least, most = self._places
        options = {
            "head": self._head,
            "least": least,
            "most": most,
            "limits": asdict(self._limits),
            "module": self._module,
            **self._shards,
        }
        command = python_module(BRIDGE, json.dumps(options))
        while not self._closed.is_set():
            bridge = _Bridge(command, self._environment)
            try:
                self._listen(bridge)
            except BrokenPipe:
                bridge.process.kill()
            except Exception:
                _log.exception("the bridge to the cluster failed")
                bridge.process.kill()
            self._lose(bridge)
            if not self._closed.wait(_AGAIN):
                _log.warning("the cluster at %s is lost; connecting again", self._head)

    def _listen(self, bridge: _Bridge) -> None:
        """Passes messages of the bridge on to the jobs until it ends."""
        while True:
            message = receive(bridge.process.output, spooled)
            if message.kind == "state":
                self._report(bridge, PoolState("ray", head=self._head, **message.data))
            elif (job := bridge.jobs.get(message.data["job"])) is not None:
                job.inbox.put(Message(message.kind, message.data["data"], message.blobs))

    def _report(self, bridge: _Bridge, state: PoolState) -> None:
        before = self.size
        bridge.state = state
        with self._lock:
            self._bridge = bridge
        if self._closed.is_set():  # it began while we closed
            bridge.process.kill()
        for lines, address in zip(self._lines, state.addresses, strict=True):
            lines.lead_to(address)
        if state.busy == state.places:
            bridge.send(Message("waits", self._waits()))
        if self.size != before:
            self._changed()

    def _lose(self, bridge: _Bridge) -> None:
        with self._lock:
            self._bridge = None
        end = Message("stopped" if self._closed.is_set() else "lost", "the bridge has ended")
        for job in list(bridge.jobs.values()):
            job.inbox.put(end)
        for stream in (bridge.process.input, bridge.process.output):
            with suppress(OSError):
                stream.close()
