"""The fitted trees of the partitioner: table detection and heading detection.

`fitted.npz` is written by tests/bench/fit_partition.py from made pages.
"""

from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np

from backend.inference.trees import Odds, Trees


@cache
def _trees(name: str) -> Trees:
    data = (files("backend.partition") / "fitted.npz").read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as file:
        return Trees.read(file, name)


def log_odds(name: str, rows: list[list[float]]) -> Odds:
    """The log-odds that each row of measures is one of the `tables`, or `headings`, by `name`."""
    return _trees(name).logits(np.array(rows, dtype=np.float32))
