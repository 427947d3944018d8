"""Long fuzzing: examples of a strategy, for as many minutes as `WORKBENCH_FUZZ_MINUTES` says."""

import os
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

Example = TypeVar("Example")


def until() -> float:
    """When fuzzing that begins now is to end, by `time.monotonic`."""
    return time.monotonic() + 60 * float(os.environ.get("WORKBENCH_FUZZ_MINUTES", "30"))


def fuzz(
    name: str, examples: st.SearchStrategy[Example], tried: Callable[[Example], object]
) -> None:
    """Has `tried` look at examples until the time is up; prints how many there were."""
    end, count = until(), 0

    @settings(
        max_examples=1_000,
        # Far beyond what any takes, because the machine may be busy with other things.
        deadline=timedelta(seconds=30),
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        database=None,
    )
    @given(one=examples)
    def some(one: Example) -> None:
        nonlocal count
        if time.monotonic() < end:
            count += 1
            tried(one)

    while time.monotonic() < end:
        some()
    print(f"{name}: {count} examples")
