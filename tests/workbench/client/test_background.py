"""The background loop: synchronous calls beside a running loop, and after a fork."""

import asyncio
import os
import signal
import threading
from collections.abc import AsyncIterator

import pytest

from workbench.client.background import background_loop


async def double(value: int) -> int:
    await asyncio.sleep(0)
    return value * 2


async def count() -> AsyncIterator[int]:
    for value in range(3):
        yield value


def test_values_errors_and_iteration_reach_the_caller():
    loop = background_loop()
    assert loop.run(double(4)) == 8
    assert list(loop.iterate(count())) == [0, 1, 2]

    async def fail() -> None:
        raise ValueError("from the loop")

    with pytest.raises(ValueError, match="from the loop"):
        loop.run(fail())


async def test_it_works_in_a_program_whose_own_loop_is_running():
    assert background_loop().run(double(2)) == 4


def test_waiting_inside_the_loop_itself_is_refused_instead_of_hanging():
    async def inside() -> int:
        return background_loop().run(double(1))

    with pytest.raises(RuntimeError, match="inside its own event loop"):
        background_loop().run(inside())


def test_an_interrupted_wait_cancels_the_work():
    cancelled = threading.Event()

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            background_loop().run(endless())
    finally:
        signal.signal(signal.SIGALRM, before)
    assert cancelled.wait(5)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_forked_child_gets_its_own_loop():
    background_loop().run(double(1))
    child = os.fork()
    if child == 0:
        os._exit(0 if background_loop().run(double(3)) == 6 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
