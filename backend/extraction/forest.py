"""The fitted score: gradient-boosted trees as plain arrays, and how sure it makes.

`weights.npz` is written by the script that fits it (tests/bench/fit_properties.py). A row of
features gives odds for "this is the value". How likely that is right, given what else is in the
running and that there may be none, says a second, smaller set of trees, the judge: it sees the row
and how its odds compare with the others'. A calibration makes what it says the part of such values
that are right.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Odds = NDArray[np.float64]

WEIGHTS = "weights.npz"
JUDGED = 5
"""Values of one property that the judge looks at; the others have no chance."""
COMPARED = ("logit", "share", "gap", "place", "many", "others")
"""What the judge sees besides the features."""


class Trees:
    """Trees over features: for each node the feature, the limit, and where to go on.

    A leaf leads to itself, so that all rows walk down all trees side by side for `depth` steps.
    """

    def __init__(
        self,
        feature: NDArray[np.int32],
        limit: Floats,
        low: NDArray[np.int32],
        high: NDArray[np.int32],
        value: Floats,
        roots: NDArray[np.int32],
        depth: int,
    ) -> None:
        self._feature, self._limit, self._low, self._high = feature, limit, low, high
        self._value, self._roots, self._depth = value, roots, depth

    @classmethod
    def read(cls, file: Mapping[str, NDArray[Any]], name: str) -> "Trees":
        """The trees of that name in a weights file."""
        return cls(
            file[f"{name}_feature"], file[f"{name}_limit"], file[f"{name}_low"],
            file[f"{name}_high"], file[f"{name}_value"], file[f"{name}_roots"],
            int(file[f"{name}_depth"]),
        )  # fmt: skip

    def logits(self, rows: Floats) -> Odds:
        """The logarithm of the odds of each row."""
        if not len(rows):
            return np.zeros(0)
        flat = np.ascontiguousarray(rows).ravel()
        first = (np.arange(len(rows), dtype=np.int32) * rows.shape[1])[:, None]
        at = np.repeat(self._roots[None, :], len(rows), axis=0)
        for _ in range(self._depth):
            down = flat.take(first + self._feature.take(at)) <= self._limit.take(at)
            at = np.where(down, self._low.take(at), self._high.take(at))
        total: Odds = self._value.take(at).sum(axis=1, dtype=np.float64)
        return total


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
