"""Indexes that take longer to build than a search should wait: each in a thread of its own.

A search waits for such a thread for a while and is then refused, with word of how far it is. The
thread goes on, so that a later search finds the index ready.
"""

import logging
import threading
from collections.abc import Callable

from backend.contract.errors import ServiceError
from backend.search.holding import IndexName

_log = logging.getLogger(__name__)

Build = Callable[[str, IndexName], None]
"""Builds one index of one DocSet and returns when it is up to date."""


class Builders:
    """The threads that build; at most one for each index."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._running: dict[tuple[str, IndexName], threading.Thread] = {}

    def is_done(self, docset_id: str, name: IndexName, seconds: float) -> bool:
        """Has an index built unless that is under way; whether it is done after so long."""
        key = (docset_id, name)
        with self._lock:
            thread = self._running.get(key)
            if thread is None:
                thread = threading.Thread(target=self._run, args=key, name=f"wb:index {name}")
                self._running[key] = thread
                thread.start()
        thread.join(max(0.0, seconds))
        return not thread.is_alive()

    def join(self) -> None:
        """Waits for the end of all."""
        with self._lock:
            running = list(self._running.values())
        for thread in running:
            thread.join()

    def _run(self, docset_id: str, name: IndexName) -> None:
        try:
            self._build(docset_id, name)
        except ServiceError as error:
            _log.warning("the %s index of %s was not built: %s", name, docset_id, error.detail)
        except Exception:
            _log.exception("the %s index of %s was not built", name, docset_id)
        finally:
            with self._lock:
                del self._running[docset_id, name]
