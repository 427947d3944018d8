"""Converts a value set by a person to its stored form; rejects values of another type."""

from datetime import date, datetime
from typing import Any

from workbench.client.errors import Mistake
from workbench.contract.schema import PropertyShape
from workbench.frames.columns import fits
from workbench.nearest import suggestion


def wire_value(name: str, value: Any, shape: PropertyShape) -> Any:
    """The value in JSON form. Raises Mistake for one that the property does not allow.

    Dates and times are texts (`2026-03-01`); texts of numbers are not numbers.
    """
    plain = _plain(value)
    if shape.kind == "choice" and shape.choices and plain not in shape.choices:
        near = suggestion(str(plain), map(str, shape.choices))
        raise Mistake(f"{plain!r:.80} is not one of the choices of {name!r}.{near}")
    if not fits(plain, shape):
        kind = "text" if shape.kind == "string" else shape.kind
        raise Mistake(f"{name!r} is of type {kind}, and {value!r:.80} is not.")
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, list | tuple | set):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    for listed in ("tolist", "to_list"):  # of numpy and pandas, of Polars
        if hasattr(value, listed):
            return _plain(getattr(value, listed)())
    return value
