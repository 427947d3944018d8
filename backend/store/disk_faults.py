"""Translates disk failures into API errors with messages that are safe to show."""

import errno
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from workbench.contract.errors import ServiceError, StorageFull, Unavailable

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FAILED = (
    errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EACCES, errno.EISDIR,
    errno.ENOTDIR, errno.ENOENT, errno.ELOOP,
)  # fmt: skip
_SQLITE_FAILED = ("disk i/o error", "readonly database", "unable to open database file")
_SQLITE_DAMAGED = ("malformed", "not a database")


@contextmanager
def translate_disk_faults() -> Iterator[None]:
    """Turns disk errors of the system or SQLite into StorageFull or Unavailable.

    Only for blocks that store all or nothing, because the error promises that.
    """
    try:
        yield
    except (OSError, DBAPIError) as error:
        refusal = _of_system(error) if isinstance(error, OSError) else _of_database(error)
        if refusal is None:
            raise
        raise refusal from error


@contextmanager
def translate_damage() -> Iterator[None]:
    """Turns SQLite's errors about a damaged file into Unavailable; for blocks that only read."""
    try:
        yield
    except DBAPIError as error:
        if not _is_damage(error):
            raise
        raise damaged(str(error.orig)) from error


def log_failure(log: logging.Logger, error: Exception, message: str, *arguments: object) -> None:
    """Logs, in an `except` block, what failed; a traceback would fill a full disk further."""
    refusal = error if isinstance(error, ServiceError) else None
    if isinstance(error, OSError):
        refusal = _of_system(error)
    elif isinstance(error, DBAPIError):
        refusal = _of_database(error)
    if refusal is None:
        log.exception(message, *arguments)
    else:
        log.error(f"{message}: %s", *arguments, refusal.detail)


def damaged(problem: str) -> ServiceError:
    """The API error for a damaged database."""
    return Unavailable(
        f"The database is damaged ({problem}): restore a backup into an empty folder"
        " (workbench restore). `workbench doctor --data` lists the losses."
    )


def _is_damage(error: DBAPIError) -> bool:
    message = str(error.orig).lower()
    return any(words in message for words in _SQLITE_DAMAGED)


def _of_system(error: OSError) -> ServiceError | None:
    if error.errno in FULL:
        return _full()
    if error.errno in _FAILED:
        return _failed(os.strerror(error.errno))
    return None


def _of_database(error: DBAPIError) -> ServiceError | None:
    message = str(error.orig).lower()
    if "full" in message:
        return _full()
    if _is_damage(error):
        return damaged(str(error.orig))
    known = next((words for words in _SQLITE_FAILED if words in message), None)
    return None if known is None else _failed(known)


def _full() -> ServiceError:
    return StorageFull("No space left on the disk: nothing was stored.")


def _failed(reason: str) -> ServiceError:
    return Unavailable(f"The storage failed ({reason}): nothing was stored.", retry_after=5.0)
