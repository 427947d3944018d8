"""Keeps a node of the cluster running on this machine, restarting it whenever it ends. A node ends
together with its head, and joins the next one.
"""

import logging
import os
import signal
import subprocess
import threading
from importlib.util import find_spec

from backend.settings import Settings
from backend.tasks.own_address import needs_own_address
from backend.tasks.ray_node import node_command, node_environment, resolved, started_node

_AGAIN = 3.0
_END_SECONDS = 10.0
_log = logging.getLogger(__name__)


class NoCluster(RuntimeError):
    """The settings name no cluster, or its extra is not installed; the message says which."""


def needs_ray() -> None:
    """Raises NoCluster when the extra is not installed, or NotPrivate; does not import Ray."""
    if find_spec("ray") is None:
        raise NoCluster(
            "A cluster needs the extra `cluster`: pip install 'docset-workbench[cluster]'."
        )
    needs_own_address(os.environ)


def serve_node(
    settings: Settings, *, places: int | None, is_head: bool, address: str | None
) -> None:
    """Runs the node until the process gets SIGTERM or SIGINT."""
    needs_ray()
    if settings.cluster_head is None:
        raise NoCluster("Which cluster? Set WORKBENCH_CLUSTER to ray:HEAD:6379.")
    places = places if places is not None else os.cpu_count() or 1
    environment = node_environment(os.environ, settings.api_key)
    ending = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ending.set())
    while not ending.is_set():
        try:
            command = node_command(
                head=settings.cluster_head if is_head else resolved(settings.cluster_head),
                places=places,
                memory=settings.node_memory,
                is_head=is_head,
                address=address,
            )
        except OSError as error:  # its name may be known later
            _log.warning("%s is not known: %s", settings.cluster_head, error.strerror)
            ending.wait(_AGAIN)
            continue
        node = started_node(command, environment)
        while node.poll() is None and not ending.wait(0.5):
            pass
        _end(node)
        if not ending.wait(_AGAIN):
            _log.warning("the node has ended; it joins %s again", settings.cluster_head)


def _end(node: "subprocess.Popen[bytes]") -> None:
    node.terminate()
    try:
        node.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        node.kill()
        node.wait()
