"""How long a connection may keep the server waiting: for the head of a request, or for its body.

The HTTP server of the framework waits for ever for both, so a few hundred callers who send a byte
now and then could hold all its connections.
"""

import asyncio
import json
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class PatientProtocol(H11Protocol):
    """Closes a connection on which too little arrives. Waiting for an answer is no fault."""

    seconds = 30.0
    """So long a head may take, and a body that is empty."""
    pace = 1_000
    """Bytes of a body that give it a second more."""
    look_every = 5.0
    linger = 2.0
    """So long is read on after a refusal of what is no request."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._since = 0.0
        self._received = 0
        self._look_later: asyncio.TimerHandle | None = None
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._look_later is not None:
            self._look_later.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Reads on for a moment: to close while more is coming resets the connection, and the
        caller may lose the answer.
        """
        self._refused = True
        body = json.dumps({"detail": msg}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        answer = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        try:
            parts = [self.conn.send(e) for e in (answer, h11.Data(body), h11.EndOfMessage())]
        except h11.LocalProtocolError:  # another answer is half on its way
            self.transport.abort()
            return
        self.transport.write(b"".join(part or b"" for part in parts))
        self.transport.write_eof()
        self.loop.call_later(self.linger, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        before = self.conn.their_state
        super().data_received(data)
        if self.conn.their_state is not before:
            self._begin()
        self._received += len(data)

    def _begin(self) -> None:
        """From now on something else is waited for, or nothing."""
        self._since = self.loop.time()
        self._received = 0

    def _look(self) -> None:
        if not self._is_awaited():
            self._begin()
        in_body = self.conn.their_state is h11.SEND_BODY
        allowed = self.seconds + (self._received / self.pace if in_body else 0)
        if self.loop.time() - self._since > allowed:
            self.transport.abort()
            return
        self._look_later = self.loop.call_later(self.look_every, self._look)

    def _is_awaited(self) -> bool:
        """Whether it is the caller's turn to send. Between requests the server has its own clock,
        and a body that we do not read at the moment is not late.
        """
        if self.conn.their_state is h11.SEND_BODY:
            return not self.flow.read_paused
        return self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None
