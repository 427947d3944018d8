"""Routes for the one who runs the server: its tokens and its figures. They need scope `admin`."""

from typing import Annotated

from fastapi import APIRouter, Body, Path
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response, StreamingResponse

from backend.api import examples
from backend.api.bodies import StrictRoute
from backend.api.calls import REFUSALS, Account, Backend
from backend.api.openapi import EXTENSION, FILE_BYTES
from backend.docsets.checking import Storage
from backend.store.backup import backup
from workbench.contract.storage import StorageCheck, StorageReport
from workbench.contract.tokens import MadeToken, NewToken, TokenList, TokenRecord

router = APIRouter(
    prefix="/v1/workbench", tags=["Administration"], route_class=StrictRoute, responses=REFUSALS
)
TokenId = Annotated[str, Path(max_length=200, description="The id of the token.")]


@router.get("/tokens", summary="List tokens", openapi_extra=EXTENSION)
def list_tokens(service: Backend, account: Account) -> TokenList:
    """Every token of the account, and of all for the machine's own: what for, whose, what it opens,
    until when. Not the token.
    """
    return service.tokens.list(account)


@router.post("/tokens", summary="Make a token", openapi_extra=EXTENSION)
def make_token(
    service: Backend,
    account: Account,
    body: Annotated[NewToken, Body(openapi_examples=examples.TOKEN)],
) -> MadeToken:
    """A new token. It is shown in this answer and never again."""
    return service.tokens.make(body, account)


@router.delete("/tokens/{token_id}", summary="Revoke a token", openapi_extra=EXTENSION)
def revoke_token(service: Backend, account: Account, token_id: TokenId) -> TokenRecord:
    """The token opens nothing any more."""
    return service.tokens.revoke(token_id, account)


@router.post(
    "/backup",
    summary="Back up",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-tar": {"schema": FILE_BYTES}}}},
    openapi_extra=EXTENSION,
)
def make_backup(service: Backend, account: Account) -> StreamingResponse:
    """A tar file with the database and all original files, as they are now; work goes on.

    It holds what every account has, and so needs the token of the machine itself.

    It ends with a tar file's end mark: without that it is not whole.
    """
    chunks = backup(service.database, service.blobs, service.settings.data_dir)
    return StreamingResponse(chunks, media_type="application/x-tar")


@router.post("/storage/check", summary="Check the storage", openapi_extra=EXTENSION)
def check_storage(
    service: Backend,
    account: Account,
    body: Annotated[StorageCheck, Body(openapi_examples=examples.STORAGE)],
) -> StorageReport:
    """Holds database, files and indexes against each other, and mends what can be mended.

    Answers when it is done; work goes on meanwhile. Covers every account.
    """
    quarantine = service.settings.data_dir / "quarantine"
    return Storage(service.database, service.blobs, service.search, quarantine).check(body)


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    openapi_extra=EXTENSION,
)
def metrics(service: Backend, account: Account) -> Response:
    """Requests by route, status and time; tasks by status; documents; memory and processor."""
    return Response(service.metrics.text(), headers={"content-type": CONTENT_TYPE_LATEST})
