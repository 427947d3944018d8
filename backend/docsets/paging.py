"""Page tokens: opaque, bound to their list, signed, and valid for a day.

A token has the sort key of the last item returned, mostly its immutable sequence number, so pages
stay stable while items are added or removed.
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy.engine import RowMapping

from workbench.contract.docsets import Item, Page
from workbench.contract.errors import Invalid

FEW_ROWS: dict[str, Any] = {"yield_per": 10}
"""Execution options of a query whose rows may be large: the page may end long before they do."""

_VALID_SECONDS = 24 * 3600
_PAGE_BYTES = 4_000_000
"""As JSON. An item has 2 MB at most, so a page of any size fits into memory many times over."""


class Pager:
    """Issues and reads the tokens of one server. `key` is secret and stored with the database."""

    def __init__(self, key: bytes, clock: Callable[[], float] = time.time) -> None:
        self._key = key
        self._clock = clock

    def token(self, scope: str, after: int | Sequence[int]) -> str:
        """The token of the page after item `after` in the list named `scope`."""
        body = json.dumps([after, int(self._clock())]).encode()
        return base64.urlsafe_b64encode(self._sign(scope, body) + body).decode().rstrip("=")

    def page(
        self,
        scope: str,
        rows: Iterable[RowMapping],
        made: Callable[[RowMapping], Item],
        page_size: int,
    ) -> Page[Item]:
        """The items `made` from rows in the order of their `sequence`: `page_size` of them, or as
        many as make up 4 MB. Where rows are left, the page has a token for the next one.
        """
        items: list[Item] = []
        last, room = 0, _PAGE_BYTES
        for row in rows:
            if len(items) == page_size or room <= 0:
                return Page(items=items, next_page_token=self.token(scope, last))
            items.append(made(row))
            last = row["sequence"]
            room -= len(items[-1].model_dump_json())
        return Page(items=items)

    def after(self, scope: str, token: str | None) -> int:
        """The sequence number to continue after; 0 without a token, Invalid for a wrong one."""
        return int(self._read(scope, token)) if token else 0

    def place(self, scope: str, token: str | None) -> list[int] | None:
        """The sort key to continue after in a composite order; None without a token, or Invalid."""
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
