"""Waits until an app is idle, in a fifth of the time that Textual's pilot takes, then draws it.

Textual draws a screen at each of its changes, which takes half of the time of an app that nobody
sees. Here it is drawn when it is idle: once for each key or pause of a test.
"""

import asyncio
import time
from asyncio import AbstractEventLoop, BaseEventLoop, Future
from collections.abc import Callable
from typing import Any

from textual._compositor import Compositor

_SLEEP = 0.004
"""Textual sleeps 20 ms, twice for each key and once for each pause."""

_in_threads: set[Future[Any]] = set()
_run_in_executor = BaseEventLoop.run_in_executor
_undrawn: dict[AbstractEventLoop, tuple[Compositor, Any]] = {}
"""The screen of each loop that has changed, with the screens below it."""
_render_update = Compositor.render_update


def run_in_executor(
    loop: BaseEventLoop, executor: Any, work: Callable[..., Any], *arguments: Any
) -> Future[Any]:
    """asyncio's own, with a note of what is under way in a thread."""
    future = _run_in_executor(loop, executor, work, *arguments)
    _in_threads.add(future)
    future.add_done_callback(_in_threads.discard)
    return future


def render_update(
    compositor: Compositor, full: bool = False, screen_stack: Any = None, simplify: bool = False
) -> Any:
    """Textual's own for a whole screen; a change is noted, and drawn when the app is idle."""
    if full:
        return _render_update(compositor, full, screen_stack, simplify)
    _undrawn[asyncio.get_running_loop()] = compositor, screen_stack
    return None


def _drawn(loop: AbstractEventLoop) -> bool:
    """Draws what has changed, if anything has and its screen is still the one on top."""
    compositor, below = _undrawn.pop(loop, (None, None))
    screen: Any = compositor and compositor.root
    if screen is None or not screen.is_running or screen.app.screen is not screen:
        return False
    with screen._context():
        _render_update(compositor, screen_stack=below)
    return True


def _at_rest(loop: AbstractEventLoop) -> bool:
    """Whether there is nothing to run, and no thread of which something will be."""
    busy = any(future.get_loop() is loop for future in _in_threads)
    return not busy and not loop._ready  # type: ignore[attr-defined]


async def wait_for_idle(_: float = 0, longest: float = 1) -> None:
    """Until the event loop has nothing to run, no thread works for it, the process hardly used the
    processor, and drawing the screen changed nothing.

    Only the third is in Textual's own. A process that has to share its core would pass for idle.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + longest
    while loop.time() < end:
        used = time.process_time()
        await asyncio.sleep(_SLEEP)
        idle = _at_rest(loop) and time.process_time() - used < _SLEEP / 20
        if idle and not _drawn(loop):
            return
