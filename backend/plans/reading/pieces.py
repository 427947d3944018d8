"""Pieces of a request: tagged tokens with their values."""

from dataclasses import dataclass, field
from typing import Any

from backend.plans.reading.properties import Property


@dataclass(frozen=True)
class Piece:
    """Tokens `start` to `end` (exclusive) with a tag and a value."""

    tag: str
    start: int
    end: int
    load: Any = None


_MOST_COUNTED = 10**9


@dataclass(frozen=True)
class Quantity:
    """A number as written: 30 mph is 30 with unit mph; 1 billion is 1e9 and `scaled`. `each` is the
    time that an amount refers to: `$200 a week`. `about` is the only property that it can refer to.
    """

    value: float
    unit: str | None = None
    scaled: bool = False
    whole: bool = True
    each: str | None = None
    about: Property | None = field(default=None, compare=False)

    @property
    def count(self) -> int | None:
        """The value as a number of things; None if it is not one, such as 2.5 or 0."""
        whole = 1 <= self.value <= _MOST_COUNTED and float(self.value).is_integer()
        return int(self.value) if whole else None


@dataclass(frozen=True)
class Reading:
    """One reading of some tokens: longer ones win, then those of higher rank."""

    length: int
    rank: float
    piece: Piece
