"""The events of tasks, for every stream that shows them.

A hundred streams of an account want the same hundreds of events at the same moment. They are read
and encoded once, in a thread, and accounts take turns.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from anyio.to_thread import run_sync

from backend.api.lanes import Turns
from workbench.contract.tasks import TaskProgress

Changes = Callable[[str, int], list[TaskProgress]]
_AT_ONCE = 2
_PIECE = 2**16
"""Characters: a stream that is not read keeps few pieces in memory beside the shared ones."""


@dataclass(eq=False)
class Events:
    """What has changed for an account."""

    last: int
    """The number of the last event, or that to read from."""
    mark: int | None = None
    """The number of signals before the reading began; None until then."""
    pieces: list[bytes] = field(default_factory=list)
    """The events as they are sent, some at a time."""
    reading: asyncio.Future[None] | None = None

    def serves(self, mark: int) -> bool:
        """Whether they have all changes up to that signal.

        Other servers change tasks without a signal, so a reading that was empty is repeated.
        """
        if self.mark is None:
            return True
        is_done = self.reading is None or self.reading.done()
        return self.mark >= mark and (bool(self.pieces) or not is_done)


class TaskEvents:
    """Reads the events of all accounts. `mark` counts the signals of changes so far."""

    def __init__(self, changes: Changes, mark: Callable[[], int]) -> None:
        self._changes = changes
        self._mark = mark
        self._turns = Turns(_AT_ONCE)
        # Weak: the events live as long as a stream waits for them or sends them.
        self._shared: WeakValueDictionary[tuple[str, int], Events] = WeakValueDictionary()

    async def since(self, account: str, after: int, mark: int) -> Events:
        """The changes after the one numbered `after`, read when `mark` had been signalled or later.

        Several callers get the same object.
        """
        events = self._shared.get((account, after))
        if events is None or not events.serves(mark):
            events = self._shared[account, after] = Events(after)
            events.reading = asyncio.ensure_future(self._read(events, account))
        assert events.reading is not None
        await asyncio.shield(events.reading)  # others may wait for what a caller no longer wants
        return events

    async def _read(self, events: Events, account: str) -> None:
        async with self._turns.turn(account):
            events.mark = self._mark()
            events.pieces, events.last = await run_sync(self._encoded, account, events.last)

    def _encoded(self, account: str, after: int) -> tuple[list[bytes], int]:
        pieces, piece = [], ""
        for change in self._changes(account, after):
            after = change.sequence
            piece += f"id: {after}\nevent: task\ndata: {change.model_dump_json()}\n\n"
            if len(piece) >= _PIECE:
                pieces.append(piece.encode())
                piece = ""
        if piece:
            pieces.append(piece.encode())
        return pieces, after
