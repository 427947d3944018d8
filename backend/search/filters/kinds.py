"""Adapts the literals of a filter to the types of properties: numbers written as text and
date prefixes are converted. Literals of another type are refused, because they would match
nothing or, compared as text, give a wrong answer.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from backend.search.filters.parser import MAX_CONDITIONS, fault
from backend.search.filters.tree import (
    And,
    Comparison,
    Condition,
    Expression,
    IsNull,
    Like,
    OneOf,
    Operator,
    Or,
    Path,
    Value,
    boolean_of,
    conditions,
    rated,
    rewritten,
)
from backend.search.properties.table import TableView
from workbench.contract.errors import Invalid
from workbench.contract.plan_columns import DATED, NUMERIC
from workbench.contract.plan_values import as_number, as_span
from workbench.contract.schema import PropertyKind, PropertyShape

_BEGINNINGS: Final = {
    "date": re.compile(r"\d{4}(?:-\d\d)?"),
    "datetime": re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?"),
}
_DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ].*)?")
_FIRST_DAY = "0000-01-01"
_LAST = "~"
"""Sorts after every continuation of a date prefix."""
_LARGEST_INTEGER = 2**63 - 1


def fitted(expression: Expression, shapes: Mapping[Path, PropertyShape]) -> Expression:
    """The filter with its literals converted to the types in `shapes`.

    A date prefix stands for all dates that begin with it. Invalid if a condition can never hold,
    because its literal is of another type or not a date.
    """

    def fit(condition: Condition) -> Expression:
        kind = None if isinstance(condition, IsNull) else _kind(condition.path, shapes)
        if kind is None:
            return condition
        if kind == "datetime" and shapes[condition.path].item_type is None:
            return _timed(condition)
        return _condition(condition, kind)

    whole = rewritten(expression, fit)
    if sum(1 for _ in conditions(whole)) > MAX_CONDITIONS:
        raise fault(f"more than {MAX_CONDITIONS} conditions and date prefixes")
    return whole


def refuse_numbers_of_texts(
    expression: Expression, shapes: Mapping[Path, PropertyShape], table: TableView
) -> None:
    """Invalid if a number is compared with a property that contains only text."""
    for condition in conditions(expression):
        match condition:
            case Comparison(path, _, value):
                _refuse_numbers(path, (value,), shapes, table)
            case OneOf(path, values):
                _refuse_numbers(path, values, shapes, table)
            case _:
                pass


def _refuse_numbers(
    path: Path, values: Iterable[Value], shapes: Mapping[Path, PropertyShape], table: TableView
) -> None:
    shape, column = shapes.get(path), table.columns.get(path.parts)
    if shape is None or (shape.item_type or shape).kind not in ("string", "choice"):
        return
    if column is None or column.count == 0 or column.texts.null_count() > 0:
        return
    for value in values:
        if isinstance(value, int | float) and not isinstance(value, bool):
            reason = f"contains text, and {value} is a number: write '{value}'"
            raise fault(f"{path.bare} {reason}", path.column)


def _kind(path: Path, shapes: Mapping[Path, PropertyShape]) -> PropertyKind | None:
    """The type of the values or array items; None if open: a text may also store numbers."""
    shape = shapes.get(path)
    if shape is None:
        return "float" if rated(path) is not None else None
    kind = (shape.item_type or shape).kind
    return kind if kind in (*DATED, *NUMERIC, "bool", "object") else None


def _condition(condition: Condition, kind: PropertyKind) -> Expression:
    match condition:
        case Comparison(path, name, value):
            fit = _literal(path, value, kind)
            if kind == "bool" and name != "=":
                raise fault(
                    f"{path.bare} contains true or false: compare it with = or !=", path.column
                )
            compared = replace(condition, value=fit)
            return _with_prefix(compared, str(fit)) if _is_prefix(fit, kind) else compared
        case OneOf(path, values):
            fits = dict.fromkeys(_literal(path, value, kind) for value in values)
            begun = [value for value in fits if _is_prefix(value, kind)]
            whole = tuple(value for value in fits if value not in begun)
            parts: list[Expression] = [Like(path, f"{value}%") for value in begun]
            parts += [OneOf(path, whole)] if whole else []
            return parts[0] if len(parts) == 1 else Or(tuple(parts))
        case Like(path, pattern) if kind in (*NUMERIC, "bool", "object"):
            raise _unfit(path, pattern, kind)
        case _:
            return condition


def _timed(condition: Condition) -> Expression:
    """A condition on a time as one on moments, since offsets and blanks must not matter."""
    match condition:
        case Comparison(path, name, value):
            return _at(path, name, *_span(path, value))
        case OneOf(path, values):
            spans = [_span(path, value) for value in values]
            moments = tuple(dict.fromkeys(first for first, last in spans if first == last))
            parts = [_at(path, "=", *span) for span in spans if span[0] != span[1]]
            parts += [OneOf(path, moments)] if moments else []
            return parts[0] if len(parts) == 1 else Or(tuple(parts))
        case _:
            return condition


def _span(path: Path, value: Value) -> tuple[datetime, datetime]:
    """The first and last moment of a literal."""
    span = as_span(_literal(path, value, "datetime"))
    if span is None:
        raise _unfit(path, value, "datetime")
    return span


def _at(path: Path, name: Operator, first: datetime, last: datetime) -> Expression:
    """A comparison with all moments from `first` to `last`."""
    match name:
        case "=" if first == last:
            return Comparison(path, name, first)
        case "=":
            return And((Comparison(path, ">=", first), Comparison(path, "<=", last)))
        case "<=" | ">":
            return Comparison(path, name, last)
        case _:
            return Comparison(path, name, first)


def _with_prefix(condition: Comparison, prefix: str) -> Expression:
    """A comparison with all dates that begin with `prefix`."""
    path, after = condition.path, prefix + _LAST
    match condition.operator:
        case "=":
            return Like(path, f"{prefix}%")
        case "<=" | ">":
            return replace(condition, value=after)
        case _:
            return condition


def _is_prefix(value: Value, kind: PropertyKind) -> bool:
    pattern = _BEGINNINGS.get(kind)
    return pattern is not None and pattern.fullmatch(str(value)) is not None


def _literal(path: Path, value: Value, kind: PropertyKind) -> Value:
    """The literal as a value of that type."""
    fit: Value | None = None
    if kind in DATED:
        fit = value if isinstance(value, str) and _is_date(value) else None
    elif kind in NUMERIC:
        fit = as_number(value)
        if isinstance(fit, int) and abs(fit) > _LARGEST_INTEGER:
            fit = float(fit)  # as the parser reads it
    elif kind == "bool":
        fit = boolean_of(value)
    if fit is None:
        raise _unfit(path, value, kind)
    return fit


def _unfit(path: Path, value: Value, kind: PropertyKind) -> Invalid:
    shown = f"'{value}'" if isinstance(value, str) else str(value).lower()
    if kind in DATED:
        reason = f"contains dates, and {shown} is not one: write '2024-03-31'"
    elif kind in NUMERIC:
        reason = f"contains numbers, and {shown} is not one: write 300.5"
    elif kind == "bool":
        reason = f"contains true or false, and {shown} is neither: write true"
    else:
        reason = f"contains objects, and {shown} is not one: name a property inside it"
    return fault(f"{path.bare} {reason}", path.column)


def _is_date(text: str) -> bool:
    """Whether it is a day, with or without a time, or a year or a month."""
    day = _DAY.fullmatch(text)
    if day is None and _BEGINNINGS["date"].fullmatch(text) is None:
        return False
    try:
        return date.fromisoformat(day[1] if day else text + _FIRST_DAY[len(text) :]) is not None
    except ValueError:
        return False
