"""Routes of reviewing: the values that a person should look at, and what the person decides.

Extensions, like all below `/v1/workbench`.
"""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Body, Query, Request

from backend.api import examples
from backend.api.bodies import StrictRoute
from backend.api.calls import REFUSALS, Account, Backend, DocSetId, PageToken
from backend.api.openapi import EXTENSION
from workbench.contract.review import Decided, Decisions, ReviewPage, ReviewRequest

router = APIRouter(
    prefix="/v1/workbench", tags=["Extensions"], route_class=StrictRoute, responses=REFUSALS
)
PageSize = Annotated[int, Query(ge=1, le=200, description="Values per page.")]


@router.post("/review/{docset_id}", summary="Values to review", openapi_extra=EXTENSION)
async def review(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[ReviewRequest, Body(openapi_examples=examples.REVIEW)],
    page_size: PageSize = 50,
    page_token: PageToken = None,
) -> ReviewPage:
    """The values that nobody has checked, the least certain first, with alternatives and places."""
    work = partial(
        service.review.page, account, docset_id, body, page_size=page_size, page_token=page_token
    )
    return await service.lanes.plans.run(account, work, request)


@router.post("/docsets/{docset_id}/decisions", summary="Decide on values", openapi_extra=EXTENSION)
def decide(
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[Decisions, Body(openapi_examples=examples.DECISIONS)],
) -> Decided:
    """Keeps what a person says of values: it is so, it is another value, there is none.

    All decisions are kept, or none. Extractions leave such values alone.
    """
    return service.decisions.decide(account, docset_id, body)
