"""Tests that measure are not disturbed by others."""

import fcntl
import threading
import time
from pathlib import Path

import pytest

from tests.side_by_side import LONG, among_others, in_turn

TESTS = Path(__file__).parent


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


class _Item:
    """What the order of tests depends on."""

    def __init__(self, file: str, alone: bool = False) -> None:
        self.path, self._alone = TESTS / file, alone

    def get_closest_marker(self, name: str) -> object:
        return name if self._alone else None


def test_long_files_come_after_those_that_wait_to_be_alone_and_before_short_ones() -> None:
    house = "test_house.py"
    items: list[pytest.Item] = [
        _Item("backend/a.py"), _Item("contract/b.py"), _Item("contract/b.py", alone=True),
        _Item("contract/c.py"), _Item(house), _Item("tui/d.py", alone=True), _Item("tui/d.py"),
    ]  # type: ignore[list-item]  # fmt: skip
    order = [item.path.relative_to(TESTS).as_posix() for item in in_turn(items, TESTS)]
    first = ["contract/b.py", "contract/b.py", "tui/d.py", "tui/d.py"]
    assert order == [*first, "backend/a.py", house, "contract/c.py"]
    assert [name for name in LONG if not (TESTS / name).exists()] == []
