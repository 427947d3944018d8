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


def first_and_last_period(condition: BasicFilter) -> tuple[BasicFilter, BasicFilter] | None:
    """The first and the last year, quarter or month of a span of several whole ones, the longest
    that fit; None for other conditions.
    """
    start, end = as_date(condition.start), as_date(condition.end)
    if start is None or end is None or condition.any_of:
        return None
    length = 12 * (end.year - start.year) + end.month - start.month + 1
    if length in _MONTHS.values():
        return None
    for months in _MONTHS.values():
        if length > months and length % months == 0 and _lasts(condition, length, months):
            behind_first, last = _months_after(start, months), _months_after(start, length - months)
            first_end = (behind_first - timedelta(1)).isoformat()
            return (
                condition.model_copy(update={"end": first_end}),
                condition.model_copy(update={"start": last.isoformat()}),
            )
    return None


def _months_after(day: date, months: int) -> date:
    """The first day of the month that many months after the first day of another."""
    months += day.month - 1
    return date(day.year + months // 12, months % 12 + 1, 1)


def _lasts(condition: Condition, months: int, step: int) -> bool:
    """Whether a condition covers exactly `months` from the start of a period of `step` months."""
    start, end = as_date(condition.start), as_date(condition.end)
    exclusive = condition.start_exclusive or condition.end_exclusive
    if start is None or end is None or condition.negate or exclusive:
        return False
    if start.day != 1 or (start.month - 1) % step:
        return False
    return end + timedelta(1) == _months_after(start, months)
