"""The token bucket of submissions."""

import pytest

from backend.api.throttle import Throttle
from workbench.contract.errors import TooMany


def test_after_a_burst_refusals_state_how_long_to_wait() -> None:
    now = [0.0]
    throttle = Throttle(2.0, lambda: now[0])
    for _ in range(4):
        throttle.take("a")
    with pytest.raises(TooMany) as refused:
        throttle.take("a")
    assert refused.value.retry_after == pytest.approx(0.5)
    throttle.take("b")
    now[0] += 0.5
    throttle.take("a")
    with pytest.raises(TooMany):
        throttle.take("a")


def test_a_rate_below_one_per_second_admits_the_first_submission() -> None:
    Throttle(0.1, lambda: 0.0).take("a")
