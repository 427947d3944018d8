"""Background builds of indexes and property tables that take longer than a search should wait.

Each build runs in its own thread. A search waits for it up to a limit and is then refused with the
progress so far. The build continues, so a later search finds the part ready.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable

from backend.search.docset_indexes import CROWDED_PATIENCE, MOST_WAITING, Part
from workbench.contract.errors import ServiceError

_log = logging.getLogger(__name__)

Build = Callable[[str, Part], None]
"""Builds one part of one DocSet and returns when it is up to date."""


class Builders:
    """The build threads, at most one per part of a DocSet."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._running: dict[tuple[str, Part], threading.Thread] = {}
        self._waiting: Counter[threading.Thread] = Counter()

    def is_done(self, docset_id: str, part: Part, seconds: float) -> bool:
        """Starts building a part unless a build is running, and waits up to `seconds` for it.

        True when the part is done. The wait is shorter when many searches wait already.
        """
        key = (docset_id, part)
        with self._lock:
            thread = self._running.get(key)
            if thread is None:
                thread = threading.Thread(target=self._run, args=key, name=f"wb:index {part}")
                self._running[key] = thread
                thread.start()
            if self._waiting[thread] >= MOST_WAITING:
                seconds = min(seconds, CROWDED_PATIENCE)
            self._waiting[thread] += 1
        try:
            thread.join(max(0.0, seconds))
        finally:
            with self._lock:
                self._waiting[thread] -= 1
                self._waiting += Counter()  # drops entries that reached zero
        return not thread.is_alive()

    def join(self) -> None:
        """Waits until all builds have ended."""
        with self._lock:
            running = list(self._running.values())
        for thread in running:
            thread.join()

    def _run(self, docset_id: str, part: Part) -> None:
        try:
            self._build(docset_id, part)
        except ServiceError as error:
            _log.warning("the %s of %s could not be built: %s", part, docset_id, error.detail)
        except Exception:
            _log.exception("the %s of %s could not be built", part, docset_id)
        finally:
            with self._lock:
                del self._running[docset_id, part]
