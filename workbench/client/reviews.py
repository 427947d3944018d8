"""Calls about values to review, and what a person decides on them (extension)."""

from collections.abc import Sequence

from workbench.client.calls import Calls
from workbench.client.wire import EXTENSIONS, Call, Parameter, segment
from workbench.contract.coverage import CERTAIN
from workbench.contract.review import Decided, Decision, Decisions, ReviewPage, ReviewRequest


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
        """Values that nobody has checked, the least certain first; those below a certainty, or all
        of them with `below=None`. At most 200 a page.
        """
        request = ReviewRequest(
            fields=None if fields is None else list(fields),
            doc_ids=None if doc_ids is None else list(doc_ids),
            below=below,
        )
        params: dict[str, Parameter] = {"page_size": page_size, "page_token": page_token}
        path = f"{EXTENSIONS}review/{segment(docset_id)}"
        return await self.wire.model(Call("POST", path, params=params, json=request), ReviewPage)

    async def decide(self, docset_id: str, decisions: Sequence[Decision]) -> Decided:
        """Keeps what a person says of values; all of it or nothing."""
        body = Decisions(decisions=list(decisions))
        path = f"{EXTENSIONS}docsets/{segment(docset_id)}/decisions"
        return await self.wire.model(Call("POST", path, json=body), Decided)
