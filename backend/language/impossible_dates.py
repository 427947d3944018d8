"""Dates that do not exist: `2024-02-30`, `31.04.2024`, `on April 31st`."""

import re
from calendar import month_name, monthrange
from dataclasses import dataclass

from backend.language.month_names import ENGLISH_MONTHS
from backend.language.tokens import QUOTED

_IN_FIGURES = re.compile(
    r"""
    (?<![\w/.,-])(?:
        \d{4}-\d\d?-\d\d?|\d\d?/\d\d?/\d{4}|\d\d?\.\d\d?\.\d{4}|\d\d\.\d\d\.\d\d
    )(?=T\d|(?![\w/-]|[.,]\d))
    """,
    re.VERBOSE,
)
_BEFORE = r"(?P<before>\b(?:on|by|since|before|after|until|till|dated)\s+(?:the\s+)?)?"
_DAY = r"\b(?P<day>\d\d?)(?P<suffix>st|nd|rd|th)?"
_MONTH = rf"(?P<month>{'|'.join(ENGLISH_MONTHS)})\b\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_DAY_FIRST = re.compile(rf"{_BEFORE}{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?", re.IGNORECASE)
_MONTH_FIRST = re.compile(
    rf"{_BEFORE}\b{_MONTH}\s+{_DAY}\b(?:(?:,|\s+of)?\s+{_YEAR})?", re.IGNORECASE
)
_AGO = re.compile(
    r"\b(?P<count>\d[\d,]*) (?P<unit>day|week|month|quarter|year|decade)s? ago\b", re.IGNORECASE
)
_A_YEAR = {"day": 365.2425, "week": 52.1775, "month": 12, "quarter": 4, "year": 1, "decade": 0.1}
_YEARS_BACK = 2000
"""Within the calendar on any day that this is asked."""


@dataclass(frozen=True)
class ImpossibleDate:
    """A date as written, and why it does not exist."""

    written: str
    reason: str


def impossible_date(text: str) -> ImpossibleDate | None:
    """The first impossible date outside quotations.

    >>> impossible_date("issued on 2024-02-30")
    ImpossibleDate(written='2024-02-30', reason='February 2024 has 29 days')
    """
    for part in QUOTED.split(text)[::2]:
        for match in _IN_FIGURES.finditer(part):
            if (reason := _fault_of(*_figures(match[0]))) is not None:
                return ImpossibleDate(match[0], reason)
        for match in (*_DAY_FIRST.finditer(part), *_MONTH_FIRST.finditer(part)):
            # “30 April invoices” may be thirty invoices of April.
            month_first = match.start("month") < match.start("day")
            if not (match["before"] or match["suffix"] or (month_first and match["year"])):
                continue
            year = None if match["year"] is None else int(match["year"])
            reason = _fault_of(year, ENGLISH_MONTHS[match["month"].lower()], int(match["day"]))
            if reason is not None:
                return ImpossibleDate(match[0].removeprefix(match["before"] or ""), reason)
        for match in _AGO.finditer(part):
            if int(match["count"].replace(",", "")) / _A_YEAR[match["unit"].lower()] > _YEARS_BACK:
                return ImpossibleDate(match[0], "the calendar begins with the year 1")
    return None


def _figures(date: str) -> tuple[int, int, int]:
    """Year, month and day of a date in figures."""
    one, two, three = (int(figure) for figure in re.split(r"\D", date))
    if "-" in date:
        return one, two, three
    day, month = (one, two) if "." in date or one > 12 else (two, one)
    return three if date[-3].isdecimal() else 2000 + three, month, day


def _fault_of(year: int | None, month: int, day: int) -> str | None:
    """Why a date does not exist. Without a year, February has 29 days."""
    if year == 0:
        return "there is no year 0"
    if not 1 <= month <= 12:
        return f"there is no month {month}"
    if day == 0:
        return "there is no day 0"
    days = monthrange(2024 if year is None else year, month)[1]
    if day <= days:
        return None
    named = month_name[month] if year is None else f"{month_name[month]} {year}"
    return f"{named} has {days} days"
