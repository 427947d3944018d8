"""Checks every request before its body is read: host, credential, size; and assigns its call id.

Plain ASGI around the whole application: a framework dependency would run after the body was
parsed, and would miss the framework's own error answers.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.api.authentication import Authentication, Refused
from backend.api.observing import Answered, Observer
from backend.api.tokens import Access
from backend.tasks.headroom import RETRY_SECONDS, SHORT_OF_MEMORY, has_headroom
from workbench.contract.ids import new_id

_log = logging.getLogger(__name__)
call_id: ContextVar[str] = ContextVar("call_id", default="-")

HEADER_BYTES = 32_768
"""Largest request line with its headers."""
_PORT = re.compile(r":[0-9]{0,5}\Z")
_ONCE = frozenset({b"authorization", b"content-length", b"content-type", b"host"})
_UPLOADS = ("/docs", "/document/partition")


class Gate:
    """The outermost layer. Passes a request on, or refuses it at once."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        authentication: Authentication,
        observers: Sequence[Observer],
        allowed_hosts: list[str],
        max_body: int,
        max_upload: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._authentication = authentication
        self._observers = observers
        self._hosts = {host.lower() for host in allowed_hosts}
        self._max_body = max_body
        self._max_upload = max_upload
        self._clock = clock
        self._active = 0
        self._last_end = clock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = self._clock()
        call = new_id("call")
        call_id.set(call)
        answer = _Answer(send, call)
        self._active += 1
        try:
            await self._let_in(scope, receive, answer)
        except Exception:
            # The framework raises an error again after it has answered 500; the server would then
            # drop the connection, and with it the next pipelined request.
            if not answer.complete:
                raise
            _log.exception("a request failed")
        finally:
            self._active -= 1
            self._last_end = self._clock()
            seconds = self._last_end - began
            answered = Answered(call, scope, answer.status, seconds, answer.who)
            for observe in self._observers:
                observe(answered)

    def idle_seconds(self) -> float:
        """How long no request has been active; an open event stream is active."""
        return 0.0 if self._active else self._clock() - self._last_end

    async def _let_in(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        headers = dict(scope["headers"])
        limit = self._limit(scope["path"], headers)
        if twice := _repeated(scope):
            await answer.refuse(400, f"The header {twice} was sent more than once.")
        elif not self._host_allowed(headers.get(b"host", b"")):
            await answer.refuse(400, "This host name is not allowed (allowed_hosts).")
        elif _head_size(scope) > HEADER_BYTES:
            await answer.refuse(431, f"The headers are larger than {HEADER_BYTES} bytes.")
        elif isinstance(who := self._authentication.check(scope, _credential(headers)), Refused):
            answer.who = who.who
            await asyncio.sleep(who.wait)
            await answer.refuse(403, who.detail)
        elif _declared(headers) > limit:
            await answer.refuse(413, f"The body is larger than {limit} bytes.")
        elif headers.get(b"content-encoding", b"identity").lower() != b"identity":
            answer.who = who
            await answer.refuse(415, "The body is compressed (Content-Encoding): send it as it is.")
        elif who is not None and not has_headroom(beside=self._active - 1):
            answer.who = who
            await answer.refuse(503, SHORT_OF_MEMORY)
        else:
            answer.who = who
            if who is not None:
                state = scope.setdefault("state", {})
                state["account_id"] = who.account_id
                state["access"] = who
                state["allowed"] = partial(self._authentication.allows, _credential(headers))
            await self._app(scope, _Counted(receive, limit), answer)

    def _limit(self, path: str, headers: dict[bytes, bytes]) -> int:
        # Only a multipart body is spooled to disk; any other is kept in memory.
        multipart = headers.get(b"content-type", b"").lower().startswith(b"multipart/")
        return self._max_upload if multipart and path.endswith(_UPLOADS) else self._max_body

    def _host_allowed(self, host: bytes) -> bool:
        name = host.decode("latin-1").lower()
        return (_PORT.sub("", name) or name) in self._hosts


def _repeated(scope: Scope) -> str:
    """A security-relevant header that came twice: a proxy in front may have read the other one."""
    names = [name for name, _ in scope["headers"] if name in _ONCE]
    return next((name.decode() for name in names if names.count(name) > 1), "")


def _credential(headers: dict[bytes, bytes]) -> bytes:
    return headers.get(b"authorization", b"")


def _head_size(scope: Scope) -> int:
    # The server's own limit applies only to heads that arrive in several pieces.
    line = len(scope.get("raw_path", b"")) + len(scope["query_string"])
    return line + sum(len(name) + len(value) for name, value in scope["headers"])


def _declared(headers: dict[bytes, bytes]) -> int:
    length = headers.get(b"content-length", b"0")
    return int(length) if length.isdigit() and len(length) < 20 else 0


class BodyTooLarge(HTTPException):
    """The body exceeds the limit although its header declared less, or nothing.

    It is an exception of the framework, which turns any other one while reading a body into a 400.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(413, f"The body is larger than {limit} bytes.", {"Connection": "close"})


class _Answer:
    """Sends messages on with the call id, and records the status and who sent the request."""

    def __init__(self, send: Send, call: str) -> None:
        self._send = send
        self._call = call.encode()
        self.status = 0
        self.complete = False
        self.who: Access | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message.get("headers", []), (b"x-aryn-call-id", self._call)]
            message = {**message, "headers": headers}
        await self._send(message)
        if message["type"] == "http.response.body":
            self.complete = not message.get("more_body", False)

    async def refuse(self, status: int, detail: str) -> None:
        body = json.dumps({"detail": detail}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        if status == 413:
            headers.append((b"connection", b"close"))
        if status == 503:
            headers.append((b"retry-after", str(RETRY_SECONDS).encode()))
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self({"type": "http.response.body", "body": body})


class _Counted:
    """Receives messages, and stops a body over the limit regardless of its declared length."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._seen += len(message.get("body", b""))
            if self._seen > self._limit:
                raise BodyTooLarge(self._limit)
        return message
