"""The dates that time spans of a follow-up are about, and the conditions on them.

`And in May?` means May of the year that the plan is about, or May of any year if the plan has a
month of any year or no year.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from backend.language.dates import Span, in_year
from backend.plans.edits.edit_order import unknown_fields
from backend.plans.reading.assembly import Request
from backend.plans.reading.comparing import in_span, recurs
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.acts import at_time, is_years
from backend.plans.requests.plan_state import PlanState
from workbench.contract.derived_fields import sources_of
from workbench.contract.plan_nodes import BasicFilter

Dates = Iterator[tuple[Property, tuple[str, ...]]]
"""Properties with features of how well they fit."""


def dates_meant(state: PlanState, props: Sequence[Property]) -> Dates:
    """Candidate dates if none is named: first those in the plan."""
    fields = [
        *(c.field for c in state.filters),
        *state.keys,
        *([state.order] if state.order else []),
    ]
    used = {name for field in fields for name in sources_of(field)}
    props = [prop for prop in props if prop.field not in unknown_fields(state.draft)]
    known = [prop for prop in props if prop.field in used]
    for prop in [*known, *(p for p in props if p not in known)][:4]:
        signs = ["time: of the plan" if prop in known else "time: unnamed"]
        if len(props) > 1 and prop not in known:
            signs.append("time: several dates")
            signs.append("time: the first date" if prop is props[0] else "time: a further date")
        yield prop, tuple(signs)


def times_meant(
    request: Request, state: PlanState, vocabulary: Vocabulary
) -> Iterator[tuple[list[BasicFilter], tuple[str, ...]]]:
    """Time spans as conditions, on the date in the plan or on any other."""
    if not request.times:
        yield [], ()
        return
    years = all(is_years(span) for _, span in request.times)
    fits = all(not span.yearless or recurs(span, op) for op, span in request.times)
    props = [p for p in vocabulary.properties if p.is_year and years]
    props = [*vocabulary.dates, *props] if fits else props
    if any(span.hours for _, span in request.times):
        props = [p for p in props if p.kind == "datetime"]
    for prop, signs in dates_meant(state, props):
        yield [_condition(prop, op, span, state) for op, span in request.times], signs


def _condition(prop: Property, op: str, span: Span, state: PlanState) -> BasicFilter:
    year = _year_of(prop, state) if span.yearless and not span.hours else None
    return at_time(prop, op, span) if year is None else in_span(prop, in_year(span, year), op)


def _year_of(prop: Property, state: PlanState) -> int | None:
    """The only year in which the documents of a plan are, by a date."""
    for condition in state.filters:
        if condition.field != prop.field or not condition.is_date:
            continue
        first, last = condition.start, condition.end
        if isinstance(first, str) and isinstance(last, str) and first[:4] == last[:4]:
            return date.fromisoformat(first[:10]).year
    return None
