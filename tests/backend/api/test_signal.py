"""Waiting for changes of tasks misses none, also from other threads."""

import asyncio
import threading

from backend.api.service import Signal


async def test_a_change_between_looking_and_waiting_is_not_missed() -> None:
    signal = Signal()
    signal.attach(asyncio.get_running_loop())
    mark = signal.mark()
    signal.fire()
    await asyncio.sleep(0)
    assert await asyncio.wait_for(signal.wait(mark, 10), 1)


async def test_a_wait_without_a_change_times_out() -> None:
    signal = Signal()
    assert not await signal.wait(signal.mark(), 0.01)


async def test_a_change_in_another_thread_wakes_all_waiters() -> None:
    signal = Signal()
    signal.attach(asyncio.get_running_loop())
    waiting = [asyncio.create_task(signal.wait(signal.mark(), 10)) for _ in range(3)]
    await asyncio.sleep(0)
    thread = threading.Thread(target=signal.fire)
    thread.start()
    assert all(await asyncio.wait_for(asyncio.gather(*waiting), 2))
    thread.join()
