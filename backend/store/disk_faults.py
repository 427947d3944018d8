"""What a failing disk means for a caller: which refusal, in words that are safe to show."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from workbench.contract.errors import ServiceError, StorageFull, Unavailable

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FAILED = (
    errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EACCES, errno.EISDIR,
    errno.ENOTDIR,
)  # fmt: skip
_SQLITE_FAILED = ("disk i/o error", "readonly database", "unable to open database file")
_SQLITE_DAMAGED = ("malformed", "not a database")


@contextmanager
def disk_faults_are_told() -> Iterator[None]:
    """Turns what the system or SQLite says of a disk into StorageFull or Unavailable.

    For blocks that store all or nothing: the refusal promises that.
    """
    try:
        yield
    except (OSError, DBAPIError) as error:
        refusal = _of_system(error) if isinstance(error, OSError) else _of_database(error)
        if refusal is None:
            raise
        raise refusal from error


@contextmanager
def damage_is_told() -> Iterator[None]:
    """Turns what SQLite says of a damaged file into Unavailable; for blocks that only read."""
    try:
        yield
    except DBAPIError as error:
        if not _is_damage(error):
            raise
        raise damaged(str(error.orig)) from error


def damaged(found: str) -> ServiceError:
    """What a caller is told of a damaged database."""
    return Unavailable(
        f"The database is damaged ({found}): restore a backup into an empty folder"
        " (workbench restore). `workbench doctor --data` shows what is lost."
    )


def _is_damage(error: DBAPIError) -> bool:
    said = str(error.orig).lower()
    return any(words in said for words in _SQLITE_DAMAGED)


def _of_system(error: OSError) -> ServiceError | None:
    if error.errno in _FULL:
        return _full()
    if error.errno in _FAILED:
        return _failed(os.strerror(error.errno))
    return None


def _of_database(error: DBAPIError) -> ServiceError | None:
    said = str(error.orig).lower()
    if "full" in said:
        return _full()
    if _is_damage(error):
        return damaged(str(error.orig))
    known = next((words for words in _SQLITE_FAILED if words in said), None)
    return None if known is None else _failed(known)


def _full() -> ServiceError:
    return StorageFull("No space left on the disk: nothing was stored.")


def _failed(said: str) -> ServiceError:
    return Unavailable(f"The storage failed ({said}): nothing was stored.", retry_after=5.0)
