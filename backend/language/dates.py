"""Dates and time spans in English: absolute, parts of years, relative to today."""

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from backend.language.month_names import ENGLISH_MONTHS
from backend.language.number_words import ORDINALS
from backend.language.tokens import Token

_ORDINAL_WORDS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4,
                  "4th": 4, "last": 4}  # fmt: skip
_SMALL = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
          "nine": 9, "ten": 10, "twelve": 12, "couple": 2, "few": 3}  # fmt: skip
_PERIODS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365, "decade": 3652}
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})


@dataclass(frozen=True)
class Span:
    """Days from `start` to `end`, both included.

    `year` is set for a bare number that may not be a date at all. `yearless` marks a month, a
    quarter or a day without a year, which means that part of every year. `ago` marks a point
    counted back from today: more of it is earlier. `note` reports how vague words were interpreted.
    `hours` are those of every day instead, from and to, which may be over midnight.
    """

    start: date
    end: date
    year: int | None = None
    yearless: bool = False
    ago: bool = False
    note: str | None = None
    hours: tuple[float, float] | None = None


def from_to(first: Span, last: Span) -> Span | None:
    """From the beginning of one to the end of the other, whichever is named first. None for parts
    of every year in reverse: November to March is over the turn of the year.
    """
    if first.hours and last.hours:
        return replace(first, hours=(first.hours[0], last.hours[0]))
    if first.hours or last.hours:
        return None
    if first.start > last.end:
        if first.yearless or last.yearless:
            return None
        first, last = last, first
    return replace(first, end=last.end)


def whole_year(year: int) -> Span:
    return Span(date(year, 1, 1), date(year, 12, 31))


def whole_month(year: int, month: int) -> Span:
    return Span(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def in_year(span: Span, year: int) -> Span:
    """The same part of another year."""
    move = year - span.start.year
    end = _moved(span.end, move)
    if span.end.month == 2 and (span.end + timedelta(1)).day == 1:
        end = whole_month(end.year, 2).end
    return Span(_moved(span.start, move), end)


def _moved(day: date, years: int) -> date:
    last = monthrange(day.year + years, day.month)[1]
    return date(day.year + years, day.month, min(day.day, last))


def part_of_year(year: int, part: int, parts: int) -> Span:
    """Part 1..`parts` of a year: quarters with 4, halves with 2."""
    length = 12 // parts
    last = part * length
    return Span(whole_month(year, last - length + 1).start, whole_month(year, last).end)


def date_at(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    """The date that begins at token `i`, and its number of tokens."""
    for reader in (
        _edge,
        _century,
        _part_of_month,
        _vague,
        _ago,
        _written_day,
        _month_first,
        _day_first,
        _months_of_year,
        _part,
        _relative,
        _decade,
        _bare_year,
    ):
        match = reader(tokens, i, today)
        if match is not None:
            return match
    return None


_SIDES = frozenset({"before", "by", "until", "till", "to", "after", "since", "through"})


def _edge(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    """`before the end of 2025`, `after the start of March 2024`: the day on that side."""
    word, j = _word(tokens, i), i + 1 + (_word(tokens, i + 1) == "of")
    side = _word(tokens, i - 1) if _word(tokens, i - 1) != "the" else _word(tokens, i - 2)
    if word not in ("end", "start", "beginning") or side not in _SIDES or j == i + 1:
        return None
    month, year = ENGLISH_MONTHS.get(_word(tokens, j)), _year(tokens, j)
    length = 1
    if month is not None:
        year, length = _year(tokens, j + 1), 2
    if year is None:
        return None
    whole = whole_year(year) if month is None else whole_month(year, month)
    day = whole.end if word == "end" else whole.start
    if word == "end" and side == "before":
        day += timedelta(1)  # the last day itself is before the end
    return Span(day, day), j + length - i


_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_THIRDS = {
    "early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2,
}  # fmt: skip


def _vague(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    """`summer 2022`, `early 2023`, `the end of 2021`: spans without exact limits."""
    word, j = _word(tokens, i), i + 1
    if word not in _SEASONS and word not in _THIRDS:
        return None
    # "projects that end in 2024" does not mean the end of 2024.
    linked = _word(tokens, j) in (("of",) if word in _POINTS else ("of", "-", "in"))
    if word in _POINTS and not linked:
        return None
    j += linked
    year = _year(tokens, j)
    if year is None:
        return _season(tokens, i, word, today)
    if word in _SEASONS:
        first, last = _season_of(year, word)
    else:
        first = whole_month(year, 4 * _THIRDS[word] + 1)
        last = whole_month(year, 4 * _THIRDS[word] + 4)
    words = " ".join(token.text for token in tokens[i : j + 1])
    note = f"took “{words}” to be {first.start} to {last.end}"
    return Span(first.start, last.end, note=note), j + 1 - i


_POINTS = frozenset({"beginning", "start", "middle", "end"})
"""Words for thirds of a year that may also be verbs."""


def _part_of_month(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    """`the end of December 2024`, `early March 2023`: about ten days."""
    third = _THIRDS.get(_word(tokens, i))
    j = i + 1 + (_word(tokens, i + 1) == "of")
    month, year = ENGLISH_MONTHS.get(_word(tokens, j)), _year(tokens, j + 1)
    if third is None or month is None or year is None:
        return None
    whole = whole_month(year, month)
    start = whole.start.replace(day=10 * third + 1)
    end = whole.end if third == 2 else whole.start.replace(day=10 * third + 10)
    words = " ".join(token.text for token in tokens[i : j + 2])
    return Span(start, end, note=f"took “{words}” to be {start} to {end}"), j + 2 - i


def _season_of(year: int, word: str) -> tuple[Span, Span]:
    place = year * 12 + _SEASONS[word] + 1
    return whole_month(year, _SEASONS[word]), whole_month(place // 12, place % 12 + 1)


def _season(tokens: Sequence[Token], i: int, word: str, today: date) -> tuple[Span, int] | None:
    """`in summer`: of every year."""
    months = _word(tokens, i + 1) in ("months", "month", "season", "seasons")
    placed = _word(tokens, i - 1) in ("in", "during", "the", "every", "each")
    if word not in _SEASONS or not (placed or months):
        return None
    first, last = _season_of(today.year, word)
    note = f"took “{word}” to be {first.start:%B} to {last.end:%B}"
    return Span(first.start, last.end, yearless=True, note=note), 1 + months


def _century(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    """`19th century`, `the twentieth century`."""
    word, j = _word(tokens, i), i + 1
    number = int(word) if word.isdecimal() else _CENTURIES.get(word, 0)
    j += word.isdecimal() and _word(tokens, j) in _SUFFIXES
    j += _word(tokens, j) == "-"
    if not 10 < number < 30 or _word(tokens, j) not in ("century", "centuries"):
        return None
    first = 100 * (number - 1) + 1
    note = f"took the {number}th century to be {first} to {first + 99}"
    return Span(date(first, 1, 1), date(first + 99, 12, 31), note=note), j + 1 - i


_CENTURIES = {"seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20}


def _ago(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    """`two years ago`, `3 months ago`: counted back from today."""
    word = _word(tokens, i)
    count = 1 if word in ("a", "an") else int(word) if word.isdecimal() else _SMALL.get(word)
    unit = _word(tokens, i + 1).removesuffix("s")
    if not count or unit not in _PERIODS or _word(tokens, i + 2) != "ago":
        return None
    day = _back(today, unit, count)
    return Span(day, day, ago=True), 3


def _word(tokens: Sequence[Token], i: int) -> str:
    return tokens[i].lower if 0 <= i < len(tokens) else ""


def _year(tokens: Sequence[Token], i: int) -> int | None:
    word = _word(tokens, i)
    return int(word) if word.isdecimal() and 1900 <= int(word) <= 2100 and len(word) == 4 else None


def _valid(year: int, month: int, day: int) -> Span | None:
    try:
        return Span(date(year, month, day), date(year, month, day))
    except ValueError:
        return None


def _written_day(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    if tokens[i].kind != "day":
        return None
    if "-" in tokens[i].text:
        year, month, day = map(int, tokens[i].text.split("-"))
    else:
        month, day, year = map(int, tokens[i].text.split("/"))
        if month > 12:
            month, day = day, month
    span = _valid(year, month, day)
    return None if span is None else (span, 1)


def _day_number(tokens: Sequence[Token], i: int) -> tuple[int, int] | None:
    """A day of a month, `5` or `5th`, and its number of tokens."""
    word = _word(tokens, i)
    if not word.isdecimal():
        return _day_in_words(tokens, i)
    if not 1 <= int(word) <= 31:
        return None
    suffixed = _word(tokens, i + 1) in _SUFFIXES and tokens[i + 1].joined
    return int(word), 2 if suffixed else 1


def _day_in_words(tokens: Sequence[Token], i: int) -> tuple[int, int] | None:
    """`first`, `thirty-first`, in front of `of March`."""
    tens = {"twenty": 20, "thirty": 30}.get(_word(tokens, i), 0)
    j = i + (1 + (_word(tokens, i + 1) == "-") if tens else 0)
    day = _DAYS.get(_word(tokens, j), 0)
    if not day or tens + day > 31 or (tens and day > 9):
        return None
    behind = _word(tokens, j + 1) == "of" and _word(tokens, j + 2) in ENGLISH_MONTHS
    return (tens + day, j + 1 - i) if behind else None


_DAYS = {word: day for day, word in enumerate(ORDINALS, 1)} | {"thirtieth": 30}


def _month_first(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    month = ENGLISH_MONTHS.get(_word(tokens, i))
    if month is None:
        return None
    j = i + 1 + (_word(tokens, i + 1) == ".")
    day = _day_number(tokens, j)
    if day is not None:
        k = j + day[1]
        k += _word(tokens, k) in (",", "of")
        year = _year(tokens, k)
        if year is None:
            span = _valid(today.year, month, day[0])
            return None if span is None else (replace(span, yearless=True), j + day[1] - i)
        span = _valid(year, month, day[0])
        if span is not None:
            return span, k + 1 - i
    k = j + (_word(tokens, j) in (",", "of"))
    year = _year(tokens, k)
    if year is not None:
        return whole_month(year, month), k + 1 - i
    # "may" is a verb and "march" can be one: alone they count only when capitalised.
    doubtful = tokens[i].lower in ("may", "march", "mar", "jan", "sep", "dec")
    if doubtful and tokens[i].text[0].islower() and _word(tokens, i - 1) not in _BEFORE_MONTHS:
        return None
    whole = whole_month(today.year, month)
    return Span(whole.start, whole.end, yearless=True), 1


_BEFORE_MONTHS = frozenset(
    {"in", "during", "since", "until", "before", "after", "between", "from", "of", "last", "till"}
)


def _day_first(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    day = _day_number(tokens, i)
    if day is None:
        return None
    j = i + day[1]
    j += _word(tokens, j) == "of"
    month = ENGLISH_MONTHS.get(_word(tokens, j))
    k = j + 1
    k += _word(tokens, k) in (",", ".")
    year = _year(tokens, k)
    if month is None:
        return None
    span = _valid(today.year if year is None else year, month, day[0])
    if span is None:
        return None
    if year is None:
        return replace(span, yearless=True), j + 1 - i
    return span, k + 1 - i


def _months_of_year(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    """`first three months of 2024`, `last 2 months of 2023`."""
    end, count = _word(tokens, i), _word(tokens, i + 1)
    number = int(count) if count.isdecimal() else _SMALL.get(count, 0)
    of_year = _word(tokens, i + 2) == "months" and _word(tokens, i + 3) in ("of", "in")
    year = _year(tokens, i + 4)
    if end not in ("first", "last") or not of_year or year is None or not 1 <= number <= 12:
        return None
    months = (1, number) if end == "first" else (13 - number, 12)
    return Span(whole_month(year, months[0]).start, whole_month(year, months[1]).end), 5


def _part(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    """Quarters and halves: `Q1 2021`, `first half of 2022`, `2021 Q3`."""
    word = _word(tokens, i)
    number, parts, j = 0, 0, i + 1
    if len(word) == 2 and word[0] in "qh" and word[1] in "1234":
        number, parts = int(word[1]), 4 if word[0] == "q" else 2
    elif word in _ORDINAL_WORDS and _word(tokens, i + 1) in ("quarter", "half"):
        parts = 4 if _word(tokens, i + 1) == "quarter" else 2
        number, j = _ORDINAL_WORDS[word], i + 2
        number = min(number, parts)
    if not parts or number > parts:
        return None
    k = j + (_word(tokens, j) in ("of", "in", ","))
    year = _year(tokens, k)
    if year is not None:
        return part_of_year(year, number, parts), k + 1 - i
    span = part_of_year(today.year, number, parts)
    return replace(span, yearless=True), j - i


def _relative(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    word, following = _word(tokens, i), _word(tokens, i + 1)
    if word == "today":
        return Span(today, today), 1
    if word == "yesterday":
        day = today - timedelta(1)
        return Span(day, day), 1
    if word in ("this", "current", "last", "previous", "past") and following in _PERIODS:
        back = 0 if word in ("this", "current") else 1
        return _period(following, back, today), 2
    if word in ("next", "coming") and following in _PERIODS:
        return _period(following, -1, today), 2
    if word in ("last", "past", "previous", "recent"):
        count = int(following) if following.isdecimal() else _SMALL.get(following)
        unit = _word(tokens, i + 2).removesuffix("s")
        if count and unit in _PERIODS:
            return Span(_back(today, unit, count) + timedelta(1), today), 3
    return None


def _back(today: date, unit: str, count: int) -> date:
    if unit in ("month", "quarter", "year", "decade"):
        months = count * {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
        place = today.year * 12 + today.month - 1 - months
        year, month = divmod(place, 12)
        if year < 1:
            return date.min
        return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))
    days = count * _PERIODS[unit]
    return today - timedelta(days) if days < today.toordinal() else date.min


def _period(unit: str, back: int, today: date) -> Span:
    """The calendar period that contains today, or the one `back` before it."""
    if unit == "day":
        day = today - timedelta(back)
        return Span(day, day)
    if unit == "week":
        monday = today - timedelta(today.weekday() + 7 * back)
        return Span(monday, monday + timedelta(6))
    if unit == "month":
        place = today.year * 12 + today.month - 1 - back
        return whole_month(place // 12, place % 12 + 1)
    if unit == "quarter":
        place = today.year * 4 + (today.month - 1) // 3 - back
        return part_of_year(place // 4, place % 4 + 1, 4)
    if unit == "decade":
        first = today.year // 10 * 10 - 10 * back
        return Span(date(first, 1, 1), date(first + 9, 12, 31))
    return whole_year(today.year - back)


def _decade(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    year = _year(tokens, i)
    plural = _word(tokens, i + 1) == "s" and i + 1 < len(tokens) and tokens[i + 1].joined
    if year is not None and plural and year % 10 == 0:
        return Span(date(year, 1, 1), date(year + 9, 12, 31)), 2
    first = _DECADES.get(_word(tokens, i))
    if first is None or _word(tokens, i - 1) not in ("the", "s", "early", "late", "in"):
        return None
    note = f"took “{tokens[i].text}” to be {first} to {first + 9}"
    return Span(date(first, 1, 1), date(first + 9, 12, 31), note=note), 1


_DECADES = {"twenties": 1920, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960,
            "seventies": 1970, "eighties": 1980, "nineties": 1990}  # fmt: skip


def _bare_year(tokens: Sequence[Token], i: int, today: date) -> tuple[Span, int] | None:
    year = _year(tokens, i)
    if year is None:
        return None
    if len(_word(tokens, i + 1)) == 2 and _word(tokens, i + 1)[0] in "qh":
        part = _part([tokens[i + 1], tokens[i]], 0, today)
        if part is not None:
            return part[0], 2
    whole = whole_year(year)
    return Span(whole.start, whole.end, year=year), 1
