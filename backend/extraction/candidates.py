"""A candidate: one value that a property may have, where it was read and how likely it is."""

from dataclasses import dataclass
from typing import Any

from backend.extraction.pairs import Pair

MIN_FIT = 0.42
"""Labels that fit a property worse name something else."""


@dataclass(frozen=True)
class Candidate:
    """A possible value. `absent` is set where the document says that there is none."""

    value: Any
    score: float
    source: str
    element: int
    page: int
    bbox: tuple[float, ...]
    absent: bool = False
    pair: Pair | None = None
    """The labelled value it was read from; two properties of a kind cannot both have it."""
    unit: str | None = None
    """The unit of a number that was read with one."""

    @property
    def label(self) -> str:
        """What labels it, where something does."""
        return self.pair.label if self.pair is not None else ""
