"""How a number is written in a sentence or a cell, the same everywhere."""

from math import isfinite
from typing import Any

_HUGE = 1e15
_SMALL = 1e-4
_DIGITS = 15
"""Decimal digits that a binary fraction represents exactly; further ones are rounding."""
_SHORT = 12
"""A fraction that rounding leaves with more digits than these was never a short one."""


def only_finite(value: Any) -> bool:
    """Whether no number in a JSON value is infinite or not a number, which JSON cannot hold."""
    if isinstance(value, dict):
        return all(map(only_finite, value.values()))
    if isinstance(value, list | tuple):
        return all(map(only_finite, value))
    return not isinstance(value, float) or isfinite(value)


def number_words(number: float | int) -> str:
    """Thousands separated, no empty decimals: `1,204`, `41.67`, `0.188`.

    Two decimals from 1 upwards, three significant figures below. Exponents appear only beyond
    1e15 and below 1e-4.
    """
    if isinstance(number, int):
        return f"{number:,}"
    size = abs(number)
    if not isfinite(number):
        return "not a number" if number != number else "-∞" if number < 0 else "∞"
    if number.is_integer() and size < _HUGE:
        return f"{int(number):,}"
    if size >= _HUGE or size < _SMALL:
        return f"{number:.3g}"
    return f"{number:,.2f}".rstrip("0").rstrip(".") if size >= 1 else f"{number:.3g}"


def plain_number(number: float | int) -> float | int:
    """The number without the rounding of binary fractions: 4.3 for 4.300000000000001.

    Whole numbers, and fractions that really have many digits such as 1/14, stay as they are.
    """
    if isinstance(number, int) or not isfinite(number) or number.is_integer():
        return number
    rounded = f"{number:.{_DIGITS - 1}e}"
    digits = rounded.partition("e")[0].lstrip("-").replace(".", "").rstrip("0")
    return float(rounded) if len(digits) <= _SHORT else number


def in_percent(fraction: float) -> float:
    """A part of one as a part of a hundred: 29 for 0.29."""
    return plain_number(100 * fraction)


def percent_words(percent: float) -> str:
    """A part of a hundred: `18.8 %`."""
    return f"{percent:.1f} %"
