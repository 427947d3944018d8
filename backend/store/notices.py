"""Notices between servers on one PostgreSQL database: new work, a cancelled task.

They only speed things up. A server that misses one polls within a second, so a notice is sent after
the transaction, needs no lock, and may get lost with a connection.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from backend.store.database import Database

WORK = "work"
CANCELLED = "cancelled"
_CHANNEL = "workbench"
_AGAIN = 2.0
"""Seconds until the next try after a lost connection."""
_POLL_SECONDS = 1.0
"""Seconds after which the listener checks whether to stop."""
_log = logging.getLogger(__name__)


class Notices:
    """Sends and receives notices. On SQLite, which has one server, it does nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._on_notice: Callable[[str, str], None] = lambda kind, subject: None
        self._stopping = threading.Event()
        self._listener = threading.Thread(target=self._listen, name="notices", daemon=True)

    def start(self, on_notice: Callable[[str, str], None]) -> None:
        """Calls `on_notice(kind, subject)` in a background thread for each notice from now on."""
        self._on_notice = on_notice
        if not self._database.is_sqlite:
            self._listener.start()

    def send(self, kind: str, subject: str = "") -> None:
        """Sends a notice to all servers, including this one."""
        if self._database.is_sqlite:
            return
        try:
            with self._database.engine.connect() as connection:
                connection = connection.execution_options(isolation_level="AUTOCOMMIT")
                connection.execute(select(func.pg_notify(_CHANNEL, f"{kind} {subject}")))
        except SQLAlchemyError as error:
            _log.warning("could not send a notice: %s", type(error).__name__)

    def close(self) -> None:
        self._stopping.set()
        if self._listener.is_alive():
            self._listener.join(2 * _POLL_SECONDS)

    def _listen(self) -> None:
        while not self._stopping.is_set():
            try:
                self._receive()
            except Exception as error:
                if not self._stopping.wait(_AGAIN):
                    _log.warning("reconnecting for notices: %s", type(error).__name__)

    def _receive(self) -> None:
        """Reads notices until the connection breaks or the server stops."""
        pooled = self._database.engine.raw_connection()
        raw: Any = pooled.driver_connection
        pooled.detach()  # this connection listens from now on and must not return to the pool
        try:
            raw.autocommit = True
            raw.execute(f"LISTEN {_CHANNEL}")
            while not self._stopping.is_set():
                for notice in raw.notifies(timeout=_POLL_SECONDS):
                    kind, _, subject = notice.payload.partition(" ")
                    self._on_notice(kind, subject)
        finally:
            raw.close()
