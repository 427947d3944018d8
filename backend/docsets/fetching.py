"""Fetches a file from a web address without opening a way into the local network.

The host is resolved once, each of its addresses is checked, and the connection goes to a checked
address: a name that resolves differently a moment later changes nothing. Redirects are checked the
same way. Bytes and redirects are limited, one deadline covers resolving, connecting and reading,
and only unencoded bodies are accepted, so nothing can expand on decompression.
"""

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import httpcore

from backend.store.blobs import Blob, BlobStore
from workbench.contract.errors import BadRequest, TooLarge

_REDIRECTS = 5
_SILENCE = 20.0
_CONNECT = 4.0
_MOST_ADDRESSES = 3
_LOOK_UP = 10.0
_POLL_SECONDS = 0.25
_MOVED = (301, 302, 303, 307, 308)

# Networks that `is_global` calls public but that lead, or may lead, to a private place.
_NOT_PUBLIC = [
    ipaddress.ip_network(text)
    for text in ("192.0.0.0/24", "224.0.0.0/4", "240.0.0.0/4", "64:ff9b::/96", "64:ff9b:1::/48",
                 "2002::/16", "2001::/32", "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "ff00::/8",
                 "fec0::/10", "192.88.99.0/24",
                 # Cloud services for their own machines: Azure, IBM.
                 "168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14")
]  # fmt: skip

Resolve = Callable[[str, int], Iterable[str]]


@dataclass(frozen=True)
class Fetched:
    """A fetched file, protected from removal while the fetching block runs."""

    blob: Blob
    name: str


def is_public(address: str) -> bool:
    """Whether an IP address is on the public internet, however it is interpreted."""
    ip = ipaddress.ip_address(address.split("%")[0])
    return ip.is_global and not any(ip in network for network in _NOT_PUBLIC)


def system_addresses(host: str, port: int) -> list[str]:
    """The addresses of a host according to the system's resolver."""
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise BadRequest(f"The host {host!r} cannot be resolved.") from error
    return [str(info[4][0]) for info in infos]


class Deadline:
    """The end of a fetch: after some seconds, or as soon as `stopped` returns true."""

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._end = clock() + seconds
        self._clock = clock
        self._stopped = stopped

    def left(self) -> float:
        """Seconds left; zero when it is over."""
        return 0.0 if self._stopped() else max(0.0, self._end - self._clock())


class Guard:
    """Decides which addresses a connection may use.

    The system's resolver cannot be interrupted, so names are resolved in threads that are abandoned
    at the deadline; their number is limited.
    """

    def __init__(self, allow_private: bool, resolve: Resolve = system_addresses) -> None:
        self._allow_private = allow_private
        self._resolve = resolve
        self._look_ups = threading.Semaphore(16)

    def addresses(self, host: str, port: int, deadline: Deadline | None = None) -> list[str]:
        """The addresses of a host. BadRequest for one that is not public, or a slow resolver."""
        addresses = self._looked_up(host, port, deadline or Deadline(_LOOK_UP))
        if not self._allow_private:
            for address in addresses:
                if not is_public(address):
                    raise BadRequest(
                        f"{host!r} is not on the public internet; fetching from it is disabled"
                        " (allow_private_fetch)."
                    )
        return addresses

    def _looked_up(self, host: str, port: int, deadline: Deadline) -> list[str]:
        answer: Future[list[str]] = Future()

        def look_up() -> None:
            try:
                answer.set_result(list(self._resolve(host, port)))
            except BaseException as error:
                answer.set_exception(error)
            finally:
                self._look_ups.release()

        late = BadRequest(f"The host {host!r} was not resolved in time.")
        end = Deadline(_LOOK_UP)
        while not self._look_ups.acquire(timeout=_POLL_SECONDS):
            if not min(deadline.left(), end.left()):
                raise late
        try:
            threading.Thread(target=look_up, name="look-up", daemon=True).start()
        except RuntimeError:  # the system has no more threads
            self._look_ups.release()
            raise
        while wait := min(deadline.left(), end.left(), _POLL_SECONDS):
            try:
                return answer.result(wait)
            except TimeoutError:
                continue
        raise late


class _Timed(httpcore.NetworkStream):
    """A connection that never waits beyond the deadline, however slowly bytes arrive."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        silence = Deadline(self._wait(timeout))
        while True:
            wait = min(_POLL_SECONDS, self._wait(timeout))
            try:
                return self._inner.read(max_bytes, wait)
            except httpcore.ReadTimeout:
                if not silence.left():
                    raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._wait(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        secured = self._inner.start_tls(ssl_context, server_hostname, self._wait(timeout))
        return _Timed(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def _wait(self, timeout: float | None) -> float:
        left = self._deadline.left()
        if left <= 0:
            raise httpcore.ReadTimeout
        return left if timeout is None else min(left, timeout)


class _PinnedBackend(httpcore.NetworkBackend):
    """Connects to a checked address, even if the name now resolves to another."""

    def __init__(self, guard: Guard, deadline: Deadline) -> None:
        self._guard = guard
        self._deadline = deadline
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        fault: Exception = httpcore.ConnectTimeout()
        for address in self._guard.addresses(host, port, self._deadline)[:_MOST_ADDRESSES]:
            wait = min(_CONNECT, self._deadline.left(), timeout or _CONNECT)
            if wait <= 0:
                break
            try:
                stream = self._inner.connect_tcp(address, port, wait, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                fault = error
            else:
                return _Timed(stream, self._deadline)
        raise fault


def pinned_pool(guard: Guard, deadline: Deadline) -> httpcore.ConnectionPool:
    """Connections to checked addresses only, which end at the deadline."""
    backend = _PinnedBackend(guard, deadline)
    return httpcore.ConnectionPool(network_backend=backend, max_connections=4)


class Fetcher:
    """Fetches files into the blob store, up to `max_bytes` and within `seconds` each."""

    def __init__(
        self,
        blobs: BlobStore,
        guard: Guard,
        max_bytes: int,
        seconds: float = 120.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._blobs = blobs
        self._guard = guard
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._clock = clock

    @contextmanager
    def fetching(self, url: str, stopped: Callable[[], bool] = lambda: False) -> Iterator[Fetched]:
        """The file at an http or https address. BadRequest or TooLarge when it cannot be fetched;
        BadRequest when `stopped` returns true.
        """
        with pinned_pool(self._guard, Deadline(self._seconds, self._clock, stopped)) as pool:
            for _ in range(_REDIRECTS + 1):
                check_url(url)
                with _response(pool, url) as response:
                    if response.status in _MOVED:
                        url = _moved(url, _header(response, b"location"))
                        continue
                    if response.status != 200:
                        raise BadRequest(f"{_shown(url)} answered with status {response.status}.")
                    if _header(response, b"content-encoding") not in ("", "identity"):
                        raise BadRequest(f"{_shown(url)} sent an encoded body, which is refused.")
                    with self._blobs.keeping(self._body(response)) as blob:
                        yield Fetched(blob, _name(url))
                    return
        raise BadRequest(f"More than {_REDIRECTS} redirects.")

    def _body(self, response: httpcore.Response) -> Iterator[bytes]:
        size = 0
        for chunk in response.iter_stream():
            size += len(chunk)
            if size > self._max_bytes:
                raise TooLarge(f"The file is larger than {self._max_bytes} bytes.")
            yield chunk


def check_url(url: str, name: str = "file_url") -> None:
    """BadRequest unless the text is a web address without credentials, naming the field `name`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadRequest(f"{name} is not an address.") from error
    usable = url.isascii() and parts.scheme in ("http", "https") and parts.hostname and port != 0
    if not usable:
        raise BadRequest(f"{name} must be an http or https address.")
    if parts.username is not None or parts.password is not None:
        raise BadRequest(f"{name} must not carry a user name or password.")


def _moved(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError as error:
        raise BadRequest(f"{_shown(url)} redirects to an invalid address.") from error


@contextmanager
def _response(pool: httpcore.ConnectionPool, url: str) -> Iterator[httpcore.Response]:
    timeouts = {"connect": _CONNECT, "read": _SILENCE, "write": 10.0, "pool": 10.0}
    try:
        with pool.stream(
            "GET",
            url,
            headers={"Accept-Encoding": "identity", "User-Agent": "docset-workbench"},
            extensions={"timeout": timeouts},
        ) as response:
            yield response
    except (
        httpcore.NetworkError,
        httpcore.TimeoutException,
        httpcore.ProtocolError,
        httpcore.UnsupportedProtocol,
    ) as error:
        raise BadRequest(f"{_shown(url)} cannot be fetched: {type(error).__name__}.") from error


def _header(response: httpcore.Response, name: bytes) -> str:
    for key, value in response.headers:
        if key.lower() == name:
            return value.decode("latin-1").strip()
    return ""


def _shown(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}{parts.path}"


def _name(url: str) -> str:
    return unquote(PurePosixPath(urlsplit(url).path).name) or "download"
