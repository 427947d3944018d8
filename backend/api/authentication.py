"""Identifies the sender of a request by its token, and checks what the token allows."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from starlette.types import Scope

from backend.api.attempts import Attempts
from backend.api.scopes import covers, is_for_operator, needed
from backend.api.tokens import Access, token_hash

Accounts = Callable[[str], Access | None]
"""Maps the SHA-256 of a token, in hex, to its access, or None."""

_NO_KEY = "No Aryn API key provided."
_NOT_AUTHENTICATED = "Not authenticated."
_WRONG_KEY = "Invalid Aryn API key"
_EXPIRED_KEY = "Expired Aryn API key"


@dataclass(frozen=True)
class Refused:
    """The detail of a 403, the seconds to wait before it is sent, and the account if known."""

    detail: str
    wait: float = 0.0
    who: Access | None = None


class Authentication:
    """Checks the credential of a request. Open paths need none."""

    def __init__(
        self,
        accounts: Accounts,
        open_paths: Collection[str],
        *,
        attempts: Attempts | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._accounts = accounts
        self._open_paths = open_paths
        self._attempts = attempts or Attempts()
        self._now = now

    def check(self, scope: Scope, credential: bytes) -> Access | Refused | None:
        """The access of the request; None on an open path."""
        path: str = scope["path"]
        if path in self._open_paths:
            return None
        token = _token(credential)
        if token is None:
            return Refused(_missing(path))
        access = self._accounts(token_hash(token))
        if access is None:
            return Refused(_WRONG_KEY, self._attempts.failed(_address(scope)))
        if self._has_expired(access):
            return Refused(_EXPIRED_KEY, who=access)
        wanted = needed(scope["method"], path)
        if not covers(access.scope, wanted):
            reason = f"This token has the scope {access.scope}; this needs {wanted}."
            return Refused(reason, who=access)
        if is_for_operator(path) and not access.is_operator:
            return Refused("This needs the token of the machine itself.", who=access)
        return access

    def allows(self, credential: bytes) -> bool:
        """Whether an accepted credential is still valid, for long-running answers."""
        access = self._accounts(token_hash(_token(credential) or ""))
        return access is not None and not self._has_expired(access)

    def _has_expired(self, access: Access) -> bool:
        return access.expires_at is not None and access.expires_at <= self._now()


def _token(credential: bytes) -> str | None:
    kind, _, token = credential.decode("latin-1").partition(" ")
    return (token.strip() or None) if kind.lower() == "bearer" else None


def _missing(path: str) -> str:
    asks_about_tasks = path.startswith(("/v1/async/result", "/v1/async/list", "/v1/async/cancel"))
    return _NO_KEY if asks_about_tasks else _NOT_AUTHENTICATED


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""
