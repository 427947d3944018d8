"""Converts numbers in other notations: `1.234,50` is 1,234.50, `13.04.2023` a day in April, `3½`
3.5, `1,00,000` 100,000.

English uses a comma for thousands and a point for decimals; most of the continent does the
opposite. Some numbers are unambiguous, others (`1.250`, `2,5`) can be either.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from unicodedata import numeric

from backend.language.tokens import QUOTED

_FIGURE = re.compile(r"(?<![\w.,/-])\d+(?:[.,]\d+)+(?![\w/-]|[.,]\d)")
_DAY = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})|(\d\d)\.(\d\d)\.(\d\d)")
_CONTINENTAL = re.compile(r"\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\.\d{3})+,\d+")
_EITHER_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_EITHER_DECIMALS = re.compile(r"\d+,\d+")
_INDIAN = re.compile(r"\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?")
_FRACTIONS = "½¼¾⅕⅖⅗⅘⅛⅜⅝⅞⅒"
"""Those that decimals express exactly."""
_FRACTION = re.compile(rf"(?<![\w.,/])(\d*)[ ]?([{_FRACTIONS}])(?!\d)")
_POINT_FIRST = re.compile(r"(?<![\w.,/])\.\d+(?![\w/-]|[.,]\d)")
_ENGLISH = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
MOST_DIGITS = 18
"""Maximum digits of a number: no amount in a document has more, and these fit 64 bits."""
_NUMBER = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?: 000)+|\d+(?:[.,]\d+)?"
)


def endless_figure(text: str) -> str | None:
    """The first number outside quotations with too many digits.

    >>> endless_figure("over 1,000,000,000,000,000,000")
    '1,000,000,000,000,000,000'
    >>> endless_figure("one of 10,11,12,13,14,15,16,17,18,19")
    """
    figures = (match[0] for part in QUOTED.split(text)[::2] for match in _NUMBER.finditer(part))
    return next((one for one in figures if sum(map(str.isdigit, one)) > MOST_DIGITS), None)


@dataclass(frozen=True)
class Spelling:
    """A text in English notation, and the converted numbers."""

    text: str
    changes: tuple[tuple[str, str], ...] = ()


def spellings(text: str) -> tuple[Spelling, ...]:
    """The possible versions of `text` in English notation: two if a number is ambiguous, the
    English reading last. Quotations are unchanged.

    >>> [way.text for way in spellings("over 1.234,50 since 13.04.2023")]
    ['over 1234.50 since 2023-04-13']
    >>> [way.text for way in spellings("over 1.250")]
    ['over 1250', 'over 1.250']
    """
    ways = _spelling(text, _continental), _spelling(text, _certain)
    return ways if ways[0] != ways[1] else ways[:1]


def _spelling(text: str, read: Callable[[str], str]) -> Spelling:
    changes: dict[str, str] = {}
    parts = QUOTED.split(text)
    for i in range(0, len(parts), 2):
        part = _FRACTION.sub(partial(_noted, changes, _decimal), parts[i])
        part = _POINT_FIRST.sub(partial(_noted, changes, "0{0[0]}".format), part)
        parts[i] = _FIGURE.sub(partial(_noted, changes, lambda match: read(match[0])), part)
    return Spelling("".join(parts), tuple(changes.items()))


def _noted(
    changes: dict[str, str], read: Callable[[re.Match[str]], str], match: re.Match[str]
) -> str:
    """The figure as read, noted if it changes."""
    figure = read(match)
    if figure != match[0]:
        changes[match[0]] = figure
    return figure


def _decimal(match: re.Match[str]) -> str:
    """`3½` as `3.5`."""
    return f"{int(match[1] or 0) + numeric(match[2]):.15g}"


def _certain(figure: str) -> str:
    """An unambiguous number in English notation."""
    if (day := _DAY.fullmatch(figure)) is not None:
        dd, mm, year = day.group(1, 2, 3) if day[1] else day.group(4, 5, 6)
        with suppress(ValueError):
            return date(int(year) + (0 if day[1] else 2000), int(mm), int(dd)).isoformat()
    if _INDIAN.fullmatch(figure) and ",0" in figure:
        return figure.replace(",", "")  # no list: its numbers would begin with zeros
    return _turned(figure) if _CONTINENTAL.fullmatch(figure) else figure


def _continental(figure: str) -> str:
    """A number in English notation; ambiguous ones are read as continental."""
    if _INDIAN.fullmatch(figure):
        return figure.replace(",", "")
    decimals = _EITHER_DECIMALS.fullmatch(figure) and not _ENGLISH.fullmatch(figure)
    return _turned(figure) if decimals or _EITHER_THOUSANDS.fullmatch(figure) else _certain(figure)


def _turned(figure: str) -> str:
    return figure.replace(".", "").replace(",", ".")
