"""Refuses comparisons of dates with anything else, which as text would give a wrong answer."""

import re
from collections.abc import Collection
from datetime import date

from backend.search.filters.parser import fault
from backend.search.filters.tree import And, Comparison, Expression, Not, OneOf, Or, Path, Value

_BEGINNING = re.compile(r"\d{4}(?:-\d\d)?")
"""A year or a month, which sorts before every date in it."""
_DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ].*)?")


def check_dates(expression: Expression, dated: Collection[Path]) -> None:
    """Raises Invalid where one of the `dated` properties is compared with a text or a number that
    is not a date in ISO form.
    """
    match expression:
        case And(parts) | Or(parts):
            for part in parts:
                check_dates(part, dated)
        case Not(inner):
            check_dates(inner, dated)
        case Comparison(path, _, value) if path in dated:
            _check(path, value)
        case OneOf(path, values) if path in dated:
            for value in values:
                _check(path, value)


def _check(path: Path, value: Value) -> None:
    if isinstance(value, str) and (_BEGINNING.fullmatch(value) or _is_day(value)):
        return
    shown = f"'{value}'" if isinstance(value, str) else str(value)
    raise fault(f"{path.bare} holds dates, and {shown} is none: write '2024-03-31'", path.column)


def _is_day(text: str) -> bool:
    day = _DAY.fullmatch(text)
    try:
        return day is not None and date.fromisoformat(day[1]) is not None
    except ValueError:
        return False
