"""Fitted trees as the plain arrays that the product reads."""

from itertools import chain
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray


def arrays(name: str, *boosters: lightgbm.Booster) -> dict[str, NDArray[Any]]:
    """The trees of boosters, whose mean counts, as the arrays that `Trees` walks."""
    nodes: list[tuple[int, float, int, int, float]] = []
    roots, depth = [], 0

    def add(node: dict[str, Any], level: int) -> int:
        nonlocal depth
        depth = max(depth, level)
        at = len(nodes)
        if "leaf_value" in node:
            nodes.append((0, np.inf, at, at, node["leaf_value"] / len(boosters)))
            return at
        nodes.append((0, 0.0, 0, 0, 0.0))
        low, high = add(node["left_child"], level + 1), add(node["right_child"], level + 1)
        nodes[at] = (node["split_feature"], node["threshold"], low, high, 0.0)
        return at

    for tree in chain.from_iterable(one.dump_model()["tree_info"] for one in boosters):
        roots.append(add(tree["tree_structure"], 0))
    feature, limit, low, high, value = zip(*nodes, strict=True)
    results = {
        "feature": np.array(feature, dtype=np.int32), "limit": np.array(limit, dtype=np.float32),
        "low": np.array(low, dtype=np.int32), "high": np.array(high, dtype=np.int32),
        "value": np.array(value, dtype=np.float32), "roots": np.array(roots, dtype=np.int32),
        "depth": np.array(depth),
    }  # fmt: skip
    return {f"{name}_{part}": array for part, array in results.items()}
