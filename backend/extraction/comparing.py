"""A small fitted network that compares the candidate values of a property.

Trees score one value at a time. The network also sees the mean and the maximum over all values of
the property, so it notices when all are poor or one stands out. The mean of both scores is right
more often than either (tests/bench/fit_properties.py fits both).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.inference.small_bert import gelu
from backend.inference.trees import Floats, Odds

PARTS = ("shift", "scale", "inner", "inner_shift", "outer", "outer_shift", "last", "straight")
"""The arrays of a network; their extra first axis runs over the networks that are averaged."""
FAR = 4.0
"""Standard deviations from the mean at which a feature is clipped."""


class Comparison:
    """Networks with one hidden layer for each value and one that sees it beside the others.

    Example: `Comparison.read(file).logits(rows, [3, 5])` for three values of one property and five
    of another; the odds of "none" are one.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        shift, scale, *parts = (arrays[part].astype(np.float32) for part in PARTS)
        self._shift: Floats = shift
        self._scale: Floats = scale
        self._networks = list(zip(*parts, strict=True))

    @classmethod
    def read(cls, file: Mapping[str, NDArray[Any]]) -> "Comparison":
        """The networks in a weights file."""
        return cls({part: file[f"comparison_{part}"] for part in PARTS})

    def logits(self, rows: Floats, counts: Sequence[int]) -> Odds:
        """The log-odds of each row; `counts` says how many rows belong to each property."""
        total = np.zeros(len(rows))
        if not len(rows):
            return total
        many = np.array([count for count in counts if count], dtype=np.intp)
        starts = np.cumsum(many) - many
        owner = np.repeat(np.arange(len(many)), many)
        own: Floats = np.clip((rows - self._shift) * self._scale, -FAR, FAR)
        for inner, inner_shift, outer, outer_shift, last, straight in self._networks:
            seen = gelu(own @ inner + inner_shift)
            mean = np.add.reduceat(seen, starts) / many[:, None].astype(np.float32)
            pooled = np.concatenate([mean, np.maximum.reduceat(seen, starts)], axis=1)
            width = seen.shape[1]
            beside = pooled @ outer[width:] + outer_shift
            bent = gelu(seen @ outer[:width] + beside[owner])
            total += bent @ last[:-1] + own @ straight + last[-1]
        return total / len(self._networks)
