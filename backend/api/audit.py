"""The audit log: who changed what, and who was refused; one JSON object per line.

It is `audit.log` in the data folder (mode 0600), rotated at 10 MB with four old files kept. It
contains ids, routes and token names, never tokens, bodies or query strings.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from backend.api.observing import Answered
from backend.api.scopes import needed
from workbench.contract.location import open_private

_log = logging.getLogger(__name__)
_BYTES = 10_000_000
_OLD_FILES = 4


class Audit:
    """Observes answered requests. Close it when the server stops."""

    def __init__(self, path: Path) -> None:
        self._handler = _PrivateFile(path, maxBytes=_BYTES, backupCount=_OLD_FILES, delay=True)

    def __call__(self, answered: Answered) -> None:
        """Writes a line for a change or a refusal; read requests leave none."""
        if answered.status != 403 and needed(answered.method, answered.scope["path"]) == "read":
            return
        who = answered.who
        entry = {
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "call": answered.call,
            "account": who and who.account_id,
            "token": who and who.name,
            "method": answered.method,
            "path": answered.path,
            "status": answered.status,
        }
        self._handler.handle(logging.makeLogRecord({"msg": json.dumps(entry)}))

    def close(self) -> None:
        self._handler.close()


class _PrivateFile(RotatingFileHandler):
    """Reports failures in a row once: on a full disk every request would add a traceback."""

    _failures = 0

    def emit(self, record: logging.LogRecord) -> None:
        before = self._failures
        super().emit(record)
        if self._failures == before:
            self._failures = 0

    def handleError(self, record: logging.LogRecord) -> None:
        self._failures += 1
        if self._failures == 1:
            _log.error("%s cannot be written: %s", self.baseFilename, sys.exc_info()[1])

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding="utf-8", opener=open_private)
