"""The format of the log: lines for people, or one JSON object per line for machines.

Every line has the id of its call or task.
"""

import json
import logging
from datetime import UTC, datetime
from typing import Literal

from backend.api.gate import call_id

_NOISY = ("httpcore", "alembic", "httpx2", "httpcore2", "openai")
_TEXT = "%(asctime)s %(levelname)s %(call_id)s %(name)s: %(message)s"


def start_logging(level: str, form: Literal["text", "json"]) -> None:
    """Sends the log of the whole process to standard error, in the given format."""
    handler = logging.StreamHandler()
    handler.addFilter(_CallIdFilter())
    handler.setFormatter(logging.Formatter(_TEXT) if form == "text" else _JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for noisy in _NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)


class _CallIdFilter(logging.Filter):
    """Marks a line with its call; a worker thread is named after its task."""

    def filter(self, record: logging.LogRecord) -> bool:
        task = record.threadName or ""
        record.call_id = task if task.startswith("wb:t-") else call_id.get()
        return True


class _JsonLines(logging.Formatter):
    """Time, level, call, logger and message; `exception` if there is a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        line = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "call": getattr(record, "call_id", "-"),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)
