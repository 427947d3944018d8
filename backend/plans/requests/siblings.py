"""`And in 2023?` about a plan that computes `output_2024`: the same of `output_2023`.

Where the name of a property ends in a year, another year means its sibling rather than a condition.
"""

import re

from backend.plans.edits.operations import ChangeFilter, Operation, SetMeasures, SetSort, ShowFields
from backend.plans.reading.assembly import Request
from backend.plans.reading.phrasing import Measure
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.acts import is_years
from backend.plans.requests.plan_state import PlanState
from workbench.contract.plan_nodes import row_field

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def in_another_year(
    request: Request, state: PlanState, vocabulary: Vocabulary
) -> tuple[Operation, ...]:
    """The operations that put the properties of the year asked for in place of those of another;
    none if the words ask for something else or there are no such properties.
    """
    if len(request.times) != 1 or not state.linear:
        return ()
    op, span = request.times[0]
    if op != "in" or not is_years(span) or span.start.year != span.end.year:
        return ()
    used = {*(m.field for m in state.measures), state.order, *state.shown}
    used |= {condition.field for condition in state.filters}
    others = {name: _YEAR.sub(str(span.start.year), name) for name in used if name}
    others = {
        name: other
        for name, other in others.items()
        if other != name and vocabulary.get(other) is not None
    }
    return tuple(_swapped(others, state)) if others else ()


def _swapped(others: dict[str, str], state: PlanState) -> list[Operation]:
    operations: list[Operation] = [
        ChangeFilter(c.model_copy(update={"field": others[c.field]}), c)
        for c in state.filters
        if c.field in others
    ]
    measures = [Measure(m.func, others.get(m.field or "", m.field)) for m in state.measures]
    if any(m.field in others for m in state.measures):
        operations.append(SetMeasures(tuple(measures)))
    for sort in state.draft.on_spine("Sort")[-1:]:
        descending = bool(sort.extras.get("descending"))
        if state.order in others:
            operations.append(SetSort(others[state.order], None, descending))
        columns = [row_field(m.column) for m in state.measures]
        by = row_field(state.order or "")
        if by in columns:
            operations.append(SetSort(None, measures[columns.index(by)], descending))
    if any(name in others for name in state.shown):
        operations.append(ShowFields(tuple(others.get(name, name) for name in state.shown)))
    return operations
