"""Finds the sentence that asks if the others are talk: `Morning! How many boats are red?`

A sentence is talk if it is about people, is a statement or a greeting, names nothing in the
collection and no number or date, and has no word that could narrow the question, such as `only` or
`not`.
"""

import re
from collections.abc import Sequence
from datetime import date

from backend.language.tokens import Token
from backend.plans.reading.assembly import names_something, tokens_of
from backend.plans.reading.talk import speaks_to_somebody
from backend.plans.reading.vocabulary import Vocabulary

_END = re.compile(r"(?<=\w{3}[.!?])[.!?]*\s+|(?<=[!?])\s+|\n+")
_NARROWING = frozenset(
    """
    only just not except without but excluding besides instead those ones which whose where with
    also too both either neither other others rest same exclude include ignore leave drop skip
    """.split()  # noqa: SIM905
)
_STATES = re.compile(r"!$|\w['’]s\b")
"""An exclamation, or `snow's gone`."""
_LONGEST = 12
"""Maximum words of talk; a longer sentence is meaningful."""


def asking_sentence(
    text: str, vocabulary: Vocabulary, today: date
) -> tuple[str, tuple[str, ...]] | None:
    """The only sentence that is no talk, and the others; None if none or several ask."""
    sentences = [part.strip() for part in _END.split(text) if part.strip()]
    if len(sentences) < 2:
        return None
    asking = [one for one in sentences if not _is_talk(one, vocabulary, today)]
    if len(asking) != 1:
        return None
    return asking[0], tuple(one for one in sentences if one != asking[0])


def _is_talk(sentence: str, vocabulary: Vocabulary, today: date) -> bool:
    _, tokens = tokens_of(sentence)
    words = [token.lower for token in tokens if token.kind == "word"]
    return (
        len(words) <= _LONGEST
        and _NARROWING.isdisjoint(words)
        and _has_only_words(tokens)
        and (bool(_STATES.search(sentence)) or speaks_to_somebody(tokens))
        and not names_something(sentence, vocabulary, today)
    )


def _has_only_words(tokens: Sequence[Token]) -> bool:
    return {token.kind for token in tokens} <= {"word", "sign"}
