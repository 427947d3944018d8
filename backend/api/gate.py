"""What every request passes before its body is read: host, credential, size; and its call id.

Plain ASGI around the whole application: a framework dependency would run after the body was
parsed, and would miss the framework's own error answers.
"""

import hashlib
import hmac
import json
import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.contract.ids import new_id

call_id: ContextVar[str] = ContextVar("call_id", default="-")

_log = logging.getLogger(__name__)
_NO_KEY = "No Aryn API key provided."
_NOT_AUTHENTICATED = "Not authenticated."
_WRONG_KEY = "Invalid Aryn API key"
_OPEN_PATHS = frozenset({"/v1/workbench/health"})
_UPLOADS = ("/docs", "/document/partition")

Accounts = Callable[[str], str | None]
"""From the SHA-256 of a token, in hex, to the account it opens, or None."""


def token_hash(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


class Gate:
    """The outermost layer. Lets a request in, or answers it at once."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        accounts: Accounts,
        allowed_hosts: list[str],
        max_body: int,
        max_upload: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._accounts = accounts
        self._hosts = {host.lower() for host in allowed_hosts}
        self._max_body = max_body
        self._max_upload = max_upload
        self._clock = clock
        self.last_request = clock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self.last_request = self._clock()
        call = new_id("call")
        call_id.set(call)
        headers = dict(scope["headers"])
        answer = _Answer(send, call)
        limit = self._max_upload if scope["path"].endswith(_UPLOADS) else self._max_body
        if not self._host_allowed(headers.get(b"host", b"")):
            await answer.refuse(400, "This host name is not allowed (allowed_hosts).")
        elif (refusal := self._authenticate(scope, headers)) is not None:
            await answer.refuse(403, refusal)
        elif _declared(headers) > limit:
            await answer.refuse(413, f"The body is larger than {limit} bytes.")
        else:
            await self._app(scope, _Counted(receive, limit, answer), answer)
        _log.info(
            "%s %s %s %.0f ms",
            scope["method"],
            scope["path"],
            answer.status,
            1000 * (self._clock() - self.last_request),
        )

    def _host_allowed(self, host: bytes) -> bool:
        name = host.decode("latin-1").lower()
        if not name.endswith("]"):
            name = name.rpartition(":")[0] or name
        return name in self._hosts

    def _authenticate(self, scope: Scope, headers: dict[bytes, bytes]) -> str | None:
        """None when the request may go on, with its account noted; else the refusal."""
        if scope["path"] in _OPEN_PATHS:
            return None
        kind, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        if kind.lower() != "bearer" or not token.strip():
            return _missing(scope["path"])
        account = self._accounts(token_hash(token.strip()))
        if account is None:
            return _WRONG_KEY
        scope.setdefault("state", {})["account_id"] = account
        return None


def constant_time_accounts(tokens: Callable[[], dict[str, str]]) -> Accounts:
    """Looks a hash up among all known ones without telling by time which came close."""

    def account(presented: str) -> str | None:
        found = None
        for known, owner in tokens().items():
            if hmac.compare_digest(known, presented):
                found = owner
        return found

    return account


def _missing(path: str) -> str:
    asks_about_tasks = path.startswith(("/v1/async/result", "/v1/async/list", "/v1/async/cancel"))
    return _NO_KEY if asks_about_tasks else _NOT_AUTHENTICATED


def _declared(headers: dict[bytes, bytes]) -> int:
    length = headers.get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


class BodyTooLarge(Exception):
    """The body went on beyond the limit although its header said less, or nothing."""


class _Answer:
    """Sends on, with the call id added, and remembers the status."""

    def __init__(self, send: Send, call: str) -> None:
        self._send = send
        self._call = call.encode()
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message.get("headers", []), (b"x-aryn-call-id", self._call)]
            message = {**message, "headers": headers}
        await self._send(message)

    async def refuse(self, status: int, detail: str) -> None:
        body = json.dumps({"detail": detail}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        if status == 413:
            headers.append((b"connection", b"close"))
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self({"type": "http.response.body", "body": body})


class _Counted:
    """Receives on, and stops a body that is larger than allowed whatever it declared."""

    def __init__(self, receive: Receive, limit: int, answer: _Answer) -> None:
        self._receive = receive
        self._limit = limit
        self._answer = answer
        self._seen = 0

    async def __call__(self) -> Any:
        message = await self._receive()
        if message["type"] == "http.request":
            self._seen += len(message.get("body", b""))
            if self._seen > self._limit:
                raise BodyTooLarge(f"The body is larger than {self._limit} bytes.")
        return message
