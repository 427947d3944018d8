"""Errors that nobody foresaw, inside a part of a document: a remark, and the rest is read.

A table, a picture or a page that breaks its reader must not cost the document. What refuses the
whole file is let through: refusals in the contract's form, too little memory or of anything else
that the machine should have, too deep nesting, and
errors of the caller, who may be gone.
"""

import logging
import traceback
from collections.abc import Callable
from pathlib import PurePath
from types import TracebackType
from typing import ParamSpec, TypeVar

from backend.tasks.memory_errors import is_of_machine, is_want_of_memory
from workbench.contract.errors import ServiceError

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")
_log = logging.getLogger(__name__)


class CallerFailed(Exception):
    """What the caller gave us to call has raised `error`."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def of_caller(call: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """`call`, its errors as CallerFailed, so that none of them is taken for one of the file."""

    def run(*args: _Given.args, **named: _Given.kwargs) -> _Answer:
        try:
            return call(*args, **named)
        except Exception as error:
            raise CallerFailed(error) from error

    return run


class guarded:
    """Turns an unforeseen error in its block into a remark.

    `notes` gets the remark, `part` names what was being read, `kept` says what remains of it.
    `failed` is true after an error.
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
    """One sentence for people; the place of the error makes a report of it useful."""
    _log.warning("%s could not be read", part, exc_info=error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    rest = f"; {kept}" if kept else ""
    return f"{part} could not be read ({type(error).__name__}{place}){rest}"


def refuses(error: Exception) -> bool:
    """Whether an error means the whole file."""
    told = isinstance(error, ServiceError | RecursionError | CallerFailed)
    return told or is_want_of_memory(error) or is_of_machine(error)
