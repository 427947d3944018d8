"""Machines of the tests' own: network namespaces on one bridge, whose cables can be pulled.

Needs root and `ip` (Debian: iproute2). Programs outside reach a machine by its address, and it
reaches them by that of the bridge.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


def is_possible() -> bool:
    """Whether namespaces can be made here."""
    if os.geteuid() or not shutil.which("ip") or not shutil.which("nsenter"):
        return False
    name = f"wbtest{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return made.returncode == 0


class Machine:
    """A namespace with one cable. `inside` goes before a command that shall run in it."""

    def __init__(self, name: str, address: str) -> None:
        self.name = name
        self.address = address
        self.inside = ["nsenter", f"--net=/run/netns/{name}"]

    def cut(self) -> None:
        """Pulls the cable: no packet gets in or out, and nobody is informed."""
        _ip("link", "set", self.name, "down")

    def heal(self) -> None:
        _ip("link", "set", self.name, "up")


class Network:
    """A bridge with the interface `name` and the address `address`."""

    def __init__(self) -> None:
        number = os.getpid() % 250
        self.name = f"wb{number}"
        self._prefix = f"10.213.{number}"
        self.address = f"{self._prefix}.1"
        self.range = f"{self._prefix}.0/24"
        self._machines: list[Machine] = []

    def build(self) -> None:
        _ip("link", "add", self.name, "type", "bridge")
        _ip("address", "add", f"{self.address}/24", "dev", self.name)
        _ip("link", "set", self.name, "up")

    def machine(self) -> Machine:
        """Adds a machine."""
        number = len(self._machines) + 2
        name, address = f"{self.name}m{number}", f"{self._prefix}.{number}"
        _ip("netns", "add", name)
        made = Machine(name, address)
        self._machines.append(made)
        _ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        _ip("link", "set", name, "master", self.name, "up")
        for words in (f"address add {address}/24 dev eth0", "link set eth0 up", "link set lo up"):
            _ip("-n", name, *words.split())
        return made

    def remove(self) -> None:
        for machine in self._machines:
            _ip("netns", "del", machine.name)
        _ip("link", "del", self.name)


@contextmanager
def network() -> Iterator[Network]:
    """A network that is removed at the end."""
    made = Network()
    made.build()
    try:
        yield made
    finally:
        made.remove()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
