"""Page tokens: where the next page of one particular search begins.

A token is bound to its search by a checksum. It is no secret and opens nothing that the search
itself would not; the checksum only makes sure that a token of another search, or a damaged one,
is refused and not guessed at.
"""

import base64
import binascii
import hashlib
import json

from backend.contract.errors import Invalid
from backend.contract.search import SearchRequest

MAX_PAGE_SIZE = 1000
_DIGEST_BYTES = 12


class Pager:
    """Reads and writes the tokens of one search."""

    def __init__(self, docset_id: str, request: SearchRequest, page_size: int) -> None:
        """Invalid, at query.page_size, for a size outside 1..1000."""
        if not 1 <= page_size <= MAX_PAGE_SIZE:
            raise Invalid.at(("query", "page_size"), f"page_size goes from 1 to {MAX_PAGE_SIZE}")
        self.size = page_size
        search = json.dumps([docset_id, page_size, request.model_dump(mode="json")], sort_keys=True)
        self._search = search.encode()

    def start_of(self, token: str | None) -> int:
        """How many results to skip. Invalid, at query.page_token, for anything we did not give
        out.
        """
        if not token:
            return 0
        try:
            raw = base64.b64decode(token.encode("ascii"), altchars=b"-_", validate=True)
            digest, start = raw[:_DIGEST_BYTES], int(raw[_DIGEST_BYTES:].decode("ascii"))
        except (ValueError, binascii.Error):
            raise _unknown() from None
        if start <= 0 or self._digest(start) != digest:
            raise _unknown()
        return start

    def token(self, start: int) -> str:
        """The token of the page that skips `start` results."""
        raw = self._digest(start) + str(start).encode()
        return base64.b64encode(raw, altchars=b"-_").decode()

    def _digest(self, start: int) -> bytes:
        search = self._search + b"\0" + str(start).encode()
        return hashlib.blake2b(search, digest_size=_DIGEST_BYTES).digest()


def _unknown() -> Invalid:
    return Invalid.at(
        ("query", "page_token"),
        "the page token does not belong to this search; send the request that gave it, unchanged,"
        " or start without a token",
    )
