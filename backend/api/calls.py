"""What routes share: the service, the account, and submitting work and waiting for its end."""

import time
from collections.abc import AsyncIterator
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import Depends, Path, Query, Request
from starlette.responses import Response

from backend.api.bodies import Submitted
from backend.api.service import Service
from backend.contract.errors import BadRequest, DetailBody, NotFound, ValidationBody
from backend.docsets.adding import base_name
from backend.tasks.queue import Submission

_POLL_SECONDS = 1.0
_MAX_USERDATA = 4096


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _account(request: Request) -> str:
    account: str = request.state.account_id
    return account


Backend = Annotated[Service, Depends(_service)]
Account = Annotated[str, Depends(_account)]
DocSetId = Annotated[str, Path(description="The id of the DocSet.", max_length=200)]
DocId = Annotated[str, Path(description="The id of the document.", max_length=200)]
PageSize = Annotated[int, Query(ge=1, le=1000, description="Results per page.")]
PageToken = Annotated[str | None, Query(max_length=4096, description="From the page before.")]

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": DetailBody, "description": "The request cannot be served as it was sent."},
    403: {"model": DetailBody, "description": "The credential is missing or wrong, or read-only."},
    404: {"model": DetailBody, "description": "There is no such thing for this account."},
    413: {"model": DetailBody, "description": "The body is over the limit."},
    422: {"model": ValidationBody, "description": "One or more fields are wrong."},
    429: {"model": DetailBody, "description": "Too many requests; see Retry-After."},
    503: {"model": DetailBody, "description": "Not possible at the moment."},
    507: {"model": DetailBody, "description": "The disk is full: nothing was stored."},
}


async def submit(
    request: Request,
    service: Service,
    account: str,
    *,
    kind: str,
    action: str,
    work: dict[str, Any],
    name: str | None = None,
    blob: str | None = None,
    listed: bool = True,
) -> str:
    """Puts work into the queue and returns the id of its task."""
    service.throttle.take(account)
    userdata = request.headers.get("x-aryn-userdata")
    if userdata is not None and len(userdata) > _MAX_USERDATA:
        raise BadRequest(f"X-Aryn-Userdata is longer than {_MAX_USERDATA} characters.")
    webhook = request.headers.get("x-aryn-webhook") if listed else None
    if webhook is not None:
        await run_sync(service.webhooks.check, webhook)
    submission = Submission(
        account_id=account,
        kind=kind,
        action=action,
        request=work,
        blob=blob,
        name=name,
        userdata=userdata,
        webhook=webhook,
        listed=listed,
    )
    task_id = await run_sync(service.queue.submit, submission)
    service.runner.wake()
    return task_id


async def submit_file(
    request: Request,
    service: Service,
    account: str,
    sent: Submitted,
    *,
    kind: str,
    action: str,
    listed: bool,
    docset_id: str | None = None,
) -> str:
    """Stores the file of an upload durably and queues the work on it."""
    name = base_name(sent.file.filename if sent.file is not None else sent.file_url)
    work: dict[str, Any] = {
        "name": name,
        "options": sent.options,
        "file_url": sent.file_url,
        "blob": None,
        "size": None,
    }
    if docset_id is not None:
        work["docset_id"] = docset_id
    if sent.file is None:
        return await submit(
            request, service, account, kind=kind, action=action, work=work, name=name,
            listed=listed,
        )  # fmt: skip
    keeping = service.blobs.keeping(sent.chunks())
    blob = await run_sync(keeping.__enter__)
    try:
        work |= {"blob": blob.digest, "size": blob.size}
        return await submit(
            request, service, account, kind=kind, action=action, work=work, name=name,
            blob=blob.digest, listed=listed,
        )  # fmt: skip
    finally:
        await run_sync(keeping.__exit__, None, None, None)


async def progress_of(
    request: Request, service: Service, account: str, task_id: str
) -> AsyncIterator[Any]:
    """The rows of a task, one at each change, up to and with the one of its end.

    When the caller goes away the task is cancelled: nobody would get its answer.
    """
    try:
        while True:
            row = await run_sync(service.queue.row, account, task_id)
            yield row
            if row["status"] == "done":
                return
            await service.changes.wait(_POLL_SECONDS)
            if await request.is_disconnected():
                await run_sync(cancel, service, account, task_id)
    finally:
        await run_sync(service.queue.forget, task_id)


async def answer(request: Request, service: Service, account: str, task_id: str) -> Response:
    """Waits for the end of a task of a synchronous call and gives its answer."""
    try:
        rows = [row async for row in progress_of(request, service, account, task_id)]
    except NotFound:  # cancelled because the caller went away
        return Response(status_code=499)
    return Response(rows[-1]["result"], rows[-1]["outcome"], media_type="application/json")


def cancel(service: Service, account: str, task_id: str) -> None:
    """Cancels an open task and frees its core; NotFound for any other."""
    service.queue.cancel(account, task_id)
    service.runner.interrupt(task_id)


def elapsed(row: Any) -> float:
    """Seconds since the work on a task began."""
    began: float = row["started_at"] or row["created_at"]
    return time.time() - began
