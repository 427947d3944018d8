"""Tests that measure are not disturbed by others."""

import threading
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
    waiting.join(10)
    assert order == ["others", "alone"]


def test_who_waits_to_be_alone_comes_before_those_who_start_later(tmp_path: Path) -> None:
    path, order = tmp_path / "run", list[str]()

    def run(name: str, alone: bool) -> threading.Thread:
        def body() -> None:
            with among_others(path, alone):
                order.append(name)

        thread = threading.Thread(target=body)
        thread.start()
        thread.join(0.2)
        return thread

    with among_others(path, alone=False):
        threads = [run("alone", True), run("later", False)]
        assert order == []
    for thread in threads:
        thread.join(10)
    assert order[0] == "alone"
