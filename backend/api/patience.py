"""Limits how long a connection may keep the server waiting for a request head or body.

The HTTP server of the framework waits for ever and buffers what arrives: a few hundred slow callers
could occupy all its connections, and one endless head all its memory.
Requests that HTTP forbids but its parser accepts are refused here too.
"""

import asyncio
import json
from collections.abc import Sequence
from enum import Enum, auto
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from backend.api.gate import HEADER_BYTES
from workbench.contract.ids import new_id

_VERSIONS = ("1.1", "1.0")
_TOO_LARGE = f"The headers are larger than {HEADER_BYTES} bytes."
_MOST_WAITING = 16
"""Pipelined requests on one connection before the first of them is answered."""


class _Stage(Enum):
    """The part of a request that comes next."""

    REQUEST = auto()
    HEAD = auto()
    BODY = auto()


class PatientProtocol(HttpToolsProtocol):
    """Closes a connection on which too little arrives. Waiting for an answer is fine."""

    seconds = 30.0
    """The time limit for a head, and for a body while nothing arrives."""
    pace = 1_000
    """Bytes of a body that extend its limit by a second."""
    check_every = 5.0
    linger = 2.0
    """Seconds to keep reading after refusing something that is not a request."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._stage = _Stage.REQUEST
        self._since = 0.0
        self._received = 0
        self._steps = 0  # requests and bodies that have begun or ended so far
        self._empty = 0  # bytes since then that were part of neither
        self._next_check: asyncio.TimerHandle | None = None
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()
        self._check()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._next_check is not None:
            self._next_check.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        self._unset_keepalive_if_required()
        stage, steps = self._stage, self._steps
        try:
            self._feed(data)
        except httptools.HttpParserError:
            if len(getattr(self, "url", b"")) > HEADER_BYTES:  # the parser of paths has a limit
                self._refuse(431, _TOO_LARGE)
            else:
                self._refuse(400, "This is not a valid HTTP request.")
            return
        if self._stage is not stage:
            self._begin()
        self._received += len(data)
        # When a chunk completed something, how much of it was left over is unknown.
        self._empty = self._empty + len(data) if self._steps == steps else 0
        if self._empty > HEADER_BYTES:
            self._refuse(431, _TOO_LARGE)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._step(_Stage.HEAD)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._stage is _Stage.HEAD:  # trailers after a body are ignored
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if not _is_allowed(self.parser.get_http_version(), self.headers):
            raise ValueError("the request is not allowed")
        if len(self.pipeline) >= _MOST_WAITING:
            raise ValueError("too many requests at once")
        super().on_headers_complete()
        self._step(_Stage.BODY)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._step(_Stage.BODY)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._step(_Stage.REQUEST)

    def _feed(self, data: bytes) -> None:
        while True:
            try:
                self.parser.feed_data(data)
                return
            except httptools.HttpParserUpgrade as wish:
                # There is nothing to upgrade to: this request and the next are answered as usual.
                self.parser = httptools.HttpRequestParser(self)
                data = data[wish.args[0] :]

    def _step(self, stage: _Stage) -> None:
        self._stage = stage
        self._steps += 1

    def _refuse(self, status: int, detail: str) -> None:
        """Refuses and keeps reading for a moment: closing while data arrives resets the connection,
        and the caller may lose the answer.
        """
        self._refused = True
        if self._is_busy():
            if self._stage is not _Stage.BODY:
                self.cycle.keep_alive = False  # closes after the active answers
                return
            if self.cycle.response_started or self.pipeline:
                self.transport.abort()
                return
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        body = json.dumps({"detail": detail}).encode()
        head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
        head += f"x-aryn-call-id: {new_id('call')}\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[status] + head.encode() + body)
        self.transport.write_eof()
        self.loop.call_later(self.linger, self.transport.abort)

    def _begin(self) -> None:
        """Restarts the clock when the connection waits for something else, or for nothing."""
        self._since = self.loop.time()
        self._received = 0

    def _check(self) -> None:
        if not self._is_awaited():
            self._begin()
        in_body = self._stage is _Stage.BODY
        allowed = self.seconds + (self._received / self.pace if in_body else 0)
        if self.loop.time() - self._since > allowed:
            self.transport.abort()
            return
        self._next_check = self.loop.call_later(self.check_every, self._check)

    def _is_awaited(self) -> bool:
        """Whether it is the caller's turn to send. Between requests the server has its own timeout,
        and a body that is currently not read is not late.
        """
        if self._stage is _Stage.BODY:
            return not self.flow.read_paused
        return not self._is_busy() and self.timeout_keep_alive_task is None

    def _is_busy(self) -> bool:
        """Whether an answer is active."""
        return self.cycle is not None and not self.cycle.response_complete


def _is_allowed(version: str, headers: Sequence[tuple[bytes, bytes]]) -> bool:
    """Whether a head is HTTP/1, for one host, with a plain or chunked body."""
    hosts = [value for name, value in headers if name == b"host"]
    codings = [value.lower() for name, value in headers if name == b"transfer-encoding"]
    return version in _VERSIONS and len(hosts) == 1 and codings in ([], [b"chunked"])
