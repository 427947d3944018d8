"""Errors between a client and a server.

    WorkbenchError                  root: every error that the workbench raises on purpose
    ├── ConnectionFailed            no response: nothing listens there, or the connection broke
    │   └── TimedOut                no response within the timeout
    ├── BadAnswer                   a response that violates the contract
    ├── SourceUnreadable            a file to upload is unreadable or changed meanwhile
    ├── ResultPending                a task did not finish within the caller's timeout
    ├── Mistake                     a wrong argument of the caller; also a ValueError
    │   ├── UnknownName             nothing has that name; also a KeyError
    │   └── AmbiguousName           several things have that name; also a LookupError
    └── Refusal                     the server refused; has `status` and `detail`
        ├── AuthenticationFailed    the token is missing, wrong or expired
        ├── Forbidden               the token is valid, the action is not allowed (read-only DocSet)
        ├── NotFound                no such DocSet, document or task
        ├── MissingExtension        the server supports the contract, but not this extension
        ├── Invalid                 a field is wrong; `faults` lists all of them
        │   └── Ambiguous           a request has several readings; `choices` lists them
        ├── TooLarge                a file or body exceeds the server's limit
        ├── Unsupported             a file type that the server cannot read
        ├── RateLimited             too many requests; `retry_after` in seconds
        ├── StorageFull             the server has no space left
        └── ServerFailed            a fault of the server (5xx)

Refusals mirror `workbench.contract.errors`, which documents each status. Messages are whole
sentences that can be shown to people.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pydantic import ValidationError

from workbench.contract.errors import Choice, DetailBody, FieldFault, ValidationBody

_TOKEN_TEXTS = ("not authenticated", "api key", "credential", "token")
"""Parts of the contract's messages about tokens; a 403 without them has another reason."""


class WorkbenchError(Exception):
    """Root. `str(error)` is a sentence for people."""


class ConnectionFailed(WorkbenchError):
    """No response. `sent` is whether the server may have processed the request."""

    def __init__(self, message: str, *, sent: bool = False) -> None:
        super().__init__(message)
        self.sent = sent


class TimedOut(ConnectionFailed):
    pass


class BadAnswer(WorkbenchError):
    pass


class SourceUnreadable(WorkbenchError):
    pass


class ResultPending(WorkbenchError):
    pass


class Mistake(WorkbenchError, ValueError):
    """A wrong name, type or number, rejected before anything was sent."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # KeyError would quote it


@contextmanager
def fitting() -> Iterator[None]:
    """Turns an argument that does not fit into a request of the contract into a Mistake."""
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or error.title
        if first["type"] == "string_too_long":
            most = first["ctx"]["max_length"]
            size = (
                f"has {len(first['input']):,} characters; it may have at most {most:,} characters"
            )
            raise Mistake(f"{place}: this text {size}.") from None
        words = first["msg"].removeprefix("Value error, ")
        raise Mistake(f"{place} is wrong: {words[:1].lower()}{words[1:]}.") from None


class UnknownName(Mistake, KeyError):
    pass


class AmbiguousName(Mistake, LookupError):
    pass


class Refusal(WorkbenchError):
    """The server refused: `status` is the HTTP status, `detail` its message."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class AuthenticationFailed(Refusal):
    pass


class Forbidden(Refusal):
    pass


class NotFound(Refusal):
    pass


class MissingExtension(Refusal):
    pass


class TooLarge(Refusal):
    pass


class Unsupported(Refusal):
    pass


class StorageFull(Refusal):
    pass


class ServerFailed(Refusal):
    pass


class RateLimited(Refusal):
    """`retry_after` is in seconds."""

    def __init__(self, status: int, detail: str, retry_after: float) -> None:
        super().__init__(status, detail)
        self.retry_after = retry_after


class Invalid(Refusal):
    """`faults` has place and message of each wrong field."""

    def __init__(self, status: int, detail: str, faults: Sequence[FieldFault] = ()) -> None:
        super().__init__(status, detail)
        self.faults = list(faults)


class Ambiguous(Invalid):
    """`choices` lists the possible readings, likeliest first, each with its plan."""

    def __init__(self, status: int, detail: str, faults: Sequence[FieldFault]) -> None:
        super().__init__(status, detail, faults)
        self.choices: Sequence[Choice] = [c for fault in faults for c in fault.choices or ()]


_BY_STATUS: dict[int, type[Refusal]] = {
    401: AuthenticationFailed,
    403: Forbidden,
    404: NotFound,
    413: TooLarge,
    415: Unsupported,
    507: StorageFull,
}


def refusal(
    status: int,
    body: bytes,
    *,
    retry_after: float | None = None,
    extension: bool = False,
    call_id: str | None = None,
) -> WorkbenchError:
    """The error for a response with that status (300 or more) and body.

    `call_id` identifies the call in the server's log; messages about server faults include it.
    `extension` marks paths that are extensions: a server without them answers with its framework's
    404, which must not be mistaken for an unknown DocSet.
    """
    if status < 400:
        return BadAnswer(f"The server answered with a redirect ({status}), which is not followed.")
    faults, detail = _read(body)
    if extension and status in (404, 405, 501) and detail in (None, "Not Found"):
        return MissingExtension(status, "This server does not offer that extension.")
    message = detail or f"status {status} without an explanation."
    if status == 429:
        return RateLimited(status, message, retry_after if retry_after is not None else 1.0)
    if status in (400, 409, 422):
        kind = Ambiguous if any(fault.choices for fault in faults) else Invalid
        return kind(status, message, faults)
    if status == 403 and any(text in message.lower() for text in _TOKEN_TEXTS):
        return AuthenticationFailed(status, message)
    if status >= 500 and status not in _BY_STATUS:
        call = f" Its log names the call {call_id}." if call_id else ""
        reason = message.rstrip(".")
        return ServerFailed(status, f"The server failed (status {status}): {reason}.{call}")
    return _BY_STATUS.get(status, Refusal)(status, message)


def _read(body: bytes) -> tuple[list[FieldFault], str | None]:
    """Faults and message of an error body; the message is None if there is none to show."""
    try:
        faults = ValidationBody.model_validate_json(body).detail
        return faults, "; ".join(f"{_place(fault)}{fault.msg}" for fault in faults) or None
    except ValidationError:
        pass
    try:
        return [], DetailBody.model_validate_json(body).detail or None
    except ValidationError:
        text = body[:500].decode("utf-8", "replace").strip()
        return [], None if text.startswith(("<", "{", "[")) else text or None


def _place(fault: FieldFault) -> str:
    where = ".".join(str(part) for part in fault.loc if part not in ("body", "query"))
    return f"{where}: " if where and where not in fault.msg else ""
