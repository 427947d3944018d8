"""Routes for the most frequent requests, which parse their parameters themselves.

For each request the framework resolves anew where each parameter comes from, which takes longer
than everything else around a search. A DirectRoute resolves it once. It is declared, described and
refuses like any other route, but supports only parameters of the path and of the query string, one
JSON body called `body`, and the request; no dependencies. Its function is a plain one that returns
a Response and runs in the lane of searches.
"""

import inspect
import json
from collections.abc import Callable, Container, Coroutine
from functools import partial
from typing import Any, get_args, get_type_hints

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError, create_model
from starlette.responses import Response

from backend.api.bodies import StrictRequest, StrictRoute, check_type
from backend.api.service import Service

_BODY = "body"


class DirectRoute(StrictRoute):
    """A route that resolves its parameters once; see the module."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        call: Callable[..., Response] = self.endpoint
        parameters = _parameters(call, in_path=self.param_convertors)
        assert self.body_field is not None
        validate = partial(self.body_field.validate, loc=(_BODY,))

        async def answer(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive, validate)
            sent: dict[str, Any] = {"path": strict.path_params, "query": strict.query_params}
            body = await _body(strict)
            if body is not None:
                sent[_BODY] = body
            try:
                read: Any = parameters.model_validate(sent, from_attributes=True)
            except ValidationError as error:
                raise RequestValidationError(error.errors()) from error
            values = {**read.path.__dict__, **read.query.__dict__, _BODY: read.body}
            service: Service = strict.app.state.service
            work = partial(call, strict, **values)
            return await service.lanes.searches.run(strict.state.account_id, work)

        return answer


def _parameters(call: Callable[..., Response], *, in_path: Container[str]) -> type[BaseModel]:
    """The parameters of a function by where they come from, so that faults name their place."""
    hints = get_type_hints(call, include_extras=True)
    path: dict[str, Any] = {}
    query: dict[str, Any] = {}
    for name, parameter in inspect.signature(call).parameters.items():
        if name not in (_BODY, "request"):
            is_required = parameter.default is inspect.Parameter.empty
            place = path if name in in_path else query
            place[name] = (hints[name], ... if is_required else parameter.default)
    return create_model(
        call.__name__,
        path=(create_model("path", **path), ...),
        query=(create_model("query", **query), ...),
        body=(get_args(hints[_BODY])[0], ...),
    )


async def _body(request: StrictRequest) -> Any:
    """The JSON of a request; None for an empty one."""
    if not await request.body():
        return None
    check_type(request)
    try:
        return await request.json()
    except json.JSONDecodeError as error:
        fault = {
            "type": "json_invalid",
            "loc": (_BODY, error.pos),
            "msg": "JSON decode error",
            "ctx": {"error": error.msg},
        }
        raise RequestValidationError([fault]) from error
