"""Gradient-boosted trees as plain arrays, so that no library is needed to ask them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Odds = NDArray[np.float64]


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
