"""What the judgement of a plan is worth, by what it counts beside the score of the chart."""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.plans.requests.judging import is_meant, is_sure

_WEIGHTS = (0.0, 0.2, 0.3, 0.45, 0.6, 0.8)


@dataclass(frozen=True)
class Judged:
    """The likeliest plan of a request: how likely by the score, how it was judged, and whether it
    is right.
    """

    likely: float
    score: float
    right: bool

    def is_kept(self, weight: float) -> bool:
        """Whether the plan is kept when the judgement counts so much."""
        if not 0 < self.likely < 1 or is_sure(self.likely):
            return self.likely > 0
        return is_meant(self.likely, self.score, weight)


def report(judged: Sequence[Judged]) -> None:
    """Prints right and wrong plans by what the judgement counts; with 0 the score decides alone."""
    for weight in _WEIGHTS:
        kept = [one.right for one in judged if one.is_kept(weight)]
        print(f"{weight}: {sum(kept)} right, {len(kept) - sum(kept)} wrong of {len(judged)}")
