"""Conditions and steps in English, for the descriptions of steps and for reports."""

from collections.abc import Sequence
from typing import Any

from backend.plans.reading.phrasing import Key, Measure
from workbench.contract.coverage import field_words
from workbench.contract.derived_fields import derived_field
from workbench.contract.plan_nodes import Aggregation, BasicFilter, Condition

_FUNCTIONS = {
    "avg": "average", "sum": "total", "min": "lowest", "max": "highest", "median": "median",
    "count": "number", "distinct": "number of different", "share": "share",
    "ratio": "ratio",
}  # fmt: skip


def say_field(name: str) -> str:
    """A field as people call it; the size of an array is `number of tags`."""
    return field_words(name)


def say_condition(condition: Condition, field: str | None = None) -> str:
    """A condition, for instance `state is Texas or Ohio`."""
    name = say_field(condition.field or field or "")
    alternatives = condition.any_of if isinstance(condition, BasicFilter) else None
    if alternatives:
        words = " or ".join(say_condition(c, condition.field) for c in alternatives)
        return f"not ({words})" if condition.negate else words
    if condition.exists is not None:
        return f"{name} is {'known' if condition.exists else 'unknown'}"
    no = "not " if condition.negate else ""
    if condition.start_field or condition.end_field:
        return f"{name} is {no}{_field_bounds(condition)}"
    if isinstance(condition, BasicFilter) and (condition.start_at or condition.end_at):
        return f"{name} is {no}{_middle_bounds(condition)} of the documents that come in"
    wanted = list(condition.values or [])
    if condition.query is not None:
        wanted.append(condition.query)
    bounded = condition.start is not None or condition.end is not None
    if condition.range_filter or (bounded and not wanted):
        return f"{name} is {no}{_range(condition)}"
    if condition.match == "exact" or not isinstance(condition.query, str):
        return f"{name} is {no}{_list(wanted)}"
    verb = _OF_TEXT[condition.match == "prefix"][condition.negate]
    return f"{name} {verb} {_list(wanted)}"


_OF_TEXT = (("contains", "does not contain"), ("begins with", "does not begin with"))


def _field_bounds(condition: Condition) -> str:
    low, high = condition.start_field, condition.end_field
    if low is not None and low == high:
        return f"the same as {say_field(low)}"
    words = _words_of_bounds(condition)
    sides = []
    if low is not None:
        sides.append(f"{words[0]} {say_field(low)}")
    if high is not None:
        sides.append(f"{words[1]} {say_field(high)}")
    return " and ".join(sides)


_BESIDE_DATE = ("after", "no earlier than", "before", "no later than")
_BESIDE_NUMBER = ("more than", "at least", "less than", "at most")


def _middle_bounds(condition: BasicFilter) -> str:
    bounds = []
    for middle, side in ((condition.start_at, "above"), (condition.end_at, "below")):
        if middle is not None:
            bounds.append(f"{side} the {_FUNCTIONS[middle]}")
    return " and ".join(bounds)


def _range(condition: Condition) -> str:
    low, high = (None if b is None else _value(b) for b in (condition.start, condition.end))
    if low is not None and high is not None:
        if not (condition.start_exclusive or condition.end_exclusive):
            return f"from {low} to {high}"
        words = _words_of_bounds(condition)
        return f"{words[0]} {low} and {words[1]} {high}"
    if condition.is_date and low is not None and not condition.start_exclusive:
        return f"{low} or later"
    if condition.is_date and high is not None and not condition.end_exclusive:
        return f"{high} or earlier"
    words = _words_of_bounds(condition)
    return f"{words[0]} {low}" if low is not None else f"{words[1]} {high}"


def _words_of_bounds(condition: Condition) -> tuple[str, str]:
    """The words in front of the lower and of the upper bound."""
    words = _BESIDE_DATE if condition.is_date else _BESIDE_NUMBER
    low = words[0] if condition.start_exclusive else words[1]
    return low, words[2] if condition.end_exclusive else words[3]


def _list(values: Sequence[Any]) -> str:
    words = [_value(value) for value in values]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def say_filter(condition: BasicFilter) -> str:
    """The description of a filter step."""
    return f"Keep where {say_condition(condition)}"


def say_measure(measure: Measure) -> str:
    """A measure, for instance `average pilot hours`."""
    if measure.func == "share":
        part = " and ".join(say_condition(condition) for condition in measure.where)
        if measure.field is not None:
            of = f"the total {say_field(measure.field)}"
            return f"share of {of} where {part}" if part else f"share of {of}"
        return f"share of {part or 'all documents'}"
    if measure.field is None:
        return "number of documents" if measure.func == "count" else _FUNCTIONS[measure.func]
    derived = derived_field(measure.field) if measure.func == "ratio" else None
    if derived is not None and derived.other is not None:
        return f"total {say_field(derived.field)} divided by total {say_field(derived.other)}"
    function, name = _FUNCTIONS[measure.func], say_field(measure.field)
    if function in name.split():  # the sum of totals is no "total total"
        return f"{'sum' if measure.func == 'sum' else function} of {name}"
    return f"{function} {name}"


def say_column(item: Aggregation) -> str:
    """A column of an Aggregate in words."""
    words = say_measure(Measure(item.func, item.field, tuple(item.where)))
    return f"{words} in percent" if item.percent else words


def say_columns(items: Sequence[Aggregation]) -> str:
    """The columns of an Aggregate in words."""
    return ", ".join(map(say_column, items))


def say_direction(descending: bool | None) -> str:
    """The direction of a sort in words."""
    return "from high to low" if descending else "from low to high"


def say_key(key: Key) -> str:
    """A group key, for instance `state and month of event date`."""
    names = [say_field(name) for name in key.fields]
    if key.bucket is not None:
        names[0] = f"{key.bucket} of {names[0]}"
    return " and ".join(names)
