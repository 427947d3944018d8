"""Keys that come faster than the screen follows, in the order they were typed.

Textual sends a key to the widget that has the focus when the key arrives. A key that opens a
screen, a dialog or an input needs a moment until that has the focus; anything typed in this moment
would act on the previous list, or be lost. Here the next key waits until the previous one has had
its effect.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from textual.app import App, ScreenStackError
from textual.dom import DOMNode
from textual.events import Key, Paste

_TURNS = 10
"""Turns of the event loop in which the work of a key can open its dialog. It is bounded, because
that work may first ask the server, and the keyboard should not wait for it.
"""


class TypingAhead:
    """Gives the keys of `app` to `hand_on`, one at a time."""

    def __init__(self, app: App[None], hand_on: Callable[[Key | Paste], Awaitable[None]]) -> None:
        self._app = app
        self._hand_on = hand_on
        self._waiting: deque[Key | Paste] = deque()
        self._busy = False

    def take(self, event: Key | Paste) -> None:
        """Passes the event on when all earlier ones have taken effect."""
        self._waiting.append(event)
        if not self._busy:
            self._busy = True
            self._app.run_worker(self._hand_on_all(), group="keys")

    async def _hand_on_all(self) -> None:
        try:
            while self._waiting:
                await self._hand_on(self._waiting.popleft())
                await self._done()
        except ScreenStackError:
            self._waiting.clear()  # the app has ended meanwhile: the keys have no receiver
        finally:
            self._busy = False

    async def _done(self) -> None:
        """Waits until the key was handled and whatever its work opened has the focus."""
        start = self._app.focused or self._app.screen
        for _ in range(2):  # the key itself, then the messages that it gave rise to
            await _heard(start.ancestors_with_self)
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        while not (screen := self._app.screen).is_mounted and screen.is_running:  # noqa: ASYNC110
            await asyncio.sleep(0.005)  # Textual's event for it is not public
        await _heard((self._app.screen, self._app))


async def _heard(nodes: Iterable[DOMNode]) -> None:
    """Waits until each node has handled the messages that are pending now."""
    for node in nodes:
        heard = asyncio.Event()
        if node.is_running and node.call_later(heard.set):
            while not heard.is_set() and node.is_running:  # noqa: ASYNC110
                await asyncio.sleep(0)  # a removed node never gets to it
