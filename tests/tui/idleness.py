"""Waits until an app is idle, in a fifth of the time that Textual's pilot takes."""

import asyncio
import time
from asyncio import AbstractEventLoop, BaseEventLoop, Future
from collections.abc import Callable
from typing import Any

_SLEEP = 0.004
"""Textual sleeps 20 ms, twice for each key and once for each pause."""

_in_threads: set[Future[Any]] = set()
_run_in_executor = BaseEventLoop.run_in_executor


def run_in_executor(
    loop: BaseEventLoop, executor: Any, work: Callable[..., Any], *arguments: Any
) -> Future[Any]:
    """asyncio's own, with a note of what is under way in a thread."""
    future = _run_in_executor(loop, executor, work, *arguments)
    _in_threads.add(future)
    future.add_done_callback(_in_threads.discard)
    return future


def _at_rest(loop: AbstractEventLoop) -> bool:
    """Whether there is nothing to run, and no thread of which something will be."""
    busy = any(future.get_loop() is loop for future in _in_threads)
    return not busy and not loop._ready  # type: ignore[attr-defined]


async def wait_for_idle(_: float = 0, longest: float = 1) -> None:
    """Until the event loop has nothing to run, no thread works for it, and the process hardly used
    the processor.

    Only the last is in Textual's own. A process that has to share its core would pass for idle.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + longest
    while loop.time() < end:
        used = time.process_time()
        await asyncio.sleep(_SLEEP)
        if _at_rest(loop) and time.process_time() - used < _SLEEP / 20:
            return
