"""Role nouns beside a name: "X, counsel for the claimant", "Judge X".

Only the nearest noun determines a name's role; one farther away may belong to somebody else.
"""

import re
from functools import lru_cache

from backend.extraction.class_words import ROLES
from backend.extraction.document import Document
from backend.extraction.segments import Place
from backend.extraction.words import content, stem

_BEFORE, _BEHIND = 24, 24
"""The longest distance in characters between a noun and its name."""
_ENDS = re.compile(r"[.;!?]\s|\b(?:for|of|to|by|from|with|against|and|at)\b")
_APPOSED = re.compile(r"\s*(?:[,(–-]\s*|\bas\s+)(?:the |our |its |a |an )?(?:[\w-]+ ){0,2}$")
"""Text between a name and the noun behind it."""
_NAMING = re.compile(r"\s*:")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SHORT = 40
_MOST_WORDS = 4
_WHOLE = 0.6
_MOST_KNOWN = 50_000


def roles(place: Place, document: Document) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stems of role nouns inside a place, and of those right beside it."""
    key = (place.segment.order, place.start, place.end)
    known = document.roles.get(key)
    if known is None:
        known = document.roles[key] = _roles(place)
    return known


def _roles(place: Place) -> tuple[tuple[str, ...], tuple[str, ...]]:
    segment, start, end = place
    text = segment.text
    named = _named(text)
    inside = tuple(word for first, last, word in named if first >= start and last <= end)
    beside = []
    before = [one for one in named if one[1] <= start][-1:]
    for _, last, word in before:
        if start - last <= _BEFORE and _ENDS.search(text[last:start]) is None:
            beside.append(word)
    behind = next((one for one in named if one[0] >= end), None)
    if behind is not None and behind[0] - end <= _BEHIND:
        first, last, word = behind
        if _APPOSED.fullmatch(text, end, first) and not _NAMING.match(text, last):
            beside.append(word)
    if end - start >= _WHOLE * len(text):
        for around in (segment.left, segment.right, segment.below, segment.above):
            beside += _in_label(around)
    return inside, tuple(beside)


@lru_cache(maxsize=_MOST_KNOWN)
def _named(text: str) -> tuple[tuple[int, int, str], ...]:
    """The positions of role nouns in a text, with their stems."""
    return tuple(
        (*match.span(), stem(match[0]))
        for match in _WORD.finditer(text)
        if match[0].lower() in ROLES
    )


def _in_label(text: str) -> list[str]:
    """The first role noun of a short text."""
    if not text or len(text) > _SHORT or len(content(text)) > _MOST_WORDS:
        return []
    return [word for _, _, word in _named(text)][:1]
