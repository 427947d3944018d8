"""Calls about values to review, and people's decisions on them (extension)."""

from collections.abc import Sequence

from pydantic import TypeAdapter

from workbench.client.calls import Calls
from workbench.client.errors import fitting
from workbench.client.wire import EXTENSIONS, Call, Parameter, segment
from workbench.contract.coverage import CERTAIN
from workbench.contract.rereading import (
    ChangeChoice,
    ChangeOutcome,
    ChangePage,
    ChangeState,
    Rereading,
    RereadRequest,
)
from workbench.contract.review import Decided, Decision, Decisions, ReviewPage, ReviewRequest

_READINGS = TypeAdapter(list[Rereading])


class ReviewCalls(Calls):
    async def values_to_review(
        self,
        docset_id: str,
        *,
        fields: Sequence[str] | None = None,
        doc_ids: Sequence[str] | None = None,
        below: float | None = CERTAIN,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> ReviewPage:
        """Unchecked values below a certainty (None: all), least certain first; 200 a page."""
        with fitting():
            request = ReviewRequest(
                fields=None if fields is None else list(fields),
                doc_ids=None if doc_ids is None else list(doc_ids),
                below=below,
            )
        params: dict[str, Parameter] = {"page_size": page_size, "page_token": page_token}
        path = f"{EXTENSIONS}review/{segment(docset_id)}"
        return await self.wire.model(Call("POST", path, params=params, json=request), ReviewPage)

    async def decide(self, docset_id: str, decisions: Sequence[Decision]) -> Decided:
        """Stores a person's decisions about values, all or none."""
        with fitting():
            body = Decisions(decisions=list(decisions))
        path = f"{EXTENSIONS}docsets/{segment(docset_id)}/decisions"
        return await self.wire.model(Call("POST", path, json=body), Decided)

    async def reread(self, docset_id: str, *, fields: Sequence[str] | None = None) -> str:
        """Rereads all documents with people's corrections; returns the id of the rereading, which
        is a task. `fields` default to the corrected properties.
        """
        with fitting():
            body = RereadRequest(fields=None if fields is None else list(fields))
        return await self.submitted(Call("POST", _readings(docset_id), json=body))

    async def rereadings(self, docset_id: str) -> list[Rereading]:
        """The rereadings of a DocSet, newest first."""
        rereadings: list[Rereading] = await self.wire.parsed(
            Call("GET", _readings(docset_id)), _READINGS
        )
        return rereadings

    async def changes(
        self,
        docset_id: str,
        rereading_id: str,
        *,
        state: ChangeState = "open",
        page_size: int = 100,
        page_token: str | None = None,
    ) -> ChangePage:
        """The changes that a rereading proposes; at most 200 per page."""
        params: dict[str, Parameter] = {
            "state": state,
            "page_size": page_size,
            "page_token": page_token,
        }
        path = f"{_readings(docset_id)}/{segment(rereading_id)}/changes"
        return await self.wire.model(Call("GET", path, params=params), ChangePage)

    async def accept_changes(
        self, docset_id: str, rereading_id: str, change_ids: Sequence[int] | None = None
    ) -> ChangeOutcome:
        """Accepts the given changes, or all open ones."""
        return await self._choose("accept", docset_id, rereading_id, change_ids)

    async def refuse_changes(
        self, docset_id: str, rereading_id: str, change_ids: Sequence[int] | None = None
    ) -> ChangeOutcome:
        """Refuses the given changes, or all open ones."""
        return await self._choose("refuse", docset_id, rereading_id, change_ids)

    async def undo_changes(self, docset_id: str, rereading_id: str) -> ChangeOutcome:
        """Undoes all accepted changes of a rereading."""
        path = f"{_readings(docset_id)}/{segment(rereading_id)}/undo"
        return await self.wire.model(Call("POST", path), ChangeOutcome)

    async def _choose(
        self, verb: str, docset_id: str, rereading_id: str, change_ids: Sequence[int] | None
    ) -> ChangeOutcome:
        with fitting():
            body = ChangeChoice(change_ids=None if change_ids is None else list(change_ids))
        path = f"{_readings(docset_id)}/{segment(rereading_id)}/{verb}"
        return await self.wire.model(Call("POST", path, json=body), ChangeOutcome)


def _readings(docset_id: str) -> str:
    return f"{EXTENSIONS}docsets/{segment(docset_id)}/rereadings"
