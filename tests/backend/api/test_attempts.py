"""Guessing tokens becomes slow; using a right one does not."""

from backend.api.attempts import Attempts


def test_wrong_tokens_are_answered_later_and_later_up_to_two_seconds() -> None:
    attempts = Attempts(clock=lambda: 0.0)
    waits = [attempts.failed("127.0.0.1") for _ in range(12)]
    assert waits[:5] == [0.0] * 5
    assert waits[5:] == sorted(waits[5:]) and waits[5] > 0 and waits[-1] == 2.0
    assert attempts.failed("10.0.0.9") == 0.0, "another address starts afresh"


def test_a_quiet_minute_forgets_them() -> None:
    now = [0.0]
    attempts = Attempts(clock=lambda: now[0])
    for _ in range(9):
        attempts.failed("127.0.0.1")
    now[0] = 61.0
    assert attempts.failed("127.0.0.1") == 0.0
