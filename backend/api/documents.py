"""Routes of documents."""

import base64
import json
from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, BinaryIO

from anyio.to_thread import run_sync
from fastapi import APIRouter, Body, Query, Request
from starlette.responses import Response, StreamingResponse

from backend.api import examples, learning
from backend.api.bodies import StrictRoute, form_flags, strict_json, submitted
from backend.api.calls import (
    REFUSALS,
    THROTTLED,
    UNREADABLE,
    Account,
    Backend,
    DocId,
    DocSetId,
    PageSize,
    PageToken,
    answer,
    submit_file,
)
from backend.api.openapi import FORM_FLAGS, RANGES, UPLOAD
from backend.api.ranges import file_response, unchanged
from backend.api.service import Service
from backend.docsets.adding import KIND
from backend.docsets.documents import Original
from backend.store.disk_faults import translate_disk_faults
from workbench.contract.docsets import Page
from workbench.contract.documents import Document, DocumentMetadata, PropertyUpdates
from workbench.contract.errors import Invalid
from workbench.contract.tasks import TaskAccepted

router = APIRouter(prefix="/v1", tags=["Documents"], route_class=StrictRoute, responses=REFUSALS)
_DOCS = "/storage/docsets/{docset_id}/docs"
_IN_MEMORY = 2**20
"""Bytes of an answer that are kept in memory."""
_END = b"null}"
_CHUNK = 3 << 16  # a multiple of three, so that the base64 of chunks can be concatenated
_TRUE = {"true": True, "1": True, "false": False, "0": False}


@router.post(
    _DOCS,
    summary="Add Doc",
    response_model=DocumentMetadata,
    openapi_extra=UPLOAD,
    dependencies=THROTTLED,
    responses=UNREADABLE,
)
async def add(
    request: Request, service: Backend, account: Account, docset_id: DocSetId
) -> Response:
    task_id = await _submit(request, service, account, docset_id, listed=False)
    return await answer(request, service, account, task_id)


@router.post(
    "/async/submit" + _DOCS,
    summary="Submit Add Doc",
    status_code=202,
    openapi_extra=UPLOAD,
    dependencies=THROTTLED,
    tags=["Tasks"],
)
async def submit_add(
    request: Request, service: Backend, account: Account, docset_id: DocSetId
) -> TaskAccepted:
    task_id = await _submit(request, service, account, docset_id, listed=True)
    return TaskAccepted(task_id=task_id)


async def _submit(
    request: Request, service: Backend, account: Account, docset_id: str, *, listed: bool
) -> str:
    await run_sync(service.adding.check, account, docset_id)
    async with submitted(request, service.settings.max_options) as sent:
        return await submit_file(
            request,
            service,
            account,
            sent,
            kind=KIND,
            action=f"/v1/storage/docsets/{docset_id}/docs",
            listed=listed,
            docset_id=docset_id,
        )


@router.get(_DOCS, summary="List Docs")
def list_documents(
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    page_size: PageSize = 100,
    page_token: PageToken = None,
    filter_dict: Annotated[
        str | None, Query(max_length=10_000, description="JSON object of names and values.")
    ] = None,
    comparator: Annotated[
        str | None,
        Query(
            max_length=10,
            description="How to compare: =, !=, <, <=, >, >=, like, in. Properties compare as in a "
            "properties_filter; one that no document has is missing in all of them.",
        ),
    ] = None,
) -> Page[DocumentMetadata]:
    """The documents in order of arrival; with a filter, those that match all of its values."""
    return service.documents.list(
        account,
        docset_id,
        page_size=page_size,
        page_token=page_token,
        wanted=_object(filter_dict),
        comparator=comparator,
    )


@router.get(
    _DOCS + "/{doc_id}", summary="Get Doc", response_model=Document, openapi_extra=FORM_FLAGS
)
async def get(
    request: Request, service: Backend, account: Account, docset_id: DocSetId, doc_id: DocId
) -> Response:
    sent = await form_flags(request)

    wanted = {
        "include_elements": _flag(sent, "include_elements", True),
        "include_original_elements": _flag(sent, "include_original_elements", False),
    }

    def read() -> Response:
        original: Original | None = None
        if _flag(sent, "include_binary", False):
            original = service.documents.original(account, docset_id, doc_id)
        return _whole(service, (account, docset_id, doc_id), original, **wanted)

    lanes = service.lanes
    turns = lanes.originals if wanted["include_original_elements"] else lanes.documents
    async with turns.turn(account):
        return await run_sync(read)


def _whole(
    service: Service,
    document: tuple[str, str, str],
    original: Original | None = None,
    *,
    include_elements: bool = True,
    include_original_elements: bool = False,
) -> Response:
    """A document with its file. Large ones are spooled to disk, since readers may be slow."""
    with ExitStack() as opened:
        written: BinaryIO = opened.enter_context(SpooledTemporaryFile(_IN_MEMORY))  # type: ignore
        with translate_disk_faults():
            service.documents.write(
                *document,
                written,
                include_elements=include_elements,
                include_original_elements=include_original_elements,
            )
        size = written.tell()
        if original is None and size <= _IN_MEMORY:
            written.seek(0)
            return Response(written.read(), media_type="application/json")
        file = None if original is None else opened.enter_context(original.open())
        opened.pop_all()
    headers = {} if file else {"content-length": str(size)}
    pieces = _pieces(written, size, file)
    return StreamingResponse(pieces, media_type="application/json", headers=headers)


def _pieces(written: BinaryIO, size: int, file: BinaryIO | None) -> Iterator[bytes]:
    """A document on the wire with its file, one chunk at a time."""
    with written:
        written.seek(0)
        left = size - len(_END) if file else size
        while chunk := written.read(min(left, _CHUNK)):
            left -= len(chunk)
            yield chunk
    if file:
        yield b'"'
        with file:
            while chunk := file.read(_CHUNK):
                yield base64.b64encode(chunk)
        yield b'"}'


@router.get(
    _DOCS + "/{doc_id}/binary",
    summary="Get Doc Binary",
    response_class=Response,
    responses=RANGES,
)
def binary(
    request: Request, service: Backend, account: Account, docset_id: DocSetId, doc_id: DocId
) -> Response:
    original = service.documents.original(account, docset_id, doc_id)
    headers = request.headers
    return unchanged(original, headers.get("if-none-match")) or file_response(
        original, headers.get("range"), headers.get("if-range")
    )


@router.patch(
    _DOCS + "/{doc_id}/properties", summary="Update Doc Properties", response_model=Document
)
async def update_properties(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    doc_id: DocId,
    body: Annotated[PropertyUpdates, Body(openapi_examples=examples.PROPERTIES)],
) -> Response:
    await run_sync(service.documents.update_properties, account, docset_id, doc_id, body)
    await learning.reread_if_set(request, service, account, docset_id)
    async with service.lanes.documents.turn(account):
        return await run_sync(_whole, service, (account, docset_id, doc_id))


@router.delete(_DOCS + "/{doc_id}", summary="Delete Doc")
def delete(
    service: Backend, account: Account, docset_id: DocSetId, doc_id: DocId
) -> DocumentMetadata:
    with service.database.reserve.lent():
        return service.documents.delete(account, docset_id, doc_id)


def _object(text: str | None) -> dict[str, Any]:
    """The JSON object in a query parameter; empty if it is missing or null."""
    try:
        value = strict_json(text.encode()) if text and text.strip() else None
    except json.JSONDecodeError as error:
        raise Invalid.at(("query", "filter_dict"), f"not JSON: {error.msg}") from error
    if not isinstance(value, dict | None):
        raise Invalid.at(("query", "filter_dict"), "must be a JSON object", "dict_type")
    return value or {}


def _flag(sent: dict[str, tuple[str, str]], name: str, default: bool) -> bool:
    part, text = sent.get(name, ("query", str(default)))
    value = _TRUE.get(text.lower())
    if value is None:
        raise Invalid.at((part, name), "must be true or false", "bool_parsing")
    return value
