"""Tells values that are written like function words from these: `all A orchards`, `not in OR`."""

from collections.abc import Sequence
from dataclasses import replace

from backend.language.nouns import singular
from backend.language.tokens import LETTER, Token
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.tables.spellings import VALUE_SIGNS
from backend.plans.tables.value_index import FieldValue

_ARTICLE = "A"
_AHEAD = frozenset({"and", "or", "nor", "only", "instead", "too"})
"""No article stands before these words."""
_ENDING = frozenset(".?!:;")
_SIGNS = frozenset(",;:?!.)/&")
_BEFORE_NAMES = frozenset("in to from for of at by".split())  # noqa: SIM905
_BEFORE_LAST_NAMES = _BEFORE_NAMES | frozenset(
    "with is are was were not and or nor than but".split()  # noqa: SIM905
)


def with_letters(tokens: Sequence[Token], vocabulary: Vocabulary) -> list[Token]:
    """The tokens with each function word in capitals that is a value marked as a letter."""
    made = list(tokens)
    for i, token in enumerate(tokens):
        if not is_capital_word(token) or not letter_values(token.text, vocabulary):
            continue
        if (_is_value if token.text == _ARTICLE else _is_code)(made, i, vocabulary):
            made[i] = replace(token, kind=LETTER)
    return made


def is_capital_word(token: Token) -> bool:
    """Whether a token is a function word in capitals: `A`, `OR`, `ME`."""
    return token.kind == "word" and token.text.isupper() and token.lower in FUNCTION_WORDS


def letter_values(letter: str, vocabulary: Vocabulary) -> list[FieldValue]:
    """The properties that have a letter as a value, each with it."""
    counts = vocabulary.values.counts
    return [(p.field, letter) for p in vocabulary.properties if letter in counts.get(p.field, ())]


def signed_values(text: str, vocabulary: Vocabulary) -> list[FieldValue]:
    """The properties that have a text which ends with a sign as a value, each with it."""
    return letter_values(text, vocabulary) if text[-1:] in VALUE_SIGNS else []


def _is_code(tokens: Sequence[Token], i: int, vocabulary: Vocabulary) -> bool:
    """Whether capitals are a value: where a name may stand and no function word can. In shouted
    text, and between two words that they join, they are none.
    """
    if any(_covers(tokens, start, i, vocabulary) for start in range(max(0, i - 3), i + 1)):
        return False
    before = tokens[i - 1].text if i else ","
    ahead = tokens[i + 1] if i + 1 < len(tokens) else None
    if ahead is None or ahead.text in _SIGNS or ahead.text in _AHEAD:
        return before in _BEFORE_LAST_NAMES or before in _SIGNS
    named = singular(ahead.lower) != ahead.lower and ahead.stem in vocabulary.nouns
    return before in _BEFORE_NAMES or (named and before == "the")


def _is_value(tokens: Sequence[Token], i: int, vocabulary: Vocabulary) -> bool:
    """Whether a capital A is a value: behind the first word of a sentence, or where no article can
    be, before a plural or in a list. In titles and in shouted text an article is a capital, too.
    """
    ahead = tokens[i + 1] if i + 1 < len(tokens) else None
    if ahead is not None and ahead.joined and ahead.text not in _SIGNS:
        return False  # "A-frames", "A's"
    if any(_covers(tokens, start, i, vocabulary) for start in range(max(0, i - 3), i + 1)):
        return False
    if ahead is None or ahead.kind == "sign" or ahead.lower in _AHEAD:
        return True
    if singular(ahead.lower) != ahead.lower and ahead.stem in vocabulary.nouns:
        return True
    beside = [token for token in tokens[max(1, i - 1) : i + 2] if token is not tokens[i]]
    opens = i == 0 or tokens[i - 1].text in _ENDING
    return not opens and not all(token.text[:1].isupper() for token in beside)


def _covers(tokens: Sequence[Token], start: int, i: int, vocabulary: Vocabulary) -> bool:
    """Whether a longer value includes the letter: `Hepatitis A`."""
    length, _ = vocabulary.values_at(tokens, start)
    return length > 1 and start + length > i
