"""Errors as bodies: one form for refusals, one for validation, plain text for internal errors.

A validation error has place, message and rule, and never the input, which may be secret or huge.
"""

import math
import re
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
_LONGEST = 2000
"""Characters of a message; the middle of a longer one is left out."""
_END = 400
_PLACE = 500
"""Characters of a part of a place, since a key may be megabytes long."""
_QUOTED = 200
_LONG_QUOTE = re.compile(f"'[^']{{{_QUOTED + 1},}}'|“[^“”]{{{_QUOTED + 1},}}”")


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
        return _faults([_fault(fault.model_dump()) for fault in error.faults[:_MAX_FAULTS]])
    headers = None
    if isinstance(error, TooMany | Unavailable) and error.retry_after is not None:
        headers = {"Retry-After": str(math.ceil(error.retry_after))}
    return JSONResponse({"detail": _message(error.detail)}, error.status, headers)


def _faults(items: list[dict[str, Any]]) -> Response:
    return JSONResponse({"detail": items}, 422)


def _fault(item: Any) -> dict[str, Any]:
    loc = [part if isinstance(part, int) else _plain(str(part)[:_PLACE]) for part in item["loc"]]
    message = str(item["msg"]).removeprefix("Value error, ")
    if item["type"] == "json_invalid" and "ctx" in item:
        message = f"{message}: {item['ctx']['error']}"
    choices = {"choices": item["choices"]} if item.get("choices") else {}
    return {"loc": loc, "msg": _message(message), "type": str(item["type"])} | choices


def _message(text: str) -> str:
    """A message that repeats no more of the input than is needed to find it."""
    cut = _LONG_QUOTE.sub(lambda quote: f"{quote[0][: _QUOTED + 1]}…{quote[0][-1]}", text)
    return _plain(cut if len(cut) <= _LONGEST else f"{cut[: _LONGEST - _END]} … {cut[-_END:]}")


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()  # a lone surrogate cannot be sent
