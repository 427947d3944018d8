"""Detects that another program (a terminal app, a notebook) has written to the session file.

SQLite counts the writes of other connections in the head of the file, so a check costs some
microseconds and no query; four a second are enough to seem immediate. File notifications of the
operating system were rejected: they differ on every system and do not work on network drives.
"""

import asyncio
from collections.abc import Awaitable, Callable

from workbench.sessions.session_file import SessionFile

_SECONDS = 0.25


class SessionWatch:
    """Calls its listeners, in the event loop that `run()` is awaited in, after each such write."""

    def __init__(
        self, file: SessionFile, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._file = file
        self._sleep = sleep
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Adds a listener; returns a function that removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def run(self) -> None:
        """Watches until it is cancelled."""
        while True:
            await self._sleep(_SECONDS)
            if self._file.written_elsewhere():
                for listener in tuple(self._listeners):
                    listener()
