"""Other numbers in place of those of a plan: `make it 10`, `raise it by 40`, `double it`.

The number may be that of the list or of a condition; each that it can be is an option.
"""

from collections.abc import Iterator

from backend.plans.edits.operations import ChangeFilter, Operation, SetLimit
from backend.plans.reading.edit_types import Amount, Shift
from backend.plans.reading.grammar_amounts import number_in
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.plan_state import PlanState
from workbench.contract.plan_nodes import BasicFilter

_MOST = 3
"""The maximum number of conditions that are tried."""


def exchanged(
    amount: Amount, state: PlanState, vocabulary: Vocabulary
) -> Iterator[tuple[Operation, ...]]:
    """The edits that put a number in place of one of the plan."""
    value = amount.value
    listed = state.gives in ("docs", "rows") and value.unit is None and not amount.bound
    if listed and value.count is not None:
        yield (SetLimit(value.count),)
    if amount.lines:
        return
    for condition, prop in _numbers(state, amount.prop, vocabulary):
        number = number_in(prop, value)
        if number is not None:
            yield (ChangeFilter(_with_number(condition, prop, number), condition),)


def shifted(
    shift: Shift, state: PlanState, vocabulary: Vocabulary
) -> Iterator[tuple[Operation, ...]]:
    """The edits that move a number of the plan by so much, or multiply it; none if the plan has
    several conditions that may be meant.
    """
    plain = shift.step is None or shift.step.unit in (None, "pct")
    if state.lines is not None and shift.prop is None and plain:
        sign = -1 if shift.way in ("down", "tighter") else 1
        lines = round(_moved(state.lines, shift, sign, None) or 0)
        if lines >= 1:
            yield (SetLimit(lines),)
    numbers = list(_numbers(state, shift.prop, vocabulary))
    for condition, prop in numbers if len(numbers) == 1 else ():
        end = _end_of(condition)
        sign = -1 if shift.way == "down" else 1
        if shift.way in ("tighter", "looser"):
            sign = 1 if (shift.way == "tighter") == (end != "end") else -1
        number = _moved(float(getattr(condition, end)), shift, sign, prop)
        if number is not None:
            yield (ChangeFilter(_with_number(condition, prop, round(number, 9)), condition),)


def _numbers(
    state: PlanState, about: Property | None, vocabulary: Vocabulary
) -> Iterator[tuple[BasicFilter, Property]]:
    """The conditions with one number, on one property if that is given."""
    numeric = [c for c in state.filters if is_numeric(c)]
    for condition in numeric[:_MOST]:
        prop = vocabulary.get(condition.field)
        if prop is not None and about in (None, prop):
            yield condition, prop


def _moved(value: float, shift: Shift, sign: int, prop: Property | None) -> float | None:
    """A number moved; None if the step has another unit."""
    value *= shift.factor
    step = shift.step
    if step is None:
        return value
    in_percent = prop is not None and prop.unit is not None and prop.unit.name == "pct"
    if step.unit == "pct" and not in_percent:
        return value * (1 + sign * step.value / 100)
    number = step.value if prop is None else number_in(prop, step)
    return None if number is None else value + sign * number


def is_numeric(condition: BasicFilter) -> bool:
    """Whether a condition compares with one number."""
    bounds = [condition.query, condition.start, condition.end]
    given = [b for b in bounds if b is not None]
    return len(given) == 1 and isinstance(given[0], int | float) and not isinstance(given[0], bool)


def _end_of(condition: BasicFilter) -> str:
    return next(n for n in ("query", "start", "end") if getattr(condition, n) is not None)


def _with_number(condition: BasicFilter, prop: Property, value: float) -> BasicFilter:
    number = int(value) if prop.kind == "int" and float(value).is_integer() else value
    return condition.model_copy(update={_end_of(condition): number})
