"""Tests that measure are not disturbed by others."""

import fcntl
import threading
import time
from pathlib import Path

from tests.side_by_side import among_others


def test_others_run_side_by_side_and_who_is_alone_waits_for_them(tmp_path: Path) -> None:
    path, order = tmp_path / "run", list[str]()
    entered = threading.Event()

    def measure() -> None:
        with among_others(path, alone=True):
            order.append("alone")
            entered.set()

    with among_others(path, alone=False), among_others(path, alone=False):
        waiting = threading.Thread(target=measure)
        waiting.start()
        assert not entered.wait(0.2)
        order.append("others")
    waiting.join(60)
    assert order == ["others", "alone"]


def until_in_the_way_in(path: Path) -> None:
    """Returns once somebody waits to be alone, and so keeps others out."""
    deadline = time.monotonic() + 60
    with path.with_suffix(".way-in").open("a") as way_in:
        while time.monotonic() < deadline:
            try:
                fcntl.flock(way_in, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            fcntl.flock(way_in, fcntl.LOCK_UN)
            time.sleep(0.01)
    raise AssertionError("nobody waits")


def test_who_waits_to_be_alone_comes_before_those_who_start_later(tmp_path: Path) -> None:
    path, order = tmp_path / "run", list[str]()

    def run(name: str, alone: bool) -> threading.Thread:
        def body() -> None:
            with among_others(path, alone):
                order.append(name)

        thread = threading.Thread(target=body)
        thread.start()
        return thread

    with among_others(path, alone=False):
        first = run("alone", True)
        until_in_the_way_in(path)
        threads = [first, run("later", False)]
        assert order == []
    for thread in threads:
        thread.join(60)
    assert order[0] == "alone"
