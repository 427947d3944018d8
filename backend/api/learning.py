"""Automatic rereading after a correction, for DocSets with that setting."""

from anyio.to_thread import run_sync
from fastapi import Request

from backend.api.calls import submit
from backend.api.service import Service
from backend.docsets import rereading


async def reread(
    request: Request, service: Service, account: str, docset_id: str, fields: list[str]
) -> str:
    """Queues a rereading of some properties; returns the id of its task."""
    return await submit(
        request,
        service,
        account,
        kind=rereading.KIND,
        action=rereading.action(docset_id),
        work={"docset_id": docset_id, "fields": fields},
    )


async def reread_if_set(request: Request, service: Service, account: str, docset_id: str) -> None:
    """Queues a rereading of the corrected properties if the DocSet is set to reread by itself."""
    fields = await run_sync(service.rereadings.wanted, account, docset_id)
    if fields:
        await reread(request, service, account, docset_id, fields)
