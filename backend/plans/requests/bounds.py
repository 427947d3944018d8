"""Numbers that a plan compares with, as follow-ups refer to them: `forget the 50 limit`, `no
minimum`, `raise the threshold to 30`.

They are conditions on groups, conditions on a number of the documents, or the number of lines.
"""

from collections.abc import Iterator

from backend.plans.edits.operations import (
    ChangeFilter,
    KeepGroups,
    Operation,
    RemoveFilter,
    RemoveLimit,
    SetLimit,
)
from backend.plans.reading.phrasing import Bound, Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.requests.plan_state import PlanState
from workbench.contract.plan_nodes import BasicFilter, row_field

Operations = tuple[Operation, ...]


def only_number(condition: BasicFilter) -> str | None:
    """The name of the only bound of a condition on a number; None if there is no such bound."""
    given = [n for n in ("query", "start", "end") if getattr(condition, n) is not None]
    number = getattr(condition, given[0]) if len(given) == 1 else None
    return given[0] if isinstance(number, int | float) and not isinstance(number, bool) else None


def with_number(condition: BasicFilter, value: float) -> BasicFilter:
    """A condition with another number in place of its only one."""
    number = int(value) if float(value).is_integer() else value
    return condition.model_copy(update={str(only_number(condition)): number})


def without_bound(number: Quantity | None, side: str | None, state: PlanState) -> list[Operations]:
    """The possible removals of a bound; `side` is `low` for a minimum and `high` for a maximum."""
    options: list[Operations] = []
    for condition in (*state.bounds, *state.filters):
        name = only_number(condition)
        unlike = {"low": "end", "high": "start"}.get(side or "", "")
        if name is None or name == unlike:
            continue
        if number is None or getattr(condition, name) == number.value:
            options.append((RemoveFilter(condition=condition),))
    if state.limited and side != "low" and (number is None or number.count == state.lines):
        options.append((RemoveLimit(),))
    return options


def moved_bounds(number: Quantity, state: PlanState) -> list[Operations]:
    """The possible changes of a bound or limit that the plan has to another number."""
    options: list[Operations] = [(op,) for op in _moved_groups(number, state)]
    numeric = [c for c in state.filters if only_number(c) is not None]
    options += [(ChangeFilter(with_number(c, number.value), c),) for c in numeric[:3]]
    if state.limited and number.count is not None and number.unit is None:
        options.append((SetLimit(number.count),))
    return options


def _moved_groups(number: Quantity, state: PlanState) -> Iterator[Operation]:
    measures = {row_field(m.column): Measure(m.func, m.field) for m in state.measures}
    for condition in state.bounds:
        measure = measures.get(row_field(condition.field))
        name = only_number(condition)
        if measure is None or name is None or name == "query":
            continue
        exclusive = condition.start_exclusive if name == "start" else condition.end_exclusive
        op = ("g" if name == "start" else "l") + ("t" if exclusive else "e")
        yield KeepGroups(Bound(measure, op, number), number.value)
