"""Shards in processes of their own, searched by TLS: an answer is whole or refused, whatever
happens to a shard and whoever else is on its network.
"""

import os
import random
import signal
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from backend.search.engine import SearchEngine
from backend.search.shards.fan_out import Shards
from backend.store.database import Database
from backend.store.tables import metadata
from backend.tasks.lines import Exchange, Lines
from backend.tasks.messages import Message
from backend.tasks.outcomes import PlaceLost
from backend.tasks.ray_node import node_environment
from tests.backend.search.shelf import Shelf
from tests.certificates import certificate
from tests.shard_processes import ShardProcesses
from workbench.contract.errors import Unavailable
from workbench.contract.search import QueryType, SearchRequest

# Python leaves a socket to its collector that is reset right before its handshake begins.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")

_HOST = "127.0.0.1"
_KEY = "the key of the cluster"
_COUNT = 2
_KINDS: tuple[QueryType, ...] = ("lexical", "keyword", "vector", "hybrid")
_BACK = 120.0
"""The most seconds until all is answered again, or a stranger is refused, on a busy machine."""
_AGAIN = 0.2
"""Seconds until a search that was refused is tried again."""
_FROZEN = 1.0
_PATIENCE = 10.0
"""Seconds within which a shard gives up on a caller that proves nothing; see `lines`."""
_STRANGERS = 60
_MOST_OPEN = 60
"""Files, and threads, that a process may have at the end; each stranger had one."""


class _Siege:
    """A DocSet in shards, searches that go on, and what is done to the shards meanwhile."""

    def __init__(self, folder: Path, shelf: Shelf, database_url: str, ended: ExitStack) -> None:
        own, foreign = (certificate(folder / n, _HOST) for n in ("own", "foreign"))
        right = node_environment(os.environ, _KEY) | own.settings
        self.wrong = {
            "certificate": node_environment(os.environ, _KEY) | foreign.settings,
            "token": node_environment(os.environ, "another key") | own.settings,
            "nothing": node_environment(os.environ, _KEY),
        }
        self.hosts = ended.enter_context(
            closing(ShardProcesses(database_url, folder, _COUNT, right))
        )
        self.processes = {place: self.hosts.start(place, f"{place}") for place in range(_COUNT)}
        shards = Shards(self.hosts, _COUNT, least=1)
        self.engine = ended.enter_context(
            closing(SearchEngine(shelf.database, folder / "here", shards=shards))
        )
        self.added: list[str] = []
        self.refused = 0
        self.answered = 0
        self.wrongs: list[str] = []
        self.shelf = shelf
        self._over = threading.Event()
        self._folders = 0

    def add(self) -> None:
        """Adds a document, which every answer has from now on."""
        self.added.append(self.shelf.add([f"a zebra at the river, {len(self.added)}"]))

    def search(self, kind: QueryType) -> None:
        """Unavailable, or an answer with all that was there before."""
        least = set(self.added)
        request = SearchRequest(query="zebra", query_type=kind, return_type="element")
        found = self.engine.search(self.shelf.docset_id, request, page_size=1000).results
        ids = [one["parent_id"] for one in found]
        if not least <= set(ids) or len(ids) != len(set(ids)):
            self.wrongs.append(f"{kind}: {len(ids)} hits, {len(least)} documents before")

    def go_on(self) -> None:
        """Searches until all is over."""
        while not self._over.is_set():
            for kind in _KINDS:
                try:
                    self.search(kind)
                    self.answered += 1
                except Unavailable:
                    self.refused += 1
                    time.sleep(_AGAIN)
                except Exception as error:
                    self.wrongs.append(repr(error))

    def end(self) -> None:
        self._over.set()

    def is_back(self) -> None:
        """Returns once every kind of search is answered."""
        deadline = time.monotonic() + _BACK
        for kind in _KINDS:
            while True:
                try:
                    self.search(kind)
                    break
                except Unavailable:
                    assert time.monotonic() < deadline, "the shards do not answer again"
                    time.sleep(_AGAIN)

    def address(self, place: int) -> tuple[str, int]:
        """Where the shard with that place answers."""
        address = self.hosts.lines[place]._address
        assert address is not None
        host, _, port = address.rpartition(":")
        return host, int(port)

    def restart(self, place: int) -> None:
        """Kills a shard, whose successor has its files."""
        self.hosts.kill(place)
        self._start(place, f"{place}")

    def replace(self, place: int) -> None:
        """Kills a shard, whose successor has no files."""
        self.hosts.kill(place)
        self._folders += 1
        self._start(place, f"{place}-{self._folders}")

    def freeze(self, place: int) -> None:
        """Stops a shard for a while."""
        process = self.processes[place]
        process.send_signal(signal.SIGSTOP)
        time.sleep(_FROZEN)
        process.send_signal(signal.SIGCONT)

    def impostors(self, place: int) -> None:
        """Has others answer in place of a shard, who do not belong to the cluster."""
        self.hosts.kill(place)
        asked: list[Message] = []

        def answer(question: Message) -> Message:
            asked.append(question)
            return Message("result", {})

        for environment in self.wrong.values():
            with closing(Exchange(_HOST, answer, environment)) as false:
                self.hosts.lines[place].lead_to(false.address)
                for kind in _KINDS:
                    with pytest.raises(Unavailable):
                        self.search(kind)
        assert not asked, "an impostor was asked about documents"
        self._start(place, f"{place}")

    def strangers(self, place: int) -> None:
        """Besieges the address of a shard with callers who do not belong to the cluster."""
        host, port = self.address(place)
        with ExitStack() as silent:
            for _ in range(_STRANGERS):
                silent.enter_context(socket.create_connection((host, port), timeout=_BACK))
            for environment in self.wrong.values():
                lines = Lines(environment)
                lines.lead_to(f"{host}:{port}")
                with pytest.raises(PlaceLost):
                    lines.ask(Message("state", {"docset": self.shelf.docset_id})).result(10)
            for noise in (b"GET / HTTP/1.1\r\n\r\n", os.urandom(4_000), b"\x16\x03\x01\xff\xff"):
                with socket.create_connection((host, port), timeout=_BACK) as caller:
                    caller.sendall(noise)
                    with suppress(ConnectionResetError):
                        assert b"result" not in caller.recv(1_000)
            certified = ssl.create_default_context(cafile=self.wrong["token"]["RAY_TLS_CA_CERT"])
            with (
                socket.create_connection((host, port), timeout=_BACK) as plain,
                certified.wrap_socket(plain, server_hostname=host) as caller,
                pytest.raises(ssl.SSLError),
            ):
                caller.recv(1)
            self.is_back()

    def _start(self, place: int, folder: str) -> None:
        self.processes[place] = self.hosts.start(place, folder)


_TROUBLES: tuple[Callable[[_Siege, int], None], ...] = (
    _Siege.restart,
    _Siege.strangers,
    _Siege.freeze,
    _Siege.replace,
    _Siege.impostors,
)


@pytest.fixture
def siege(tmp_path: Path) -> Iterator[_Siege]:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    with ExitStack() as ended:
        database = ended.enter_context(closing(Database(url)))
        metadata.create_all(database.engine)
        yield _Siege(tmp_path, Shelf(database), url, ended)


def _endure(siege: _Siege, troubles: Iterable[Callable[[_Siege, int], None]]) -> None:
    for _ in range(20):
        siege.add()
    siege.is_back()
    searchers = [threading.Thread(target=siege.go_on) for _ in range(2)]
    for one in searchers:
        one.start()
    try:
        for turn, trouble in enumerate(troubles):
            trouble(siege, turn % _COUNT)
            siege.add()
            siege.is_back()
    finally:
        siege.end()
        for one in searchers:
            one.join()
    assert siege.wrongs == []
    assert siege.answered
    print(f"{siege.answered} answered, {siege.refused} refused, none smaller")


def test_answers_are_whole_or_refused_while_shards_are_killed_and_besieged(siege: _Siege) -> None:
    _endure(siege, _TROUBLES)


@pytest.mark.soak
def test_answers_are_whole_or_refused_through_many_troubles_and_nothing_stays_open(
    siege: _Siege,
) -> None:
    """The troubles come in any order."""
    count = int(os.environ.get("WORKBENCH_SHARD_TROUBLES", "100"))
    _endure(siege, random.Random(7).choices(_TROUBLES, k=count))
    time.sleep(_PATIENCE)  # until shards have given up on silent strangers
    processes = [os.getpid(), *(one.pid for one in siege.processes.values())]
    for kind in ("fd", "task"):
        open_now = [len(list(Path(f"/proc/{process}/{kind}").iterdir())) for process in processes]
        assert max(open_now) < _MOST_OPEN, f"{kind}: {open_now}"
