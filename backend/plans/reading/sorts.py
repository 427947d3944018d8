"""Classifies the words of a request by their function."""

from functools import lru_cache

from backend.language.common_words import CARRIERS, LIGHT_VERBS
from backend.language.numerals import numeral_at
from backend.language.tokens import LETTER, Token, tokenise
from backend.language.units import SYMBOLS
from backend.language.words import FUNCTION_WORDS

LIGHT = frozenset(
    """
    the a an all any of its their his her our your some that this these those there s own
    both corresponding respective given every
    """.split()  # noqa: SIM905
)
"""Words that may appear anywhere inside a phrase."""
_ASKING = frozenset(
    """
    what which who whom whose where when how show list find give return tell display get please me
    us we you i can could would like want see know let name names information info details detail
    there it they them also results result data all every each available exist exists listed
    registered recorded together along following ones one people things anything something here
    database table our system records record set
    """.split()  # noqa: SIM905
)
_STEERING = frozenset(
    """
    not no nor or except without than average mean total sum minimum maximum lowest highest most
    least fewest largest smallest biggest different distinct unique more less fewer above below over
    under before after since until between at top bottom last first sorted ordered order sort per
    percent percentage share ratio difference change growth increase decrease median count many
    alphabetical ascending descending neither either only other another same both half twice than
    contain contains containing starts starting begin begins ends ending never always
    """.split()  # noqa: SIM905
)

DECISIVE = frozenset(
    """
    not no nor or without except excluding never average mean median sum most least fewest highest
    lowest largest smallest than per each every percentage percent share ratio twice half only
    total altogether quarter above below years months quarters weeks weekdays second third fourth
    fifth
    """.split()  # noqa: SIM905
)
"""Words that say how to compute, compare or group, or that negate."""
_CURRENCIES = "".join(SYMBOLS)


@lru_cache(maxsize=4096)
def sort_of(kind: str, lower: str) -> str:
    """`light`, `number`, `quoted`, `steering`, `function`, `verb`, or `content`."""
    if kind == "sign":
        return "light"
    if kind in ("number", "day"):
        return "number"
    if kind == "quoted":
        return "quoted"
    if kind == LETTER:
        return "content"
    if lower in _STEERING:
        return "steering"
    if lower in LIGHT or lower in ("of", "the", "in", "on", "and", "is", "are", "with", "for"):
        return "light"
    if lower in _ASKING or lower in FUNCTION_WORDS or lower in LIGHT_VERBS:
        return "function"
    return "verb" if lower in CARRIERS else "content"


def is_light(token: Token) -> bool:
    """Whether a word may appear anywhere inside a phrase."""
    return token.lower in LIGHT and token.kind != LETTER


def sort_of_word(word: str) -> str:
    """The class of a skipped word: number, steering, verb, content and so on."""
    return sort_of("number" if word[:1].isdigit() else "word", word.lower())


def is_code(token: Token) -> bool:
    """Whether a word is a code, or a number in a notation that is not read: `0x1F`, `4B7`."""
    return token.kind == "word" and token.text.lstrip(_CURRENCIES)[:1].isdigit()


def is_number(word: str) -> bool:
    """Whether a skipped word is a number, or a code; `single` means no more than `a`."""
    tokens = tokenise(word)
    if tokens and is_code(tokens[0]):
        return True
    return word.lower() != "single" and numeral_at(tokens, 0) is not None
