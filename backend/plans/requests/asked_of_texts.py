"""Chooses between the plain reading of a clause and one that asks the texts for a phrase."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from backend.plans.edits.operations import (
    AddFilter,
    JudgeText,
    ListValues,
    Operation,
    RemoveFilter,
    RemoveStep,
    ShowFields,
)
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.themes import Theme, themed

_DISPLAY = (JudgeText, ListValues, ShowFields)


def of_texts(
    clause: Clause, result: Sequence[Operation] | None, read: Callable[[Clause], list[Operation]]
) -> tuple[Clause, list[Operation]] | None:
    """The clause with a phrase to look for in the texts, and its operations, if the plain reading
    failed or left that phrase without a condition; None if the plain reading is kept.
    """
    for again, theme in themed(clause):
        with suppress(Unclear):
            operations = read(again)
            judged = any(isinstance(item, JudgeText) for item in operations)
            if judged and (result is None or _says_less(result, operations, theme)):
                return again, operations
    return None


def _says_less(plain: Sequence[Operation], operations: Sequence[Operation], theme: Theme) -> bool:
    """Whether a plain reading ignores a phrase: it judges texts by part of it, or adds no condition
    for it. `runs out after May`, `whose end falls in May` only lead to the date.
    """
    if any(isinstance(item, (RemoveFilter, RemoveStep)) for item in plain):
        return False
    if theme.spoken or any(isinstance(item, JudgeText) for item in plain):
        return True
    asked = {item.condition.field for item in plain if isinstance(item, AddFilter)}
    if theme.tailed and theme.plain and (not theme.fields or theme.fields & asked):
        return False
    conditions = [item for item in plain if not isinstance(item, _DISPLAY)]
    return len(conditions) <= sum(not isinstance(item, _DISPLAY) for item in operations)
