"""A person's way through the values to review: one decision each, stored in the background.

There is no waiting between two values: further ones are prefetched, and decisions are sent while
the person looks at the next value. A decision stays here until the server has it.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench.client.errors import Refusal
from workbench.contract.coverage import CERTAIN
from workbench.contract.review import Decision, ReviewGuess, ReviewValue

if TYPE_CHECKING:
    from workbench.client import AsyncClient

_PAGE = 100
_AHEAD = 40
"""Values that are fetched ahead."""
_SENT_AT_ONCE = 500


class ReviewSession:
    """The values of a DocSet below a confidence, or all unchecked ones (`below=None`); `fields` and
    `doc_ids` filter them. `position` is the index of the current value.
    """

    def __init__(
        self,
        client: "AsyncClient",
        docset_id: str,
        *,
        fields: Sequence[str] | None = None,
        doc_ids: Sequence[str] | None = None,
        below: float | None = CERTAIN,
    ) -> None:
        self.client = client
        self.docset_id = docset_id
        self.fields = fields
        self.doc_ids = doc_ids
        self.below = below
        self.values: list[ReviewValue] = []
        self.position = 0
        self.total = 0
        """How many there were to look at when the session began."""
        self.decisions: dict[int, Decision] = {}
        """By the place of the value."""
        self._unsent: set[int] = set()
        self._token: str | None = None
        self._opened = False
        self._fetching = asyncio.Lock()
        self._sending = asyncio.Lock()

    # -- the values -----------------------------------------------------------------------------

    @property
    def current(self) -> ReviewValue | None:
        """The value to decide on; None at the end, or while it is not here yet."""
        return self.values[self.position] if self.position < len(self.values) else None

    @property
    def at_end(self) -> bool:
        """Whether no value is left."""
        return self._opened and self._token is None and self.position >= len(self.values)

    @property
    def decision(self) -> Decision | None:
        """The decision on the current value from earlier in this session."""
        return self.decisions.get(self.position)

    @property
    def checked(self) -> int:
        """How many values were decided on."""
        return len(self.decisions)

    @property
    def changed(self) -> int:
        """How many decisions gave a document another value."""
        return sum(
            decision.value != self.values[place].value for place, decision in self.decisions.items()
        )

    @property
    def unsent(self) -> int:
        """How many decisions the server does not have yet."""
        return len(self._unsent)

    def upcoming(self, documents: int) -> list[str]:
        """The ids of the next different documents, the current one first."""
        ahead = self.values[self.position : self.position + 10 * documents]
        return list(dict.fromkeys(value.doc_id for value in ahead))[:documents]

    async def reach(self) -> None:
        """Fetches values until there are some ahead; the first call opens the session.

        Raises MissingExtension where the server has no such queue.
        """
        async with self._fetching:
            while not self._opened or (
                self._token is not None and len(self.values) - self.position < _AHEAD
            ):
                page = await self.client.values_to_review(
                    self.docset_id,
                    fields=self.fields,
                    doc_ids=self.doc_ids,
                    below=self.below,
                    page_size=_PAGE,
                    page_token=self._token,
                )
                if not self._opened:
                    self._opened = True
                    self.total = page.total or 0
                self.values += page.items
                self.total = max(self.total, len(self.values))
                self._token = page.next_page_token

    # -- deciding -------------------------------------------------------------------------------

    def accept(self) -> bool:
        """Confirms the value, including "none"; returns whether there was one to decide on."""
        return self.current is not None and self.decide(self.current.value)

    def take(self, number: int) -> bool:
        """Chooses alternative `number`, from 1; returns whether there is one."""
        current = self.current
        if current is None or not 1 <= number <= len(current.alternatives):
            return False
        return self.decide(current.alternatives[number - 1].value)

    def decide(self, value: Any) -> bool:
        """Records `value` (None: the document has none) and moves on."""
        current = self.current
        if current is None:
            return False
        decision = Decision(doc_id=current.doc_id, field=current.field, value=value)
        self.decisions[self.position] = decision
        self._unsent.add(self.position)
        self.position += 1
        return True

    def skip(self) -> bool:
        """Skips the value without a decision; another session shows it again."""
        if self.current is None:
            return False
        self.position += 1
        return True

    def back(self) -> bool:
        """Goes back to the previous value, to decide again; returns whether there is one."""
        if self.position == 0:
            return False
        self.position -= 1
        return True

    async def send(self) -> None:
        """Sends the decisions. Those that cannot be sent now stay for the next call. One that the
        server refuses, for instance about a deleted document, is dropped, and the refusal raised.
        """
        async with self._sending:
            while self._unsent:
                places = sorted(self._unsent)[:_SENT_AT_ONCE]
                try:
                    await self._send(places)
                except Refusal:
                    if len(places) == 1:
                        self._drop(places[0])
                        raise
                    for place in places:  # to find the one that is refused
                        await self._send_alone(place)

    async def _send_alone(self, place: int) -> None:
        try:
            await self._send([place])
        except Refusal:
            self._drop(place)
            raise

    async def _send(self, places: Sequence[int]) -> None:
        sent = {place: self.decisions[place] for place in places}
        await self.client.decide(self.docset_id, list(sent.values()))
        for place, decision in sent.items():
            if self.decisions.get(place) is decision:  # else it was decided anew meanwhile
                self._unsent.discard(place)

    def _drop(self, place: int) -> None:
        self._unsent.discard(place)
        self.decisions.pop(place, None)


def choices_of(value: ReviewValue) -> list[ReviewGuess]:
    """The choices: the document's value, then its alternatives."""
    return [value, *value.alternatives]
