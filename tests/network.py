"""Machines of the tests' own: network namespaces on one bridge, whose cables can be pulled.

Needs root and `ip` (Debian: iproute2). Programs outside reach a machine by its address, and it
reaches them by that of the bridge.
"""

import ipaddress
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LISTENS = "0A"
"""The state of a listening socket in the tables of the kernel."""


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

    def second_address(self, machine: Machine) -> str:
        """Gives the machine an address in a second network, where programs outside reach it too."""
        first = machine.address.split(".")
        _ip("address", "add", f"10.214.{first[2]}.1/24", "dev", self.name)
        second = f"10.214.{first[2]}.{first[3]}"
        _ip("-n", machine.name, "address", "add", f"{second}/24", "dev", "eth0")
        return second

    def remove(self) -> None:
        for machine in self._machines:
            _ip("netns", "del", machine.name)
        _ip("link", "del", self.name)


def listening(process: int) -> set[tuple[str, int]]:
    """The addresses and ports at which a process listens; none once it has ended."""
    own, found = set(), set()
    with suppress(OSError):
        for one in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                own.add(os.readlink(one))
        for table in ("tcp", "tcp6"):
            for row in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
                fields = row.split()
                if fields[3] == _LISTENS and f"socket:[{fields[9]}]" in own:
                    host, _, port = fields[1].partition(":")
                    found.add((_host(bytes.fromhex(host)), int(port, 16)))
    return found


def _host(words: bytes) -> str:
    """An address as the kernel writes it, each 32 bits backwards."""
    turned = b"".join(words[at : at + 4][::-1] for at in range(0, len(words), 4))
    address = ipaddress.ip_address(turned)
    return str(getattr(address, "ipv4_mapped", None) or address)


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
