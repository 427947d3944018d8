"""Access tokens as the service tells of them; the token itself is told once, when it is made."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Scope = Literal["read", "write", "admin"]
"""What a token opens: `read` only looks, `write` also changes, `admin` also runs the server."""

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class NewToken(BaseModel):
    """A token to be made. Without `account_id` it is of the account of the one who makes it."""

    model_config = ConfigDict(extra="forbid")

    name: Name = Field(description="What it is for; for people.")
    scope: Scope = "write"
    account_id: Name | None = None
    days: float | None = Field(default=None, gt=0, le=36_500, description="Null is for ever.")


class TokenRecord(BaseModel):
    """What is kept of a token. Times are seconds since 1970."""

    token_id: str
    name: str
    account_id: str
    scope: Scope
    created_at: float
    expires_at: float | None


class MadeToken(TokenRecord):
    """The only answer that holds the token."""

    token: str


class TokenList(BaseModel):
    """All tokens of the server, oldest first."""

    items: list[TokenRecord]
