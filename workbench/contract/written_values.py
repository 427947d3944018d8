"""Finds a value in a text that writes it differently: 36400.0 as `$36,400`, dates in words."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

_NUMBER = re.compile(r"(?<!\d:)\d+(?:[.,'’ \u00a0\u202f]\d+)*+(?!:\d)")
"""A number, but no part of a time of day."""
_SEPARATORS = re.compile(r"[.,'’ \u00a0\u202f]")
_THOUSANDS = re.compile(r"\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3})(?:\1\d{3})*")


def find_value(text: str, value: Any) -> tuple[int, int] | None:
    """The first position of the value in `text`, in any known form."""
    if value in (None, "") or isinstance(value, bool | list | dict):
        return None
    if isinstance(value, int | float):
        places = (m.span() for m in _NUMBER.finditer(text) if abs(value) in _readings(m[0]))
        return next(places, None)
    low = text.lower()
    for spelling in _spellings(str(value)):
        at = low.find(spelling.lower())
        if at >= 0:
            return at, at + len(spelling)
    return None


def _readings(written: str) -> Iterator[float]:
    """The numbers that these digits can mean: `1.234` is 1234 or 1.234."""
    if _THOUSANDS.fullmatch(written) or not _SEPARATORS.search(written):
        yield float(_SEPARATORS.sub("", written))
    whole, _, rest = written.rpartition(max(".,", key=written.rfind))
    if whole and rest.isdigit():
        yield float(f"{_SEPARATORS.sub('', whole)}.{rest}")


def _spellings(text: str) -> Iterator[str]:
    yield text
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return
    number, year = day.day, day.year
    for month in (f"{day:%B}", f"{day:%b}"):
        yield from (f"{month} {number}, {year}", f"{number} {month} {year}")
        yield f"{month} {number} {year}"
    for mark in "./-":
        for digits in ("02", ""):
            d, m = f"{number:{digits}}", f"{day.month:{digits}}"
            yield from (f"{d}{mark}{m}{mark}{year}", f"{m}{mark}{d}{mark}{year}")
