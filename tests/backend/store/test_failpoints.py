"""Failpoints: silent unless armed, fatal at the set count, and never misspelt."""

import os
import signal
from collections.abc import Iterator

import pytest

from backend.store import failpoints


@pytest.fixture
def kills(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The signals that would have been sent to this process."""
    sent: list[int] = []
    monkeypatch.setattr(os, "kill", lambda _pid, number: sent.append(number))
    yield sent
    failpoints.arm("")


def test_unarmed_points_do_nothing(kills: list[int]) -> None:
    failpoints.arm("words.marked")
    failpoints.reach("words.written")
    failpoints.arm("")
    failpoints.reach("words.marked")
    assert kills == []


def test_the_process_is_killed_at_the_set_count(kills: list[int]) -> None:
    failpoints.arm("words.written:2, clone.linked")
    failpoints.reach("words.written")
    assert kills == []
    failpoints.reach("words.written")
    failpoints.reach("clone.linked")
    assert kills == [signal.SIGKILL, signal.SIGKILL]


@pytest.mark.parametrize("setting", ["words", "words.written:x"])
def test_an_unknown_point_is_refused(kills: list[int], setting: str) -> None:
    with pytest.raises(ValueError):
        failpoints.arm(setting)
