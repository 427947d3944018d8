"""Numbers in text: digits, words, scales and fractions, without units.

`1.5m`, `half a million`, `two hundred and fifty`, `a couple of`, `three quarters of a million`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.language.common_words import NUMBER_WORDS
from backend.language.tokens import Token
from backend.language.units import SCALES, SYMBOLS, unit_word

_SHORT_SCALES = frozenset({"m", "b", "k"})
_TENS = frozenset({20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0})
_GROUPS = frozenset({"dozen", "couple", "score", "pair", "dozens"})
_FRACTIONS = {
    ("half",): 0.5, ("quarter",): 0.25, ("third",): 1 / 3, ("one", "half"): 0.5,
    ("one", "quarter"): 0.25, ("one", "third"): 1 / 3, ("two", "thirds"): 2 / 3,
    ("three", "quarters"): 0.75, ("a", "half"): 0.5, ("a", "quarter"): 0.25, ("a", "third"): 1 / 3,
}  # fmt: skip
_BOUNDS = frozenset({"under", "over", "than", "least", "most", "within", "below", "above"})


@dataclass(frozen=True)
class Numeral:
    """A number and the token after it. `scaled`: written in full, with a scale or a currency.
    `unit`: the `m` of `5m`, which is metres for a length and a million for anything else.
    """

    value: float
    end: int
    scaled: bool = False
    unit: str | None = None


TIMES = {"once": 1, "twice": 2, "thrice": 3}
"""Frequencies in one word."""
OCCUR = frozenset(
    "appear appears appeared occur occurs occurred exactly just only".split()  # noqa: SIM905
)
"""Words after which `once` is a number."""


def numeral_at(tokens: Sequence[Token], i: int, *, metres: bool = False) -> Numeral | None:
    """The number that begins at token `i`, or None. `metres`: the `m` of `5m` may be a unit."""
    return _fraction(tokens, i) or _digits(tokens, i, metres) or _spelled(tokens, i)


def _word(tokens: Sequence[Token], i: int) -> str:
    return tokens[i].lower if 0 <= i < len(tokens) else ""


def _digits(tokens: Sequence[Token], i: int, metres: bool) -> Numeral | None:
    if tokens[i].kind != "number":
        return None
    value = float("".join(tokens[i].text.lstrip("$€£").replace(",", "").split()))
    glued = _word(tokens, i + 1) == "m" and tokens[i + 1].joined
    if metres and glued and tokens[i].text[0] not in SYMBOLS and not _word(tokens, i + 2).isdigit():
        return Numeral(value, i + 2, unit="m")
    return _scaled(tokens, Numeral(value, i + 1, tokens[i].text[0] in SYMBOLS))


def _scaled(tokens: Sequence[Token], number: Numeral) -> Numeral:
    """Applies the scale that follows: `5k`, `$3 m`, `two million`. One letter must touch digits."""
    word, j = _word(tokens, number.end), number.end
    if word == "and" and _word(tokens, j + 1) in ("a", "one") and _word(tokens, j + 2) == "half":
        return _scaled(tokens, Numeral(number.value + 0.5, j + 3, number.scaled))
    if word not in SCALES:
        return number
    if len(word) == 1 and not tokens[j].joined and tokens[j - 1].text[0] not in SYMBOLS:
        return number
    larger = Numeral(number.value * SCALES[word], j + 1, True)
    return _scaled(tokens, larger) if len(_word(tokens, j + 1)) > 1 else larger


def _spelled(tokens: Sequence[Token], i: int) -> Numeral | None:
    """`twenty five`, `two hundred and fifty`, `a dozen`, `an hour` after a comparison."""
    word, following = _word(tokens, i), _word(tokens, i + 1)
    if word in ("a", "an"):
        if following in ("couple", "pair") and _word(tokens, i + 2) == "of":
            return Numeral(2.0, i + 3)
        if following in SCALES and following not in _SHORT_SCALES:
            return _with_rest(tokens, _scaled(tokens, Numeral(1.0, i + 1)))
        bounded = _word(tokens, i - 1) in _BOUNDS and unit_word(following) is not None
        return Numeral(1.0, i + 1) if bounded else None
    if word not in NUMBER_WORDS or word in ("hundred", "thousand"):
        return None
    if word == "one" and following == "of":
        return None
    value, j = float(NUMBER_WORDS[word]), i + 1
    value, j = _with_units(tokens, value, j)
    return _with_rest(tokens, _scaled(tokens, Numeral(value, j)))


def _with_units(tokens: Sequence[Token], value: float, j: int) -> tuple[float, int]:
    """`twenty five`, `twenty-five`."""
    k = j + (_word(tokens, j) == "-")
    units = NUMBER_WORDS.get(_word(tokens, k), 0)
    if value in _TENS and 1 <= units <= 9:
        return value + units, k + 1
    return value, j


def _with_rest(tokens: Sequence[Token], number: Numeral) -> Numeral:
    """`two hundred and fifty`, `one thousand two hundred`: adds what follows a scale."""
    if not number.scaled or number.value < 100:
        return number
    k = number.end + (_word(tokens, number.end) == "and")
    if _word(tokens, k) not in NUMBER_WORDS or k >= len(tokens):
        return number
    rest = _spelled(tokens, k)
    if rest is None or rest.value >= number.value or _word(tokens, k) in _GROUPS:
        return number
    return Numeral(number.value + rest.value, rest.end, True)


def _fraction(tokens: Sequence[Token], i: int) -> Numeral | None:
    """`half a million`, `three quarters of an hour`: a part of a scale or unit."""
    for words in ((_word(tokens, i), _word(tokens, i + 1)), (_word(tokens, i),)):
        part = _FRACTIONS.get(words)
        if part is None:
            continue
        j = i + len(words)
        j += _word(tokens, j) == "of"
        j += _word(tokens, j) in ("a", "an")
        scale = SCALES.get(_word(tokens, j), 0.0)
        if scale and _word(tokens, j) not in _SHORT_SCALES:
            return Numeral(part * scale, j + 1, True)
        if unit_word(_word(tokens, j)) is not None and len(_word(tokens, j)) > 1 and j > i + 1:
            return Numeral(part, j)
    return None
