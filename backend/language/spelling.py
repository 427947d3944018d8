"""Corrects typing errors."""

from collections.abc import Mapping
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from backend.language.common_words import DOCUMENT_NOUNS, FREE, NUMBER_WORDS
from backend.language.lexicon import phrases

NEGATING = ("non", "un", "in", "im", "ir", "dis")
"""Negating prefixes: never typing errors."""


@lru_cache(maxsize=1)
def _grammar_words() -> tuple[str, ...]:
    words = {word for phrase in phrases() for word in phrase if len(word) >= 4 and word.isalpha()}
    words |= {word for word in FREE | DOCUMENT_NOUNS | NUMBER_WORDS.keys() if len(word) >= 4}
    return tuple(sorted(words))


def _names_doer(word: str) -> bool:
    long = len(word) >= 7  # shorter ones are as often comparatives: `nicer`
    return long and word.endswith(("er", "or", "ers", "ors"))


def nearest_word(word: str, collection: Mapping[str, str]) -> str | None:
    """The nearest word of the collection or the grammar, or None.

    Allows one wrong letter, or two swapped ones, in words of four letters or more, and two in words
    of eight or more. The first letter must be right in short words. None when two words are
    equally near.
    """
    if len(word) < 4 or not word.isalpha():
        return None
    allowed = 2 if len(word) >= 8 else 1
    near: dict[str, float] = {}
    # A steering word changes the whole request: only one wrong letter is corrected to one.
    for words, most in ((collection.keys(), allowed), (_grammar_words(), 1)):
        matches = process.extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=5)
        for other, distance, _ in matches:
            if word.removesuffix(other) in NEGATING or other.removesuffix(word) in NEGATING:
                continue
            if _names_doer(word) and not _names_doer(other):
                continue  # `offender` is not a typo of `offence`
            # `emitting` is not a typo of `omitting`: the first letter of a command must be right.
            if other[0] == word[0] or (len(word) >= 7 and other in collection):
                near.setdefault(other, distance)
    if not near:
        return None
    least = min(near.values())
    best = sorted(other for other, distance in near.items() if distance == least)
    families = {other.removesuffix("s") for other in best}
    if len(families) > 1:
        from_collection = [other for other in best if other in collection]
        best = from_collection if len({o.removesuffix("s") for o in from_collection}) == 1 else []
    return collection.get(best[0], best[0]) if best else None
