"""Page tokens: where the next page of one particular search begins.

A checksum binds a token to its search. It is not a secret; it only makes sure that damaged tokens
and those of another search are refused.

Every page reflects the documents at its time. It continues after the last hit of the previous
page, wherever that ranks by then, so documents added or deleted in between cause no duplicates or
gaps. If that hit is gone or has moved far, the page begins at its original offset.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from backend.search.ranking import Hit, number_of
from workbench.contract.errors import Invalid
from workbench.contract.search import SearchRequest

MAX_PAGE_SIZE = 1000
_DIGEST_BYTES = 12


@dataclass(frozen=True)
class Start:
    """Where a page begins: its offset, and the key of the hit before it."""

    place: int
    after: int | None


BEGINNING = Start(0, None)


class Pager:
    """Reads and writes the page tokens of one search."""

    def __init__(self, docset_id: str, request: SearchRequest, page_size: int) -> None:
        """Invalid, at query.page_size, for a size outside 1..1000."""
        if not 1 <= page_size <= MAX_PAGE_SIZE:
            raise Invalid.at(("query", "page_size"), f"page_size must be 1 to {MAX_PAGE_SIZE}")
        self.size = page_size
        search = json.dumps([docset_id, page_size, request.model_dump(mode="json")], sort_keys=True)
        self._search = search.encode()

    def start_of(self, token: str | None) -> Start:
        """Decodes a token. Invalid, at query.page_token, for any token not issued here."""
        if not token:
            return BEGINNING
        try:
            raw = base64.b64decode(token.encode("ascii"), altchars=b"-_", validate=True)
            digest, start = raw[:_DIGEST_BYTES], raw[_DIGEST_BYTES:]
            place, after = map(int, start.decode("ascii").split(":"))
        except (ValueError, binascii.Error):
            raise _unknown() from None
        if place <= 0 or self._digest(start) != digest:
            raise _unknown()
        return Start(place, after)

    def token(self, place: int, after: int) -> str:
        """The token of the page after the first `place` results, whose last has the key `after`."""
        start = f"{place}:{after}".encode()
        return base64.b64encode(self._digest(start) + start, altchars=b"-_").decode()

    def _digest(self, start: bytes) -> bytes:
        search = self._search + b"\0" + start
        return hashlib.blake2b(search, digest_size=_DIGEST_BYTES).digest()


def behind(hits: Sequence[Hit], start: Start, *, by_document: bool) -> Sequence[Hit]:
    """The hits of the page and beyond; `hits` start at the very first."""

    def unit(key: int) -> int:
        return number_of(key) if by_document else key

    if start.after is not None:
        last = unit(start.after)
        for place, hit in enumerate(hits):
            if unit(hit.key) == last:
                return hits[place + 1 :]
    return hits[start.place :]


def _unknown() -> Invalid:
    return Invalid.at(
        ("query", "page_token"),
        "the page token does not belong to this search; send the request that gave it, unchanged,"
        " or start without a token",
    )
