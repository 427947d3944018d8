"""The token bucket of submissions."""

import pytest

from backend.api.throttle import Throttle
from workbench.contract.errors import TooMany


def test_a_burst_is_allowed_then_a_rate_and_the_refusal_says_how_long_to_wait() -> None:
    now = [0.0]
    throttle = Throttle(2.0, lambda: now[0])
    for _ in range(4):
        throttle.take("a")
    with pytest.raises(TooMany) as told:
        throttle.take("a")
    assert told.value.retry_after == pytest.approx(0.5)
    throttle.take("b")
    now[0] += 0.5
    throttle.take("a")
    with pytest.raises(TooMany):
        throttle.take("a")


def test_a_rate_below_one_a_second_lets_the_first_through() -> None:
    Throttle(0.1, lambda: 0.0).take("a")
