"""Routes for the operator of the server: tokens, metrics, backup. They need scope `admin`."""

from typing import Annotated

from fastapi import Body, Depends, Path, Request
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response, StreamingResponse

from backend.api import examples
from backend.api.calls import Account, Backend, extension_router
from backend.api.openapi import FILE_BYTES
from backend.api.tokens import Access
from backend.docsets.checking import Storage
from backend.store.backup import backup
from workbench.contract.storage import StorageCheck, StorageReport
from workbench.contract.tokens import MadeToken, NewToken, TokenList, TokenRecord

router = extension_router("Administration")
TokenId = Annotated[str, Path(max_length=200, description="The id of the token.")]


async def _access(request: Request) -> Access:
    access: Access = request.state.access
    return access


Asker = Annotated[Access, Depends(_access)]


@router.get("/tokens", summary="List tokens")
def list_tokens(service: Backend, asker: Asker) -> TokenList:
    """The tokens of the account, or of all accounts if asked with the machine's own token: purpose,
    account, scope and expiry, but not the token itself.
    """
    return service.tokens.list(asker)


@router.post("/tokens", summary="Make a token")
def make_token(
    service: Backend,
    asker: Asker,
    body: Annotated[NewToken, Body(openapi_examples=examples.TOKEN)],
) -> MadeToken:
    """Creates a token. It is shown in this answer and never again."""
    return service.tokens.make(body, asker)


@router.delete("/tokens/{token_id}", summary="Revoke a token")
def revoke_token(service: Backend, asker: Asker, token_id: TokenId) -> TokenRecord:
    """Revokes a token."""
    with service.database.reserve.lent():
        return service.tokens.revoke(token_id, asker)


@router.post(
    "/backup",
    summary="Back up",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-tar": {"schema": FILE_BYTES}}}},
)
def make_backup(service: Backend, account: Account) -> StreamingResponse:
    """A tar file with the database and all original files as they are now; work continues.

    It contains the data of every account, so it needs the token of the machine itself.

    It ends with the end mark of a tar file; without that mark it is incomplete.
    """
    chunks = backup(service.database, service.blobs, service.settings.data_dir)
    return StreamingResponse(chunks, media_type="application/x-tar")


@router.post("/storage/check", summary="Check the storage")
def check_storage(
    service: Backend,
    account: Account,
    body: Annotated[StorageCheck, Body(openapi_examples=examples.STORAGE)],
) -> StorageReport:
    """Compares database, files and indexes, and repairs what can be repaired.

    Answers when it is done; work continues meanwhile.

    It covers every account, so it needs the token of the machine itself.
    """
    quarantine = service.settings.data_dir / "quarantine"
    return Storage(service.database, service.blobs, service.search, quarantine).check(body)


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def metrics(service: Backend, account: Account) -> Response:
    """Requests by route, status and time; tasks by status; documents; memory and CPU."""
    return Response(service.metrics.text(), headers={"content-type": CONTENT_TYPE_LATEST})
