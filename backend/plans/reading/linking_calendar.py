"""Links words for recurring times: times of day, weekdays, months of the year, and their days.

Such words do not say which date they refer to: each of a few dates gets its link.
"""

from collections.abc import Iterator, Sequence

from backend.language.clock import clock_at
from backend.language.tokens import Token
from backend.language.words import stem
from backend.plans.reading.chart import REMARK, Chart
from backend.plans.reading.derived_properties import counted_in, of_two, part_of_date
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.derived_fields import WEEKDAYS, OfTwo, PartOfDate

_MOST_DATES = 4
_PHRASES: tuple[tuple[str, PartOfDate], ...] = (
    ("weekday", "weekday"), ("weekdays", "weekday"), ("day of week", "weekday"),
    ("day of the week", "weekday"), ("days of the week", "weekday"),
    ("month of the year", "month_of_year"), ("months of the year", "month_of_year"),
    ("calendar month", "month_of_year"), ("calendar months", "month_of_year"),
    ("month of year", "month_of_year"), ("quarter of the year", "quarter_of_year"),
    ("hour of the day", "hour"), ("hour of day", "hour"), ("hours of the day", "hour"),
)  # fmt: skip
_WORKING = ("working day", "work day", "workday", "business day")
_DAYS: dict[str, tuple[str, ...]] = {
    **{form: (day,) for day in WEEKDAYS for form in (day.lower(), day.lower() + "s")},
    **{form: WEEKDAYS[5:] for form in ("weekend", "weekends")},
    **{form + end: WEEKDAYS[:5] for form in _WORKING for end in ("", "s")},
    **{form: WEEKDAYS[:5] for form in ("weekdays", "week days")},
}


def calendar_links(
    chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary, values: type
) -> None:
    """Adds the links to a chart; `values` builds a value from a property and its values."""
    for i, token in enumerate(tokens):
        time = clock_at(tokens, i) if token.kind in ("word", "number") else None
        if time is not None:
            span, length = time
            remark = [(REMARK + span.note, 1.0)] if span.note else []
            chart.add(i, i + length, "Date", span, (("date", 1.0), *remark))
    dated = [prop for prop in vocabulary.properties if prop.dated][:_MOST_DATES]
    named = [("derived: date unnamed", 1.0)]
    if len(dated) > 1:
        named.append(("derived: several dates", 1.0))
    for prop in dated:
        main = len(dated) > 1 and prop.field == vocabulary.main_date
        features = (*named, *([("derived: the date of the documents", 1.0)] if main else []))
        for start, end, part in _phrases(tokens):
            made = part_of_date(prop, part)
            if made is not None:
                chart.add(start, end, "Prop", made, features)
        weekday = part_of_date(prop, "weekday")
        for start, end, days in _days(tokens):
            if weekday is not None:
                chart.add(start, end, "Val", values(weekday, days), features)


_UNITS: dict[OfTwo, tuple[str, ...]] = {
    "hours_since": ("hours", "hour"), "minutes_since": ("minutes",)
}  # fmt: skip
_LASTING = ("duration", "durations", "took", "take", "takes", "lasted", "lasts")


def period_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Links `duration` and `took` to the days from beginning to end, if the documents have one date
    of each and no other duration.
    """
    span = time_between(vocabulary)
    if span is None:
        return
    for word in _LASTING:
        for start, stop in _places(tokens, word):
            chart.add(start, stop, "Prop", span, (("derived: period", 1.0),))
    for unit, words in _UNITS.items():
        fine = counted_in(span, unit)
        for word in words if fine is not None else ():
            for start, stop in _places(tokens, word):
                chart.add(start, stop, "Prop", fine, (("derived: period", 1.0),))


def time_between(vocabulary: Vocabulary) -> Property | None:
    """The days from the beginning to the end of what a document is about, if it has one date of
    each and no other duration.
    """
    if vocabulary.stay is None:
        return None
    begin, end = vocabulary.stay
    lasting = stem("duration")
    if any(lasting in {*p.parts, *p.described} for p in vocabulary.properties):
        return None
    return of_two("days_since", end, begin)


def _phrases(tokens: Sequence[Token]) -> Iterator[tuple[int, int, PartOfDate]]:
    for phrase, part in _PHRASES:
        for start, end in _places(tokens, phrase):
            yield start, end, part


def _days(tokens: Sequence[Token]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    for phrase, days in _DAYS.items():
        for start, end in _places(tokens, phrase):
            yield start, end, days


def _places(tokens: Sequence[Token], phrase: str) -> Iterator[tuple[int, int]]:
    words = phrase.split()
    for start in range(len(tokens) - len(words) + 1):
        if [token.lower for token in tokens[start : start + len(words)]] == words:
            yield start, start + len(words)
