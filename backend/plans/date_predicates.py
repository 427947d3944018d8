"""From pieces to conditions about dates: spans, before and after, months, years."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from backend.contract.plan_nodes import BasicFilter, Condition
from backend.plans.cascade import Reader, Unclear, cover, tagged
from backend.plans.comparing import compare, in_span, negated, one_of
from backend.plans.dates import Span, whole_month
from backend.plans.linking import Piece
from backend.plans.subjects import dated_property
from backend.plans.vocabulary import Property

_DATE_WORDS = {"gt": "after", "lt": "before", "ge": "since", "le": "until", "eq": "in", "ne": "ne"}


_LONGER_AGO = {"gt": "before", "ge": "until", "lt": "after", "le": "since"}
"""More than two years ago is earlier than that day."""


def dates(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """One or several spans of time, with a word for before or after and a property beside them."""
    near = next(iter(tagged(pieces, "P")), None)
    if near is not None and not any(m.prop.dated or m.prop.is_year for m in near.load):
        return None
    spans = _year_said_once([piece.load for piece in tagged(pieces, "D")])
    words = tagged(pieces, "Cp")
    prop = dated_property(reader, near, spans, reader.words(tagged(pieces, "D")))
    op = str(words[0].load) if words else "in"
    op = "in" if op == "around" else _DATE_WORDS.get(op, op)
    if any(span.ago for span in spans):
        op = _LONGER_AGO.get(str(words[0].load) if words else "", op)
    for note in filter(None, (span.note for span in spans)):
        reader.assume(note)
    made = _in_spans(prop, pieces, spans, op)
    return replace(made, load=negated(made.load)) if tagged(pieces, "n") else made


def _year_said_once(spans: Sequence[Span]) -> list[Span]:
    """`April or May 2024`: months without a year in front of one with it."""
    last = spans[-1]
    if last.month is not None or last.year is not None or last.start.year != last.end.year:
        return list(spans)
    year = last.start.year
    return [span if span.month is None else whole_month(year, span.month) for span in spans]


def _in_spans(prop: Property, pieces: list[Piece], spans: Sequence[Span], op: str) -> Piece:
    if prop.numeric:
        return _years(prop, pieces, spans, op)
    if any(span.month is not None for span in spans) and op not in ("in", "ne"):
        raise Unclear("ambiguous", "", "a month before or after which others lie needs its year")
    if any(span.month is not None for span in spans):
        return cover("F", pieces, _months(prop, [s.month for s in spans if s.month is not None]))
    if len(spans) == 1:
        return cover("F", pieces, in_span(prop, spans[0], op))
    ordered = sorted(spans, key=lambda s: s.start)
    joined = all((b.start - a.end).days == 1 for a, b in pairwise(ordered))
    if joined:
        return cover("F", pieces, in_span(prop, Span(ordered[0].start, ordered[-1].end)))
    return cover("F", pieces, _any_span(prop, ordered))


def _any_span(prop: Property, spans: Sequence[Span]) -> BasicFilter:
    parts = [in_span(prop, span).model_dump(exclude={"any_of"}) for span in spans]
    return BasicFilter(
        field=prop.field, is_date=True, any_of=[Condition.model_validate(part) for part in parts]
    )


def _months(prop: Property, months: Sequence[int]) -> BasicFilter:
    """Months of every year that the collection knows."""
    first, last = (
        value.year if isinstance(value, date) else date.today().year
        for value in (prop.low, prop.high)
    )
    spans = [whole_month(year, month) for year in range(first, last + 1) for month in months]
    return _any_span(prop, spans)


def _years(prop: Property, pieces: list[Piece], spans: Sequence[Span], op: str) -> Piece:
    years = [span.start.year for span in spans]
    ops = {"after": "gt", "before": "lt", "since": "ge", "until": "le", "ne": "ne"}
    if op in ops:
        return cover("F", pieces, compare(prop, ops[op], years[0]))
    whole = [year for span in spans for year in range(span.start.year, span.end.year + 1)]
    return cover("F", pieces, one_of(prop.field, whole))


def joined_range(reader: Reader, pieces: list[Piece]) -> Piece | None:
    first, second = tagged(pieces, "D")
    if first.load.month is not None and second.load.month is None:
        # "from March to May 2023": the year is said once.
        span = whole_month(second.load.start.year, first.load.month)
        first = replace(first, load=span)
    if first.load.start > second.load.end:
        return None
    year = None
    if first.load.year is not None and second.load.year is not None:
        year = first.load.year
    span = Span(first.load.start, second.load.end, year=year)
    return cover("D", pieces, span)


def date_range(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    near = next(iter(tagged(pieces, "P")), None)
    if near is not None and reader.choose(near, lambda p: p.numeric and not p.is_year):
        return None
    joined = joined_range(reader, [p for p in pieces if p.tag != "P"])
    return joined if near is None or joined is None else [near, joined]
