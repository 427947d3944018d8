"""The fitted score: gradient-boosted trees as plain arrays, and how sure it makes.

`weights.npz` is written by the script that fits it (tests/bench/fit_properties.py). A row of
features gives odds for "this is the value". How likely that is right, given what else is in the
running and that there may be none, says a second, smaller set of trees, the judge: it sees the row
and how its odds compare with the others'. A calibration makes what it says the part of such values
that are right.
"""

from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from backend.inference.trees import Floats, Odds, Trees

WEIGHTS = "weights.npz"
JUDGED = 5
"""Values of one property that the judge looks at; the others have no chance."""
COMPARED = ("logit", "share", "gap", "place", "many", "others")
"""What the judge sees besides the features."""


class Forest:
    """The score and its judge."""

    def __init__(self, score: Trees, judge: Trees, knots: Floats, levels: Floats) -> None:
        self._score, self._judge = score, judge
        self._knots, self._levels = knots.astype(np.float64), levels.astype(np.float64)

    @classmethod
    def read(cls, data: bytes) -> "Forest":
        """From the bytes of a weights file."""
        with np.load(BytesIO(data), allow_pickle=False) as file:
            score, judge = (Trees.read(file, name) for name in ("score", "judge"))
            return cls(score, judge, file["knots"], file["levels"])

    def logits(self, rows: Floats) -> Odds:
        """The logarithm of the odds of each row."""
        return self._score.logits(rows)

    def confidences(self, logits: Odds, rows: Floats) -> list[float]:
        """The calibrated probability of each value in the running for one property."""
        if not len(logits):
            return []
        best, compared = compared_rows(logits, rows)
        odds = 1.0 / (1.0 + np.exp(-self._judge.logits(compared)))
        sure = np.zeros(len(logits))
        sure[best] = np.interp(odds, self._knots, self._levels)
        found: list[float] = (sure / max(1.0, sure.sum())).tolist()
        return found


def compared_rows(logits: Odds, rows: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Which values the judge looks at, the likeliest first, and a row for each of them."""
    best = np.argsort(-logits, kind="stable")[:JUDGED]
    top = logits[best]
    share = shares(logits)[best]
    rival = np.full(len(best), top[1] if len(top) > 1 else top[0] - 9.0)
    rival[1:] = top[0]
    others = max(0.0, 1.0 - float(share.sum()))
    columns = np.column_stack(
        [
            top, share, top - rival, np.arange(len(best)), np.full(len(best), len(logits)),
            np.full(len(best), others),
        ]
    )  # fmt: skip
    return best, np.concatenate([rows[best], columns], axis=1).astype(np.float32)


def shares(logits: Odds) -> Odds:
    """The share of each value in the odds, with "none" as one more that has the odds of one."""
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
