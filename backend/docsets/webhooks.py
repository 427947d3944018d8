"""Telling an address that a task has ended: `POST {done: [{task_id}]}`, tried again with back-off.

Delivery is best effort: the task list stays the truth. Private addresses are refused as for
fetching.
"""

import json
import logging
import queue
import threading
from collections.abc import Callable
from urllib.parse import urlsplit

import httpcore

from backend.contract.errors import ServiceError
from backend.docsets.fetching import Guard, check_url, pinned_pool

_log = logging.getLogger(__name__)
_WAITS = (0.0, 1.0, 5.0, 30.0)
_WAITING = 1000


class Webhooks:
    """One thread that delivers, in the order in which tasks end."""

    def __init__(self, guard: Guard, pause: Callable[[float], object] | None = None) -> None:
        self._guard = guard
        self._closing = threading.Event()
        self._pause = pause or self._closing.wait
        self._queue: queue.Queue[tuple[str, str] | None] = queue.Queue(_WAITING)
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
        self._thread.start()

    def check(self, url: str) -> None:
        """BadRequest for an address that would never be called."""
        check_url(url)
        parts = urlsplit(url)
        self._guard.address(parts.hostname or "", parts.port or 443)

    def tell(self, url: str, task_id: str) -> None:
        """Has the address told that the task has ended; returns at once."""
        try:
            self._queue.put_nowait((url, task_id))
        except queue.Full:
            _log.warning("too many webhooks are waiting: %s is not told", task_id)

    def close(self) -> None:
        self._closing.set()
        self._queue.put(None)

    def _run(self) -> None:
        while (item := self._queue.get()) is not None and not self._closing.is_set():
            self._deliver(*item)

    def _deliver(self, url: str, task_id: str) -> None:
        body = json.dumps({"done": [{"task_id": task_id}]}).encode()
        for wait in _WAITS:
            self._pause(wait)
            if self._closing.is_set() or self._posted(url, body):
                return
        _log.warning("webhook of %s was not taken", task_id)

    def _posted(self, url: str, body: bytes) -> bool:
        headers: dict[str | bytes, str | bytes] = {
            "Content-Type": "application/json",
            "User-Agent": "docset-workbench",
        }
        timeouts = {"connect": 5.0, "read": 10.0, "write": 5.0, "pool": 5.0}
        try:
            with pinned_pool(self._guard) as pool:
                answer = pool.request(
                    "POST", url, headers=headers, content=body, extensions={"timeout": timeouts}
                )
        except (ServiceError, httpcore.NetworkError, httpcore.TimeoutException,
                httpcore.ProtocolError):  # fmt: skip
            return False
        return answer.status < 500
