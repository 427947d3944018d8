"""Fetching from an address never opens a way into the local network."""

import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpcore
import pytest

from backend.docsets.fetching import Fetcher, Guard, check_url, is_public
from backend.store.blobs import BlobStore
from workbench.contract.errors import BadRequest, TooLarge


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", "http://inside.example/secret")
            self.end_headers()
        elif self.path == "/nowhere":
            self.send_response(302)
            self.send_header("Location", "http://[")
            self.end_headers()
        elif self.path == "/loop":
            self.send_response(302)
            self.send_header("Location", "/loop")
            self.end_headers()
        elif self.path == "/gone":
            self.send_error(404)
        else:
            self.send_response(200)
            if self.path == "/zip":
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(b"x" * 1000)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def site() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def fetcher(tmp_path: Path) -> Callable[..., Fetcher]:
    def make(max_bytes: int = 10_000, **guard: object) -> Fetcher:
        return Fetcher(BlobStore(tmp_path), Guard(**({"allow_private": True} | guard)), max_bytes)

    return make


def fetch(fetcher: Fetcher, url: str) -> tuple[str, int]:
    with fetcher.fetching(url) as fetched:
        return fetched.name, fetched.blob.size


def test_a_file_is_fetched_under_its_own_name(fetcher, site: str) -> None:
    assert fetch(fetcher(), f"{site}/papers/a%20b.pdf?x=1") == ("a b.pdf", 1000)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/gone", "status 404"),
        ("/loop", "redirects"),
        ("/zip", "encoded"),
        ("/nowhere", "invalid address"),
    ],
)
def test_a_failed_fetch_is_explained(fetcher, site: str, path: str, words: str) -> None:
    with pytest.raises(BadRequest, match=words):
        fetch(fetcher(), site + path)


def test_a_file_over_the_limit_is_not_stored(fetcher, site: str) -> None:
    with pytest.raises(TooLarge):
        fetch(fetcher(max_bytes=999), f"{site}/big")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "0.0.0.0",
        "2130706433",
        "0x7f.1",
        "127.1",
        "[::ffff:7f00:1]",
        "017700000001",
        "0",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "169.254.169.254",
    ],
)
def test_every_spelling_of_this_machine_is_refused(fetcher, host: str) -> None:
    """Before connecting: a missing listener there would not count as a refusal."""
    with pytest.raises(BadRequest, match="not on the public internet"):
        fetch(fetcher(allow_private=False), f"http://{host}:9/")


def test_a_redirect_to_a_private_address_is_refused(fetcher, site: str) -> None:
    def resolve(host: str, _port: int) -> list[str]:
        return ["10.0.0.7"] if host == "inside.example" else ["127.0.0.1"]

    class OnlyTheSite(Guard):
        def addresses(self, host: str, port: int, *more: object) -> list[str]:
            if host == "127.0.0.1":
                return [host]
            return super().addresses(host, port, *more)

    guarded = fetcher()
    guarded._guard = OnlyTheSite(False, resolve)
    with pytest.raises(BadRequest, match="public internet"):
        fetch(guarded, f"{site}/redirect")


def test_a_name_with_one_private_address_among_public_ones_is_refused() -> None:
    guard = Guard(False, lambda _host, _port: ["93.184.216.34", "192.168.0.1"])
    with pytest.raises(BadRequest):
        guard.addresses("mixed.example", 80)


def test_the_connection_goes_to_the_checked_address(fetcher, site: str) -> None:
    port = int(site.rpartition(":")[2])
    asked: list[str] = []

    def resolve(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["203.0.113.1"]

    assert fetch(fetcher(resolve=resolve), f"http://rebinding.example:{port}/f")[1] == 1000
    assert asked == ["rebinding.example"]


@pytest.mark.parametrize(
    "url",
    ["ftp://a/b", "file:///etc/passwd", "http://", "http://user:pw@host/", "http://h:0/", "//h/x",
     "http://[::1", "javascript:alert(1)", "http://exämple/"],
)  # fmt: skip
def test_only_plain_web_addresses_are_fetched(url: str) -> None:
    with pytest.raises(BadRequest):
        check_url(url)


@pytest.mark.parametrize(
    "address",
    ["10.1.2.3", "169.254.169.254", "100.64.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1",
     "::ffff:0:127.0.0.1", "64:ff9b:1::7f00:1", "fec0::1", "192.88.99.1", "0.0.0.0", "::",
     "224.0.0.1", "192.0.0.8", "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "255.255.255.255"],
)  # fmt: skip
def test_disguised_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1"])
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


def test_an_unreachable_server_is_reported(fetcher) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(BadRequest, match="cannot be fetched"):
        fetch(fetcher(), f"http://127.0.0.1:{port}/x")


def test_a_server_that_drips_its_response_is_dropped_at_the_deadline(tmp_path: Path) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def drip() -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Endless: ")
            while not over.wait(0.01):
                try:
                    connection.sendall(b"x")
                except OSError:
                    return

    thread = threading.Thread(target=drip)
    thread.start()
    seconds = itertools.count(step=10.0)  # each reading of the clock takes ten seconds
    blobs = BlobStore(tmp_path / "blobs")
    patient = Fetcher(blobs, Guard(True), 1000, clock=lambda: next(seconds))
    with pytest.raises(BadRequest, match="ReadTimeout"):
        fetch(patient, f"http://127.0.0.1:{server.getsockname()[1]}/")
    over.set()
    thread.join()
    server.close()


def silent_server() -> socket.socket:
    """Accepts connections and sends nothing."""
    return socket.create_server(("127.0.0.1", 0))


def test_a_cancelled_fetch_ends_at_once(fetcher) -> None:
    unwanted = threading.Event()
    with silent_server() as server:
        threading.Timer(0.2, unwanted.set).start()
        began = time.monotonic()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with (
            pytest.raises(BadRequest, match="cannot be fetched"),
            fetcher().fetching(url, unwanted.is_set),
        ):
            pass
    assert time.monotonic() - began < 2


def test_one_deadline_covers_the_whole_fetch(tmp_path: Path) -> None:
    with silent_server() as server:
        quick = Fetcher(BlobStore(tmp_path), Guard(True), 1000, seconds=0.5)
        began = time.monotonic()
        with pytest.raises(BadRequest, match="cannot be fetched"):
            fetch(quick, f"http://127.0.0.1:{server.getsockname()[1]}/")
    assert time.monotonic() - began < 2


def test_only_a_few_of_many_dead_addresses_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def dead(self: object, host: str, port: int, timeout: float, *_: object) -> None:
        waits.append(timeout)
        raise httpcore.ConnectTimeout

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", dead)
    guard = Guard(True, lambda _host, _port: [f"192.0.2.{n}" for n in range(20)])
    with pytest.raises(BadRequest, match="ConnectTimeout"):
        fetch(Fetcher(BlobStore(tmp_path), guard, 1000, seconds=5), "http://dead.example/")
    assert 0 < len(waits) <= 3 and sum(waits) <= 15 and max(waits) <= 5


def test_a_resolver_that_never_answers_is_abandoned_at_the_deadline(tmp_path: Path) -> None:
    over = threading.Event()
    guard = Guard(True, lambda _host, _port: ["127.0.0.1"] * over.wait(30))
    began = time.monotonic()
    with pytest.raises(BadRequest, match="not resolved in time"):
        fetch(Fetcher(BlobStore(tmp_path), guard, 1000, seconds=0.5), "http://slow.example/")
    over.set()
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("address", ["168.63.129.16", "161.26.0.10", "166.9.1.1"])
def test_cloud_service_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)
