"""Notifies an address that a task has ended: `POST {done: [{task_id}]}`, with retries and back-off.

Delivery is best effort: the task list is authoritative, and pending notifications are lost when the
process ends. Private addresses are refused as for fetching. With a key, messages are signed as in
Standard Webhooks: `webhook-signature: v1,<base64 of HMAC-SHA256 over "id.timestamp.body">`.
"""

import base64
import hashlib
import heapq
import hmac
import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import httpcore

from backend.docsets.fetching import Deadline, Guard, check_url, pinned_pool
from workbench.contract.errors import BadRequest, ServiceError

_log = logging.getLogger(__name__)
_WAITS = (1.0, 5.0, 30.0, 120.0)
_HEADER = "X-Aryn-Webhook"
_WAITING = 10_000
"""Pending notifications of one account."""
_THREADS, _MOST_EACH = 8, 4
"""Deliveries at once, and those of one account: a silent address occupies a thread for seconds."""
_AGAIN = (408, 425, 429)
_SECONDS = 20.0
_CHECK_SECONDS = 5.0
_TIMEOUTS = {"connect": 5.0, "read": 10.0, "write": 5.0, "pool": 5.0}


@dataclass(order=True)
class _Message:
    due: float
    task_id: str = field(compare=False)
    url: str = field(compare=False)
    account_id: str = field(compare=False, default="")
    tries: int = field(compare=False, default=0)


class Webhooks:
    """Delivers in background threads, accounts in turn: an account with slow or dead addresses
    does not delay the others.

    `clock` gives seconds since 1970, for the signature; `ticks` is a monotonic clock.
    """

    def __init__(
        self,
        guard: Guard,
        secret: str | None = None,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._guard = guard
        self._secret = secret
        self._clock = clock
        self._ticks = ticks
        self._waiting: dict[str, list[_Message]] = {}
        """By account, in the order in which they are due."""
        self._active: Counter[str] = Counter()
        self._changed = threading.Condition()
        self._closed = False
        for number in range(_THREADS):
            threading.Thread(target=self._run, name=f"webhooks-{number}", daemon=True).start()

    def check(self, url: str) -> None:
        """BadRequest for an address that would never be called."""
        check_url(url, _HEADER)
        parts = urlsplit(url)
        try:
            self._guard.addresses(parts.hostname or "", parts.port or 443, Deadline(_CHECK_SECONDS))
        except BadRequest as error:
            raise BadRequest(f"{_HEADER}: {error.detail}") from error

    def notify(self, url: str, task_id: str, account_id: str) -> None:
        """Queues a notification that the task has ended; returns at once."""
        self._put(_Message(self._ticks(), task_id, url, account_id))

    def close(self) -> None:
        """Stops delivering."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _put(self, message: _Message) -> None:
        with self._changed:
            waiting = self._waiting.setdefault(message.account_id, [])
            if len(waiting) >= _WAITING:
                _log.warning("too many pending webhooks: dropping that of %s", message.task_id)
                return
            heapq.heappush(waiting, message)
            self._changed.notify()

    def _run(self) -> None:
        while (message := self._next()) is not None:
            try:
                self._deliver(message)
            except Exception:
                _log.exception("webhook of %s failed", message.task_id)
            finally:
                with self._changed:
                    self._active[message.account_id] -= 1
                    self._changed.notify()

    def _next(self) -> _Message | None:
        """The next message that is due, of the account with the fewest active deliveries; None
        after closing.
        """
        with self._changed:
            while not self._closed:
                able = [name for name in self._waiting if self._active[name] < _MOST_EACH]
                now = self._ticks()
                due = [name for name in able if self._waiting[name][0].due <= now]
                if due:
                    return self._take(min(due, key=self._active.__getitem__))
                next_due = min((self._waiting[name][0].due for name in able), default=None)
                self._changed.wait(None if next_due is None else next_due - now)
        return None

    def _take(self, account_id: str) -> _Message:
        waiting = self._waiting.pop(account_id)
        message = heapq.heappop(waiting)
        if waiting:
            self._waiting[account_id] = waiting  # behind the other accounts
        self._active[account_id] += 1
        return message

    def _deliver(self, message: _Message) -> None:
        status = self._posted(message)
        if status is not None and 200 <= status < 300:
            return
        final = status is not None and status < 500 and status not in _AGAIN
        if final or message.tries >= len(_WAITS):
            _log.warning("webhook of %s was not accepted (%s)", message.task_id, status)
            return
        due = self._ticks() + _WAITS[message.tries]
        self._put(replace(message, due=due, tries=message.tries + 1))

    def _posted(self, message: _Message) -> int | None:
        """The response status; None without a response."""
        body = json.dumps({"done": [{"task_id": message.task_id}]}).encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "docset-workbench",
            **signature(self._secret, message.task_id, int(self._clock()), body),
        }
        try:
            # The response body is ignored; it may be endless.
            with (
                pinned_pool(self._guard, Deadline(_SECONDS)) as pool,
                pool.stream(
                    "POST",
                    message.url,
                    headers=list(headers.items()),
                    content=body,
                    extensions={"timeout": _TIMEOUTS},
                ) as answer,
            ):
                return answer.status
        except (
            ServiceError,
            httpcore.NetworkError,
            httpcore.TimeoutException,
            httpcore.ProtocolError,
        ):
            return None


def signature(secret: str | None, identifier: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers that sign a message; none without a secret."""
    if secret is None:
        return {}
    signed = f"{identifier}.{timestamp}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    return {
        "webhook-id": identifier,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }
