"""Combines two conditions on one property: narrower, wider, or a contradiction."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from workbench.contract.plan_nodes import BasicFilter, Condition, canonical_field
from workbench.contract.plan_values import as_date


def is_relative(condition: BasicFilter) -> bool:
    """Whether a bound is computed from the input: such a filter stays behind all others."""
    return condition.start_at is not None or condition.end_at is not None


def merge(old: BasicFilter, new: BasicFilter) -> BasicFilter | None:
    """Merges two conditions on one property into one; None if both must stay.

    The new one wins if they contradict each other: people correct themselves.
    """
    if is_relative(old) or is_relative(new):
        return new if is_relative(old) and is_relative(new) else None
    if _other_fields(old) or _other_fields(new):
        return new if _other_fields(old) == _other_fields(new) else None
    if old.exists is not None or new.exists is not None:
        return new if old.exists is not None and new.exists is not None else None
    if old.range_filter or new.range_filter:
        return _merge_ranges(old, new)
    before, after = values_in(old), values_in(new)
    if not _exact(new) or not (_exact(old) or new.negate == old.negate is False):
        return None
    if new.negate and old.negate:
        return with_values(old, [*before, *(v for v in after if v not in before)])
    if new.negate:
        left = [value for value in before if not among(value, after)]
        return with_values(old, left) if left else new
    return new


def _other_fields(condition: BasicFilter) -> set[str]:
    """The other fields that a condition compares its own with."""
    return {canonical_field(f) for f in (condition.start_field, condition.end_field) if f}


def _exact(condition: BasicFilter) -> bool:
    """Whether whole values are compared, as always for numbers and booleans."""
    return condition.match == "exact" or not any(isinstance(v, str) for v in values_in(condition))


def excludes(one: BasicFilter, other: BasicFilter) -> bool:
    """Whether nothing can pass both conditions, which are on the same property."""
    if one.field != other.field or one.any_of or other.any_of:
        return False
    if is_relative(one) or is_relative(other) or _other_fields(one) or _other_fields(other):
        return False
    if one.exists is not None or other.exists is not None:
        gap, rest = (one, other) if one.exists is False else (other, one)
        return gap.exists is False and not rest.negate and rest.exists is not False
    if one.range_filter and other.range_filter and not (one.negate or other.negate):
        return not (_reaches(one, other) and _reaches(other, one))
    if one.range_filter or other.range_filter or not (_exact(one) and _exact(other)):
        return False
    if one.negate and other.negate:
        return False
    if one.negate or other.negate:
        kept, gone = (
            (values_in(other), values_in(one)) if one.negate else (values_in(one), values_in(other))
        )
        return all(among(value, gone) for value in kept)
    return not any(among(value, values_in(other)) for value in values_in(one))


def _reaches(low: BasicFilter, high: BasicFilter) -> bool:
    """Whether the end of one range lies at or above the start of the other."""
    if low.start is None or high.end is None:
        return True
    if low.start == high.end:
        return not (low.start_exclusive or high.end_exclusive)
    return is_less(low.start, high.end)


def _merge_ranges(old: BasicFilter, new: BasicFilter) -> BasicFilter | None:
    if new.negate or old.negate or not (old.range_filter and new.range_filter):
        return None if new.negate or old.negate else new
    if (new.start is not None and new.end is not None) or excludes(old, new):
        return new
    low, high = new, new
    if new.start is None and old.start is not None and _is_below(old.start, new.end):
        low = old
    if new.end is None and old.end is not None and _is_below(new.start, old.end):
        high = old
    return new.model_copy(
        update={
            "start": low.start,
            "start_exclusive": low.start_exclusive,
            "end": high.end,
            "end_exclusive": high.end_exclusive,
        }
    )


def _is_below(low: Any, high: Any) -> bool:
    """Whether there is a range between; `at most 1000` after `at least 1000` replaces the bound."""
    return is_less(low, high) and low != high


def is_less(low: Any, high: Any) -> bool:
    try:
        return bool(low <= high)
    except TypeError:
        return False


def values_in(condition: BasicFilter) -> list[Any]:
    values: list[Any] = list(condition.values or [])
    if condition.query is not None:
        values.append(condition.query)
    return values


def among(value: Any, values: Sequence[Any]) -> bool:
    return any(str(value).lower() == str(other).lower() for other in values)


def with_values(condition: BasicFilter, values: Sequence[Any]) -> BasicFilter:
    single = len(values) == 1
    return condition.model_copy(
        update={"query": values[0] if single else None, "values": None if single else list(values)}
    )


def union(old: BasicFilter, new: BasicFilter, *, through: bool = False) -> BasicFilter | None:
    """A condition that holds if at least one of two on the same property does; None if everything
    matches.

    With `through`, the gap between two ranges matches as well.
    """
    if old.match == "exact" and new.match == "exact" and not old.range_filter:
        before, after = values_in(old), values_in(new)
        if old.negate:
            left = [value for value in before if not among(value, after)]
            return with_values(old, left) if left else None
        return with_values(old, [*before, *(v for v in after if not among(v, before))])
    if old.range_filter and new.range_filter and not (old.negate or new.negate):
        joined = _joined(old, new, through)
        if joined is not None:
            return joined
    parts = [Condition.model_validate(c.model_dump(exclude={"any_of"})) for c in (old, new)]
    return BasicFilter(field=old.field, is_date=old.is_date or new.is_date, any_of=parts)


def _joined(old: BasicFilter, new: BasicFilter, through: bool) -> BasicFilter | None:
    """Merges two ranges that meet. A single bound moves that end of a range and keeps the other."""
    one_sided = (new.start is None) != (new.end is None)
    within = old.start is not None and old.end is not None
    meet = _reaches(old, new) and _reaches(new, old)
    touch = _adjacent(old, new) or _adjacent(new, old)
    if not (meet or touch or through):
        return None
    low, high = _lower(old, new), _upper(old, new)
    if one_sided and within:
        low = low if new.start is not None else old
        high = high if new.end is not None else old
    if low.start is None and high.end is None:
        return None
    return old.model_copy(
        update={
            "start": low.start,
            "start_exclusive": low.start_exclusive,
            "end": high.end,
            "end_exclusive": high.end_exclusive,
        }
    )


def _adjacent(low: BasicFilter, high: BasicFilter) -> bool:
    """Whether one range of days begins on the day after the other ends."""
    if not (low.is_date and high.is_date) or low.end_exclusive or high.start_exclusive:
        return False
    end, start = as_date(low.end, end=True), as_date(high.start)
    return end is not None and start is not None and start - end == timedelta(1)


def _lower(one: BasicFilter, other: BasicFilter) -> BasicFilter:
    """The condition with the lower start; at the same bound the one that includes it."""
    if one.start is None or other.start is None:
        return one if one.start is None else other
    if one.start == other.start:
        return other if one.start_exclusive else one
    return one if is_less(one.start, other.start) else other


def _upper(one: BasicFilter, other: BasicFilter) -> BasicFilter:
    """The condition with the higher end."""
    if one.end is None or other.end is None:
        return one if one.end is None else other
    if one.end == other.end:
        return other if one.end_exclusive else one
    return one if is_less(other.end, one.end) else other
