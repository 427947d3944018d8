"""The errors of the service.

    ServiceError                 an error for the caller, with an HTTP status
    ├── NotFound            404  no such DocSet, document or task for this account
    ├── Refused             403  the credential is missing or wrong, or the DocSet is read-only
    ├── BadRequest          400  the request is malformed
    ├── Invalid             422  a field is wrong; carries one item per fault
    ├── TooMany             429  a limit was reached; says when to try again
    ├── TooLarge            413  a body or document over its limit
    ├── Unsupported         415  a file of a kind that cannot be read
    ├── Unavailable         503  temporarily impossible (index being rebuilt, stopping)
    └── StorageFull         507  no space left: nothing was stored

Every message says what happened and, if possible, what to do. Any other exception is a bug of the
service: 500 with a plain text body.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field, SerializerFunctionWrapHandler, model_serializer


class Choice(BaseModel):
    """A reading of a request: in words, with the report of the edit and the plan."""

    words: str
    edit: dict[str, Any]
    plan: dict[str, Any]


class FieldFault(BaseModel):
    """One item of a 422 body: where (`loc`), what (`msg`), which rule (`type`)."""

    loc: list[str | int]
    msg: str
    type: str
    choices: list[Choice] | None = Field(
        default=None,
        description="Extension: with type `ambiguous`, the readings of the request, likeliest "
        "first; absent for other types.",
    )

    @model_serializer(mode="wrap")
    def _leave_out_empty_extensions(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        out: dict[str, Any] = write(self)
        return {name: value for name, value in out.items() if value or name != "choices"}


class ValidationBody(BaseModel):
    """The body of every 422."""

    detail: list[FieldFault]


class DetailBody(BaseModel):
    """The body of every other refusal."""

    detail: str


class ServiceError(Exception):
    """Base of the errors for callers. `status` is the HTTP status, `detail` the message."""

    status: int = 500

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class NotFound(ServiceError):
    status = 404


class Refused(ServiceError):
    status = 403


class BadRequest(ServiceError):
    status = 400


class TooLarge(ServiceError):
    status = 413


class Unsupported(ServiceError):
    status = 415


class Unavailable(ServiceError):
    """`retry_after` is in seconds, None if unknown."""

    status = 503

    def __init__(self, detail: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class StorageFull(ServiceError):
    status = 507


class TooMany(ServiceError):
    """`retry_after` is in seconds."""

    status = 429

    def __init__(self, detail: str = "Too many requests", retry_after: float = 1.0) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class Invalid(ServiceError):
    """A body, parameter or plan with one or more faults; all of them are reported at once."""

    status = 422

    def __init__(self, faults: Sequence[FieldFault]) -> None:
        super().__init__("; ".join(fault.msg for fault in faults))
        self.faults = list(faults)

    @classmethod
    def at(cls, loc: Sequence[str | int], msg: str, kind: str = "value_error") -> "Invalid":
        """A single fault at `loc`, for instance `("body", "properties_filter")`."""
        return cls([FieldFault(loc=list(loc), msg=msg, type=kind)])
