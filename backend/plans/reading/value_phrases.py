"""Whether tokens spell a phrase: plurals, the past of its verb and punctuation do not count."""

from collections.abc import Sequence

from backend.language.common_words import bases_of_past
from backend.language.nouns import singular
from backend.language.tokens import Token

_INSIDE = frozenset({"-", ".", "/", "&", "–"})


def singulars(word: str) -> tuple[str, str]:
    """The singular of a word, then that of a word too short to have one: `check-ups`."""
    return singular(word), word.removesuffix("s")


def match_length(phrase: tuple[str, ...], tokens: Sequence[Token], i: int, *, commas: bool) -> int:
    """The number of tokens from `i` on that spell `phrase`, 0 if they do not. Punctuation inside is
    skipped; `commas` only in names that have some, such as `Dover, DE`.
    """
    j, skipped = i, _INSIDE | ({","} if commas else set())
    for k, word in enumerate(phrase):
        while k and j < len(tokens) and tokens[j].text in skipped:
            j += 1
        if j >= len(tokens):
            return 0
        spoken = tokens[j].lower
        if word not in (singulars(spoken) if k else (singular(spoken), *bases_of_past(spoken))):
            return 0
        j += 1
    return j - i
