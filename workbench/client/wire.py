"""One request and its response. This is where httpx is used and its errors become ours.

A `Call` describes a request as a value, so that it can be repeated; the `Wire` sends it, waits and
retries as `Retry` allows, and turns refusals into the errors of `workbench.client.errors`.
"""

import contextlib
import json
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from workbench.client.errors import (
    BadAnswer,
    ConnectionFailed,
    Mistake,
    TimedOut,
    WorkbenchError,
    refusal,
)
from workbench.client.retry import Retry
from workbench.client.uploads import Upload

EXTENSIONS = "/v1/workbench/"
"""The path of our extensions to the contract; other servers answer 404 there."""

Relocate = Callable[[], Awaitable[tuple[str, str]]]
"""Returns address and token of a server that has moved; may start it."""

Parameter = str | int | bool | list[str] | None
Model = TypeVar("Model", bound=BaseModel)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_CONNECT_SECONDS = 5.0


@dataclass(frozen=True)
class Call:
    """A request. `patient` waits for the response without a limit, because it includes the work."""

    method: str
    path: str
    params: Mapping[str, Parameter] = field(default_factory=dict)
    json: BaseModel | Mapping[str, Any] | None = None
    form: Mapping[str, str] | None = None
    upload: Upload | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    patient: bool = False

    @property
    def reads(self) -> bool:
        """Whether it is safe to repeat."""
        return self.method == "GET"

    @property
    def extension(self) -> bool:
        return self.path.startswith(EXTENSIONS)


def segment(identifier: str) -> str:
    """An id as one path segment, whatever it contains; an empty one would address another."""
    if not identifier:
        raise Mistake("The id is empty.")
    try:
        return quote(identifier, safe=":")
    except UnicodeEncodeError:
        raise Mistake(f"{identifier!a} is not text that can be sent.") from None


class Wire:
    """The connections to one server, for one event loop."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        transport: httpx.AsyncBaseTransport | None,
        timeout: float,
        retry: Retry,
        relocate: Relocate | None = None,
    ) -> None:
        if not (isinstance(token, str) and token.isascii() and token.isprintable()):
            raise Mistake(
                "The API key contains an invalid character: check that it was pasted correctly."
            )
        self.base_url = base_url.rstrip("/")
        self._relocate = relocate
        parts = urlsplit(self.base_url)
        self._timeout = timeout
        self._retry = retry
        self._http = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {token}", "User-Agent": "docset-workbench"},
            transport=transport,
            # A proxy of the environment is never used for this machine.
            trust_env=parts.hostname not in _LOOPBACK,
            # Loading the system's certificates takes longer than many a command. Plain HTTP needs
            # none; the empty context would trust no server, should it ever be used.
            verify=True if parts.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        )

    async def aclose(self) -> None:
        await self._http.aclose()

    async def answer(self, call: Call, *, refuse: bool = True) -> httpx.Response:
        """The complete response. With `refuse`, a status of 300 or more is raised as an error."""
        response = await self._send(call, stream=False)
        if refuse and response.status_code >= 300:
            raise self._refusal(call, response)
        return response

    async def json(self, call: Call) -> Any:
        """The JSON body of the response."""
        response = await self.answer(call)
        try:
            return response.json()
        except ValueError as error:
            raise BadAnswer(f"The answer to {call.method} {call.path} is not JSON.") from error

    async def model(self, call: Call, kind: type[Model]) -> Model:
        """The response as a type of the contract."""
        response = await self.answer(call)
        with _expecting(call, kind.__name__):
            return kind.model_validate_json(response.content)

    async def parsed(self, call: Call, adapter: TypeAdapter[Any]) -> Any:
        """The response as any other type of the contract, for example a list."""
        response = await self.answer(call)
        with _expecting(call, str(adapter)):
            return adapter.validate_json(response.content)

    @contextlib.asynccontextmanager
    async def pieces(self, call: Call) -> AsyncIterator[AsyncIterable[bytes]]:
        """The body of the response while it arrives."""
        response = await self._send(call, stream=True)
        try:
            if response.status_code >= 300:
                await response.aread()
                raise self._refusal(call, response)
            yield response.aiter_bytes()
        except httpx.TransportError as error:
            raise self._broken(call, error) from error
        finally:
            await response.aclose()

    async def pause(self, seconds: float) -> None:
        """Waits with the clock of the retries, so that tests need not wait."""
        await self._retry.sleep(seconds)

    async def _send(self, call: Call, *, stream: bool) -> httpx.Response:
        attempt, moved = 0, False
        while True:
            attempt += 1
            pause: float | None
            try:
                response = await self._http.send(self._request(call), stream=stream)
            except httpx.TransportError as error:
                connected = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                pause = self._retry.after_break(attempt, reads=call.reads, connected=connected)
                if pause is None and not connected and not moved and self._relocate is not None:
                    await self._follow(self._relocate)
                    attempt, moved, pause = 0, True, 0.0
                if pause is None:
                    raise self._broken(call, error) from error
            else:
                pause = self._retry.after_refusal(
                    attempt,
                    reads=call.reads,
                    status=response.status_code,
                    retry_after=_retry_after(response),
                )
                if pause is None:
                    return response
                await response.aclose()
            await self.pause(pause)

    async def _follow(self, relocate: Relocate) -> None:
        """Switches to the server's new address."""
        url, token = await relocate()
        self.base_url = url.rstrip("/")
        self._http.headers["Authorization"] = f"Bearer {token}"

    def _request(self, call: Call) -> httpx.Request:
        """The request; Mistake for a value that cannot be sent, such as NaN or half a character."""
        try:
            return self._built(call)
        except (TypeError, ValueError, httpx.InvalidURL) as error:
            raise Mistake(f"This cannot be sent: {error}.") from None

    def _built(self, call: Call) -> httpx.Request:
        headers = dict(call.headers)
        content: bytes | AsyncIterable[bytes] | None = None
        if call.upload is not None:
            headers |= call.upload.headers
            content = call.upload.pieces()
        elif call.json is not None:
            headers["Content-Type"] = "application/json"
            content = _as_bytes(call.json)
        patience = None if call.patient else self._timeout
        return self._http.build_request(
            call.method,
            self.base_url + call.path,
            params={name: value for name, value in call.params.items() if value is not None},
            data=call.form,
            content=content,
            headers=headers,
            timeout=httpx.Timeout(self._timeout, connect=_CONNECT_SECONDS, read=patience),
        )

    def _refusal(self, call: Call, response: httpx.Response) -> WorkbenchError:
        return refusal(
            response.status_code,
            response.content,
            retry_after=_retry_after(response),
            extension=call.extension,
            call_id=response.headers.get("x-aryn-call-id"),
        )

    def _broken(self, call: Call, error: httpx.TransportError) -> ConnectionFailed:
        sent = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
        if not sent:
            return ConnectionFailed(
                f"Nothing answers at {self.base_url}. `workbench doctor` shows whether it runs."
            )
        kind = TimedOut if isinstance(error, httpx.TimeoutException) else ConnectionFailed
        happened = "did not answer in time" if kind is TimedOut else "broke the connection off"
        effect = "" if call.reads else " It is not known whether the request was carried out."
        return kind(f"{self.base_url} {happened} ({call.method} {call.path}).{effect}", sent=True)


def _as_bytes(body: BaseModel | Mapping[str, Any]) -> bytes:
    if isinstance(body, BaseModel):
        return body.model_dump_json(by_alias=True).encode()
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds of the Retry-After header; dates count as absent."""
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None


@contextlib.contextmanager
def _expecting(call: Call, what: str) -> Any:
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadAnswer(
            f"The answer to {call.method} {call.path} is not a {what}: {place} {first['msg']}."
        ) from error
