"""A candidate: one possible value of a property, where it was read and how likely it is."""

from dataclasses import dataclass
from typing import Any

from backend.extraction.pairs import Pair

MIN_FIT = 0.42
"""Below this fit a label names something else."""


@dataclass(frozen=True)
class Candidate:
    """A possible value. `absent` is set where the document states that there is none."""

    value: Any
    score: float
    source: str
    element: int
    page: int
    bbox: tuple[float, ...]
    absent: bool = False
    pair: Pair | None = None
    """The labelled value it came from; no two properties of related kinds may share it."""
    unit: str | None = None
    """The unit of a number that was written with one."""

    @property
    def label(self) -> str:
        """Its label, or an empty text."""
        return self.pair.label if self.pair is not None else ""
