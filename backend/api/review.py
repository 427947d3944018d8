"""Routes of reviewing: values for a person to check, and the decisions.

Extensions, like all below `/v1/workbench`.
"""

from functools import partial
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import Body, Path, Query, Request

from backend.api import examples, learning
from backend.api.calls import (
    THROTTLED,
    Account,
    Backend,
    DocSetId,
    PageToken,
    extension_router,
)
from workbench.contract.rereading import (
    ChangeChoice,
    ChangeOutcome,
    ChangePage,
    ChangeState,
    Rereading,
    RereadRequest,
)
from workbench.contract.review import Decided, Decisions, ReviewPage, ReviewRequest
from workbench.contract.tasks import TaskAccepted

router = extension_router()
PageSize = Annotated[int, Query(ge=1, le=200, description="Values per page.")]


RereadingId = Annotated[str, Path(max_length=200, description="The id of a rereading.")]
Chosen = Annotated[ChangeChoice, Body(openapi_examples=examples.CHANGES)]
_READINGS = "/docsets/{docset_id}/rereadings"


@router.post("/review/{docset_id}", summary="Values to review")
async def review(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[ReviewRequest, Body(openapi_examples=examples.REVIEW)],
    page_size: PageSize = 50,
    page_token: PageToken = None,
) -> ReviewPage:
    """The unchecked values, least certain first, with alternatives and places."""
    work = partial(
        service.review.page, account, docset_id, body, page_size=page_size, page_token=page_token
    )
    return await service.lanes.plans.run(account, work, request)


@router.post("/docsets/{docset_id}/decisions", summary="Decide on values")
async def decide(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[Decisions, Body(openapi_examples=examples.DECISIONS)],
) -> Decided:
    """Stores what a person decides about values: confirmed, another value, or none.

    All decisions are stored, or none. Extractions leave such values alone. A DocSet whose property
    `reread_after_corrections` is true is then reread in the background, which proposes
    changes.
    """
    stored = await run_sync(service.decisions.decide, account, docset_id, body)
    if stored.changed:
        await learning.reread_if_set(request, service, account, docset_id)
    return stored


@router.post(
    _READINGS,
    summary="Reread documents",
    status_code=202,
    dependencies=THROTTLED,
)
async def reread(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[RereadRequest, Body(openapi_examples=examples.REREAD)],
) -> TaskAccepted:
    """Rereads all documents with people's corrections; proposes changes, makes none.

    The id of the task is that of the rereading.
    """
    fields = await run_sync(service.rereadings.check, account, docset_id, body.fields)
    return TaskAccepted(task_id=await learning.reread(request, service, account, docset_id, fields))


@router.get(_READINGS, summary="List rereadings")
def readings(service: Backend, account: Account, docset_id: DocSetId) -> list[Rereading]:
    """The rereadings of a DocSet, newest first, with the numbers of changes that each proposes."""
    return service.proposals.readings(account, docset_id)


@router.get(_READINGS + "/{rereading_id}/changes", summary="List changes")
def changes(
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    rereading_id: RereadingId,
    state: ChangeState = "open",
    page_size: PageSize = 50,
    page_token: PageToken = None,
) -> ChangePage:
    """The proposed changes: document, property, before, after, confidence, place."""
    return service.proposals.page(
        account, docset_id, rereading_id, state=state, page_size=page_size, page_token=page_token
    )


@router.post(_READINGS + "/{rereading_id}/accept", summary="Accept changes")
def accept_changes(
    service: Backend, account: Account, docset_id: DocSetId, rereading_id: RereadingId, body: Chosen
) -> ChangeOutcome:
    """Makes the named open changes, or all; named ones then count as checked by a person."""
    return service.proposals.accept(account, docset_id, rereading_id, body)


@router.post(_READINGS + "/{rereading_id}/refuse", summary="Refuse changes")
def refuse_changes(
    service: Backend, account: Account, docset_id: DocSetId, rereading_id: RereadingId, body: Chosen
) -> ChangeOutcome:
    """Refuses the named open changes, or all; the documents stay as they are."""
    return service.proposals.refuse(account, docset_id, rereading_id, body)


@router.post(_READINGS + "/{rereading_id}/undo", summary="Undo changes")
def undo_changes(
    service: Backend, account: Account, docset_id: DocSetId, rereading_id: RereadingId
) -> ChangeOutcome:
    """Undoes all accepted changes of a rereading in one step; they are open again."""
    return service.proposals.undo(account, docset_id, rereading_id)
