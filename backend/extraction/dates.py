"""Dates and times in text, in the many ways people write them.

Numeric day and month are ambiguous ("03/04/2021"): the caller's order decides, unless one number is
above twelve. Two-digit years up to 69 belong to this century.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from itertools import chain

from backend.extraction.remembered import remembered
from backend.language.month_names import ANY_MONTH, MONTH, MONTHS, ROMAN_MONTHS

DAY_ORDINAL = "(?:st|nd|rd|th)?"
BEFORE_MONTH = r"(?:er\b|[.ºª])?\s*(?:day\s+)?(?:of\s+|de\s+|di\s+)?"
"""Between a day and its month."""
YEAR = r"(?:1[5-9]|2[01])\d\d"
_TO = r"\s*(?:[-–—]|\bto\b|\bthrough\b|\buntil\b)\s*"
"""Between the first and the last day of a period."""
_DATE = re.compile(
    rf"""(?:(?=\d)(?<![\w/.\-])(?:
    (?P<y1>{YEAR})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}})(?=T|\b)
    |(?:(?P<from2>\d{{1,2}}){DAY_ORDINAL}{_TO})?(?P<d2>\d{{1,2}}){DAY_ORDINAL}
        (?:(?P<dash>\s*-\s*)|{BEFORE_MONTH})(?P<m2>{ANY_MONTH})(?![^\W\d])
        (?:(?(dash)\s*-|\.?\s*(?P<comma>,)?\s*(?:de\s+|del\s+)?)
          \s*(?P<y2>{YEAR}|'?\d{{2}}\b(?(comma)(?=\s*(?:[.,;)\]]|\Z)))(?!\s*,?\s*\d{{4}}|[:.–]\d))
          |[\s,]+(?P<y5>{YEAR}))
    |(?P<d6>\d{{1,2}})(?:\.?\s?|[-/])(?-i:(?P<roman>X?(?:IX|IV|V?I{{1,3}}|V)|XI{{0,2}}))(?:\.?\s?|[-/])(?P<y6>{YEAR})
    |(?P<a>\d{{1,2}})(?P<sep>[/.\-])(?P<b>\d{{1,2}})(?P=sep)(?P<y4>\d{{4}}|\d{{2}})(?!\d)
    |(?P<a7>\d{{1,2}})(?:\s/\s?|\.\s)(?P<b7>\d{{1,2}})(?:\s?/\s|\.\s)(?P<y7>{YEAR}))
    |(?=[adfjmnos])(?<!\w)(?P<m3>{MONTH})\b\.?\s+(?:(?P<from3>\d{{1,2}}){DAY_ORDINAL}{_TO})?
        (?P<d3>\d{{1,2}}){DAY_ORDINAL}(?:\s*,\s*|\s+)(?P<y3>\d{{4}})
    )(?![\d/])""",
    re.VERBOSE | re.IGNORECASE,
)
_FIRST_DAY = re.compile(
    rf"(?<!\w)(?:(?P<m>{MONTH})\b\.?\s+(?P<d>\d{{1,2}}){DAY_ORDINAL}"
    rf"|(?P<d2>\d{{1,2}}){DAY_ORDINAL}\s+(?P<m2>{MONTH})\b\.?)(?P<to>{_TO})\Z",
    re.IGNORECASE,
)
"""The beginning of a period whose year is given only at its end: "July 1 - July 31, 2014"."""
_LONGEST_FIRST_DAY, _LONGEST_WEEKDAY = 40, 14
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s*\Z", re.IGNORECASE)
_TIME = re.compile(
    r"(?<![\d:.])(?P<h>\d{1,2})(?:(?::|\.(?=\d\d\s?[ap]\.?m\b))(?P<m>\d{2})(?::(?P<s>\d{2})(?:\.\d+)?)?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?(?P<zone>Z\b|[+-]\d{2}:?\d{2})?"
    r"|\s?(?P<only_half>[ap])\.?m\b\.?)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w:.,/$€£-])(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)(?:\s?(?P<zone>Z|UTC|GMT)\b"
    r"|\s(?:[ECMP][SD]T|AK[SD]T|HST|BST|CES?T|EES?T|WES?T|IST|JST)\b"
    r"|\s(?i:(?:\w+\s)?(?:local|standard|daylight|universal)\stime\b|local\b(?!\s+\w))"
    r"|(?<=\bat\s\d{4})\s(?:h|hrs|hours)\b)"
)
"""Four digits as a time of day: followed by a time zone, or "at" before "1430 hours"."""


@dataclass(frozen=True)
class Moment:
    """A date, with a time if one follows. `certain` is false if the order is ambiguous."""

    day: date
    clock: time | None
    start: int
    end: int
    certain: bool = True

    @property
    def iso(self) -> str:
        """YYYY-MM-DDTHH:MM:SS, with the offset when one was written; midnight without a time."""
        return datetime.combine(self.day, self.clock or time()).isoformat()


def moments(text: str, *, day_first: bool = False) -> list[Moment]:
    """The dates in `text` in order; an impossible one (31 February) is skipped."""
    return _day_first(text) if day_first else _month_first(text)


@remembered
def _day_first(text: str) -> list[Moment]:
    return _moments(text, True)


@remembered
def _month_first(text: str) -> list[Moment]:
    return _moments(text, False)


def _moments(text: str, day_first: bool) -> list[Moment]:
    results = []
    for match in _DATE.finditer(text):
        read = _day(match, day_first)
        if read is None:
            continue
        day, certain = read
        clock, end = _clock_after(text, match.end())
        if (first := _first_day(text, match, day)) is not None:
            results.append(first)
        results.append(Moment(day, clock, match.start(), end, certain))
    return results


def written_day_first(text: str) -> bool | None:
    """The order of day and month that the dates of a document prove; None if none does."""
    for match in _DATE.finditer(text):
        if match["a"] or match["a7"]:
            if int(match["a"] or match["a7"]) > 12:
                return True
            if int(match["b"] or match["b7"]) > 12:
                return False
            if "." in (match["sep"] or match[0]):
                return True
            proved = _by_weekday(text, match)
            if proved is not None:
                return proved
    return None


def _by_weekday(text: str, match: re.Match[str]) -> bool | None:
    """The order of day and month for which the weekday in front is right; None without one."""
    weekday = _WEEKDAY.search(text[max(0, match.start() - _LONGEST_WEEKDAY) : match.start()])
    if weekday is None:
        return None
    number = WEEKDAYS.index(weekday[1].lower())
    fits = [
        read is not None and read[0].weekday() == number
        for read in (_day(match, True), _day(match, False))
    ]
    return fits[0] if fits[0] != fits[1] else None


@remembered
def clock_spans(text: str) -> list[tuple[int, int]]:
    """The positions of times of day."""
    return [match.span() for match in _clock_matches(text)]


@remembered
def clocks(text: str) -> list[tuple[time, int, int]]:
    """The times of day with their first and last character; impossible ones are skipped."""
    read = [(_clock(match), *match.span()) for match in _clock_matches(text)]
    return [(clock, start, end) for clock, start, end in read if clock is not None]


def _clock_matches(text: str) -> Iterator[re.Match[str]]:
    return chain(_TIME.finditer(text), _CLOCK.finditer(text))


def _day(match: re.Match[str], day_first: bool) -> tuple[date, bool] | None:
    certain = True
    if match["y1"]:
        year, month, number = int(match["y1"]), int(match["m1"]), int(match["d1"])
    elif match["m2"]:
        year = _year(match["y2"] or match["y5"])
        month, number = MONTHS[match["m2"].lower()], int(match["d2"])
    elif match["m3"]:
        year, month, number = int(match["y3"]), MONTHS[match["m3"].lower()], int(match["d3"])
    elif match["d6"]:
        if match["roman"] not in ROMAN_MONTHS:
            return None
        month = 1 + ROMAN_MONTHS.index(match["roman"])
        year, number = int(match["y6"]), int(match["d6"])
    else:
        first, second = int(match["a"] or match["a7"]), int(match["b"] or match["b7"])
        year = _year(match["y4"] or match["y7"])
        dotted = "." in (match["sep"] or match[0])
        day_comes_first = first > 12 or (second <= 12 and (day_first or dotted))
        number, month = (first, second) if day_comes_first else (second, first)
        certain = first > 12 or second > 12 or first == second or dotted
    try:
        return date(year, month, number), certain
    except ValueError:
        return None


def _first_day(text: str, match: re.Match[str], last: date) -> Moment | None:
    """The first day of the period that ends with the date in `match`, if it has no own year."""
    group = next((name for name in ("from2", "from3") if match[name]), None)
    if group is not None:
        start, end, month, day = *match.span(group), last.month, int(match[group])
    else:
        window = max(0, match.start() - _LONGEST_FIRST_DAY)
        before = _FIRST_DAY.search(text[window : match.start()])
        if before is None:
            return None
        start, end = window + before.start(), window + before.start("to")
        month = MONTHS[(before["m"] or before["m2"]).lower()]
        day = int(before["d"] or before["d2"])
    try:
        first = date(last.year - ((month, day) > (last.month, last.day)), month, day)
    except ValueError:
        return None
    return Moment(first, None, start, end)


def _year(written: str) -> int:
    digits = written.lstrip("'")
    if len(digits) == 4:
        return int(digits)
    return int(digits) + (2000 if int(digits) < 70 else 1900)


def _clock_after(text: str, end: int) -> tuple[time | None, int]:
    """The time of day right behind a date ("T14:05Z", ", 2:05 pm", " at 14:05")."""
    link = re.match(r"T|[\s,]*(?:at|about|around|approximately|@|-|–|\()?[\s,]*", text[end:])
    at = end + (link.end() if link else 0)
    match = _TIME.match(text, at) or _CLOCK.match(text, at)
    clock = _clock(match) if match is not None else None
    return (None, end) if match is None or clock is None else (clock, match.end())


def _clock(match: re.Match[str]) -> time | None:
    """The time of day of a match of `_TIME` or `_CLOCK`."""
    parts = match.groupdict()
    hour, half = int(parts["h"]), parts.get("half") or parts.get("only_half")
    if half:
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    minute, second = int(parts["m"] or 0), int(parts.get("s") or 0)
    try:
        return time(hour, minute, second, tzinfo=_zone(parts["zone"]))
    except ValueError:
        return None


def _zone(written: str | None) -> timezone | None:
    if not written:
        return None
    if written in ("Z", "z", "UTC", "GMT"):
        return UTC
    sign = -1 if written[0] == "-" else 1
    hours, minutes = int(written[1:3]), int(written[-2:])
    return timezone(sign * timedelta(hours=hours, minutes=minutes))
