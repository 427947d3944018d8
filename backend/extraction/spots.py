"""A spot: a possible value of a property at a place in the document."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from backend.extraction.segments import Place

_NO_TRAITS: Mapping[str, float] = MappingProxyType({})


class InRun(NamedTuple):
    """The run of like lines or cells that a spot is part of: its way, its number, and how well what
    is written beside it names the property.
    """

    way: str
    number: int
    about: float


class Spot(NamedTuple):
    """A possible value at a place. `kind` is its class of text, "date" or "number"."""

    value: Any
    place: Place
    kind: str
    match: float
    """How well the class matches the property."""
    unit: str | None = None
    traits: Mapping[str, float] = _NO_TRAITS
    amount: float = 0.0
    """A number as written, before its unit is converted."""
    run: InRun | None = None
