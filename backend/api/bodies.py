"""Reads request bodies: strict JSON, and multipart in both of its dialects.

The public client sends `options` and `file_url` as file parts, tools like curl as plain fields;
both are read. JSON with NaN, Infinity, numbers beyond a float, lone surrogates or U+0000 is
refused, because it could not be stored or returned.
"""

import io
import json
import math
import re
import urllib.parse
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO

from anyio.to_thread import run_sync
from fastapi import Request
from fastapi.routing import APIRoute
from starlette.datastructures import FormData, Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope

from backend.extraction.schema_faults import schema_faults
from backend.store.disk_faults import translate_disk_faults
from workbench.contract.depth import MAX_DEPTH, MAX_VALUES, check_depth, check_size
from workbench.contract.errors import BadRequest, Invalid, TooLarge
from workbench.contract.partition_options import PartitionOptions

_MAX_PARTS = 10
_CHUNK = 1 << 20
_LONG_JSON = 1 << 16
_MAX_URL = 8192
_OTHER_JSON = re.compile(r"application/.+\+json")
_ESCAPED = re.compile("%(?:22|0D|0A)")
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class InvalidBody(HTTPException):
    """The faults of a body that was validated in a thread.

    It is an exception of the framework, which turns any other one while reading a body into a 400.
    """

    def __init__(self, faults: list[Any]) -> None:
        super().__init__(422)
        self.faults = faults


class HungUp(HTTPException):
    """The client disconnected before the end of its body; see InvalidBody for its base."""

    def __init__(self) -> None:
        super().__init__(499)


Validate = Callable[[Any], tuple[Any, list[Any]]]
"""Builds the model of a body; returns it and its faults."""


class StrictRequest(Request):
    """A request whose JSON body must conform to the standard.

    A long body is parsed and validated in a thread, so that other requests need not wait.
    """

    def __init__(self, scope: Scope, receive: Receive, validate: Validate | None = None) -> None:
        super().__init__(scope, receive)
        self._validate = validate

    async def body(self) -> bytes:
        try:
            return await super().body()
        except ClientDisconnect as error:
            raise HungUp from error

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            long = len(body) > _LONG_JSON
            self._json = await run_sync(self._made, body) if long else strict_json(body)
        return self._json

    def _made(self, body: bytes) -> Any:
        value = strict_json(body)
        if self._validate is None:
            return value
        made, faults = self._validate(value)
        if faults:
            raise InvalidBody(faults)
        return made


class StrictRoute(APIRoute):
    """A route with strict JSON bodies."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()
        field = self.body_field
        validate = None if field is None else partial(field.validate, loc=("body",))

        async def strict(request: Request) -> Response:
            if field is not None:
                check_type(request)
            return await handler(StrictRequest(request.scope, request.receive, validate))

        return strict


def check_type(request: Request) -> None:
    """Invalid for a body that is not sent as JSON: the framework would call it no dictionary."""
    headers = request.headers
    sent = headers.get("content-type", "").partition(";")[0].strip().lower()
    if sent == "application/json" or _OTHER_JSON.fullmatch(sent):
        return
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        other = f", not {sent[:100]}" if sent else ""
        raise Invalid.at(("body",), f"send the body as application/json{other}", "content_type")


def strict_json(data: bytes) -> Any:
    """Parses JSON. Raises JSONDecodeError, with a position, for non-standard JSON."""
    try:
        text = data.decode("utf-8")
        check_size(text)
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
        if _NUL.search(text):
            raise ValueError("the character U+0000 cannot be stored")
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # finds lone surrogates
        check_depth(value, MAX_VALUES)
    except json.JSONDecodeError:
        raise
    except RecursionError as error:
        raise json.JSONDecodeError(f"nested deeper than {MAX_DEPTH} levels", "", 0) from error
    except ValueError as error:
        # Python's own words on this are advice for programmers.
        raise json.JSONDecodeError(_reason(error), "", 0) from error
    return value


def _reason(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    if isinstance(error, UnicodeEncodeError):
        return "half of a surrogate pair is not a character"
    return "a number has too many digits" if "int_max_str" in str(error) else str(error)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


@dataclass(frozen=True)
class Submitted:
    """The parts of an upload: a file or a URL, and the options as sent and as parsed."""

    file: UploadFile | None
    file_url: str | None
    options: dict[str, Any]
    parsed: PartitionOptions

    @property
    def name(self) -> str | None:
        """The name as sent, without the escapes that clients use in it (WHATWG, form-data)."""
        if self.file is None:
            return self.file_url
        name = self.file.filename or ""
        return _ESCAPED.sub(lambda found: urllib.parse.unquote(found[0]), name)

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the file. Reads from the spooled part, so call it in a thread."""
        source: BinaryIO | None = None if self.file is None else self.file.file
        while source is not None and (chunk := source.read(_CHUNK)):
            yield chunk


def _check_schema(options: PartitionOptions) -> None:
    """Invalid for a schema that no worker could use: it would fail after the parsing."""
    wanted = options.property_extraction_options
    schema = None if wanted is None else wanted.extraction_schema
    loc = ("body", "options", "property_extraction_options", "schema")
    if schema is not None and (faults := schema_faults(schema, loc)):
        raise Invalid(faults)


@asynccontextmanager
async def submitted(request: Request, max_options: int) -> AsyncIterator[Submitted]:
    """The multipart body of an upload. Raises BadRequest or Invalid for a malformed one."""
    content_type = request.headers.get("content-type", "")
    if not content_type.lower().startswith(("multipart/form-data", "application/x-www-form-url")):
        raise BadRequest("No input file provided.")
    form = await _form(request, max_options)
    try:
        file = form.get("file")
        file_url = await _text(form.get("file_url"), _MAX_URL, "file_url")
        text = await _text(form.get("options"), max_options, "options") or ""
        read = partial(_options, text)
        options, parsed = await run_sync(read) if len(text) > _LONG_JSON else read()
        if isinstance(file, str):
            file = UploadFile(io.BytesIO(file.encode()))
        if file is None and not file_url:
            raise BadRequest("No input file provided.")
        if file is not None and file_url:
            raise BadRequest("Give either file or file_url, not both.")
        yield Submitted(file, file_url or None, options, parsed)
    finally:
        await form.close()


class _Closed(MultiPartParser):
    """A parser that refuses a body without its closing boundary: the rest of it was lost."""

    def __init__(
        self, headers: Headers, stream: AsyncGenerator[bytes, None], max_part: int
    ) -> None:
        super().__init__(
            headers,
            self._whole(stream),
            max_files=_MAX_PARTS,
            max_fields=_MAX_PARTS,
            max_part_size=max_part,
        )
        self._closed = False

    def on_end(self) -> None:
        super().on_end()
        self._closed = True

    async def _whole(self, stream: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        async for chunk in stream:
            yield chunk
        if not self._closed:
            raise MultiPartException("The body ends before its closing boundary.")


def _parser(
    headers: Headers, stream: AsyncGenerator[bytes, None], max_part: int
) -> MultiPartParser | FormParser:
    if headers["content-type"].lower().startswith("multipart/"):
        return _Closed(headers, stream, max_part)
    return FormParser(headers, stream, max_fields=_MAX_PARTS, max_part_size=max_part)


async def _form(request: Request, max_part: int) -> FormData:
    try:
        with translate_disk_faults():
            async with aclosing(request.stream()) as stream:
                form = await _parser(request.headers, stream, max_part).parse()
    except MultiPartException as error:
        if "maximum size" in error.message:
            reason = f"A part of the body that is not a file is larger than {max_part} bytes."
            raise TooLarge(reason) from error
        raise BadRequest(error.message) from error
    names = [name for name, _ in form.multi_items()]
    if len(names) > len(set(names)) or len(names) > _MAX_PARTS:
        await form.close()
        raise BadRequest(f"Send each part once, and at most {_MAX_PARTS} parts.")
    return form


async def _text(part: UploadFile | str | None, limit: int, name: str) -> str | None:
    if part is None:
        return None
    data = part.encode() if isinstance(part, str) else await part.read(limit + 1)
    if len(data) > limit:
        raise TooLarge(f"The part {name!r} is larger than {limit} bytes.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest(f"The part {name!r} is not UTF-8 text.") from error


def _options(text: str) -> tuple[dict[str, Any], PartitionOptions]:
    """The options as sent and as parsed."""
    try:
        options = strict_json(text.encode()) if text.strip() else None
    except json.JSONDecodeError as error:
        raise Invalid.at(("body", "options"), f"not JSON: {error.msg}", "json_invalid") from error
    options = {} if options is None else options
    if not isinstance(options, dict):
        raise Invalid.at(("body", "options"), "must be a JSON object", "dict_type")
    parsed = PartitionOptions.read(options)
    _check_schema(parsed)
    return options, parsed


async def form_flags(request: Request) -> dict[str, tuple[str, str]]:
    """The query string and the form-urlencoded body of a GET, which the framework ignores: each
    name with its part of the request and its value.
    """
    flags = {name: ("query", value) for name, value in request.query_params.items()}
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        body = (await request.body()).decode("latin-1")
        flags |= {name: ("body", v) for name, v in urllib.parse.parse_qsl(body[:4096])}
    return flags
