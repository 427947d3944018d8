"""Errors as bodies: one form for refusals, one for validation, plain text for internal errors.

A validation error has place, message and rule, and never the input, which may be secret or huge.
"""

import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, PlainTextResponse, Response

from backend.api.bodies import InvalidBody
from backend.api.methods import allowed
from workbench.contract.errors import Invalid, ServiceError, TooMany, Unavailable
from workbench.contract.wire import MOST_FAULTS

_MAX_FAULTS = MOST_FAULTS
_MAX_TEXT = 500


def install(app: FastAPI) -> None:
    """Registers the handlers."""

    @app.exception_handler(ServiceError)
    async def refused(_request: Request, error: ServiceError) -> Response:
        return answer_of(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        return _faults([_fault(item) for item in error.errors()[:_MAX_FAULTS]])

    @app.exception_handler(InvalidBody)
    async def invalid_body(_request: Request, error: InvalidBody) -> Response:
        return _faults([_fault(item) for item in error.faults[:_MAX_FAULTS]])

    @app.exception_handler(HTTPException)
    async def framework(request: Request, error: HTTPException) -> Response:
        headers = error.headers
        if error.status_code == 405:  # the framework lists the methods of one route only
            headers = {"Allow": allowed(app.routes, request.scope)}
        return JSONResponse({"detail": error.detail}, error.status_code, headers)

    @app.exception_handler(ClientDisconnect)
    async def disconnected(_request: Request, _error: ClientDisconnect) -> Response:
        return Response(status_code=499)  # not sent, and not a failure of ours

    @app.exception_handler(Exception)
    async def fault(_request: Request, _error: Exception) -> Response:
        return PlainTextResponse("Internal Server Error", 500)


def answer_of(error: ServiceError) -> Response:
    """The response for a refusal."""
    if isinstance(error, Invalid):
        return _faults([fault.model_dump() for fault in error.faults[:_MAX_FAULTS]])
    headers = None
    if isinstance(error, TooMany | Unavailable) and error.retry_after is not None:
        headers = {"Retry-After": str(math.ceil(error.retry_after))}
    return JSONResponse({"detail": error.detail}, error.status, headers)


def _faults(items: list[dict[str, Any]]) -> Response:
    return JSONResponse({"detail": items}, 422)


def _fault(item: Any) -> dict[str, Any]:
    loc = [part if isinstance(part, int) else _plain(str(part)) for part in item["loc"]]
    message = str(item["msg"]).removeprefix("Value error, ")
    if item["type"] == "json_invalid":
        message = f"{message}: {item['ctx']['error']}"
    return {"loc": loc, "msg": _plain(message), "type": str(item["type"])}


def _plain(text: str) -> str:
    # A lone surrogate cannot be sent as UTF-8, and a key may be megabytes long.
    return text[:_MAX_TEXT].encode("utf-8", "replace").decode()
