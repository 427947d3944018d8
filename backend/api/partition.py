"""Routes of partitioning: the call that answers line by line, and its asynchronous twin."""

import json
from collections.abc import AsyncIterator

from anyio.to_thread import run_sync
from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from backend.api.bodies import StrictRoute, submitted
from backend.api.calls import (
    REFUSALS,
    Account,
    Backend,
    elapsed,
    progress_of,
    submit_file,
)
from backend.api.gate import call_id
from backend.api.openapi import UPLOAD
from backend.contract.errors import NotFound
from backend.contract.tasks import TaskAccepted
from backend.docsets.partitioning import KIND, NOTICE, progress_line

router = APIRouter(prefix="/v1", tags=["Partition"], route_class=StrictRoute, responses=REFUSALS)
ACTION = "/v1/document/partition"


@router.post("/document/partition", summary="Partition Document", openapi_extra=UPLOAD)
async def partition(request: Request, service: Backend, account: Account) -> Response:
    task_id = await _submit(request, service, account, listed=False)
    lines = _lines(request, service, account, task_id)
    return StreamingResponse(lines, media_type="application/json")


@router.post(
    "/async/submit/document/partition",
    summary="Submit Document for Async Partitioning",
    status_code=202,
    openapi_extra=UPLOAD,
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
    """One JSON object whose layout readers rely on: a status per line, then the rest."""
    yield b'{\n  "status": [\n'
    for line in [*NOTICE, "Server: DocSet Workbench", f"Call: {call_id.get()}", "Waiting"]:
        yield _status(line)
    pages = 0
    row = None
    try:
        async for row in progress_of(request, service, account, task_id):
            for page in range(pages + 1, (row["done"] or 0) + 1):
                yield _status(progress_line(elapsed(row), page))
            pages = max(pages, row["done"] or 0)
    except NotFound:  # cancelled because the reader went away
        return
    assert row is not None
    body = json.loads(row["result"])
    body.pop("status", None)
    if row["outcome"] != 200:
        body = {"status_code": row["outcome"], "error": f"{row['outcome']}: {body['detail']}"}
    yield b'    ""\n  ],\n'
    rest = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in body.items()]
    yield (",\n".join(rest) + "\n}\n").encode()


def _status(line: str) -> bytes:
    return f"    {json.dumps(line)},\n".encode()
