"""Choices of a facet that narrow a search: values, or ranges of numbers and dates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeAlias

from workbench.contract.search import Facet, HistogramBin


@dataclass(frozen=True)
class Range:
    """Values from `start` up to, but not including, `end`."""

    start: Any
    end: Any


@dataclass(frozen=True)
class Excluded:
    """Documents with this value or range are left out; those without any value stay."""

    pick: Any


Pick: TypeAlias = Any
"""A value of a property, a Range of values, or an Excluded one."""


def bare(pick: Pick) -> Pick:
    """The value or range, whether it is chosen or excluded."""
    return pick.pick if isinstance(pick, Excluded) else pick


@dataclass(frozen=True)
class Choice:
    """A value or range, its number of documents in the result if known, a range's label."""

    pick: Pick
    count: int | None
    words: str = ""


def choices(facet: Facet, picked: Sequence[Pick], most: int) -> list[Choice]:
    """The most common values, or ranges if there are more than `most` values. Picked ones are
    always included. Empty for a property with only distinct values, which filters nothing.
    """
    listed: list[Choice] = []
    if facet.histogram and facet.distinct > most:
        listed = [
            Choice(Range(one.start, one.end), one.count, _words(facet.unit, one))
            for one in facet.histogram
            if one.count
        ]
    elif facet.values and facet.values[0].count > 1:
        listed = [Choice(item.value, item.count) for item in facet.values[:most]]
    return _with_picked(facet, listed, picked)


def every_choice(facet: Facet, picked: Sequence[Pick]) -> list[Choice]:
    """All values of the facet, including the picked ones."""
    return _with_picked(facet, [Choice(v.value, v.count) for v in facet.values], picked)


def unlisted(facet: Facet, listed: Sequence[Choice]) -> int:
    """Number of values that are not listed as choices. A range lists no value."""
    return max(0, facet.distinct - sum(not isinstance(c.pick, Range) for c in listed))


def _with_picked(facet: Facet, listed: list[Choice], picked: Sequence[Pick]) -> list[Choice]:
    picks = [choice.pick for choice in listed]
    counts = {item.value: item.count for item in facet.values}
    added = [
        Choice(pick, None, _words(facet.unit, pick))
        if isinstance(pick, Range)
        else Choice(pick, counts.get(pick))
        for pick in map(bare, picked)
        if pick not in picks
    ]
    return listed + added


def condition(name: str, pick: Pick) -> str:
    """A pick as the filter language writes it."""
    if isinstance(pick, Excluded):
        return f"not ({condition(name, pick.pick)})"
    if isinstance(pick, Range):
        return f"({name} >= {literal(pick.start)} and {name} < {literal(pick.end)})"
    return f"{name} = {literal(pick)}"


def literal(value: Any) -> str:
    """A value as the filter language writes it: only quotes and backslashes are escaped."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_literal(text: str) -> Any:
    """The value that `literal` wrote."""
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
    if text in ("true", "false"):
        return text == "true"
    number = float(text)
    return number if any(mark in text for mark in ".eE") else int(text)


def range_words(bounds: Range) -> str:
    """A range whose facet is not loaded."""
    return _words(_unit(bounds), bounds)


def _unit(bounds: Range) -> str:
    """Whole years and months are named as such."""
    start, end = bounds.start, bounds.end
    if not isinstance(start, str) or not isinstance(end, str):
        return "number"
    if start[5:] == end[5:] == "01-01":
        return "year"
    next_month = date.fromisoformat(start[:8] + "28") + timedelta(days=4)
    whole = start.endswith("-01") and end == next_month.replace(day=1).isoformat()
    return "month" if whole else "day"


def _words(unit: str | None, bounds: HistogramBin | Range) -> str:
    start, end = bounds.start, bounds.end
    if unit == "number" or not isinstance(start, str):
        return f"{_short(start)} – {_short(end)}"
    if unit == "month":
        return start[:7]
    last = (date.fromisoformat(end) - timedelta(days=1)).isoformat()
    if unit == "year":
        start, last = start[:4].lstrip("0"), last[:4].lstrip("0")
    return start if start == last else f"{start} – {last}"


def _short(number: Any) -> str:
    """Six digits, millions as `2.5M`, billions as `2.5B`."""
    for unit, letter in ((1_000_000_000, "B"), (1_000_000, "M")):
        if abs(number) >= unit:
            return f"{number / unit:,.4g}{letter}"
    return f"{number:,.6g}"
