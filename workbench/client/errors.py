"""What can go wrong between a client and a server, in words first.

    WorkbenchError                  root: every error that the workbench raises on purpose
    ├── ConnectionFailed            no answer: nothing listens there, or the line broke
    │   └── TimedOut                no answer within the time allowed
    ├── BadAnswer                   an answer that the contract does not know
    ├── SourceUnreadable            a file to upload cannot be read or changed meanwhile
    ├── StillPending                a task did not finish within the time the caller gave it
    ├── Mistake                     what the caller wrote cannot be meant; also a ValueError
    │   ├── UnknownName             nothing has that name; also a KeyError
    │   └── AmbiguousName           several things have that name; also a LookupError
    └── Refusal                     the server understood and said no; has `status` and `detail`
        ├── AuthenticationFailed    the token is missing, wrong or expired
        ├── Forbidden               the token is good, the thing is not allowed (read-only DocSet)
        ├── NotFound                no such DocSet, document or task
        ├── MissingExtension        the server keeps the contract, but not this addition to it
        ├── Invalid                 a field is wrong; `faults` lists all of them
        │   └── Ambiguous           a request may mean several things; `choices` has them
        ├── TooLarge                a file or body over the server's limit
        ├── Unsupported             a kind of file that the server cannot read
        ├── RateLimited             too many requests; `retry_after` in seconds
        ├── StorageFull             the server has no space left
        └── ServerFailed            a fault of the server (5xx)

Refusals mirror `workbench.contract.errors`, which says what each status means; the split above them
is by who is at fault. Messages are whole sentences that can be shown to a person as they are.
"""

from collections.abc import Sequence

from pydantic import ValidationError

from workbench.contract.errors import Choice, DetailBody, FieldFault, ValidationBody

_TOKEN_TEXTS = ("not authenticated", "api key", "credential", "token")
"""Parts of the contract's sentences about tokens; a 403 without them is about something else."""


class WorkbenchError(Exception):
    """Root. `str(error)` is a sentence for people."""


class ConnectionFailed(WorkbenchError):
    """No answer. `sent` tells whether the server may have carried the request out."""

    def __init__(self, message: str, *, sent: bool = False) -> None:
        super().__init__(message)
        self.sent = sent


class TimedOut(ConnectionFailed):
    pass


class BadAnswer(WorkbenchError):
    pass


class SourceUnreadable(WorkbenchError):
    pass


class StillPending(WorkbenchError):
    pass


class Mistake(WorkbenchError, ValueError):
    """A wrong name, kind or number, refused before anything was sent."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # a KeyError would put it in quotes


class UnknownName(Mistake, KeyError):
    pass


class AmbiguousName(Mistake, LookupError):
    pass


class Refusal(WorkbenchError):
    """The server said no: `status` is the HTTP status, `detail` its own sentence."""

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
    """`faults` says for each wrong field where it is and what is wrong."""

    def __init__(self, status: int, detail: str, faults: Sequence[FieldFault] = ()) -> None:
        super().__init__(status, detail)
        self.faults = list(faults)


class Ambiguous(Invalid):
    """`choices` says what the request may mean, likeliest first, each with the plan it gives."""

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
    """The error for an answer with that status (300 or more) and body.

    `call_id` is how the server's log names the call; a fault of the server is told with it.
    `extension` says that the path is one of our additions: a server that has never heard of it
    answers with the framework's own 404, which is not the same as an unknown DocSet.
    """
    if status < 400:
        return BadAnswer(f"The server answered with a redirect ({status}), which is not followed.")
    faults, detail = _read(body)
    if extension and status in (404, 405, 501) and detail in (None, "Not Found"):
        return MissingExtension(status, "This server does not offer that extension.")
    said = detail or f"status {status} without an explanation."
    if status == 429:
        return RateLimited(status, said, retry_after if retry_after is not None else 1.0)
    if status in (400, 409, 422):
        kind = Ambiguous if any(fault.choices for fault in faults) else Invalid
        return kind(status, said, faults)
    if status == 403 and any(text in said.lower() for text in _TOKEN_TEXTS):
        return AuthenticationFailed(status, said)
    if status >= 500 and status not in _BY_STATUS:
        named = f" Its log names the call {call_id}." if call_id else ""
        told = said.rstrip(".")
        return ServerFailed(status, f"The server failed (status {status}): {told}.{named}")
    return _BY_STATUS.get(status, Refusal)(status, said)


def _read(body: bytes) -> tuple[list[FieldFault], str | None]:
    """Faults and sentence of an error body; the sentence is None where there is none to show."""
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
