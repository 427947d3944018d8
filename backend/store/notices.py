"""Notices between servers on one PostgreSQL database: there is work, a task was cancelled.

They only make things faster. Whoever misses one looks for itself within a second, so a notice is
sent after the transaction, costs no lock, and may be lost with a connection.
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
"""Seconds until the next try, after the connection was lost."""
_LOOK_EVERY = 1.0
"""Seconds after which the listener sees that it is to stop."""
_log = logging.getLogger(__name__)


class Notices:
    """Sends and receives notices. On SQLite, which has one server, it does nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._heard: Callable[[str, str], None] = lambda kind, subject: None
        self._stopping = threading.Event()
        self._listener = threading.Thread(target=self._listen, name="notices", daemon=True)

    def start(self, heard: Callable[[str, str], None]) -> None:
        """Calls `heard(kind, subject)` in a thread of its own for each notice from now on."""
        self._heard = heard
        if not self._database.is_sqlite:
            self._listener.start()

    def send(self, kind: str, subject: str = "") -> None:
        """Sends a notice to all servers, this one too."""
        if self._database.is_sqlite:
            return
        try:
            with self._database.engine.connect() as connection:
                connection = connection.execution_options(isolation_level="AUTOCOMMIT")
                connection.execute(select(func.pg_notify(_CHANNEL, f"{kind} {subject}")))
        except SQLAlchemyError as error:
            _log.warning("a notice was not sent: %s", type(error).__name__)

    def close(self) -> None:
        self._stopping.set()
        if self._listener.is_alive():
            self._listener.join(2 * _LOOK_EVERY)

    def _listen(self) -> None:
        while not self._stopping.is_set():
            try:
                self._hear()
            except Exception as error:
                if not self._stopping.wait(_AGAIN):
                    _log.warning("notices are read again: %s", type(error).__name__)

    def _hear(self) -> None:
        """Reads notices until the connection breaks or the server stops."""
        pooled = self._database.engine.raw_connection()
        raw: Any = pooled.driver_connection
        pooled.detach()  # it listens from now on: nobody else may get it
        try:
            raw.autocommit = True
            raw.execute(f"LISTEN {_CHANNEL}")
            while not self._stopping.is_set():
                for notice in raw.notifies(timeout=_LOOK_EVERY):
                    kind, _, subject = notice.payload.partition(" ")
                    self._heard(kind, subject)
        finally:
            raw.close()
