"""Gradient-boosted trees as plain arrays, which need no library."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Odds = NDArray[np.float64]
_TOGETHER = 64
"""Rows that traverse the trees together: their data stays in the processor's cache."""


class Trees:
    """Trees over features: for each node the feature, the limit, and the children.

    A leaf points to itself, so that all rows traverse all trees in the same `depth` steps.
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
        self._depth = depth
        # Each node has twice its number as index, and its high and low child are adjacent, so that
        # one addition selects the child.
        self._feature = np.repeat(feature.astype(np.intp), 2)
        self._limit, self._value = np.repeat(limit, 2), np.repeat(value, 2)
        self._child = np.column_stack([high, low]).ravel().astype(np.intp) * 2
        self._roots = roots.astype(np.intp) * 2

    @classmethod
    def read(cls, file: Mapping[str, NDArray[Any]], name: str) -> "Trees":
        """The trees with that name in a weights file."""
        return cls(
            file[f"{name}_feature"], file[f"{name}_limit"], file[f"{name}_low"],
            file[f"{name}_high"], file[f"{name}_value"], file[f"{name}_roots"],
            int(file[f"{name}_depth"]),
        )  # fmt: skip

    def logits(self, rows: Floats) -> Odds:
        """The log-odds of each row."""
        total = np.zeros(len(rows))
        for start in range(0, len(rows), _TOGETHER):
            part = np.ascontiguousarray(rows[start : start + _TOGETHER])
            flat = part.ravel()
            first = (np.arange(len(part), dtype=np.intp) * part.shape[1])[:, None]
            at = np.repeat(self._roots[None, :], len(part), axis=0)
            for _ in range(self._depth):
                cell = self._feature.take(at)
                cell += first
                at += flat.take(cell) <= self._limit.take(at)
                at = self._child.take(at)
            leaves = self._value.take(at)
            total[start : start + len(part)] = leaves.sum(axis=1, dtype=np.float64)
        return total
