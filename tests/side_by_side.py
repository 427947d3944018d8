"""Tests run side by side in several processes (`pytest -n 2`), those marked `alone` by themselves.

A test that measures time or processor use beside another one measures both. Each test therefore
holds one lock of the whole run while it runs, shared with the others, and a test that is marked
`alone` holds it exclusively. The way in is a second lock, so that a test that waits to be alone
comes before those that start later.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path


def run_of_one_test(alone: bool) -> AbstractContextManager[None]:
    """Surrounds one test; nothing is to be waited for where only one process runs tests."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return nullcontext()
    return among_others(Path(tempfile.gettempdir()) / f"docset-workbench-tests-{run}", alone)


@contextmanager
def among_others(path: Path, alone: bool) -> Iterator[None]:
    """Locks the file at `path` with others, or for itself where it is to be `alone`."""
    with path.open("a") as running, path.with_suffix(".way-in").open("a") as way_in:
        fcntl.flock(way_in, fcntl.LOCK_EX)
        fcntl.flock(running, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(way_in, fcntl.LOCK_UN)
        yield
