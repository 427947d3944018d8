"""What the judgement of a plan counts beside the score of the chart, and what that is worth."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Counts = tuple[float, float, float]
"""What the score counts, what the judgement does, and what is added for no plan."""
_LEAST = 1e-4
_CHANCES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_BY_THE_SCORE: Counts = (1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Judged:
    """The likeliest plans of a request: how likely the score finds each, how the judge does, and
    which are right.
    """

    likely: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float32]
    right: npt.NDArray[np.bool_]
    domain: str

    def chances(self, counts: Counts) -> npt.NDArray[np.float64]:
        """How likely each plan is, and no plan at the end."""
        scored, judgement, none = counts
        odds = scored * np.log(self.likely + _LEAST) + judgement * self.scores
        nothing = scored * math.log(max(_LEAST, 1 - self.likely.sum())) + none
        power = np.append(odds, nothing)
        power = np.exp(power - power.max())
        chances: npt.NDArray[np.float64] = power / power.sum()
        return chances


def surprise(judged: Sequence[Judged], counts: Counts) -> float:
    """The mean of minus the logarithm of what is right."""
    total = 0.0
    for one in judged:
        meant = np.append(one.right, not one.right.any())
        total -= math.log(max(1e-6, one.chances(counts)[meant].sum()))
    return total / max(1, len(judged))


def counts_fitted(judged: Sequence[Judged]) -> Counts:
    """The counts under which what is right surprises least."""
    best, step = [1.0, 0.5, 0.0], 0.4
    least = surprise(judged, (1.0, 0.5, 0.0))
    while step > 0.02:
        moved = False
        for place in range(3):
            for way in (step, -step):
                tried = list(best)
                tried[place] += way
                now = surprise(judged, (tried[0], tried[1], tried[2]))
                if now < least - 1e-5:
                    best, least, moved = tried, now, True
        step = step if moved else step / 2
    return best[0], best[1], best[2]


def report(judged: Sequence[Judged]) -> None:
    """Prints right and wrong answers by how likely a plan must be to be taken: by the score alone,
    and with a judgement whose counts were fitted on the other half of the domains.
    """
    domains = sorted({one.domain for one in judged})
    halves = [[one for one in judged if domains.index(one.domain) % 2 == half] for half in (0, 1)]
    if not all(halves):
        return
    plain = [(_BY_THE_SCORE, half) for half in halves]
    fitted = [(counts_fitted(halves[1]), halves[0]), (counts_fitted(halves[0]), halves[1])]
    for name, parts in (("score", plain), ("judged", fitted)):
        lost = np.mean([surprise(half, counts) for counts, half in parts])
        print(f"{name:7} {lost:.3f} ", *(_taken(parts, chance) for chance in _CHANCES))


def _taken(parts: Sequence[tuple[Counts, list[Judged]]], chance: float) -> str:
    right = wrong = 0
    for counts, half in parts:
        for one in half:
            chances = one.chances(counts)[:-1]
            best = int(chances.argmax())
            if chances[best] >= chance:
                right, wrong = right + int(one.right[best]), wrong + int(not one.right[best])
    return f"{chance}: {right}/{wrong} "
