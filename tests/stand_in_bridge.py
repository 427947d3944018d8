"""The bridge to a cluster with a stand-in for Ray, whose places are threads of the bridge itself.

Starting Ray takes ten seconds and all cores, so the short form of the tests does without; all else
is the real thing. Run as `python -m tests.stand_in_bridge`, with the arguments of the bridge.
"""

import socket
import sys
import types
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

_threads = ThreadPoolExecutor(32)


class RayError(Exception):
    """The base of the errors of Ray."""


class Actor:
    """An object whose methods run in threads."""

    def __init__(self, kind: type, arguments: tuple[Any, ...]) -> None:
        self.dead = False
        self._made = _threads.submit(kind, *arguments)

    def __getattr__(self, name: str) -> "Method":
        return Method(self, name)

    def call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        if self.dead:
            raise RayError("the actor is dead")
        return getattr(self._made.result(), name)(*arguments)


class Method:
    """`actor.method.remote(...)`, and the same with `num_returns="streaming"`."""

    def __init__(self, actor: Actor, name: str, streams: bool = False) -> None:
        self._actor, self._name, self._streams = actor, name, streams

    def options(self, num_returns: str) -> "Method":
        return Method(self._actor, self._name, num_returns == "streaming")

    def remote(self, *arguments: Any) -> Any:
        if self._streams:
            return self._stream(arguments)
        return _threads.submit(self._actor.call, self._name, arguments)

    def _stream(self, arguments: tuple[Any, ...]) -> Iterator["Future[Any]"]:
        for piece in self._actor.call(self._name, arguments):
            made: Future[Any] = Future()
            made.set_result(piece)
            yield made


class Remote:
    """What `ray.remote` makes of a class."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def options(self, **_options: object) -> "Remote":
        return self

    def remote(self, *arguments: Any) -> Actor:
        return Actor(self._kind, arguments)


def _kill(actor: Actor) -> None:
    actor.dead = True


def install(head: str) -> None:
    """Puts the stand-in where `import ray` looks first; it knows one node, the head."""
    node = {"NodeManagerHostname": socket.gethostname(), "NodeManagerAddress": head}
    node |= {"Resources": {"CPU": 2}, "Alive": True}
    ray = types.ModuleType("ray")
    vars(ray).update(
        remote=Remote,
        get=lambda future: future.result(),
        kill=_kill,
        nodes=lambda: [node],
        init=lambda **_options: None,
    )
    errors = types.ModuleType("ray.exceptions")
    vars(errors).update(RayError=RayError)
    services = types.ModuleType("ray._private.services")
    here = types.SimpleNamespace(node_manager_address="127.0.0.1")
    vars(services).update(
        find_gcs_addresses=lambda: {head},
        canonicalize_bootstrap_address=lambda address: address,
        get_node_to_connect_for_driver=lambda _client: here,
    )
    private = types.ModuleType("ray._private")
    vars(private).update(services=services)
    compiled = types.ModuleType("ray._raylet")
    vars(compiled).update(GcsClient=lambda address: address)
    util = types.ModuleType("ray.util")
    vars(util).update(get_node_ip_address=lambda: "127.0.0.1")
    for module in (ray, errors, private, services, compiled, util):
        sys.modules[module.__name__] = module


if __name__ == "__main__":
    import json

    install(json.loads(sys.argv[1])["head"])
    from backend.tasks.ray_bridge import main

    main()
