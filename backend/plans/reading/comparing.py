"""Conditions on one property, built from the parts of a request."""

from collections.abc import Sequence
from datetime import timedelta

from backend.language.dates import Span
from backend.language.words import stem
from backend.plans.reading.cascade import Reader
from backend.plans.reading.derived_properties import part_of_date
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from workbench.contract.derived_fields import MONTHS
from workbench.contract.plan_nodes import BasicFilter, Middle

AROUND = 0.1
"""The margin of an approximate number, as a part of it."""


LOSS = frozenset({stem("loss"), stem("losses"), stem("deficit"), stem("lost"), stem("losing")})


def compare(prop: Property, op: str, value: float) -> BasicFilter:
    """A comparison with a number in the unit of the property."""
    number = int(value) if value == int(value) and prop.kind == "int" else value
    match op:
        case "gt":
            return BasicFilter(
                field=prop.field, range_filter=True, start=number, start_exclusive=True
            )
        case "ge":
            return BasicFilter(field=prop.field, range_filter=True, start=number)
        case "lt":
            return BasicFilter(field=prop.field, range_filter=True, end=number, end_exclusive=True)
        case "le":
            return BasicFilter(field=prop.field, range_filter=True, end=number)
        case "ne":
            return BasicFilter(field=prop.field, query=number, match="exact", negate=True)
        case "around":
            width = abs(value) * AROUND
            return between(prop, value - width, value + width)
    return BasicFilter(field=prop.field, query=number, match="exact")


def open_ends(op: str) -> dict[str, bool]:
    """Which ends of a range are left out: both for `gt lt`, none for `between`."""
    return {f"{end}_exclusive": True for end, side in _SIDES.items() if side in op.split()}


_SIDES = {"start": "gt", "end": "lt"}


def between(prop: Property, low: float, high: float, op: str = "between") -> BasicFilter:
    low, high = min(low, high), max(low, high)
    whole = prop.kind == "int" and low == int(low) and high == int(high)
    made = BasicFilter(
        field=prop.field,
        range_filter=True,
        start=int(low) if whole else low,
        end=int(high) if whole else high,
    )
    return made.model_copy(update=open_ends(op))


def beside_middle(prop: Property, op: str, middle: Middle) -> BasicFilter:
    """Above (`gt`, `ge`) or below the average or median of the input documents."""
    above = op in ("gt", "ge")
    return BasicFilter(
        field=prop.field,
        range_filter=True,
        start_at=middle if above else None,
        end_at=None if above else middle,
        start_exclusive=op == "gt",
        end_exclusive=op == "lt",
    )


def beside(prop: Property, op: str, other: Property) -> BasicFilter | None:
    """Compares a property with another one of the same document; None if their values are not
    comparable.
    """
    ordered = (prop.numeric and other.numeric) or (prop.dated and other.dated)
    texts = prop.kind in ("string", "choice") and other.kind in ("string", "choice")
    if prop.field == other.field or not (ordered or (texts and op in ("eq", "ne"))):
        return None
    low = other.field if op in ("gt", "ge", "eq", "ne") else None
    high = other.field if op in ("lt", "le", "eq", "ne") else None
    if low is None and high is None:
        return None
    return BasicFilter(
        field=prop.field,
        range_filter=True,
        is_date=prop.dated,
        start_field=low,
        end_field=high,
        start_exclusive=op == "gt",
        end_exclusive=op == "lt",
        negate=op == "ne",
    )


def in_span(prop: Property, span: Span, op: str = "in") -> BasicFilter:
    """A date within a span, or before, after, since or until it."""
    start: str | None = span.start.isoformat()
    end: str | None = span.end.isoformat()
    exclusive = op in ("after", "before")
    match op:
        case "after":
            start, end = end, None
        case "since":
            end = None
        case "before":
            start, end = None, start
        case "until":
            start = None
    return BasicFilter(
        field=prop.field,
        range_filter=True,
        is_date=True,
        start=start,
        end=end,
        start_exclusive=exclusive and start is not None,
        end_exclusive=exclusive and end is not None,
        negate=op == "ne",
    )


def months_of(span: Span) -> list[str]:
    """The names of the months in a span; none unless it consists of whole months."""
    whole = span.start.day == 1 and (span.end + timedelta(1)).day == 1
    count = (span.end.year - span.start.year) * 12 + span.end.month - span.start.month + 1
    return [MONTHS[(span.start.month - 1 + i) % 12] for i in range(count)] if whole else []


def recurs(span: Span, op: str) -> bool:
    """Whether a condition on a part of every year, or of every day, can be about it."""
    return span.hours is not None or (op == "in" and bool(months_of(span)))


def recurring(prop: Property, span: Span, op: str = "in") -> BasicFilter | None:
    """A date in the same months of any year, or at the same time of any day; None if the span does
    not consist of months, or the dates have no times.
    """
    if span.hours is not None:
        return _at_hours(prop, span.hours, op)
    month = part_of_date(prop, "month_of_year")
    names = months_of(span)
    if month is None or not names or op not in ("in", "ne"):
        return None
    made = one_of(month.field, names)
    return made.model_copy(update={"negate": op == "ne"})


def _at_hours(prop: Property, hours: tuple[float, float], op: str) -> BasicFilter | None:
    """A date from, to, before or after a time of day; `at six` is within the hour."""
    time = part_of_date(prop, "time_of_day")
    if time is None:
        return None
    start, end = hours
    match op:
        case "after":
            return compare(time, "gt" if start == end else "ge", end)
        case "since":
            return compare(time, "ge", start)
        case "before":
            return compare(time, "lt", start)
        case "until":
            return compare(time, "le" if start == end else "lt", end)
    end = start + 1 if start == end else end
    if start > end:  # over midnight
        made = between(time, end, start, "ge lt")
        return made.model_copy(update={"negate": op != "ne"})
    made = between(time, start, end, "ge lt")
    return made.model_copy(update={"negate": op == "ne"})


def one_of(field: str, values: Sequence[object]) -> BasicFilter:
    unique = list(dict.fromkeys(values))
    if len(unique) == 1:
        return BasicFilter.model_validate({"field": field, "query": unique[0], "match": "exact"})
    return BasicFilter.model_validate({"field": field, "values": unique, "match": "exact"})


def positive(prop: Property) -> BasicFilter | None:
    """The condition that a property's bare name expresses: true, or greater than zero."""
    if prop.kind == "bool":
        return BasicFilter(field=prop.field, query=True, match="exact")
    if prop.numeric and prop.low is not None and prop.low <= 0:
        return compare(prop, "gt", 0)
    return None


def stated(reader: Reader, piece: Piece, prop: Property) -> BasicFilter | None:
    """Like `positive`, but words for a loss ask for negative values."""
    loss = {stem(token.text) for token in reader.tokens[piece.start : piece.end]} & LOSS
    if loss and prop.numeric and prop.low is not None and prop.low < 0:
        return compare(prop, "lt", 0)
    return positive(prop)


def is_participle(word: str) -> bool:
    """Whether a word is a past participle: `terminated`, `sold`."""
    return (len(word) > 4 and word.endswith("ed")) or word in _PARTICIPLES


_PARTICIPLES = frozenset({"sold", "paid", "sent", "built", "made", "born", "met", "written"})


def known(prop: Property) -> BasicFilter:
    """The condition that a document has a value for it."""
    return BasicFilter(field=prop.field, exists=True)


HAVING = frozenset({"with", "have", "has", "having", "had"})
_SOME = frozenset({"a", "an", "any", "some"})


def one_is_had(reader: Reader, piece: Piece) -> bool:
    """`with an agent`, `that have a fine`: any value qualifies."""
    before = [token.lower for token in reader.tokens[max(0, piece.start - 2) : piece.start]]
    return len(before) == 2 and before[0] in HAVING and before[1] in _SOME


def lacking(prop: Property) -> BasicFilter:
    """The condition expressed by `no …` or `without …`."""
    if prop.kind == "bool":
        return BasicFilter(field=prop.field, query=False, match="exact")
    if prop.nothing is not None:
        return one_of(prop.field, [prop.nothing])
    if prop.numeric and (prop.low == 0 or not prop.gaps):
        return compare(prop, "eq", 0)
    return BasicFilter(field=prop.field, exists=False)


def negated(condition: BasicFilter) -> BasicFilter:
    """The opposite. Boolean values and missing values are inverted; everything else is wrapped in a
    negation.
    """
    if condition.exists is not None:
        return condition.model_copy(update={"exists": not condition.exists})
    if condition.start_at is not None or condition.end_at is not None:
        swapped = {"start_at": condition.end_at, "end_at": condition.start_at}
        return condition.model_copy(
            update={
                **swapped,
                "start_exclusive": not condition.end_exclusive and condition.end_at is not None,
                "end_exclusive": not condition.start_exclusive and condition.start_at is not None,
            }
        )
    if (condition.start_field is None) != (condition.end_field is None):
        # Unknown values satisfy neither a comparison nor its opposite.
        return condition.model_copy(
            update={
                "start_field": condition.end_field,
                "end_field": condition.start_field,
                "start_exclusive": bool(condition.end_field) and not condition.end_exclusive,
                "end_exclusive": bool(condition.start_field) and not condition.start_exclusive,
            }
        )
    if isinstance(condition.query, bool):
        return condition.model_copy(update={"query": not condition.query})
    if condition.range_filter and (condition.start is None) != (condition.end is None):
        # The opposite of "more than 0" is "at most 0", which unknown values do not satisfy either.
        return condition.model_copy(
            update={
                "start": condition.end,
                "end": condition.start,
                "start_exclusive": condition.end is not None and not condition.end_exclusive,
                "end_exclusive": condition.start is not None and not condition.start_exclusive,
            }
        )
    return condition.model_copy(update={"negate": not condition.negate})
