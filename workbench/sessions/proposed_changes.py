"""The changes that a rereading proposes: fetched, accepted, refused and undone."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from workbench.client.errors import Mistake, NotFound
from workbench.contract.rereading import Change, ChangeOutcome, Rereading

if TYPE_CHECKING:
    from workbench.client import AsyncClient

_PAGE = 200
_LOOK_SECONDS = 0.5


class ProposedChanges:
    """The newest rereading of a DocSet with its open changes; `reading` is None without one."""

    def __init__(
        self,
        client: "AsyncClient",
        docset_id: str,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.client = client
        self.docset_id = docset_id
        self.reading: Rereading | None = None
        self.changes: list[Change] = []
        self._token: str | None = None
        self._awaited: str | None = None
        """The reading that was asked for, which is not listed before its task begins."""
        self._sleep = sleep

    @property
    def total(self) -> int:
        """How many changes are open."""
        return self.reading.open if self.reading else 0

    async def start(self, fields: Sequence[str] | None = None) -> None:
        """Has the documents reread; raises Invalid when nothing was corrected."""
        self._awaited = await self.client.reread(self.docset_id, fields=fields)
        await self.refresh()

    async def refresh(self) -> None:
        """Fetches the newest rereading and the first of its open changes."""
        known = await self.client.rereadings(self.docset_id)
        self.reading = known[0] if known else None
        self.changes, self._token = [], None
        if self.reading is not None and self.reading.open:
            await self._fetch(None)

    async def finished(self, on_progress: Callable[[Rereading], None]) -> None:
        """Waits for the rereading, even a cancelled one, then fetches its changes."""
        while (waited := self._under_way()) is not None:
            if self.reading is not None and self.reading.rereading_id == waited:
                on_progress(self.reading)
            try:
                ended = not (await self.client.result(waited)).pending
            except NotFound:  # cancelled
                ended = True
            if ended:
                break
            await self._sleep(_LOOK_SECONDS)
            known = await self.client.rereadings(self.docset_id)
            self.reading = known[0] if known else None
        self._awaited = None
        await self.refresh()

    def _under_way(self) -> str | None:
        """The id of the unfinished rereading, if there is one."""
        reading = self.reading
        if self._awaited is not None and (reading is None or reading.rereading_id != self._awaited):
            return self._awaited
        return None if reading is None or reading.finished else reading.rereading_id

    async def more(self) -> None:
        """Fetches further changes, if there are any."""
        if self._token is not None:
            await self._fetch(self._token)

    async def accept(self, changes: Sequence[Change] | None = None) -> ChangeOutcome:
        """Makes these changes, or all that are open."""
        ids = None if changes is None else [change.change_id for change in changes]
        return await self.client.accept_changes(self.docset_id, self._id, ids)

    async def refuse(self, changes: Sequence[Change] | None = None) -> ChangeOutcome:
        """Leaves the documents of these changes as they are, or of all that are open."""
        ids = None if changes is None else [change.change_id for change in changes]
        return await self.client.refuse_changes(self.docset_id, self._id, ids)

    async def undo(self) -> ChangeOutcome:
        """Undoes all accepted changes in one step."""
        return await self.client.undo_changes(self.docset_id, self._id)

    @property
    def _id(self) -> str:
        if self.reading is None:
            raise Mistake("The documents have not been read again yet: there are no changes.")
        return self.reading.rereading_id

    async def _fetch(self, token: str | None) -> None:
        page = await self.client.changes(
            self.docset_id, self._id, page_size=_PAGE, page_token=token
        )
        self.changes += page.items
        self._token = page.next_page_token
