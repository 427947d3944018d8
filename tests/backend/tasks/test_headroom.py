"""Memory is asked for before work begins, so that native code does not meet its end."""

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from backend.tasks.headroom import HEADROOM, has_headroom, require_headroom, reserved
from workbench.contract.errors import Unavailable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")


@contextmanager
def room_of(size: int) -> Iterator[None]:
    """Lets this process have so many bytes more for the length of the block."""
    claimed = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (claimed + size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def test_work_begins_only_where_memory_for_it_is_free() -> None:
    with room_of(HEADROOM // 2):
        assert not has_headroom()
        with pytest.raises(Unavailable) as refused:
            require_headroom()
    assert refused.value.status == 503 and refused.value.retry_after
    assert has_headroom()


def test_asking_for_memory_takes_none() -> None:
    with room_of(HEADROOM + HEADROOM // 2):
        assert all(has_headroom() for _ in range(100))


def test_memory_reserved_for_one_run_is_not_free_for_another() -> None:
    with room_of(2 * HEADROOM), reserved(HEADROOM // 2) as is_free:
        assert is_free and has_headroom()
        with reserved(HEADROOM) as both:
            assert not both
        assert not has_headroom(more=HEADROOM)
    assert has_headroom(more=HEADROOM)
