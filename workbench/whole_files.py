"""Files that get their name once they are complete.

A reader, or a program that waits for the file, never sees half of one; an error leaves the previous
file in place.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def whole_file(target: Path, *, replace: bool = True, private: bool = False) -> Iterator[IO[bytes]]:
    """A file beside `target` to write into; it takes that name at the end of the block.

    A link stays a link: the file behind it is written. A device or a pipe is written into. With
    `replace` off, an existing file stays and FileExistsError is raised; `private` files are
    readable by their owner only.
    """
    if replace and _is_special(target):
        with target.open("wb") as file:
            yield file
        return
    goal = Path(os.path.realpath(target))
    if goal.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    draft = goal.with_name(f".{os.urandom(8).hex()}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(draft, flags, 0o600 if private else 0o666)
    except OSError as error:  # users know the name of the file, not that of the draft
        raise OSError(error.errno, error.strerror, str(target)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        if replace:
            draft.replace(goal)
        else:
            _take_free_name(draft, goal)
    finally:
        draft.unlink(missing_ok=True)


def _is_special(target: Path) -> bool:
    """Whether a path is a device, a pipe or the like, which no file may replace."""
    try:
        mode = target.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _take_free_name(draft: Path, goal: Path) -> None:
    """Links never replace anything, unlike renaming; not every file system has them."""
    try:
        goal.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:
        if goal.exists():
            raise FileExistsError(f"{goal} exists already") from None
        draft.rename(goal)
