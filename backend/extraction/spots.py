"""A spot: a possible value of a property at a place of the document."""

from dataclasses import dataclass, field
from typing import Any

from backend.extraction.document import Place


@dataclass(frozen=True)
class Spot:
    """A possible value at a place. `kind` is the class of a text, "date" or "number"."""

    value: Any
    place: Place
    kind: str
    match: float
    """How well the class serves the property."""
    unit: str | None = None
    traits: dict[str, float] = field(default_factory=dict)
    amount: float = 0.0
    """A number as it is written, before its unit is converted."""
