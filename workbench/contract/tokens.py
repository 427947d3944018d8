"""Access tokens as the service describes them; the secret itself is sent once, on creation."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from workbench.contract.wire import Correct

Scope = Literal["read", "write", "admin"]
"""The rights of a token: `read`, `write` (also change data), `admin` (also run the server)."""

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class NewToken(Correct):
    """A token to create, without `account_id` for the account of the caller."""

    model_config = ConfigDict(extra="forbid")

    name: Name = Field(description="Its purpose, for people.")
    scope: Scope = "write"
    account_id: Name | None = None
    days: float | None = Field(
        default=None, gt=0, le=36_500, description="Days of validity; null means without end."
    )


class TokenRecord(BaseModel):
    """The record of a token, without the secret. Times are seconds since 1970."""

    token_id: str
    name: str
    account_id: str
    scope: Scope
    created_at: float
    expires_at: float | None


class MadeToken(TokenRecord):
    """The only answer with the secret of a token."""

    token: str


class TokenList(BaseModel):
    """All tokens of the server, oldest first."""

    items: list[TokenRecord]
