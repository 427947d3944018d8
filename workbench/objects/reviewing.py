"""Reviewing and rereading for the library."""

from collections.abc import Iterable, Sequence

from workbench.client import AsyncClient, Mistake
from workbench.contract.rereading import Change
from workbench.contract.review import ReviewValue
from workbench.frames.reviews import Changes, ToReview
from workbench.objects.arguments import several
from workbench.sessions.proposed_changes import ProposedChanges

_PAGE = 200


async def values_to_review(
    client: AsyncClient,
    docset_id: str,
    names: Sequence[str] | None,
    below: float | None,
    limit: int,
) -> ToReview:
    """The first `limit` values of the queue."""
    items: list[ReviewValue] = []
    total, token = 0, None
    while len(items) < limit:
        page = await client.values_to_review(
            docset_id,
            fields=names,
            below=below,
            page_size=min(_PAGE, limit - len(items)),
            page_token=token,
        )
        total = page.total if page.total is not None else total
        items += page.items
        token = page.next_page_token
        if token is None:
            break
    return ToReview(items, total)


async def reread(client: AsyncClient, docset_id: str, names: Sequence[str] | None) -> Changes:
    """Rereads the documents, waits, and returns all proposed changes."""
    proposed = ProposedChanges(client, docset_id)
    await proposed.start(names)
    await proposed.finished(lambda _reading: None)
    return await _all(proposed)


async def open_changes(client: AsyncClient, docset_id: str) -> Changes:
    """The open changes of the latest rereading; none before the first."""
    proposed = ProposedChanges(client, docset_id)
    await proposed.refresh()
    return await _all(proposed)


async def decide(
    client: AsyncClient, docset_id: str, verb: str, changes: Iterable[Change] | None
) -> int:
    """Accepts, refuses or undoes changes of the latest rereading; returns their number."""
    several("changes", changes)
    chosen = None if changes is None else list(changes)
    if odd := [one for one in chosen or () if not isinstance(one, Change)]:
        raise Mistake(f"Choose among docset.changes(): {odd[0]!r:.80} is not one of them.")
    proposed = ProposedChanges(client, docset_id)
    await proposed.refresh()
    if proposed.reading is None or chosen == []:
        return 0
    if verb == "undo":
        return (await proposed.undo()).done
    act = proposed.accept if verb == "accept" else proposed.refuse
    return (await act(chosen)).done


async def _all(proposed: ProposedChanges) -> Changes:
    while len(proposed.changes) < proposed.total:
        before = len(proposed.changes)
        await proposed.more()
        if len(proposed.changes) == before:
            break
    return Changes(proposed.changes, proposed.total)
