"""Dates relative to a plan that asks for a time: `the first half`, `June`, `a year later`."""

from collections.abc import Sequence
from datetime import date, timedelta

from backend.language.common_words import NUMBER_WORDS
from backend.language.dates import Span, part_of_year, whole_month, whole_year
from backend.language.month_names import ENGLISH_MONTHS
from backend.language.tokens import Token

_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4,
             "4th": 4, "last": -1, "final": -1}  # fmt: skip
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_ON = frozenset({"after", "later", "afterwards", "following"})
_BACK = frozenset({"before", "earlier", "prior", "previously"})
_NEXT = frozenset({"next", "following", "subsequent"})
_LAST = frozenset({"previous", "preceding", "prior"})
_LEADING = frozenset(["from", "in", "since", "until", "till", "to", "before", "after", "by", "of"])
"""Words that mark a following `march` or `may` as a month."""
_ONE = frozenset({"a", "one", "the"})


def date_beside(tokens: Sequence[Token], i: int, period: Span) -> tuple[Span, int] | None:
    """The date that begins at token `i`, relative to the plan's period, and its number of tokens.

    None if the words have their own year or are no date.
    """
    for reader in (_shifted, _months_of, _part, _season, _month):
        dated = reader(tokens, i, period)
        if dated is not None:
            following = tokens[i + dated[1] :]
            of = following[:1] and following[0].lower in (",", "of", "in")
            next_tokens = following[1:2] if of else following[:1]
            return None if next_tokens and _is_year(next_tokens[0]) else dated
    return None


def _is_year(token: Token) -> bool:
    return token.kind == "number" and token.text.isdecimal() and len(token.text) == 4


def _word(tokens: Sequence[Token], i: int) -> str:
    return tokens[i].lower if i < len(tokens) else ""


def _year_of(period: Span) -> int | None:
    return period.start.year if period.start.year == period.end.year else None


def _shifted(tokens: Sequence[Token], i: int, period: Span) -> tuple[Span, int] | None:
    """`a year earlier`, `the month after`, `the next quarter`, relative to a year, month or
    quarter.
    """
    first, second, third = (_word(tokens, i + k) for k in range(3))
    months = _length(period)
    if first in _ONE and second in ("year", "quarter", "month") and third in _ON | _BACK:
        unit, way, length = second, third in _ON, 3
    elif first in _NEXT | _LAST and second in ("year", "quarter", "month"):
        unit, way, length = second, first in _NEXT, 2
    else:
        return None
    step = {"year": 12, "quarter": 3, "month": 1}[unit]
    if months is None or (step < months):
        return None
    place = period.start.year * 12 + period.start.month - 1 + (step if way else -step)
    last = place + months - 1
    start = whole_month(place // 12, place % 12 + 1).start
    return Span(start, whole_month(last // 12, last % 12 + 1).end), length


def _length(period: Span) -> int | None:
    """The number of whole months in a period; None if it starts or ends in mid-month."""
    begins = period.start.day == 1
    ends = (period.end + timedelta(1)).day == 1
    if not begins or not ends:
        return None
    years = period.end.year - period.start.year
    return years * 12 + period.end.month - period.start.month + 1


def _months_of(tokens: Sequence[Token], i: int, period: Span) -> tuple[Span, int] | None:
    """`the first six months` of a year or more."""
    word, count = _word(tokens, i), NUMBER_WORDS.get(_word(tokens, i + 1), _word(tokens, i + 1))
    months = _length(period)
    number = int(count) if str(count).isdecimal() else 0
    if word not in ("first", "last") or _word(tokens, i + 2) != "months":
        return None
    if months is None or not 0 < number < months:
        return None
    first = period.start.year * 12 + period.start.month - 1
    first += 0 if word == "first" else months - number
    last = first + number - 1
    start, end = whole_month(first // 12, first % 12 + 1), whole_month(last // 12, last % 12 + 1)
    return Span(start.start, end.end), 3


def _part(tokens: Sequence[Token], i: int, period: Span) -> tuple[Span, int] | None:
    """`the second half`, `Q3`, `last quarter`, with an optional `of the year`."""
    word, following = _word(tokens, i), _word(tokens, i + 1)
    if len(word) == 2 and word[0] in "qh" and word[1] in "1234":
        number, parts, length = int(word[1]), 4 if word[0] == "q" else 2, 1
    elif word in _ORDINALS and following in _PARTS:
        number, parts, length = _ORDINALS[word], _PARTS[following], 2
    else:
        return None
    number = parts if number == -1 else number
    if number > parts:
        return None
    length += _of_it(tokens, i + length)
    year = _year_of(period)
    if year is not None and (period == whole_year(year) or parts == 4):
        span = part_of_year(year, number, parts)
        return Span(span.start, span.end), length
    days = (period.end - period.start).days + 1
    start = period.start + timedelta(days * (number - 1) // parts)
    end = period.start + timedelta(days * number // parts - 1)
    return Span(start, end), length


def _of_it(tokens: Sequence[Token], i: int) -> int:
    """The number of tokens in `of the year`, `of that period`."""
    if _word(tokens, i) != "of" or _word(tokens, i + 1) not in ("the", "that", "this"):
        return 0
    return 3 if _word(tokens, i + 2) in ("year", "period", "time", "range") else 0


def _season(tokens: Sequence[Token], i: int, period: Span) -> tuple[Span, int] | None:
    first = _SEASONS.get(_word(tokens, i))
    year = _year_of(period)
    if first is None or year is None:
        return None
    place = year * 12 + first + 1
    span = Span(date(year, first, 1), whole_month(place // 12, place % 12 + 1).end)
    note = f"took “{tokens[i].text}” to be {span.start} to {span.end}"
    return Span(span.start, span.end, note=note), 1


def _month(tokens: Sequence[Token], i: int, period: Span) -> tuple[Span, int] | None:
    """A month without a year that is not followed by a day."""
    month, year = ENGLISH_MONTHS.get(_word(tokens, i)), _year_of(period)
    if month is None or year is None or _word(tokens, i + 1).isdecimal():
        return None
    verb = _word(tokens, i) in ("may", "march") and not tokens[i].text[0].isupper()
    led = i > 0 and _word(tokens, i - 1) in _LEADING
    return None if verb and not led else (whole_month(year, month), 1)
