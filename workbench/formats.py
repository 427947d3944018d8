"""Formats values for people: numbers, shares and dates, the same way in every interface.

Values of a column share one format, so that decimals align. Numbers that name something (years,
ids, group keys) get no thousands separators.
"""

import json
import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any

from workbench.contract.numbers import number_words, percent_words

MARK = "⚠"
"""Precedes a number that needs its footnote."""
_NAMING = frozenset(
    {"year", "id", "no", "nr", "number", "code", "zip", "postcode", "phone", "fax", "key"}
)
_PARTS = re.compile(r"[A-Za-z]+")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")
_COUNTED_UNITS = frozenset(
    {"second", "minute", "hour", "day", "week", "month", "year", "mile", "knot", "yard", "meter",
     "kilometer", "centimeter", "millimeter", "gram", "kilogram", "pound", "ounce", "ton", "tonne",
     "liter", "gallon", "acre", "degree", "page", "point", "watt", "volt", "newton", "joule"}
)  # fmt: skip
_PLURALS = {"foot": "feet", "inch": "inches"}
_CONFIDENCES = ("score", "confidence")
_DECIMALS = ((1, 2), (0.1, 3), (0, 4))
"""Decimals of a column, by a lower limit of its largest fractional number."""


def is_number(value: object) -> bool:
    """Whether it is a number; booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def names_something(column: str) -> bool:
    """Whether numbers of that column name something: `year`, `invoice_number`."""
    parts = [part.lower() for part in _PARTS.findall(column.rpartition(".")[2])]
    return bool(parts) and (parts[-1] in _NAMING or "year" in parts)


def value_words(value: Any, column: str = "", *, typed: bool = False, percent: int = 0) -> str:
    """A value on one line. `column` is the name of its property or column; `typed` writes numbers
    as a person would type them; with `percent` they are multiplied by it and written in percent.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        if percent:
            return percent_words(percent * value)
        whole = isinstance(value, int) or value.is_integer()
        if whole and (typed or names_something(column)):
            return str(int(value))
        return str(value) if typed else number_words(value)
    if isinstance(value, datetime | date):
        return _moment(value.isoformat())
    if isinstance(value, str) and (inside := structure_in(value)) is not None:
        value = inside
    if isinstance(value, list | tuple):
        items = [value_words(item, column, typed=typed) for item in value]
        comma = "; " if any(", " in item for item in items) else ", "
        return passages_words(value) or comma.join(items)
    if isinstance(value, dict):
        return ", ".join(
            f"{name}: {value_words(item, name, typed=typed)}"
            for name, item in value.items()
            if item is not None
        )
    return _moment(" ".join(str(value).split()))


def unit_words(value: Any, unit: str) -> str:
    """The unit behind a value: `1 mile`, but `3 miles`; signs such as `km` and `USD` stay."""
    if value == 1 or not is_number(value):
        return unit
    return _PLURALS.get(unit, f"{unit}s" if unit in _COUNTED_UNITS else unit)


def structure_in(text: str) -> dict[str, Any] | list[Any] | None:
    """The list or object that a text contains as JSON, or None."""
    if text[:1] + text[-1:] not in ("{}", "[]"):
        return None
    try:
        inside = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return inside if isinstance(inside, dict | list) else None


def confidence_words(confidence: float | None) -> str:
    """A confidence such as `0.93`; empty without one."""
    return "" if confidence is None else f"{confidence:.2f}"


def column_words(column: str, values: Iterable[Any], *, percent: int = 0) -> Callable[[Any], str]:
    """The format of a column, chosen by its `values`; `percent` is the factor to percent."""
    if percent:
        return lambda value: value_words(value, column, percent=percent)
    if column.rpartition(".")[2] in _CONFIDENCES:
        return lambda value: confidence_words(value) if is_number(value) else value_words(value)
    fractional = [v for v in values if isinstance(v, float) and not v.is_integer()]
    if not fractional:
        return lambda value: value_words(value, column)
    largest = max(abs(value) for value in fractional)
    if not largest < 1e15:
        return lambda value: value_words(value, column)
    decimals = next(digits for least, digits in _DECIMALS if largest >= least)
    return lambda value: (
        f"{value:,.{decimals}f}" if is_number(value) else value_words(value, column)
    )


def cited(value: Any) -> dict[str, Any] | None:
    """A passage that a step cites, given as an object or as its JSON; None for other values."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    return value if isinstance(value, dict) and "doc_id" in value and "text" in value else None


def passages_words(values: Iterable[Any]) -> str:
    """Passages by descending confidence: `0.93  p2 “ice on the wing”`; empty without any."""
    passages = [passage for value in values if (passage := cited(value)) is not None]
    passages.sort(key=lambda passage: -float(passage.get("score") or 0))
    return " · ".join(_passage(passage) for passage in passages)


def _passage(passage: dict[str, Any]) -> str:
    score = passage.get("score")
    sure = f"{score:.2f}  " if is_number(score) else ""
    text = " ".join(str(passage.get("text") or "").split())
    return f"{sure}p{passage.get('page') or 1} “{text}”"


def _moment(text: str) -> str:
    """An ISO time without seconds, and without the time if it is midnight."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        return text
    day, clock, offset = match.groups()
    return day if clock == "00:00" and offset in (None, "Z") else f"{day} {clock}"


def counted(number: int, thing: str = "row") -> str:
    """A number of things: `1 row`, `1,204 rows`, `2 properties`."""
    softens = thing.endswith("y") and thing[-2:-1] not in "aeiou"  # properties, but days
    several = f"{thing[:-1]}ies" if softens else f"{thing}s"
    return f"{number:,} {thing if number == 1 else several}"


def ago(seconds: float) -> str:
    """A time in the past: `just now`, `3 min ago`, `2 h ago`, `4 days ago`."""
    if seconds < 60:
        return "just now"
    if seconds < 3600:
        return f"{int(seconds) // 60} min ago"
    if seconds < 86400:
        return f"{int(seconds) // 3600} h ago"
    return f"{counted(int(seconds) // 86400, 'day')} ago"
