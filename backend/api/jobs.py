"""Routes of property jobs, synchronous and asynchronous."""

from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Body, Query, Request
from starlette.responses import Response

from backend.api import examples
from backend.api.bodies import StrictRoute
from backend.api.calls import REFUSALS, THROTTLED, Account, Backend, answer, submit
from backend.docsets.property_jobs import DELETE_KIND, EXTRACT_KIND
from workbench.contract.docsets import JobResult, PropertyNames
from workbench.contract.schema import Schema
from workbench.contract.tasks import TaskAccepted

router = APIRouter(
    prefix="/v1",
    tags=["Property jobs"],
    route_class=StrictRoute,
    responses=REFUSALS,
    dependencies=THROTTLED,
)
DocSet = Annotated[str, Query(alias="docset_id", max_length=200, description="The DocSet.")]
Overwrite = Annotated[
    bool,
    Query(
        alias="overwrite_corrections",
        description="Extension: whether to extract values that a person corrected, too.",
    ),
]
Wanted = Annotated[Schema, Body(openapi_examples=examples.EXTRACT)]
Names = Annotated[PropertyNames, Body(openapi_examples=examples.DELETE_PROPERTIES)]


@router.post("/jobs/extract-properties", summary="Extract Properties", response_model=JobResult)
async def extract(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: DocSet,
    body: Wanted,
    overwrite: Overwrite = False,
) -> Response:
    task_id = await _extract(request, service, account, docset_id, body, overwrite, listed=False)
    return await answer(request, service, account, task_id)


@router.post(
    "/async/submit/jobs/extract-properties", summary="Submit Extract Properties", status_code=202
)
async def submit_extract(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: DocSet,
    body: Wanted,
    overwrite: Overwrite = False,
) -> TaskAccepted:
    task_id = await _extract(request, service, account, docset_id, body, overwrite, listed=True)
    return TaskAccepted(task_id=task_id)


@router.post("/jobs/delete-properties", summary="Delete Properties", response_model=JobResult)
async def delete(
    request: Request, service: Backend, account: Account, docset_id: DocSet, body: Names
) -> Response:
    task_id = await _delete(request, service, account, docset_id, body, listed=False)
    return await answer(request, service, account, task_id)


@router.post(
    "/async/submit/jobs/delete-properties", summary="Submit Delete Properties", status_code=202
)
async def submit_delete(
    request: Request, service: Backend, account: Account, docset_id: DocSet, body: Names
) -> TaskAccepted:
    task_id = await _delete(request, service, account, docset_id, body, listed=True)
    return TaskAccepted(task_id=task_id)


async def _extract(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: str,
    schema: Schema,
    overwrite: bool,
    *,
    listed: bool,
) -> str:
    await run_sync(service.jobs.check, account, docset_id, schema)
    work = {
        "docset_id": docset_id,
        "schema": schema.model_dump(),
        "overwrite_corrections": overwrite,
    }
    return await _submit(request, service, account, EXTRACT_KIND, work, listed)


async def _delete(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: str,
    body: PropertyNames,
    *,
    listed: bool,
) -> str:
    await run_sync(service.jobs.check, account, docset_id)
    work = {"docset_id": docset_id, "names": body.names}
    return await _submit(request, service, account, DELETE_KIND, work, listed)


async def _submit(
    request: Request,
    service: Backend,
    account: Account,
    kind: str,
    work: dict[str, Any],
    listed: bool,
) -> str:
    action = f"/v1/jobs/{kind.replace('_', '-')}"
    return await submit(
        request, service, account, kind=kind, action=action, work=work, listed=listed
    )
