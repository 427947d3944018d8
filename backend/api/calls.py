"""What routes share: the service, the account, submitting work and waiting for its result."""

import logging
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from anyio import CancelScope
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.concurrency import contextmanager_in_threadpool
from starlette.responses import PlainTextResponse, Response

from backend.api.bodies import StrictRoute, Submitted
from backend.api.openapi import EXTENSIONS, refusal
from backend.api.service import Service
from backend.docsets.adding import base_name
from backend.docsets.docsets import drop_blobs
from backend.tasks.queue import Submission
from workbench.contract.errors import BadRequest, NotFound, Refused, Unavailable, ValidationBody

_log = logging.getLogger(__name__)
_POLL_SECONDS = 1.0
_LAST_SECONDS = 1.5
"""How long calls wait for their work when the backend stops; its grace for them is longer."""
_MAX_USERDATA = 4096
_LARGE_RESULT = 2**16
"""Bytes. Smaller results of waiting calls are removed later, together, by queue maintenance."""


# Coroutines, because the framework runs plain functions in a thread of their own.
async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


async def _account(request: Request) -> str:
    account: str = request.state.account_id
    return account


Backend = Annotated[Service, Depends(_service)]
Account = Annotated[str, Depends(_account)]


async def _throttled(service: Backend, account: Account) -> None:
    service.throttle.take(account)


THROTTLED = [Depends(_throttled)]
"""For routes that submit work: refuses a call over the rate before its file is read."""

DocSetId = Annotated[str, Path(description="The id of the DocSet.", max_length=200)]
DocId = Annotated[str, Path(description="The id of the document.", max_length=200)]
PageSize = Annotated[
    int, Query(ge=1, le=1000, description="Results per page; fewer if they are large.")
]
PageToken = Annotated[str | None, Query(max_length=4096, description="From the previous page.")]

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: refusal("The request cannot be served as it was sent."),
    403: refusal("The credential is missing or wrong, or read-only."),
    404: refusal("Not found for this account."),
    413: refusal("The body is over the limit."),
    422: refusal("One or more fields are wrong.", ValidationBody),
    429: refusal("Too many requests; see Retry-After."),
    431: refusal("The path or the headers are too long."),
    500: {"description": "An internal error.", "content": {"text/plain": {}}},
    503: refusal("Not possible at the moment."),
    507: refusal("The disk is full: nothing was stored."),
}

UNREADABLE: dict[int | str, dict[str, Any]] = {415: refusal("An unsupported file format.")}


def extension_router(tag: str = "Extensions") -> APIRouter:
    """A router for paths below EXTENSIONS."""
    return APIRouter(prefix=EXTENSIONS, tags=[tag], route_class=StrictRoute, responses=REFUSALS)


@dataclass(frozen=True)
class Declared:
    """What the headers of a call ask for: data to keep with its task, and whom to notify."""

    userdata: str | None
    webhook: str | None


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
    declared: Declared | None = None,
) -> str:
    """Queues work and returns the id of its task. `declared` has been read already, or is now."""
    headers = declared or await _declared(request, service, account, listed=listed)
    submission = Submission(
        account_id=account,
        kind=kind,
        action=action,
        request=work,
        blob=blob,
        name=name,
        userdata=headers.userdata,
        webhook=headers.webhook,
        listed=listed,
    )
    task_id = await run_sync(service.runner.submit, submission)
    _log.info("submitted %s", task_id)
    return task_id


async def _declared(request: Request, service: Service, account: str, *, listed: bool) -> Declared:
    userdata = _userdata(request)
    webhook = request.headers.get("x-aryn-webhook") if listed else None
    if webhook is not None:
        await service.lanes.names.run(account, partial(service.webhooks.check, webhook), request)
    return Declared(userdata, webhook)


def _userdata(request: Request) -> str | None:
    sent = request.headers.get("x-aryn-userdata")
    if sent is None:
        return None
    if len(sent) > _MAX_USERDATA:
        raise BadRequest(f"X-Aryn-Userdata is longer than {_MAX_USERDATA} characters.")
    # The framework reads headers as Latin-1; JSON text is UTF-8.
    return sent.encode("latin-1").decode("utf-8", "replace")


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
    name = base_name(sent.name)
    work: dict[str, Any] = {
        "name": name,
        "options": sent.options,
        "file_url": sent.file_url,
        "blob": None,
        "size": None,
    }
    if docset_id is not None:
        work["docset_id"] = docset_id
    # The token was checked before the file came, which may have taken hours.
    if not await run_sync(request.state.allowed):
        raise Refused("The token was revoked or has expired meanwhile. Nothing was stored.")
    await run_sync(service.database.reserve.check)
    # Read before the file is stored: a call that its headers rule out leaves nothing behind.
    declared = await _declared(request, service, account, listed=listed)
    send = partial(
        submit, request, service, account, kind=kind, action=action, work=work, name=name,
        listed=listed, declared=declared,
    )  # fmt: skip
    if sent.file is None:
        return await send()
    async with contextmanager_in_threadpool(service.blobs.keeping(sent.chunks())) as blob:
        work |= {"blob": blob.digest, "size": blob.size}
        try:
            return await send(blob=blob.digest)
        except BaseException:  # refused, or the caller has gone: no task will remove its file
            with CancelScope(shield=True):
                await run_sync(drop_blobs, service.database, service.blobs, {blob.digest})
            raise


async def progress_of(
    request: Request, service: Service, account: str, task_id: str
) -> AsyncGenerator[Any]:
    """The rows of a task, one for each change, up to its last one.

    The task is cancelled when the caller disconnects, as nobody would get its answer. Close the
    iterator (`aclosing`), so that this happens at once. It is cancelled with Unavailable when the
    backend stops, so that a caller who repeats the call does not get its work twice.
    """
    ended, large, last = False, False, 0.0
    try:
        while not await request.is_disconnected():
            mark = service.changes.mark()
            row = await run_sync(service.queue.row, account, task_id)
            ended = row["status"] == "done"
            large = len(row["result"] or b"") > _LARGE_RESULT
            yield row
            if ended:
                return
            if service.stopping.is_set():
                last = last or time.monotonic() + _LAST_SECONDS
                if time.monotonic() >= last:
                    raise Unavailable("The backend is stopping: repeat this call when it is back.")
            await service.changes.wait(mark, _POLL_SECONDS)
    finally:
        with CancelScope(shield=True):  # the framework cancels this when the caller disconnects
            if not ended:
                with suppress(NotFound):
                    await run_sync(service.cancel, account, task_id)
            if large or not ended:
                await run_sync(service.queue.forget, task_id)


async def answer(request: Request, service: Service, account: str, task_id: str) -> Response:
    """Waits for the task of a synchronous call and returns its answer."""
    async with aclosing(progress_of(request, service, account, task_id)) as rows:
        async for row in rows:
            if row["status"] == "done":
                return finished(row)
    return Response(status_code=499)  # not sent: the caller has disconnected


def finished(row: Any) -> Response:
    """The answer of a finished task, as the synchronous call returns it."""
    if row["outcome"] == 500:
        return PlainTextResponse("Internal Server Error", 500)
    return Response(row["result"], row["outcome"], media_type="application/json")


def elapsed(row: Any) -> float:
    """Seconds since the work on a task began."""
    began: float = row["started_at"] or row["created_at"]
    return time.time() - began
