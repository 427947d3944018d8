"""Page tokens: opaque, bound to their list, signed, and valid for a day.

A token has the sort key of the last item returned, mostly its immutable sequence number, so pages
stay stable while items are added or removed.
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from workbench.contract.errors import Invalid

_VALID_SECONDS = 24 * 3600


class Pager:
    """Issues and reads the tokens of one server. `key` is secret and stored with the database."""

    def __init__(self, key: bytes, clock: Callable[[], float] = time.time) -> None:
        self._key = key
        self._clock = clock

    def token(self, scope: str, after: int | Sequence[int]) -> str:
        """The token of the page after item `after` in the list named `scope`."""
        body = json.dumps([after, int(self._clock())]).encode()
        return base64.urlsafe_b64encode(self._sign(scope, body) + body).decode().rstrip("=")

    def after(self, scope: str, token: str | None) -> int:
        """The sequence number to continue after; 0 without a token. Raises Invalid for any other
        token.
        """
        return int(self._read(scope, token)) if token else 0

    def place(self, scope: str, token: str | None) -> list[int] | None:
        """The sort key to continue after, in a list with a composite order; None without a token.
        Raises Invalid for any other token.
        """
        return list(self._read(scope, token)) if token else None

    def _read(self, scope: str, token: str) -> Any:
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
            signature, body = raw[:16], raw[16:]
            if not hmac.compare_digest(signature, self._sign(scope, body)):
                raise ValueError("signature")
            after, made = json.loads(body)
        except (ValueError, TypeError) as error:
            raise _refused("This page_token was not issued for this list.") from error
        if self._clock() - made > _VALID_SECONDS:
            raise _refused("This page_token is older than 24 hours: start from the first page.")
        return after

    def _sign(self, scope: str, body: bytes) -> bytes:
        return hmac.new(self._key, scope.encode() + b"\0" + body, hashlib.sha256).digest()[:16]


def _refused(message: str) -> Invalid:
    return Invalid.at(("query", "page_token"), message, "bad_page_token")
