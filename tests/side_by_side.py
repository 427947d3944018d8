"""Tests run side by side in several processes (`pytest -n 2`), those marked `alone` by themselves.

A test that measures time or processor use beside another one measures both. Each test therefore
holds one lock of the whole run while it runs, shared with the others, and a test that is marked
`alone` holds it exclusively. The way in is a second lock, so that a test that waits to be alone
comes before those that start later.

Files are distributed in a fixed order, see `in_turn`.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import pytest

LONG = {
    "browser/test_journey.py",
    "browser/test_reprs.py",
    "contract/test_openapi.py",
    "golden/test_golden.py",
    "notebooks/test_tours.py",
    "reliability/test_interface.py",
    "reliability/test_mixed_kill.py",
    "reliability/test_shared_kill.py",
    "test_bare_install.py",
    "test_house.py",
    "tui/test_screens.py",
    "workbench/test_public_api.py",
    "workbench/widgets/test_widgets.py",
}
"""Files beyond those of `backend` in which a test, or all together, take twenty seconds or more."""


def in_turn(items: list[pytest.Item], root: Path) -> list[pytest.Item]:
    """The tests in the order in which their files are distributed; `root` is the folder of tests.

    First the files in which a test is to be `alone`: it has to wait for the test beside it, which
    must not be a long one. Then the many of the backend, then the long ones. The short ones come
    last, so that no process has work when the others have none.
    """
    waiting = {item.path for item in items if item.get_closest_marker("alone") is not None}

    def turn(item: pytest.Item) -> int:
        place = item.path.as_posix().removeprefix(f"{root.as_posix()}/")
        if item.path in waiting:
            return 0
        return 1 if place.startswith("backend/") else 2 if place in LONG else 3

    return sorted(items, key=turn)


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
