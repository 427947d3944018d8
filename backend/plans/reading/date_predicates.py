"""From pieces to conditions about dates: spans, before and after, months, years."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from backend.language.dates import Span, from_to, in_year
from backend.plans.reading.cascade import Reader, Unclear, cover, tagged
from backend.plans.reading.comparing import compare, in_span, months_of, negated, one_of
from backend.plans.reading.derived_properties import part_of_date
from backend.plans.reading.moments import dated_property
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter, Condition

_DATE_WORDS = {"gt": "after", "lt": "before", "ge": "since", "le": "until", "eq": "in", "ne": "ne"}


_OF_AMOUNTS = frozenset({"over", "under", "above", "below", "exceeding"})
"""Words before which 2000 is no year."""
_LONGER_AGO = {"gt": "before", "ge": "until", "lt": "after", "le": "since"}
""" "More than two years ago" means before that day."""


def dates(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """One or several time spans, with an optional word for before or after and an optional
    property.
    """
    near = next(iter(tagged(pieces, "P")), None)
    if near is not None and not any(m.prop.dated or m.prop.is_year for m in near.load):
        return None
    spans = _year_stated_once([piece.load for piece in tagged(pieces, "D")])
    words = tagged(pieces, "Cp")
    if near is None and spans[0].year and reader.words(words).lower() in _OF_AMOUNTS:
        return None
    prop = dated_property(reader, near, spans, reader.words(tagged(pieces, "D")))
    op = str(words[0].load) if words else "in"
    op = "in" if op == "around" else _DATE_WORDS.get(op, op)
    if words and reader.words(words).lower().endswith(" older"):
        op = "until"
    if any(span.ago for span in spans):
        op = _LONGER_AGO.get(str(words[0].load) if words else "", op)
    for note in filter(None, (span.note for span in spans)):
        reader.assume(note)
    made = _in_spans(reader, prop, pieces, spans, op)
    if not tagged(pieces, "n"):
        return made
    denied: BasicFilter = negated(made.load)
    if near is not None and op in ("since", "after") and prop.gaps:
        # What was never inspected was not inspected since then either.
        body = Condition.model_validate(denied.model_dump(exclude={"any_of"}))
        never = Condition(field=prop.field, exists=False)
        denied = BasicFilter(field=prop.field, any_of=[body, never])
    return replace(made, load=denied)


def _year_stated_once(spans: Sequence[Span]) -> list[Span]:
    """`April or May 2024`: months without a year before one that has it."""
    last = spans[-1]
    if last.yearless or last.year is not None or last.start.year != last.end.year:
        return list(spans)
    year = last.start.year
    return [in_year(span, year) if span.yearless else span for span in spans]


def _in_spans(
    reader: Reader, prop: Property, pieces: list[Piece], spans: Sequence[Span], op: str
) -> Piece:
    if prop.numeric:
        return _years(prop, pieces, spans, op)
    year = _implied_year(reader, prop)
    if any(span.yearless for span in spans) and year is not None:
        spans = [in_year(span, year) if span.yearless else span for span in spans]
    if any(span.yearless for span in spans):
        if op not in ("in", "ne"):
            reason = "a part of a year before or after which others lie needs its year"
            raise Unclear("ambiguous", "", reason)
        return cover("F", pieces, _of_every_year(prop, [s for s in spans if s.yearless]))
    if len(spans) == 1:
        return cover("F", pieces, in_span(prop, spans[0], op))
    ordered = sorted(spans, key=lambda s: s.start)
    joined = all((b.start - a.end).days == 1 for a, b in pairwise(ordered))
    if joined:
        return cover("F", pieces, in_span(prop, Span(ordered[0].start, ordered[-1].end)))
    return cover("F", pieces, _any_span(prop, ordered))


def _implied_year(reader: Reader, prop: Property) -> int | None:
    """The year that `from October on` omits: the only one in the request, or in the data."""
    years = {int(t.text) for t in reader.tokens if t.kind == "number" and _YEAR.fullmatch(t.text)}
    if len(years) == 1:
        return years.pop()
    low, high = prop.low, prop.high
    known = isinstance(low, date) and isinstance(high, date) and low.year == high.year
    return low.year if known else None


_YEAR = re.compile(r"(?:19|20)\d\d")


def _any_span(prop: Property, spans: Sequence[Span]) -> BasicFilter:
    parts = [in_span(prop, span).model_dump(exclude={"any_of"}) for span in spans]
    return BasicFilter(
        field=prop.field, is_date=True, any_of=[Condition.model_validate(part) for part in parts]
    )


def _of_every_year(prop: Property, spans: Sequence[Span]) -> BasicFilter:
    """The condition for parts of a year, in every year that the collection covers."""
    month, names = part_of_date(prop, "month_of_year"), [months_of(span) for span in spans]
    if month is not None and all(names):
        return one_of(month.field, [name for some in names for name in some])
    first, last = (
        value.year if isinstance(value, date) else span.start.year
        for value, span in ((prop.low, spans[0]), (prop.high, spans[0]))
    )
    # a winter begins in the year before
    years = range(first - 1, last + 1)
    results = [in_year(span, year) for year in years for span in spans]
    return _any_span(prop, [span for span in results if span.end.year >= first])


def _years(prop: Property, pieces: list[Piece], spans: Sequence[Span], op: str) -> Piece:
    years = [span.start.year for span in spans]
    ops = {"after": "gt", "before": "lt", "since": "ge", "until": "le", "ne": "ne"}
    if op in ops:
        return cover("F", pieces, compare(prop, ops[op], years[0]))
    whole = [year for span in spans for year in range(span.start.year, span.end.year + 1)]
    return cover("F", pieces, one_of(prop.field, whole))


def joined_range(reader: Reader, pieces: list[Piece]) -> Piece | None:
    first, second = tagged(pieces, "D")
    if first.load.yearless and not second.load.yearless:
        # "from March to May 2023" gives the year once
        first = replace(first, load=in_year(first.load, second.load.start.year))
    elif second.load.yearless and not first.load.yearless:
        # "from March 2023 to May"
        second = replace(second, load=in_year(second.load, first.load.start.year))
    span = from_to(first.load, second.load)
    if span is None:
        return None
    if first.load.year is None or second.load.year is None:
        span = replace(span, year=None)
    return cover("D", pieces, replace(span, ago=False, note=None))


def days_of_month(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`between 1 and 31 May 2024` gives the month once."""
    number, last = tagged(pieces, "N")[0].load, tagged(pieces, "D")[0].load
    single = last.start == last.end and number.unit is None and not number.scaled
    if not single or not number.whole or not 1 <= number.value < last.start.day:
        return None
    first = last.start.replace(day=int(number.value))
    return cover("D", pieces, replace(last, start=first))


def mixed_range(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`between 2000 and 5000`: if one of the two is no year, neither is."""
    spans = [p for p in pieces if p.tag == "D"]
    number = next(p.load for p in pieces if p.tag == "N")
    if any(p.load.year is None for p in spans) or not number.whole:
        return None
    return [_as_amount(p) for p in pieces]


def _as_amount(piece: Piece) -> Piece:
    if piece.tag != "D":
        return piece
    return replace(piece, tag="N", load=Quantity(float(piece.load.year)))


def _amounts(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`between 2000 and 5000`: amounts, if the plan bounds one number and no date."""
    present = reader.present
    spans = tagged(pieces, "D")
    if present is None or pieces[0].tag != "b" or any(p.load.year is None for p in spans):
        return None
    bounded = [reader.vocabulary.get(c.field) for c in present.filters if c.range_filter]
    numeric = {p.field for p in bounded if p is not None and p.numeric and not p.is_year}
    if len(numeric) != 1 or any(p is not None and (p.dated or p.is_year) for p in bounded):
        return None
    return [_as_amount(p) for p in pieces]


def date_range(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    near = next(iter(tagged(pieces, "P")), None)
    if near is not None and reader.choose(near, lambda p: p.numeric and not p.is_year):
        return None
    numbers = _amounts(reader, pieces) if near is None else None
    if numbers is not None:
        return numbers
    joined = joined_range(reader, [p for p in pieces if p.tag != "P"])
    return joined if near is None or joined is None else [near, joined]
