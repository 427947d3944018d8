"""Checks that a submitted value can be a value of its property, and gives it the form of its type.

Anything passes that plans can read as the type: "1,200" is a number, but "unknown" is not and would
be left out of every answer. Searches and facets compare what is stored, so what is stored has the
form that extraction gives: 1200, true, 2024-03-31.
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from backend.language.tokens import composed
from workbench.contract.errors import FieldFault
from workbench.contract.plan_columns import DATED, NUMERIC
from workbench.contract.plan_values import as_bool, as_date, as_number
from workbench.contract.schema import PropertyKind, PropertyShape

_LARGEST: dict[PropertyKind, float] = {"int": 2**63 - 1, "float": sys.float_info.max}
"""The largest value that a table column can hold."""
_CONTAINERS: dict[PropertyKind, type] = {"array": list, "object": dict}


def value_fault(value: Any, shape: PropertyShape, loc: Sequence[str | int]) -> FieldFault | None:
    """The first fault of a value, or None; `loc` is its place in the request.

    Null is the missing value of every type.
    """
    if value is None:
        return None
    if (broken := _own_fault(value, shape)) is not None:
        return FieldFault(loc=list(loc), msg=broken[1], type=broken[0])
    parts: list[tuple[Any, PropertyShape]] = []
    if isinstance(value, list) and shape.item_type is not None:
        parts = [(item, shape.item_type) for item in value]
    elif isinstance(value, dict):
        parts = [(value.get(inner.name), inner) for inner in shape.properties or ()]
    faults = (value_fault(part, inner, loc) for part, inner in parts)
    return next((fault for fault in faults if fault is not None), None)


def normal_form(value: Any, shape: PropertyShape) -> Any:
    """A value without faults, as extraction writes values of that type."""
    if isinstance(value, list) and shape.item_type is not None:
        return [normal_form(item, shape.item_type) for item in value]
    if isinstance(value, dict):
        shapes = {inner.name: inner for inner in shape.properties or ()}
        named = {composed(name): part for name, part in value.items()}
        return {
            name: normal_form(part, shapes[name]) if name in shapes else part
            for name, part in named.items()
        }
    if value is None:
        return None
    if shape.kind == "string" and not isinstance(value, str):
        return json.dumps(value)
    if shape.kind in ("string", "choice"):
        return _composed(value)
    if shape.kind == "bool":
        return as_bool(value)
    if shape.kind in NUMERIC:
        number = as_number(value)
        return int(number) if number is not None and shape.kind == "int" else number
    return _written_date(value, shape.kind) if shape.kind in DATED else value


def _composed(value: Any) -> Any:
    """A text in the normal form that texts of documents have; other values unchanged."""
    return composed(value) if isinstance(value, str) else value


def default_of(shape: PropertyShape) -> Any:
    """The default of a property, as extraction writes values of its type."""
    value = shape.default
    return value if value_fault(value, shape, ()) is not None else normal_form(value, shape)


def _written_date(value: str | int, kind: PropertyKind) -> str:
    moment = datetime.fromisoformat(str(value).strip())
    if kind == "date":
        return moment.date().isoformat()
    return moment.isoformat()


_PART_OF_DATE = re.compile(r"\d{4}(?:-\d{1,2})?")


def _own_fault(value: Any, shape: PropertyShape) -> tuple[str, str] | None:
    """The rule that a value breaks, and a message; lists and objects are not descended into."""
    kind = shape.kind
    shown = _shown(value)
    if kind == "custom":
        return None
    if not isinstance(value, _CONTAINERS.get(kind, str | bool | int | float)):
        return "wrong_type", f"{shown} cannot be of type {kind}."
    if isinstance(value, dict) and (unknown := _unknown_part(value, shape)) is not None:
        return "unknown_part", unknown
    if kind == "choice" and _composed(value) not in (shape.choices or ()):
        return "wrong_choice", f"{shown} is not one of the choices: {_nearest(value, shape)}"
    if kind in DATED and as_date(value) is None:
        return "wrong_date", f"{shown} is not a date: write it as 2024-03-31."
    if kind in DATED and _PART_OF_DATE.fullmatch(str(value).strip()):
        # Answers would take it for its first day, searches for no day.
        return "wrong_date", f"{shown} is not a whole date: write a day, as 2024-03-31, or none."
    if kind == "bool" and as_bool(value) is None:
        return "wrong_type", f"{shown} cannot be of type bool."
    return _number_fault(value, kind) if kind in NUMERIC else None


def _nearest(value: Any, shape: PropertyShape) -> str:
    """The choice that differs from a value only in case or blanks, or the first choices."""
    folded = _folded(value)
    near = next((one for one in shape.choices or () if _folded(one) == folded), None)
    if near is not None:
        return f"did you mean {near!r}?"
    return f"they are {', '.join(map(str, (shape.choices or ())[:20]))}"[:300] + "."


def _folded(value: Any) -> str:
    return "".join(str(_composed(value)).split()).casefold()


def _unknown_part(value: Mapping[str, Any], shape: PropertyShape) -> str | None:
    """Names a part of an object that its type does not have: it would be in no answer."""
    names = [inner.name for inner in shape.properties or ()]
    unknown = next((name for name in value if composed(name) not in names), None)
    if unknown is None:
        return None
    near = get_close_matches(unknown, names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"its parts are {', '.join(names)}"[:300] + "."
    return f"{unknown[:80]!r} is not a property of the object: {hint}"


def _number_fault(value: Any, kind: PropertyKind) -> tuple[str, str] | None:
    number = as_number(value)
    if number is None or (kind == "int" and number != int(number)):
        return "wrong_type", f"{_shown(value)} cannot be of type {kind}."
    if abs(number) > _LARGEST[kind]:
        return "too_large", "The number is too large for answers."
    return None


def _shown(value: Any) -> str:
    """The beginning of a value: a text in quotation marks, anything else as JSON writes it."""
    text = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:80]
