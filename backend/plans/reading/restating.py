"""Requests that say something twice: `which pieces are still away? I mean those without a return
date`, `streets with dark lamps, i.e. whose status is not working`.

The part behind `I mean` explains the clause before it, so words of that clause which nothing
explains may be skipped at a low cost. They are still reported.
"""

import re
from collections.abc import Sequence

from backend.language.tokens import QUOTED, Token

_AGAIN = re.compile(
    r"(?<=\w)\s*(?:"
    r"[,;.?!:–—]\s*(?:i mean|i\.\s?e\.|in other words|that is to say)|[,;:]\s*that is(?=,)"
    r"|[,;]\s*(?:namely|meaning|which means)"
    r"|\s\(?i\.\s?e\."
    r")[,:]?\s+(?=\w)",
    re.IGNORECASE,
)
_SIGN = ", that is, "


def restatement(text: str) -> str:
    """The text with one sign, `, that is,` in front of what is said in other words."""
    parts = QUOTED.split(text)
    return "".join(part if i % 2 else _AGAIN.sub(_SIGN, part) for i, part in enumerate(parts))


def restated(tokens: Sequence[Token]) -> frozenset[int]:
    """The tokens of clauses that the next clause says in other words."""
    places = set[int]()
    for i in range(1, len(tokens) - 3):
        if [token.lower for token in tokens[i : i + 4]] == [",", "that", "is", ","]:
            start = next((k + 1 for k in range(i - 1, -1, -1) if tokens[k].kind == "sign"), 0)
            places.update(range(start, i))
    return frozenset(places)
