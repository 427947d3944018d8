"""The value that was read for a property, and the guesses that lost against it."""

from dataclasses import dataclass, field
from typing import Any, Literal

Source = Literal["rules", "model", "both"]


@dataclass(frozen=True)
class Guess:
    """A value with its confidence (0..1) and where it was read; a default has no place.

    `page` starts at 1, `bbox` is in page fractions, `element` is an index into the elements. `unit`
    is the currency code or unit name that a number was written with.
    """

    value: Any
    confidence: float
    page: int | None = None
    bbox: list[float] | None = None
    element: int | None = None
    unit: str | None = None


@dataclass(frozen=True)
class Extracted(Guess):
    """The chosen value of a property; with voting, `others` are the losing guesses, best first.

    `alternatives` are the plausible ones among them; if none was confident enough, the value is the
    default and the best guess is the first alternative.

    `source` says who found the value, `note` why a language model did not help.
    """

    others: list[Guess] = field(default_factory=list)
    alternatives: list[Guess] = field(default_factory=list)
    source: Source = "rules"
    note: str | None = None
