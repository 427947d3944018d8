"""Named places where a test can end the process, as a crash would.

Nothing happens at them unless the setting `failpoints` arms some: `name` or `name:3`, separated
by commas, kills this process with SIGKILL when it comes there for the first or third time.
"""

import os
import signal
from collections import Counter
from typing import Final

POINTS: Final = frozenset(
    {
        "transaction.written",  # any one, before its commit
        "transaction.committed",
        "blob.written",  # not on disk yet
        "blob.synced",  # still under its temporary name
        "blob.renamed",  # its folder is not on disk yet
        "blob.stored",  # no row points to it yet
        "blob.removing",  # no row points to it any more
        "task.submitted",  # the caller does not know yet
        "task.claimed",
        "task.advanced",  # in the transaction of a batch, before its commit
        "task.finished",  # in the transaction of its effects, before their commit
        "task.cancelled",  # its work still goes on
        "content.ahead",  # a part of it, which no document points to yet
        "content.dropped",  # a part of it, which no document points to any more
        "document.written",  # in the transaction, before its commit
        "document.committed",  # the index does not know yet
        "words.written",  # in the word index, before its commit
        "words.committed",  # its mark is still the old one
        "words.marked",
        "vectors.saving",  # blocks are written, their state is not
        "clone.linked",  # the files of the copy are there, its rows are not
        "clone.committed",  # the rows are there, the files have no mark
        "docset.deleted",  # its files and indexes are still there
        "embedding.made",  # some vectors of the new identity are there
        "run.begun",
        "run.written",  # what a step gave is on disk
        "run.finished",
    }
)

_armed: dict[str, int] = {}
_reached: Counter[str] = Counter()


def arm(setting: str) -> None:
    """Arms the points of a setting, and no others. ValueError for an unknown one."""
    _armed.clear()
    _reached.clear()
    for item in filter(None, (item.strip() for item in setting.split(","))):
        name, _, times = item.partition(":")
        if name not in POINTS:
            raise ValueError(f"no failpoint is called {name!r}")
        _armed[name] = int(times or 1)


def reach(name: str) -> None:
    """The program is at the point of that name."""
    if _armed and name in _armed:
        _reached[name] += 1
        if _reached[name] == _armed[name]:
            os.kill(os.getpid(), signal.SIGKILL)
