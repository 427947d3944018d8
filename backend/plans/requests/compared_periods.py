"""Two spans of one date compared: `more in 2018 or 2019?`, `compare May and June`."""

from collections.abc import Sequence
from datetime import date, timedelta

from backend.plans.reading.alternatives import any_of
from backend.plans.reading.phrasing import Key
from workbench.contract.plan_nodes import BasicFilter, Bucket, Condition
from workbench.contract.plan_values import as_date

_MONTHS: dict[Bucket, int] = {"year": 12, "quarter": 3, "month": 1}


def compared_periods(conditions: Sequence[BasicFilter]) -> tuple[BasicFilter, Key] | None:
    """The condition that keeps both spans, and the key that makes a group of each.

    None unless the conditions are two whole years, quarters or months of one date, separate or as
    one span ("2018 and 2019").
    """
    parts = [part for condition in conditions for part in condition.any_of or [condition]]
    fields = {part.field or conditions[0].field for part in parts}
    if len(fields) != 1 or len(parts) > 2:
        return None
    for bucket, months in _MONTHS.items():
        if all(_lasts(part, months if len(parts) == 2 else 2 * months, months) for part in parts):
            kept = conditions[0] if len(conditions) == 1 else any_of(conditions)
            return kept, Key((*fields,), bucket)
    return None


def _lasts(condition: Condition, months: int, step: int) -> bool:
    """Whether a condition covers exactly `months`, from the first day of a period of `step`
    months.
    """
    start, end = as_date(condition.start), as_date(condition.end)
    exclusive = condition.start_exclusive or condition.end_exclusive
    if start is None or end is None or condition.negate or exclusive:
        return False
    if start.day != 1 or (start.month - 1) % step:
        return False
    behind = start.month - 1 + months
    return end + timedelta(1) == date(start.year + behind // 12, behind % 12 + 1, 1)
