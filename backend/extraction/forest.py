"""The fitted score: gradient-boosted trees and networks as plain arrays, and its calibration.

tests/bench/fit_properties.py writes `weights.npz`. Each row of features gets odds for "this is the
value": the mean of trees that see it alone and networks that see it beside the others. A second,
smaller set of trees, the judge, then estimates how likely it is right, given the competition and
the chance that there is no value: it sees the row and how its odds compare with the others'.
Calibration turns that estimate into the share of such values that are right.
Log-odds that a network corrected after reading the document (`close_reading`) have their own judge.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from backend.extraction.comparing import Comparison
from backend.inference.trees import Floats, Odds, Trees

WEIGHTS = "weights.npz"
CURVE = ("knots", "levels")
"""Map the judge's estimates to the share of such values that are right."""
CLOSE = "close_"
"""The prefix of the arrays that judge what was read closely."""
SHORT = "short_"
"""The prefix of the arrays that judge the lists of documents too short for that."""
_LEAST_SHARE = 0.02
JUDGED = 5
"""The judge sees this many of a property's values; the others get no confidence."""
COMPARED = ("logit", "share", "gap", "place", "many", "others", "rival", "ahead", "lost", "freed")
"""The judge's inputs besides the features."""
Starts = Sequence[frozenset[tuple[int, int]]]
"""For each value of a property, where it begins: segments and characters."""


class _Judge:
    """Trees that judge rows, and the calibration of their estimates."""

    def __init__(self, trees: Trees, knots: Odds, levels: Odds) -> None:
        self._trees, self._knots, self._levels = trees, knots, levels

    @classmethod
    def _read(cls, file: Mapping[str, NDArray[Any]], trees: str, curve: str) -> Self:
        """Loads the trees of that name, and the calibration whose arrays begin with `curve`."""
        knots, levels = (file[f"{curve}{name}"].astype(np.float64) for name in CURVE)
        return cls(Trees.read(file, trees), knots, levels)

    def _judged(self, rows: Floats) -> Odds:
        odds = 1.0 / (1.0 + np.exp(-self._trees.logits(rows)))
        levels: Odds = np.interp(odds, self._knots, self._levels)
        return levels


class Judging(_Judge):
    """A judge and its calibration: turns log-odds into confidences."""

    @classmethod
    def read(cls, file: Mapping[str, NDArray[Any]], prefix: str = "") -> Self:
        """Loads the arrays of a weights file whose names begin with `prefix`."""
        return cls._read(file, f"{prefix}judge", prefix)

    def confidences(self, running: Sequence[tuple[Odds, Floats, Floats]]) -> list[list[float]]:
        """The calibrated probability of each property's values, from their log-odds, their rows and
        the rows of `rivalry`.
        """
        judged = [compared_rows(*one) for one in running if len(one[0])]
        if not judged:
            return [[] for _ in running]
        levels = self._judged(np.concatenate([compared for _, compared in judged]))
        ends = np.cumsum([len(best) for best, _ in judged])[:-1]
        parted = iter(zip(judged, np.split(levels, ends), strict=True))
        out: list[list[float]] = []
        for logits, _, _ in running:
            sure = np.zeros(len(logits))
            if len(logits):
                (best, _), level = next(parted)
                sure[best] = level
            out.append((sure / max(1.0, sure.sum())).tolist())
        return out


class JudgingLists(_Judge):
    """A judge of whole lists and its calibration."""

    @classmethod
    def read(cls, file: Mapping[str, NDArray[Any]], prefix: str = "") -> Self:
        """Loads the arrays of a weights file whose names begin with `prefix`."""
        return cls._read(file, f"{prefix}lists", f"{prefix}list_")

    def confidences(self, rows: Floats) -> list[float]:
        """The expected share of correct items in each list."""
        if not len(rows):
            return []
        numbers: list[float] = self._judged(rows).tolist()
        return numbers


class Forest:
    """The score and its judges: `by_signs` for its own log-odds, `by_reading` for those that a
    close reading corrected, and `lists_by_signs` and `lists_by_reading` for whole lists. Those of a
    document too short for a close reading have a judge of their own, `lists_of_short`: nothing
    corrects it.
    """

    def __init__(self, file: Mapping[str, NDArray[Any]]) -> None:
        self._score, self._comparison = Trees.read(file, "score"), Comparison.read(file)
        self.by_signs, self.by_reading = Judging.read(file), Judging.read(file, CLOSE)
        self.lists_by_signs = JudgingLists.read(file)
        self.lists_by_reading = JudgingLists.read(file, CLOSE)
        self.lists_of_short = JudgingLists.read(file, SHORT)

    @classmethod
    def read(cls, data: bytes) -> "Forest":
        """Loads the bytes of a weights file."""
        with np.load(BytesIO(data), allow_pickle=False) as file:
            return cls(file)

    def logits(self, running: Sequence[tuple[Floats, bool]]) -> list[Odds]:
        """The log-odds of each property's rows. The flag beside the rows says whether the property
        has a single value, for which they compete.
        """
        return mixed(self._score.logits, self._comparison.logits, running)


def mixed(
    alone: Callable[[Floats], Odds],
    beside: Callable[[Floats, Sequence[int]], Odds],
    running: Sequence[tuple[Floats, bool]],
) -> list[Odds]:
    """The log-odds of rows scored `alone` and, where they compete, averaged with `beside`."""
    ends = np.cumsum([len(rows) for rows, _ in running])[:-1]
    parted = np.split(alone(np.concatenate([rows for rows, _ in running])), ends)
    competing = [at for at, (_, single) in enumerate(running) if single]
    if not competing:
        return parted
    own = [running[at][0] for at in competing]
    counts = list(map(len, own))
    compared = np.split(beside(np.concatenate(own), counts), np.cumsum(counts)[:-1])
    for at, odds in zip(competing, compared, strict=True):
        parted[at] = (parted[at] + odds) / 2.0
    return parted


def compared_rows(logits: Odds, rows: Floats, rivals: Floats) -> tuple[NDArray[np.intp], Floats]:
    """The values that the judge sees, the likeliest first, and a row for each."""
    best = np.argsort(-logits, kind="stable")[:JUDGED]
    top = logits[best]
    share = shares(logits)[best]
    rival = np.full(len(best), top[1] if len(top) > 1 else top[0] - 9.0)
    rival[1:] = top[0]
    others = max(0.0, 1.0 - float(share.sum()))
    lost = rivals[best, 2]
    freed = np.cumsum(share * lost) - share * lost
    columns = np.column_stack(
        [
            top, share, top - rival, np.arange(len(best)), np.full(len(best), len(logits)),
            np.full(len(best), others), rivals[best], freed,
        ]
    )  # fmt: skip
    return best, np.concatenate([rows[best], columns], axis=1).astype(np.float32)


def rivalry(logits: Sequence[Odds], starts: Sequence[Starts]) -> list[Floats]:
    """Measures for each value how strongly other properties compete for its place: the largest
    share that another property gives it, the lead of its own property over that, and whether
    another property ranks it first with a larger share.
    """
    own = [shares(one) for one in logits]
    wanted: dict[tuple[int, int], list[tuple[float, int, bool]]] = {}
    for at, (share, places) in enumerate(zip(own, starts, strict=True)):
        first = int(share.argmax()) if len(share) else -1
        for number in np.flatnonzero(share > _LEAST_SHARE).tolist():
            for place in places[number]:
                wanted.setdefault(place, []).append((float(share[number]), at, number == first))
    out = []
    for at, (share, places) in enumerate(zip(own, starts, strict=True)):
        rows = np.zeros((len(share), 3), dtype=np.float32)
        rows[:, 1] = share
        for number, begins in enumerate(places):
            claims = [one for place in begins for one in wanted.get(place, ()) if one[1] != at]
            if claims:
                most, mine = max(claims)[0], float(share[number])
                lost = any(first and claim > mine for claim, _, first in claims)
                rows[number] = (most, mine - most, lost)
        out.append(rows)
    return out


def shares(logits: Odds) -> Odds:
    """The share of each value in the total odds, where "no value" counts with odds of one."""
    if not len(logits):
        return logits
    top = max(0.0, float(logits.max()))
    odds = np.exp(logits - top)
    result: Odds = odds / (odds.sum() + np.exp(-top))
    return result


@cache
def forest() -> Forest:
    """The fitted trees that ship with the package."""
    return Forest.read((files("backend.extraction") / WEIGHTS).read_bytes())
