"""Reads values inside plans: text, numbers, truth values and dates.

This module alone decides what counts as a number, a boolean or a date. Validation refuses what it
cannot read, and runs use the same functions.
"""

import math
import re
import sys
from calendar import monthrange
from datetime import UTC, date, datetime, time
from typing import Any

_PART = re.compile(r"(\d{4})(?:-(\d{1,2}))?")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_BELOW_ZERO = re.compile(r"\s*\(\s*([0-9][0-9.,]*)\s*\)\s*")
_GROUPED = re.compile(r"[-+]?[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]*)?")
_LONGEST_WHOLE = 400  # digits: no finite number has more, and reading very many takes very long
_TRUE = frozenset({"true", "yes", "y", "1"})
_FALSE = frozenset({"false", "no", "n", "0"})


def as_number(value: Any) -> float | int | None:
    """A finite number, also from text with thousands separators, or in parentheses, which accounts
    use for negative numbers; None for anything else, such as "12,5", in which the comma separates
    no thousands. Whole numbers stay integers, because a float is exact only up to 2**53.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        bracketed = _BELOW_ZERO.fullmatch(value)
        text = (f"-{bracketed[1]}" if bracketed else value).strip()
        if "," in text and _GROUPED.fullmatch(text) is None:
            return None
        value = _number_in(text.replace(",", "").replace("_", "x"))
    if isinstance(value, int):
        return value if abs(value) <= sys.float_info.max else None
    return value if isinstance(value, float) and math.isfinite(value) else None


def _number_in(text: str) -> float | int | None:
    if len(text) < _LONGEST_WHOLE and _WHOLE.fullmatch(text):
        return int(text)
    try:
        return float(text)
    except ValueError:
        return None


def as_bool(value: Any) -> bool | None:
    """A truth value, also from the usual words; None for anything else."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None


def as_date(value: Any, *, end: bool = False) -> date | None:
    """A day from ISO text; a bare year or month means its first day, or its last with `end`."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if not isinstance(value, str | int) or isinstance(value, bool):
        return None
    text = str(value).strip()
    part = _PART.fullmatch(text)
    try:
        if part is None:
            return datetime.fromisoformat(text).date()
        year, month = int(part[1]), int(part[2]) if part[2] else (12 if end else 1)
        return date(year, month, monthrange(year, month)[1] if end else 1)
    except ValueError:
        return None


def as_span(value: Any) -> tuple[datetime, datetime] | None:
    """The first and last moment of a year, a month, a day, or one moment. Moments with an offset
    are converted to UTC; others are used as they are.
    """
    first, last = as_date(value), as_date(value, end=True)
    if first is None or last is None:
        return None
    text = value.isoformat() if isinstance(value, datetime) else str(value).strip()
    if "T" in text or ":" in text:
        moment = in_utc(datetime.fromisoformat(text))
        return moment, moment
    return datetime.combine(first, time.min), datetime.combine(last, time.max)


def moment_in(value: Any) -> datetime | None:
    """The moment of a text, as `as_span` reads it: the first of a period; None otherwise."""
    span = as_span(value) if isinstance(value, str) else None
    return None if span is None else span[0]


def in_utc(moment: datetime) -> datetime:
    """A moment without an offset, converted to UTC if it had one. Moments before the year 1 or
    after 9999 become the first or last moment of the calendar.
    """
    if moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        return datetime.min if moment.year == 1 else datetime.max
