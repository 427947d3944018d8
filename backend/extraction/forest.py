"""The fitted score: gradient-boosted trees as plain arrays, and the calibration of what they say.

`weights.npz` is written by the script that fits them (tests/bench/fit_properties.py). A row of
features gives odds for "this is the value"; the odds of all values in the running and of none at
all, which count as one, add up to certainty.
"""

from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

WEIGHTS = "weights.npz"


class Forest:
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
        knots: Floats,
        levels: Floats,
    ) -> None:
        self._feature, self._limit, self._low, self._high = feature, limit, low, high
        self._value, self._roots, self._depth = value, roots, depth
        self._knots, self._levels = knots.astype(np.float64), levels.astype(np.float64)

    @classmethod
    def read(cls, data: bytes) -> "Forest":
        """From the bytes of a weights file."""
        with np.load(BytesIO(data), allow_pickle=False) as held:
            return cls(
                held["feature"], held["limit"], held["low"], held["high"], held["value"],
                held["roots"], int(held["depth"]), held["knots"], held["levels"],
            )  # fmt: skip

    def logits(self, rows: Floats) -> NDArray[np.float64]:
        """The logarithm of the odds of each row."""
        if not len(rows):
            return np.zeros(0)
        flat = np.ascontiguousarray(rows).ravel()
        first = (np.arange(len(rows), dtype=np.int32) * rows.shape[1])[:, None]
        at = np.repeat(self._roots[None, :], len(rows), axis=0)
        for _ in range(self._depth):
            down = flat.take(first + self._feature.take(at)) <= self._limit.take(at)
            at = np.where(down, self._low.take(at), self._high.take(at))
        total: NDArray[np.float64] = self._value.take(at).sum(axis=1, dtype=np.float64)
        return total

    def confidences(self, logits: NDArray[np.float64]) -> list[float]:
        """The calibrated probability of each value in the running for one property."""
        found: list[float] = np.interp(shares(logits), self._knots, self._levels).tolist()
        return found


def shares(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of each value in the odds, with "none" as one more that has the odds of one."""
    if not len(logits):
        return logits
    top = max(0.0, float(logits.max()))
    odds = np.exp(logits - top)
    result: NDArray[np.float64] = odds / (odds.sum() + np.exp(-top))
    return result


@cache
def forest() -> Forest:
    """The fitted trees that ship with the package."""
    return Forest.read((files("backend.extraction") / WEIGHTS).read_bytes())
