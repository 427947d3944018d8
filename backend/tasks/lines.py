"""Lines between servers and shards: sockets of our own beside Ray, which takes two milliseconds of
processor time to carry a question and its answer. A line takes a fifth.

Both ends prove that they know the token of the cluster, without sending it. Where the nodes of Ray
talk by TLS, so do lines, with the same certificates. A line carries one question at a time: its
caller sends it, and reads the answer when that is wanted, so that no thread waits in between.
"""

import hashlib
import hmac
import logging
import secrets
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from typing import Final

from backend.tasks.messages import BrokenPipe, Message, exactly, receive, send
from backend.tasks.outcomes import PlaceLost

_log = logging.getLogger(__name__)
_PATIENCE: Final = 5.0
"""Seconds until a line must be up, or a question sent."""
_BYTES: Final = 32
_QUIET: Final = 30
"""Seconds without a question after which each end checks that the other one is still there."""


class Lines:
    """The lines of a server to one shard, wherever that is now."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """`environment` is that of `ray_node.node_environment`."""
        self._environment = environment
        self._lock = threading.Lock()
        self._address: str | None = None
        self._idle: list[_Line] = []
        self._busy: set[_Line] = set()

    def lead_to(self, address: str | None) -> None:
        """The shard's `HOST:PORT` from now on, or None. Earlier questions end in PlaceLost."""
        with self._lock:
            if address == self._address:
                return
            self._address, idle, busy = address, self._idle, self._busy
            self._idle, self._busy = [], set()
        for line in idle:
            line.close()
        for line in busy:
            line.hang_up()

    def ask(self, question: Message) -> "Awaited":
        """Sends a question. PlaceLost when the shard cannot be reached."""
        with self._lock:
            address, line = self._address, self._idle.pop() if self._idle else None
        try:
            if address is None:
                raise PlaceLost("the shard is starting")
            line = line or _Line.to(address, self._environment)
            with self._lock:
                self._busy.add(line)
            line.send(question)
        except (OSError, BrokenPipe) as error:
            self._drop(line)
            raise PlaceLost(f"no line to {address}") from error
        return Awaited(self, line)

    def received(self, line: "_Line", seconds: float) -> Message:
        """The answer on that line. PlaceLost when there is none within so many seconds."""
        try:
            answer = line.receive(seconds)
        except (OSError, BrokenPipe) as error:
            self._drop(line)
            raise PlaceLost("no answer") from error
        with self._lock:
            if line in self._busy:
                self._busy.remove(line)
                self._idle.append(line)
                return answer
        line.close()  # the shard has moved meanwhile
        return answer

    def _drop(self, line: "_Line | None") -> None:
        if line is not None:
            with self._lock:
                self._busy.discard(line)
            line.close()


class Awaited:
    """An answer that is on its way. Either `result` or `cancel` must be called."""

    def __init__(self, lines: Lines, line: "_Line") -> None:
        self._lines = lines
        self._line: _Line | None = line

    def result(self, timeout: float) -> Message:
        """The answer. PlaceLost when there is none within `timeout` seconds."""
        line, self._line = self._line, None
        assert line is not None, "an answer is read once"
        return self._lines.received(line, timeout)

    def cancel(self) -> None:
        """Nobody wants the answer any more."""
        if self._line is not None:
            self._lines._drop(self._line)


class Exchange:
    """Answers the questions of servers at `address`, each line in a thread of its own."""

    def __init__(
        self, host: str, answer: Callable[[Message], Message], environment: Mapping[str, str]
    ) -> None:
        """Listens on that address of this machine alone; `environment` as for `Lines`."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.create_server((host, 0), family=family)
        self._answer = answer
        self._environment = environment
        self.address = f"{host}:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, name="lines", daemon=True).start()

    def close(self) -> None:
        """Takes no further lines."""
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                if self._socket.fileno() < 0:
                    return
                _log.exception("a line could not be accepted")
                continue
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller: socket.socket) -> None:
        with suppress(OSError, BrokenPipe), closing(_Line.of(caller, self._environment)) as line:
            while True:
                line.send(self._answer(line.receive(None)))


class _Line:
    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._incoming, self._outgoing = end.makefile("rb"), end.makefile("wb")

    @classmethod
    def to(cls, address: str, environment: Mapping[str, str]) -> "_Line":
        """A new line to an address. OSError or BrokenPipe when it cannot be had."""
        host, _, port = address.rpartition(":")
        end = socket.create_connection((host, int(port)), timeout=_PATIENCE)
        return cls._proven(end, environment, host)

    @classmethod
    def of(cls, end: socket.socket, environment: Mapping[str, str]) -> "_Line":
        """The line of a caller. Errors of `to` for one that does not belong to the cluster."""
        return cls._proven(end, environment, None)

    @classmethod
    def _proven(
        cls, end: socket.socket, environment: Mapping[str, str], host: str | None
    ) -> "_Line":
        """The line over a socket, whose callers know the name of the `host`."""
        try:
            end.settimeout(_PATIENCE)
            _prepare(end)
            if (context := _encryption(environment, is_caller=host is not None)) is not None:
                end = context.wrap_socket(end, server_side=host is None, server_hostname=host)
            line = cls(end)
        except BaseException:
            end.close()
            raise
        try:
            line._prove(environment, is_caller=host is not None)
        except BaseException:
            line.close()
            raise
        return line

    def send(self, message: Message) -> None:
        self._socket.settimeout(_PATIENCE)
        send(self._outgoing, message)

    def receive(self, seconds: float | None) -> Message:
        self._socket.settimeout(None if seconds is None else max(0.001, seconds))
        return receive(self._incoming)

    def hang_up(self) -> None:
        """Ends it from any thread; whoever waits for an answer gets an error, and closes it."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Ends it."""
        self.hang_up()
        for one in (self._incoming, self._outgoing, self._socket):
            with suppress(OSError, ValueError):  # what was left to send cannot be sent
                one.close()

    def _prove(self, environment: Mapping[str, str], *, is_caller: bool) -> None:
        """Shows the other end that we know the token, and has it do the same."""
        token = environment.get("RAY_AUTH_TOKEN", "").encode()
        own = secrets.token_bytes(_BYTES)
        self._write(own)
        other = exactly(self._incoming, _BYTES)
        roles = (b"caller", b"shard") if is_caller else (b"shard", b"caller")

        def proof(role: bytes, mine: bytes, theirs: bytes) -> bytes:
            return hmac.digest(token, role + mine + theirs, hashlib.sha256)

        self._write(proof(roles[0], own, other))
        if not hmac.compare_digest(exactly(self._incoming, _BYTES), proof(roles[1], other, own)):
            raise BrokenPipe

    def _write(self, data: bytes) -> None:
        self._outgoing.write(data)
        self._outgoing.flush()


def _prepare(end: socket.socket) -> None:
    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_KEEPIDLE"):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, _QUIET)


def _encryption(environment: Mapping[str, str], *, is_caller: bool) -> ssl.SSLContext | None:
    """TLS with Ray's certificates, which each end demands of the other; None where Ray has none."""
    if environment.get("RAY_USE_TLS", "0") not in ("1", "true"):
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT if is_caller else ssl.PROTOCOL_TLS_SERVER)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(environment["RAY_TLS_CA_CERT"])
    context.load_cert_chain(environment["RAY_TLS_SERVER_CERT"], environment["RAY_TLS_SERVER_KEY"])
    return context
