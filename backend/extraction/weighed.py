"""A property with its candidate values and the confidence of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from backend.extraction.features import Rows
from backend.extraction.forest import Judging
from backend.extraction.groups import Group
from backend.extraction.targets import Target
from backend.inference.trees import Odds

GIVEN = 0.5
"""Less confident values are only alternatives: a wrong value is worse than none."""


class Opinion(NamedTuple):
    """The log-odds of a property's values, their rows, the rows of `rivalry`, and their judge."""

    odds: Odds
    rows: Rows
    rivals: Rows
    judging: Judging

    def of(self, kept: Sequence[int]) -> "Opinion":
        """The same opinion of some of the values only."""
        return self._replace(odds=self.odds[kept], rows=self.rows[kept], rivals=self.rivals[kept])


@dataclass
class Weighed:
    """A property, its candidate values and their confidences."""

    target: Target
    groups: list[Group]
    confidences: list[float]
    opinion: Opinion | None = None

    def without(self, *refused: Group) -> "Weighed":
        """Removes values and redistributes their probability among the others."""
        gone = set(map(id, refused))
        kept = [at for at, group in enumerate(self.groups) if id(group) not in gone]
        groups = [self.groups[at] for at in kept]
        if self.opinion is None:
            return Weighed(self.target, groups, [self.confidences[at] for at in kept])
        left = self.opinion.of(kept)
        (sure,) = left.judging.confidences([left[:3]])
        return Weighed(self.target, groups, sure, left)
