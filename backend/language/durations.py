"""Durations in two parts: `a day and a half`, `2 years and 6 months`."""

from collections.abc import Sequence

from backend.language.numerals import numeral_at
from backend.language.tokens import Token
from backend.language.units import Unit, convert, measure_of, unit_word

_PARTS = {"half": 0.5, "quarter": 0.25}


def with_smaller(
    tokens: Sequence[Token], value: float, unit: str, j: int, *, ranged: bool
) -> tuple[float, int]:
    """The duration extended by a smaller part that starts at token `j`, and the token after it.

    `ranged`: the duration is one end of a range, where `and` leads to the other.
    """
    following = [token.lower for token in tokens[j : j + 3]]
    if following[:2] == ["and", "a"] and following[-1] in _PARTS:
        return value + _PARTS[following[-1]], j + 3
    joined = following[:1] == ["and"]
    start = j + joined
    number = numeral_at(tokens, start) if start < len(tokens) and not (joined and ranged) else None
    if number is None or number.end >= len(tokens):
        return value, j
    smaller = unit_word(tokens[number.end].text)
    if smaller is None or measure_of(smaller) != "time":
        return value, j
    more = convert(number.value, smaller, False, Unit(unit))
    return (value + more, number.end + 1) if more is not None and more < 1 else (value, j)
