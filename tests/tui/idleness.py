"""Waits until an app is idle, in a fifth of the time that Textual's pilot takes."""

import asyncio
import time

_SLEEP = 0.004
"""Textual sleeps 20 ms, twice for each key and once for each pause."""


async def wait_for_idle(_: float = 0, longest: float = 1) -> None:
    """Until the event loop has nothing to run and the process hardly used the processor.

    The first half is not in Textual's own. Without it a process that has to share its core passes
    for an idle one.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + longest
    while loop.time() < end:
        used = time.process_time()
        await asyncio.sleep(_SLEEP)
        waiting = loop._ready  # type: ignore[attr-defined]
        if not waiting and time.process_time() - used < _SLEEP / 20:
            return
