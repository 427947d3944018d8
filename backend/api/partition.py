"""Routes of partitioning: the call that answers line by line, and its asynchronous variant."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from anyio.to_thread import run_sync
from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from backend.api.bodies import StrictRoute, submitted
from backend.api.calls import (
    REFUSALS,
    THROTTLED,
    Account,
    Backend,
    elapsed,
    progress_of,
    submit_file,
)
from backend.api.gate import call_id
from backend.api.openapi import UPLOAD
from backend.docsets.partition_answer import NOTICE, OPENING, progress, remainder, status_line
from backend.docsets.partitioning import KIND, failed
from workbench.contract.errors import Unavailable
from workbench.contract.tasks import TaskAccepted
from workbench.contract.version import __version__

router = APIRouter(prefix="/v1", tags=["Partition"], route_class=StrictRoute, responses=REFUSALS)
ACTION = "/v1/document/partition"
_SERVER = f"DocSet Workbench {__version__}"


@router.post(
    "/document/partition",
    summary="Partition Document",
    openapi_extra=UPLOAD,
    dependencies=THROTTLED,
)
async def partition(request: Request, service: Backend, account: Account) -> Response:
    task_id = await _submit(request, service, account, listed=False)
    lines = _lines(request, service, account, task_id)
    return StreamingResponse(lines, media_type="application/json")


@router.post(
    "/async/submit/document/partition",
    summary="Submit Document for Async Partitioning",
    status_code=202,
    openapi_extra=UPLOAD,
    dependencies=THROTTLED,
    tags=["Tasks"],
)
async def submit_partition(request: Request, service: Backend, account: Account) -> TaskAccepted:
    return TaskAccepted(task_id=await _submit(request, service, account, listed=True))


async def _submit(request: Request, service: Backend, account: Account, *, listed: bool) -> str:
    async with submitted(request, service.settings.max_options) as sent:
        if sent.parsed.add_to_docset_id:
            await run_sync(service.adding.check, account, sent.parsed.add_to_docset_id)
        return await submit_file(
            request, service, account, sent, kind=KIND, action=ACTION, listed=listed
        )


async def _lines(
    request: Request, service: Backend, account: str, task_id: str
) -> AsyncIterator[bytes]:
    """The answer as it grows; see `partition_answer` for its format. If the backend stops, the
    answer ends with that error.
    """
    yield OPENING
    for line in [*NOTICE, f"Server: {_SERVER}", f"Call: {call_id.get()}", "Waiting"]:
        yield status_line(line)
    try:
        async with aclosing(_progress(request, service, account, task_id)) as pieces:
            async for piece in pieces:
                yield piece
    except Unavailable as error:
        yield remainder(failed(error).body)


async def _progress(
    request: Request, service: Backend, account: str, task_id: str
) -> AsyncGenerator[bytes]:
    """The line of each finished page, then the rest of the answer."""
    pages = 0
    async with aclosing(progress_of(request, service, account, task_id)) as rows:
        async for row in rows:
            for page in range(pages + 1, (row["done"] or 0) + 1):
                yield status_line(progress(elapsed(row), page))
            pages = max(pages, row["done"] or 0)
            if row["status"] == "done":
                yield remainder(row["result"])
