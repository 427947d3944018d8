"""Dates that lean on others: without a year, without a month, or in words.

Letters and notes often give the year only once, and the month once in a paragraph: "on Friday the
3rd", "19 July", "15, 16 and 17 May", "by the end of March", "yesterday". A weekday determines the
year or month if several are possible; otherwise the nearest one to the date that it leans on is
used.
"""

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from backend.extraction.dates import BEFORE_MONTH, DAY_ORDINAL, WEEKDAYS, YEAR, Moment
from backend.extraction.words import STOP
from backend.language.month_names import ANY_MONTH, MONTH, MONTHS, ROMAN_MONTHS
from backend.language.number_words import ORDINALS

_WEEKDAY = r"(?P<weekday>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\b\.?,?\s+"
_YEARLESS = re.compile(
    rf"""(?<![\w./-])(?:{_WEEKDAY})?
    (?:(?P<d>\d{{1,2}}){DAY_ORDINAL}{BEFORE_MONTH}(?P<m>{ANY_MONTH})\b
        (?!\.?,?\s*'?\d{{2,4}}\b(?![:.]\d))
    |(?P<m2>{MONTH})\b\.?\s+(?P<d2>\d{{1,2}}){DAY_ORDINAL}\b(?![.,:/]?\d)(?!,?\s+\d{{4}}))
    |(?<![\w./,-])(?:(?P<d3>\d{{1,2}})\.(?P<m3>\d{{1,2}})\.(?=[\s,;)]|$)
    |(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})(?![\w/.%-])
    |(?P<d4>\d{{1,2}})\s(?-i:(?P<roman>IX|IV|VI{{1,3}}|XI{{1,2}}|I{{2,3}}))(?!\w))""",
    re.VERBOSE | re.IGNORECASE,
)
_BEHIND_DAY = "|".join(sorted(STOP - {"of"}, key=len, reverse=True)) + (
    "|noon|midday|midnight|morning|afternoon|evening|night|already|instead|alone|again|only|about"
    "|before|after|until|till|towards?|when|while|but|so|because|i|we|you|he|she|they"
)
_DAY = re.compile(
    rf"(?<![\w.,/-])(?:(?:{_WEEKDAY})(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th))\b"
    rf"(?=\s*$|\s*[,;!?)\]–—]|[.:](?!\d)|\s+(?:(?:{_BEHIND_DAY})\b|of\s+th(?:e|is|at)\s+month\b))"
    rf"(?!\s*+(?:[–—-]\s*+)?(?:{MONTH})\b|\s*+:\d)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    rf"(?<![\w.,:/-])(?:{_WEEKDAY})?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"(?P<to>\s*(?:,\s*(?:and\s+)?|\band\s+|&\s*|\bor\s+|[-–—]\s*|\bto\s+|\buntil\s+|\bthrough\s+))"
    rf"(?:(?:mon|tue|wed|thu|fri|sat|sun)\w*\.?\s+)?\Z",
    re.IGNORECASE,
)
_MOST_LISTED, _LONGEST_LISTED = 8, 30
_ORDINALS = (*ORDINALS, *(f"twenty-{one}" for one in ORDINALS[:9]), "thirtieth", "thirty-first")
_FEASTS = {
    "new year's eve": (12, 31), "new year's day": (1, 1), "christmas eve": (12, 24),
    "christmas day": (12, 25), "boxing day": (12, 26),
}  # fmt: skip
_SHIFTS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_WORDED = re.compile(
    rf"(?<!\w)(?:(?:the\s+)?(?P<ordinal>{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})\s+"
    rf"(?:day\s+)?of\s+(?P<m>{MONTH})\b(?:,?\s+(?P<y>{YEAR})\b)?"
    rf"|(?:end|last\s+day)\s+of\s+(?:(?P<m2>{MONTH})\b(?:,?\s+(?P<y2>{YEAR})\b)?"
    rf"|(?P<this>th(?:e|is)\s+month)\b)"
    rf"|(?P<feast>{'|'.join(_FEASTS).replace(chr(39), '[’' + chr(39) + ']')})\b"
    rf"|(?P<shift>{'|'.join(_SHIFTS)})\b"
    rf"|(?:the\s+)?(?P<next>next|following)\s+(?:day|morning|afternoon|evening)\b)",
    re.IGNORECASE,
)
_MARK = re.compile(r"\d|\bof\b|day|morning|evening|morrow|\beve\b", re.IGNORECASE)
_WRITTEN_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d,.]\d)")
_MIDDLE = (7, 1)
_FRACTIONS = 8
SAME_TIME = timedelta(400)


def may_lean(text: str) -> bool:
    """Whether a text may contain a date, to skip those that cannot."""
    return _MARK.search(text) is not None


def year_near(texts: Sequence[str], full: Sequence[date]) -> date | None:
    """The day near which dates without a year are assumed to lie: the first full date in the most
    frequent year of the document, or else the middle of the latest year that its texts mention.
    """
    if full:
        ((usual, _),) = Counter(day.year for day in full).most_common(1)
        return next(day for day in full if day.year == usual)
    years = {match[0] for text in texts for match in _WRITTEN_YEAR.finditer(text)}
    return date(int(max(years)), *_MIDDLE) if years else None


class Anchors(NamedTuple):
    """What the dates of a text lean on unless a date in front of them does: without a year, without
    a month, and counted from the day of writing.
    """

    year: date
    month: date
    written: date


def leaning(
    text: str, full: Sequence[Moment], anchors: Anchors, *, day_first: bool
) -> list[Moment]:
    """All dates of a text in order, its full ones and those that lean on others.

    Example: near 20 December 2024 "Reply by 11 February" has 11 February 2025.
    """
    out = list(full)
    _add(out, _without_year(text, full, anchors.year, day_first))
    for moment in list(out):
        _add(out, _list_before(text, moment))
    out.sort(key=_begins)
    _add(out, _without_month(text, list(out), anchors.month))
    _add(out, _in_words(text, list(out), anchors))
    return sorted(out, key=_begins)


def _close(match: re.Match[str], known: Sequence[Moment], otherwise: date) -> date:
    """The last date in front of a match, unless it is of another time, like a day of birth."""
    near = (one.day for one in reversed(known) if one.start < match.start())
    return next((day for day in near if abs(day - otherwise) <= SAME_TIME), otherwise)


def _add(known: list[Moment], others: Iterator[Moment]) -> None:
    """Adds those dates that do not overlap with known ones."""
    for one in others:
        if not any(one.start < other.end and other.start < one.end for other in known):
            known.append(one)


def _without_year(
    text: str, full: Sequence[Moment], otherwise: date, day_first: bool
) -> Iterator[Moment]:
    for match in _YEARLESS.finditer(text):
        read = _day_and_month(match, day_first)
        if read is None:
            continue
        number, month, start = read
        near = _close(match, full, otherwise)
        day = _nearest([_date(near.year + n, month, number) for n in (-1, 0, 1)], near, match)
        if day is not None:
            yield Moment(day, None, start, match.end(), False)


def _day_and_month(match: re.Match[str], day_first: bool) -> tuple[int, int, int] | None:
    """Day and month of a date without a year, and its offset; None if it is no date."""
    name = match["m"] or match["m2"]
    if name is not None:
        if name == "may" and match["m2"]:
            return None  # "may 10 people come"
        group = "d" if match["m"] else "d2"
        return int(match[group]), MONTHS[name.lower()], match.start("d" if match["d"] else "m2")
    if match["roman"]:
        return int(match["d4"]), 1 + ROMAN_MONTHS.index(match["roman"]), match.start()
    if match["d3"]:
        if not match.start() and not match["m3"].startswith("0"):
            return None  # "2.3. Title" is the number of a section
        return int(match["d3"]), int(match["m3"]), match.start()
    first, second = int(match["a"]), int(match["b"])
    if (first < second <= _FRACTIONS and not match["weekday"]) or (first, second) == (24, 7):
        return None  # "3/4", "24/7"
    swapped = second > 12 or (first <= 12 and not day_first)
    return (second, first, match.start()) if swapped else (first, second, match.start())


def _list_before(text: str, moment: Moment) -> Iterator[Moment]:
    """The other days of a list or range that ends with a date: "15, 16 and 17 May"."""
    start, day = moment.start, moment.day
    if not text[start : start + 1].isdigit():
        return
    for _ in range(_MOST_LISTED):
        window = max(0, start - _LONGEST_LISTED)
        match = _LISTED.search(text[window:start])
        if match is None:
            return
        back = int(match["d"]) >= day.day
        other = _date(*_months_from(day, -int(back)), int(match["d"]))
        if other is None:
            return
        day, start = other, window + match.start("d")
        yield Moment(day, None, start, window + match.end("d"), False)


def _without_month(text: str, known: Sequence[Moment], otherwise: date) -> Iterator[Moment]:
    """Days with nothing but their number: "Saturday the 22nd", "until the 30th"."""
    for match in _DAY.finditer(text):
        close = _close(match, known, otherwise)
        number = int(match["d"] or match["d2"])
        days = [_date(*_months_from(close, step), number) for step in (-1, 0, 1)]
        day = _nearest(days, close, match)
        if day is not None:
            yield Moment(day, None, match.start("d" if match["d"] else "d2"), match.end(), False)


def _in_words(text: str, known: Sequence[Moment], anchors: Anchors) -> Iterator[Moment]:
    for match in _WORDED.finditer(text):
        day = _named(match, _close(match, known, anchors.month), anchors.written)
        if day is not None:
            yield Moment(day, None, *match.span(), False)


def _named(match: re.Match[str], close: date, written: date) -> date | None:
    """The day that words stand for."""
    if match["shift"]:
        return written + timedelta(_SHIFTS[match["shift"].lower()])
    if match["next"]:
        return close + timedelta(1)
    if match["this"]:
        return close.replace(day=monthrange(close.year, close.month)[1])
    if match["feast"]:
        month, number = _FEASTS[match["feast"].lower().replace("’", "'")]
    else:
        month = MONTHS[(match["m"] or match["m2"]).lower()]
        number = 0 if match["m2"] else 1 + _ORDINALS.index(match["ordinal"].lower())
    year_given = match["y"] or match["y2"]
    years = [int(year_given)] if year_given else [close.year + step for step in (-1, 0, 1)]
    days = [_date(year, month, number or monthrange(year, month)[1]) for year in years]
    return min((day for day in days if day), key=lambda one: abs(one - close), default=None)


def _nearest(days: Sequence[date | None], near: date, match: re.Match[str]) -> date | None:
    """The nearest of some days; if a weekday is written, of those with that weekday."""
    real = [day for day in days if day is not None]
    if match["weekday"]:
        number = WEEKDAYS.index(match["weekday"].lower())
        real = [day for day in real if day.weekday() == number] or real
    return min(real, key=lambda one: abs(one - near), default=None)


def _months_from(day: date, step: int) -> tuple[int, int]:
    """Year and month so many months from a day."""
    year, month = divmod(12 * day.year + day.month - 1 + step, 12)
    return year, month + 1


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _begins(moment: Moment) -> int:
    return moment.start
