"""What words of a request are read as: pieces with a tag, and the numbers they carry."""

from dataclasses import dataclass, field
from typing import Any

from backend.plans.reading.properties import Property


@dataclass(frozen=True)
class Piece:
    """A stretch of tokens `start` to `end` (not included) with its tag and what it carries."""

    tag: str
    start: int
    end: int
    load: Any = None


_MOST_COUNTED = 10**9


@dataclass(frozen=True)
class Quantity:
    """A number as written: 30 mph is 30 with unit mph; 1 billion is 1e9 and `scaled`. `each` is the
    time that an amount is for: `$200 a week`. `about` is the property that it must be about,
    where only one can be.
    """

    value: float
    unit: str | None = None
    scaled: bool = False
    whole: bool = True
    each: str | None = None
    about: Property | None = field(default=None, compare=False)

    @property
    def count(self) -> int | None:
        """As a number of things; None where it is none, as 2.5 or 0."""
        whole = 1 <= self.value <= _MOST_COUNTED and float(self.value).is_integer()
        return int(self.value) if whole else None


@dataclass(frozen=True)
class Reading:
    """One way to read some tokens: longer ones win, then those of higher rank."""

    length: int
    rank: float
    piece: Piece
