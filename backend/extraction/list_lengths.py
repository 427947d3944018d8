"""How many items a list may have, where its property says so: “the three most named reasons”."""

import re
from functools import lru_cache

from backend.extraction.words import spelled
from backend.language.number_words import CARDINALS

_MOST = 20
_NUMBER = rf"(?P<number>\d{{1,2}}|{'|'.join(sorted(CARDINALS, key=len, reverse=True))})"
_RANKED = (
    r"(?:top|first|last|best|worst|most|least|main|major|leading|chief|principal|key|\w{3,12}est)"
)
_ASKED = (
    re.compile(rf"\b{_RANKED}[ -]{_NUMBER}\b(?!\s?(?:%|per cent))", re.IGNORECASE),
    re.compile(rf"\b{_NUMBER} {_RANKED}\b", re.IGNORECASE),
)


@lru_cache(maxsize=1_000)
def longest(name: str, description: str) -> int | None:
    """The maximum number of items, None if it is open.

    >>> longest("top_three", ""), longest("goods", "The 5 main goods"), longest("lots", "One lot")
    (3, 5, None)
    """
    for text in (spelled(name), description):
        for pattern in _ASKED:
            if (match := pattern.search(text)) is not None:
                written = match["number"].lower()
                many = int(written) if written.isdigit() else int(CARDINALS[written])
                return many if 0 < many <= _MOST else None
    return None
