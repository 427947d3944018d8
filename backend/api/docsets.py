"""Routes of DocSets."""

from typing import Annotated, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter, Body, Query, Request
from starlette.responses import Response

from backend.api import examples
from backend.api.bodies import StrictRoute
from backend.api.calls import (
    REFUSALS,
    THROTTLED,
    Account,
    Backend,
    DocSetId,
    PageSize,
    PageToken,
    answer,
    submit,
)
from backend.docsets.property_jobs import SUGGEST_KIND
from workbench.contract.docsets import (
    DocSetCreate,
    DocSetMetadata,
    DocSetUpdate,
    Page,
    SuggestedSchema,
    SuggestRequest,
)

router = APIRouter(
    prefix="/v1/storage/docsets",
    tags=["DocSets"],
    route_class=StrictRoute,
    responses=REFUSALS,
)


@router.post("", summary="Create Docset")
def create(
    service: Backend,
    account: Account,
    body: Annotated[DocSetCreate, Body(openapi_examples=examples.CREATE)],
) -> DocSetMetadata:
    return service.docsets.create(account, body)


@router.get("", summary="List Docsets")
def list_docsets(
    service: Backend,
    account: Account,
    name_eq: Annotated[str | None, Query(max_length=500, description="Exact name.")] = None,
    page_size: PageSize = 100,
    page_token: PageToken = None,
) -> Page[DocSetMetadata]:
    return service.docsets.list(
        account, name_eq=name_eq, page_size=page_size, page_token=page_token
    )


@router.get("/{docset_id}", summary="Get Docset")
def get(service: Backend, account: Account, docset_id: DocSetId) -> DocSetMetadata:
    return service.docsets.get(account, docset_id)


@router.patch("/{docset_id}", summary="Update Docset")
def update(
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[DocSetUpdate, Body(openapi_examples=examples.UPDATE)],
) -> DocSetMetadata:
    return service.docsets.update(account, docset_id, body)


@router.post("/{docset_id}/readonly/{flag}", summary="Make a Docset read-only or writable")
def set_readonly(
    service: Backend, account: Account, docset_id: DocSetId, flag: Literal["0", "1"]
) -> DocSetMetadata:
    with service.database.reserve.lent():  # a read-only DocSet cannot be deleted
        return service.docsets.set_readonly(account, docset_id, flag == "1")


@router.post("/{docset_id}/clone", summary="Clone Docset")
def clone(service: Backend, account: Account, docset_id: DocSetId) -> DocSetMetadata:
    return service.docsets.clone(account, docset_id)


@router.delete("/{docset_id}", summary="Delete Docset")
def delete(service: Backend, account: Account, docset_id: DocSetId) -> DocSetMetadata:
    with service.database.reserve.lent():
        deleted = service.docsets.delete(account, docset_id)
        service.plans.drop(docset_id)
    return deleted


@router.post(
    "/{docset_id}/suggest-properties",
    summary="Suggest properties",
    response_model=SuggestedSchema,
    dependencies=THROTTLED,
)
async def suggest(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[SuggestRequest, Body(openapi_examples=examples.SUGGEST)],
) -> Response:
    await run_sync(service.docsets.get, account, docset_id)
    task_id = await submit(
        request,
        service,
        account,
        kind=SUGGEST_KIND,
        action=f"/v1/storage/docsets/{docset_id}/suggest-properties",
        work={"docset_id": docset_id, "suggest": body.model_dump()},
        listed=False,
    )
    return await answer(request, service, account, task_id)
