"""Whether a word of a request describes another: `fatal accidents`, `those that were fatal`.

Only words and their places are considered, so that a value can be recognised before anything else
is known about the request.
"""

from collections.abc import Iterator, Sequence

from backend.language.tokens import Token
from backend.language.words import FUNCTION_WORDS

_FARTHEST = 3
"""Words between a word and the noun that it describes, and one more."""
_BEING = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_BETWEEN = frozenset({"not", "n't", "never", "all", "also", "either", "both", "neither"})
_JOINING = frozenset({"and", "or", ",", "/", "nor"})
_ARTICLES = frozenset({"the", "a", "an", "their", "its"})
ONES = frozenset({"one", "ones"})
"""Words that stand for a noun."""


def words_described(tokens: Sequence[Token], i: int) -> Iterator[Token]:
    """The words that may be the noun which token `i` describes: those directly behind it, and those
    behind a word that is joined to it: `fatal and serious accidents`, `Ostrava as the distributor`.
    """
    start = i + 1
    following = tokens[start].lower if start + 1 < len(tokens) else ""
    if following in _JOINING:
        start += 2
    elif following == "as":
        start += 1 + (tokens[start + 1].lower in _ARTICLES)
    for token in tokens[start : start + _FARTHEST]:
        if token.lower in ONES:
            yield token
        if token.kind != "word" or token.lower in FUNCTION_WORDS:
            return
        yield token


def is_predicate(tokens: Sequence[Token], i: int) -> bool:
    """Whether token `i` says what something is: `accidents that were not fatal`."""
    before = [token.lower for token in tokens[:i]]
    while before and before[-1] in _BETWEEN:
        before.pop()
    return bool(before) and before[-1] in _BEING
