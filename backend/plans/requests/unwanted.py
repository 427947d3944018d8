"""The possible removals for what a follow-up does not want any more: one table by kind."""

from dataclasses import replace

from backend.plans.edits.operations import (
    AddFilter,
    KeepGroups,
    Operation,
    RemoveFilter,
    RemoveGroup,
    RemoveLimit,
    RemoveMeasure,
    RemoveSort,
    RemoveStep,
    SetSource,
    ShowFields,
    ToDocuments,
)
from backend.plans.reading.edit_types import Gone
from backend.plans.reading.grammar_amounts import number_in
from backend.plans.reading.grammar_conditions import denied
from backend.plans.reading.phrasing import Bound, Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.acts import at_time
from backend.plans.requests.moved_numbers import is_numeric
from backend.plans.requests.plan_state import PlanState

Operations = tuple[Operation, ...]
_TEXT_STEPS = {
    "filter": (("LlmFilter",), "text filter"),
    "extraction": (("LlmExtractEntity",), "extraction"),
    "clusters": (("KMeanClustering", "LLMClustering"), "clustering"),
    "summary": (("SummarizeData",), "summary"),
    "calculation": (("Math",), "calculation"),
}
_OPPOSITES = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}


def _text_step(name: str) -> Operations:
    return (RemoveStep(*_TEXT_STEPS[name]),)


def opposite(bound: Bound) -> Bound | None:
    """The groups that are left without those within a bound; None for a range."""
    op = _OPPOSITES.get(bound.op)
    return None if op is None or bound.upper is not None else replace(bound, op=op)


def kept_groups(bound: Bound, vocabulary: Vocabulary) -> KeepGroups:
    """The groups within a bound, whose numbers are in the unit of the measured property."""
    prop = None if bound.measure.field is None else vocabulary.get(bound.measure.field)

    def number(quantity: Quantity) -> float:
        known = None if prop is None or not prop.numeric else number_in(prop, quantity)
        return quantity.value if known is None else known

    upper = None if bound.upper is None else number(bound.upper)
    return KeepGroups(bound, number(bound.value), upper)


def unwanted(gone: Gone, state: PlanState, vocabulary: Vocabulary) -> list[Operations]:
    """The possible removals for something unwanted."""
    match gone.what:
        case "field":
            prop, step = gone.value
            return _without_field(prop, step, state)
        case "step":
            return _without_step(gone.value, state)
        case "dates":
            props = [vocabulary.get(condition.field) for condition in state.filters]
            fields = [p.field for p in props if p is not None and (p.dated or p.is_year)]
            return [(RemoveFilter(field=field),) for field in dict.fromkeys(fields)]
        case "value":
            # The latest request comes last, and is what `everybody again` most often undoes.
            valued = [c for c in state.filters if c.range_filter is False and not c.any_of]
            return [(RemoveFilter(field=c.field),) for c in reversed(valued)]
        case "measure" if gone.firm:
            return [tuple(RemoveMeasure(m) for m in gone.value)]
        case "it":
            return [(RemoveFilter(condition=state.filters[0]),)] if len(state.filters) == 1 else []
        case "bound":
            numeric = [] if state.limited else [c for c in state.filters if is_numeric(c)]
            return [(RemoveFilter(condition=c),) for c in numeric] or [(RemoveLimit(),)]
        case "text":
            return [(SetSource(None),)] if gone.value == "search" else [_text_step(gone.value)]
        case "time":
            dated = [prop for prop in vocabulary.properties if prop.dated]
            known = [prop for prop in dated if state.filtered(prop.field)]
            op, span = gone.value
            denials = [denied(at_time(prop, op, span)) for prop in (known or dated)[:2]]
            return [(AddFilter(c, together=True),) for c in denials if c is not None]
        case "groups":
            bound = opposite(gone.value)
            return [] if bound is None else [(kept_groups(bound, vocabulary),)]
        case "nth":
            return [(RemoveFilter(ordinal=gone.value),)]
        case "all but":
            return _all_but(gone.value, state)
    return [()]


def _all_but(kept: int | str, state: PlanState) -> list[Operations]:
    """The removal of all filters but one, given by its position or its property."""
    filters = state.filters
    places = range(len(filters))
    stays = {i for i in places if kept in (filters[i].field, i + 1, i - len(filters))}
    gone = tuple(RemoveFilter(condition=filters[i]) for i in places if i not in stays)
    return [gone] if stays and gone else []


def _without_field(prop: Property, step: str | None, state: PlanState) -> list[Operations]:
    options: list[Operations] = []
    if state.filtered(prop.field) and step in (None, "filter"):
        options.append((RemoveFilter(field=prop.field),))
    if prop.field in state.keys and step in (None, "group"):
        options.append((RemoveGroup(prop.field),))
    if prop.field == state.order and step in (None, "sort"):
        options.append((RemoveSort(),))
    if prop.field in state.shown and step in (None, "columns"):
        left = tuple(name for name in state.shown if name != prop.field)
        options.append((ShowFields(left),) if left else (ToDocuments(),))
    options += [
        (RemoveMeasure(Measure(item.func, item.field)),)
        for item in state.measures
        if item.field == prop.field and step is None
    ]
    return options


def _without_step(step: str, state: PlanState) -> list[Operations]:
    match step:
        case "limit":
            return [(RemoveLimit(),)]
        case "sort":
            return [(RemoveSort(),)]
        case "group":
            return [(RemoveGroup(),)]
        case "columns":
            return [(RemoveStep(("Project",), "columns"),)]
    if len(state.filters) == 1:
        return [(RemoveFilter(),)]
    if step == "filter" and state.filters:
        return []  # "the filter" may be any of them
    return [(RemoveFilter(every=True),)]
