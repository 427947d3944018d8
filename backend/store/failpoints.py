"""Named points at which a test can kill the process to simulate a crash.

They do nothing unless the setting `failpoints` arms some: `name` or `name:3`, separated by commas,
kills this process with SIGKILL when it reaches the point for the first or third time.
"""

import os
import signal
from collections import Counter
from typing import Final

POINTS: Final = frozenset(
    {
        "transaction.written",  # any transaction, before its commit
        "transaction.committed",
        "blob.written",  # not on disk yet
        "blob.synced",  # under its temporary name
        "blob.renamed",  # its folder entry is not on disk yet
        "blob.uploaded",  # in the object store; no row references it yet
        "blob.stored",  # no row references it yet
        "blob.removing",  # no row references it any more
        "task.submitted",  # the caller has no response yet
        "task.claimed",
        "task.advanced",  # in the transaction of a batch, before its commit
        "task.finished",  # in the transaction of its effects, before their commit
        "task.cancelled",  # its work is still running
        "content.ahead",  # a part of it, which no document references yet
        "content.dropped",  # a part of it, which no document references any more
        "document.written",  # in the transaction, before its commit
        "document.committed",  # not indexed yet
        "words.written",  # in the word index, before its commit
        "words.committed",  # its mark is the old one
        "words.marked",
        "vectors.saving",  # blocks are written, their state is not
        "clone.linked",  # the files of the copy exist, its rows do not
        "clone.committed",  # the rows exist, the files have no mark
        "docset.deleted",  # its files and indexes still exist
        "embedding.made",  # some vectors of the new identity exist
        "run.begun",
        "run.written",  # the output of a step is on disk
        "run.finished",
    }
)

_armed: dict[str, int] = {}
_reached: Counter[str] = Counter()


def arm(setting: str) -> None:
    """Arms exactly the points of a setting. ValueError for an unknown one."""
    _armed.clear()
    _reached.clear()
    for item in filter(None, (item.strip() for item in setting.split(","))):
        name, _, times = item.partition(":")
        if name not in POINTS:
            raise ValueError(f"no failpoint is called {name!r}")
        _armed[name] = int(times or 1)


def reach(name: str) -> None:
    """Marks that the program has reached this point."""
    if _armed and name in _armed:
        _reached[name] += 1
        if _reached[name] == _armed[name]:
            os.kill(os.getpid(), signal.SIGKILL)
