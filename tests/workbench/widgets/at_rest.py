"""Waiting for widgets: what a test reads is final, because nothing works in the background.

A widget sets one trait after another, so that one of them is there says nothing about the next.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from workbench.client.background import background_loop
from workbench.widgets.view import View

_PATIENCE = 60.0  # seconds
_WORK = {View._guarded.__code__, View._later.__code__}


def until(done: Callable[[], Any]) -> None:
    """Waits until `done` holds and all widgets are at rest, at most a minute."""
    deadline = time.monotonic() + _PATIENCE
    # In this order: `done` may hold in the middle of the work that it waits for.
    while not (done() and at_rest()):
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.01)


def ask(widget: View, kind: str, buffers: tuple[bytes, ...] = (), **message: Any) -> None:
    """A message as the browser sends it; returns when all widgets are at rest."""
    widget._received(widget, {"kind": kind, **message}, buffers)
    until(lambda: True)


def at_rest() -> bool:
    """Whether no widget works or is about to draw."""
    return background_loop().run(_at_rest())


async def _at_rest() -> bool:
    return not any(getattr(t.get_coro(), "cr_code", None) in _WORK for t in asyncio.all_tasks())
