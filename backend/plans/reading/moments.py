"""Decides which of several dates words about time refer to.

First a word in both the request and a date's name decides (`inspected in 2023`), then the plan's
current filters, then the dates that the collection contains. `oldest` refers to when a thing was
made, `latest` to when something happened, `running on` to a start and an end.
"""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from backend.language.dates import Span
from backend.language.synonyms import root
from backend.language.words import stem
from backend.plans.reading.cascade import Reader, Unclear
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property

_MAKING = frozenset(
    root(stem(word))
    for word in """
    built build building made make making construction constructed founded founding foundation
    established created creation composed written born birth manufactured produced published planted
    """.split()  # noqa: SIM905
)
_DAYS_OF_MONTH = 31


def dated_property(
    reader: Reader, near: Piece | None, spans: Sequence[Span], words: str
) -> Property:
    """The property that time spans refer to: one named beside them, or the likeliest date."""
    if near is not None:
        named = reader.choose(near, lambda p: p.dated or p.is_year)
        if named is not None:
            return named
    candidates = _candidates(reader, years=all(_whole_years(span) for span in spans))
    if not candidates:
        raise Unclear(
            "unknown_property", words, f"no property contains dates, so “{words}” cannot be used"
        )
    mentioned = _most_mentioned(reader, candidates)
    used = [prop for prop in candidates if prop.field in reader.in_use]
    containing = [prop for prop in candidates if any(_holds(prop, span) for span in spans)]
    chosen = (mentioned or used or containing or candidates)[0]
    others = [prop for prop in candidates if prop is not chosen and not prop.is_year]
    if others and not mentioned and not used:
        reader.assume(f"took “{words}” to be about {chosen.label}, not {others[0].label}")
    return chosen


def moment(reader: Reader, *, of_making: bool = False) -> Property | None:
    """The date of the documents: of the event, or of making."""
    candidates = _candidates(reader, years=False)
    years = [prop for prop in reader.vocabulary.properties if prop.is_year]
    if of_making:
        made = [
            p for p in (*years, *candidates) if _MAKING & set(map(root, (*p.parts, *p.described)))
        ]
        candidates = made or [*years, *candidates]
        filtered = [
            p for p in (*years, *_candidates(reader, years=False)) if p.field in reader.in_use
        ]
        if filtered and not any(prop in filtered for prop in candidates):
            return filtered[0]
    mentioned = _most_mentioned(reader, [*candidates, *years]) if not of_making else []
    used = [prop for prop in candidates if prop.field in reader.in_use]
    return next(iter(mentioned or used or candidates or years), None)


def counted_time(reader: Reader, bucket: str) -> Property | None:
    """What `per year` or `monthly` divides: a property of years only if years are asked for."""
    candidates = _candidates(reader, years=bucket == "year")
    used = [prop for prop in candidates if prop.field in reader.in_use]
    return next(iter(_most_mentioned(reader, candidates) or used or candidates), None)


def _candidates(reader: Reader, *, years: bool) -> list[Property]:
    """Dates before years, and years only if possible."""
    known = reader.vocabulary.properties
    first = [prop for prop in known if prop.is_year] if years else []
    return [*first, *reader.vocabulary.dates]


def _most_mentioned(reader: Reader, candidates: Sequence[Property]) -> list[Property]:
    """The properties whose names share most words with the request, if any."""
    spoken = {root(token.stem) for token in reader.tokens if token.kind == "word"}
    shares = {
        prop.field: Fraction(len(spoken & set(map(root, prop.parts))), max(1, len(prop.parts)))
        for prop in candidates
    }
    best = max(shares.values(), default=Fraction(0))
    return [prop for prop in candidates if shares[prop.field] == best] if best else []


def _whole_years(span: Span) -> bool:
    """Whether years alone can express a span: `2021`, `the 1950s`, not `March 2021`."""
    ends = (span.end.month, span.end.day) == (12, _DAYS_OF_MONTH)
    return (span.start.month, span.start.day) == (1, 1) and ends and not span.yearless


def _holds(prop: Property, span: Span) -> bool:
    """Whether some documents may have dates in a span, judging by the first and last date."""
    low, high = prop.low, prop.high
    if prop.is_year and isinstance(low, int | float):
        return bool(low <= span.end.year and span.start.year <= high)
    if not isinstance(low, date):
        return False
    if span.yearless:
        return True
    return date(low.year, low.month, low.day) <= span.end and span.start <= date(
        high.year, high.month, high.day
    )
