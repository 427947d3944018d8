"""Turns unexpected errors in a part of a document into remarks, so that the rest is still read.

A table, a picture or a page that crashes its parser must not fail the document. Errors that concern
the whole file pass through: refusals in the contract's form, a machine without memory, threads or
disk space, nesting that is too deep, and errors raised by the caller's own functions.
"""

import logging
import struct
import traceback
import zipfile
import zlib
from collections.abc import Callable
from pathlib import PurePath
from types import TracebackType
from typing import ParamSpec, TypeVar

from backend.tasks.memory_errors import is_of_machine, is_out_of_memory
from workbench.contract.errors import ServiceError

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")
_log = logging.getLogger(__name__)
_DAMAGE = (
    OSError, EOFError, SyntaxError, UnicodeError, struct.error, zlib.error, zipfile.BadZipFile,
)  # fmt: skip
"""What libraries raise for a damaged file; other errors are faults of the program."""


class CallerFailed(Exception):
    """A function of the caller raised `error`."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def of_caller(call: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """Wraps `call` so that its errors become CallerFailed, which no `guarded` block absorbs."""

    def run(*args: _Given.args, **named: _Given.kwargs) -> _Answer:
        try:
            return call(*args, **named)
        except Exception as error:
            raise CallerFailed(error) from error

    return run


class MissingExtra(Exception):
    """An optional package is not installed; the message names the command that installs it."""


class guarded:
    """Turns an unexpected error in its block into a remark.

    The remark is appended to `notes`. `part` names what was being read, `kept` says what remains of
    it. `failed` is true after an error.
    """

    def __init__(self, notes: list[str], part: str, kept: str = "") -> None:
        self.failed = False
        self._notes = notes
        self._part = part
        self._kept = kept

    def __enter__(self) -> "guarded":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        if not isinstance(error, Exception) or refuses(error):
            return False
        self.failed = True
        self._notes.append(remark(self._part, error, self._kept))
        return True


def remark(part: str, error: Exception, kept: str = "") -> str:
    """One sentence for people, with the place of the error for a bug report."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    reason = str(error) if isinstance(error, MissingExtra) else f"{type(error).__name__}{place}"
    text = f"{part} could not be read ({reason})"
    expected = _is_damage(error) or isinstance(error, MissingExtra)
    traced = not expected or _log.isEnabledFor(logging.DEBUG)
    _log.warning("%s", text, exc_info=error if traced else None)
    return f"{text}; {kept}" if kept else text


def _is_damage(error: Exception) -> bool:
    """Whether a library complains of the file; errors of the operating system have a number."""
    return isinstance(error, _DAMAGE) and getattr(error, "errno", None) is None


def refuses(error: Exception) -> bool:
    """Whether an error concerns the whole file."""
    refusal = isinstance(error, ServiceError | RecursionError | CallerFailed)
    return refusal or is_out_of_memory(error) or is_of_machine(error)
