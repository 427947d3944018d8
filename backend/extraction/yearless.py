"""Dates written without a year: "19 July", "Sunday, 24 September".

Letters and notes often give the year only once. A weekday determines the year if several are
possible; otherwise the one nearest to the full dates of the document is used.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from backend.extraction.dates import DAY_ORDINAL, MONTH, MONTHS, Moment

_DATE = re.compile(
    rf"""(?<![\w./-])(?:(?P<weekday>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\.?,?\s+)?
    (?:(?P<d>\d{{1,2}}){DAY_ORDINAL}\s+(?:day\s+)?(?:of\s+)?(?P<m>{MONTH})\b
        (?!\.?,?\s*'?\d{{2,4}}\b(?!:))
    |(?P<m2>{MONTH})\b\.?\s+(?P<d2>\d{{1,2}}){DAY_ORDINAL}\b(?![.,:/]?\d)(?!,?\s+\d{{4}}))""",
    re.VERBOSE | re.IGNORECASE,
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d,.]\d)")
_MIDDLE = (7, 1)


def year_near(texts: Sequence[str], full: Sequence[date]) -> date | None:
    """The day near which dates without a year are assumed to lie: the first full date in the most
    frequent year of the document, or else the middle of the only year that its texts mention.
    """
    if full:
        ((usual, _),) = Counter(day.year for day in full).most_common(1)
        return next(day for day in full if day.year == usual)
    years = {match[0] for text in texts for match in _YEAR.finditer(text)}
    return date(int(years.pop()), *_MIDDLE) if len(years) == 1 else None


def yearless(text: str, near: date) -> Iterator[Moment]:
    """The dates without a year in `text`, each in the year that puts it nearest to `near`.

    Example: `yearless("Reply by 11 February", date(2024, 12, 20))` gives 11 February 2025.
    """
    for match in _DATE.finditer(text):
        month = match["m"] or match["m2"]
        if month == "may" and match["m2"]:
            continue  # "may 10 people come"
        days = _days(near.year, MONTHS[month.lower()], int(match["d"] or match["d2"]))
        weekday = match["weekday"]
        if weekday:
            number = _WEEKDAYS.index(weekday.lower())
            days = [day for day in days if day.weekday() == number] or days
        if days:
            day = min(days, key=lambda one: abs(one - near))
            yield Moment(day, None, match.start("d" if match["d"] else "m2"), match.end(), False)


def _days(year: int, month: int, day: int) -> list[date]:
    out = []
    for one in (year - 1, year, year + 1):
        try:
            out.append(date(one, month, day))
        except ValueError:
            continue
    return out
