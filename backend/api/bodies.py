"""Reading request bodies: strict JSON, and multipart in both of its dialects.

The public client sends `options` and `file_url` as file parts, tools like curl as plain fields;
both are read. JSON with NaN, Infinity, numbers beyond a float, or lone surrogates is refused: it
could not be stored or given back.
"""

import json
import math
import urllib.parse
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.responses import Response

from backend.contract.errors import BadRequest, Invalid
from backend.contract.partition_options import PartitionOptions

_MAX_PARTS = 10
_MAX_DEPTH = 64
_CHUNK = 1 << 20


class StrictRequest(Request):
    """A request whose JSON body is held to the standard."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = strict_json(await self.body())
        return self._json


class StrictRoute(APIRoute):
    """Routes with strict JSON bodies."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(StrictRequest(request.scope, request.receive))

        return strict


def strict_json(data: bytes) -> Any:
    """Parses JSON. JSONDecodeError, with a place, for anything that is not standard JSON."""
    try:
        text = data.decode("utf-8")
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
        json.dumps(value, ensure_ascii=False).encode()  # finds lone surrogates
        _check_depth(value)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise json.JSONDecodeError(str(error) or "too deep", "", 0) from error
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _check_depth(value: Any) -> None:
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > _MAX_DEPTH:
            raise ValueError(f"nested deeper than {_MAX_DEPTH} levels")
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
            if isinstance(inner, dict | list)
        ]


@dataclass(frozen=True)
class Submitted:
    """The parts of an upload: a file or an address, and the options as sent and as read."""

    file: UploadFile | None
    file_url: str | None
    options: dict[str, Any]
    parsed: PartitionOptions

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the file; reads from the spooled part, so call it in a thread."""
        source: BinaryIO | None = None if self.file is None else self.file.file
        while source is not None and (chunk := source.read(_CHUNK)):
            yield chunk


@asynccontextmanager
async def submitted(request: Request, max_options: int) -> AsyncIterator[Submitted]:
    """The multipart body of an upload. BadRequest or Invalid says what is wrong with it."""
    content_type = request.headers.get("content-type", "")
    if not content_type.lower().startswith(("multipart/form-data", "application/x-www-form-url")):
        raise BadRequest("No input file provided.")
    try:
        form = await request.form(
            max_files=_MAX_PARTS, max_fields=_MAX_PARTS, max_part_size=max_options
        )
    except MultiPartException as error:
        raise BadRequest(f"The multipart body cannot be read: {error.message}") from error
    try:
        file = form.get("file")
        file_url = await _text(form.get("file_url"), 8192, "file_url")
        options = _options(await _text(form.get("options"), max_options, "options"))
        if isinstance(file, str):  # a plain field holds the text of a small file
            raise BadRequest("The part 'file' must be sent as a file.")
        if file is None and not file_url:
            raise BadRequest("No input file provided.")
        if file is not None and file_url:
            raise BadRequest("Give either file or file_url, not both.")
        yield Submitted(file, file_url or None, options, PartitionOptions.read(options))
    finally:
        await form.close()


async def _text(part: UploadFile | str | None, limit: int, name: str) -> str | None:
    if part is None or isinstance(part, str):
        return part
    data = await part.read(limit + 1)
    if len(data) > limit:
        raise BadRequest(f"The part {name!r} is larger than {limit} bytes.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest(f"The part {name!r} is not UTF-8 text.") from error


def _options(text: str | None) -> dict[str, Any]:
    if text is None or not text.strip():
        return {}
    try:
        options = strict_json(text.encode("utf-8", "surrogatepass"))
    except json.JSONDecodeError as error:
        raise Invalid.at(("body", "options"), f"not JSON: {error.msg}", "json_invalid") from error
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise Invalid.at(("body", "options"), "must be a JSON object", "dict_type")
    return options


async def form_flags(request: Request) -> dict[str, str]:
    """The query string and the form-urlencoded body of a GET, which the framework skips."""
    flags = dict(request.query_params)
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        body = (await request.body()).decode("latin-1")
        flags |= dict(urllib.parse.parse_qsl(body[:4096]))
    return flags
