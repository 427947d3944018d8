"""Values inside plans: how text, numbers, truth values and dates of a plan are read.

This module alone decides what counts as a number, a truth value or a date; validation refuses what
it cannot read, and running the plan reads with the same functions.
"""

import math
import re
from calendar import monthrange
from datetime import date, datetime
from typing import Any

_PART = re.compile(r"(\d{4})(?:-(\d{1,2}))?")
_TRUE = frozenset({"true", "yes", "y", "1"})
_FALSE = frozenset({"false", "no", "n", "0"})


def as_number(value: Any) -> float | None:
    """A finite number, also from text with thousands separators; None when it is not one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        try:
            number = float(value.replace(",", "").replace("_", "x").strip())
        except ValueError:
            return None
        return number if math.isfinite(number) else None
    return None


def as_bool(value: Any) -> bool | None:
    """A truth value, also from the usual words; None when it is not one."""
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
