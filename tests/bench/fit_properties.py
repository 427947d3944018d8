"""Fits the score of extraction: writes `backend/extraction/weights.npz`.

    python -m tests.bench.fit_properties [--per-layout 3] [--real FOLDER]... [--without KIND,KIND]
                                         [--write] [--table]

Fitted are gradient-boosted trees (LightGBM, which is needed here and nowhere else: pip install
lightgbm) on the values in the running of made documents (tests/bench/made: every kind in every
layout) and, with `--real`, of real ones: a folder with `truth.jsonl`, `schemas.json` and the
elements of each file as JSON in `elements/` (its path with "__" for "/", and ".json"). They are no
part of the repository. The weights that ship were fitted on the made documents and on 403 others:
110 agreements, 115 receipts, 36 invoices, 30 minutes and 40 mails that are real, and 72 documents
of six kinds that somebody else made.

The confidence is calibrated on documents of kinds that were left out: the kinds are dealt into
folds, and what the trees of the other folds say about a fold is compared with the truth.
`--table` prints what each left-out kind gave; `--without` leaves kinds out altogether, made or
real, and measures them.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from backend.extraction import forest
from backend.extraction.document import Document
from backend.extraction.engine import compiled
from backend.extraction.features import NAMES, RISING
from backend.extraction.weighing import measured
from tests.bench.made.documents import documents
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Floats = NDArray[Any]
FOLDS = 4
TREES = 200
SETTINGS = {
    "objective": "binary", "learning_rate": 0.07, "num_leaves": 20, "min_data_in_leaf": 40,
    "feature_fraction": 0.5, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 8.0,
    "max_depth": 7, "verbose": -1, "num_threads": 1, "seed": 5, "deterministic": True,
    "monotone_constraints": [1 if name in RISING else 0 for name in NAMES],
}  # fmt: skip
REAL_WEIGHT = 1.5
REAL_OUTCOME = 12


@dataclass
class Asked:
    """One property of one document: what was in the running, and which of it is right."""

    kind: str
    name: str
    asks: str
    rows: Floats
    right: Floats
    wanted: int
    """How many values there are to find."""


def plain(value: Any) -> str:
    """A value as it is compared."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return f"{value:.2f}"
    return re.sub(r"\W+", "", str(value).replace("&", " and ").upper())


def asked(
    kind: str, elements: Sequence[Element], schema: Schema, truth: dict[str, Any]
) -> Iterator[Asked]:
    """What is in the running for the properties whose truth is known."""
    for one in measured(compiled(schema), Document(elements), lambda targets, document: {}):
        name = one.target.name
        if not one.kind or name not in truth:
            continue
        true = truth[name]
        whole = [] if true is None else true if isinstance(true, list) else [true]
        keys = {plain(value) for value in whole}
        right = [plain(group.value) in keys and not group.absent for group in one.groups]
        yield Asked(kind, name, one.kind, one.rows, np.array(right, dtype=np.float32), len(keys))


def made(per_layout: int, seed: int) -> Iterator[Asked]:
    for document in documents(per_layout, seed):
        yield from asked(document.kind, document.elements, document.schema, document.truth)


def real(folder: Path) -> Iterator[Asked]:
    """The real documents of a folder, all properties of which are known."""
    schemas = json.loads((folder / "schemas.json").read_text("utf-8"))
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        held = folder / "elements" / (row["file"].replace("/", "__") + ".json")
        if not held.is_file():
            continue
        elements = [Element.model_validate(one) for one in json.loads(held.read_text("utf-8"))]
        properties = [
            {"name": p["name"], "type": {key: p[key] for key in p if key != "name"}}
            for p in schemas[row["kind"]]
        ]
        known = {p["name"]: row["truth"].get(p["name"]) for p in schemas[row["kind"]]}
        if row.get("partial", True):
            known = {name: value for name, value in known.items() if name in row["truth"]}
        schema = Schema.model_validate({"properties": properties})
        yield from asked(f"real {row['kind']}", elements, schema, known)


def fitted(sets: Sequence[Asked]) -> lightgbm.Booster:
    rows = np.concatenate([one.rows for one in sets])
    right = np.concatenate([one.right for one in sets])
    weight = np.concatenate(
        [
            np.full(len(one.right), REAL_WEIGHT if one.kind.startswith("real") else 1.0)
            for one in sets
        ]
    )
    return lightgbm.train(SETTINGS, lightgbm.Dataset(rows, right, weight=weight), TREES)


def arrays(booster: lightgbm.Booster) -> dict[str, Floats]:
    """The trees of a booster as the arrays that `Forest` walks."""
    nodes: list[tuple[int, float, int, int, float]] = []
    roots, depth = [], 0

    def add(node: dict[str, Any], level: int) -> int:
        nonlocal depth
        depth = max(depth, level)
        at = len(nodes)
        if "leaf_value" in node:
            nodes.append((0, np.inf, at, at, node["leaf_value"]))
            return at
        nodes.append((0, 0.0, 0, 0, 0.0))
        low, high = add(node["left_child"], level + 1), add(node["right_child"], level + 1)
        nodes[at] = (node["split_feature"], node["threshold"], low, high, 0.0)
        return at

    for tree in booster.dump_model()["tree_info"]:
        roots.append(add(tree["tree_structure"], 0))
    feature, limit, low, high, value = zip(*nodes, strict=True)
    return {
        "feature": np.array(feature, dtype=np.int32), "limit": np.array(limit, dtype=np.float32),
        "low": np.array(low, dtype=np.int32), "high": np.array(high, dtype=np.int32),
        "value": np.array(value, dtype=np.float32), "roots": np.array(roots, dtype=np.int32),
        "depth": np.array(depth),
    }  # fmt: skip


def outcomes(
    logits: Callable[[Floats], Floats], sets: Iterable[Asked]
) -> list[tuple[float, bool, Asked]]:
    """The share of the best value of each property, and whether it is right."""
    found = []
    for one in sets:
        if one.asks == "item" or not len(one.rows):
            continue
        shares = forest.shares(logits(one.rows))
        best = int(shares.argmax())
        found.append((float(shares[best]), bool(one.right[best]), one))
    return found


def left_out(sets: Sequence[Asked]) -> list[tuple[float, bool, Asked]]:
    """What the trees say of kinds they have not seen."""
    kinds = sorted({one.kind for one in sets})
    found = []
    for fold in range(FOLDS):
        out = set(kinds[fold::FOLDS])
        booster = fitted([one for one in sets if one.kind not in out])
        found += outcomes(logits_of(booster), [one for one in sets if one.kind in out])
    return found


def logits_of(booster: lightgbm.Booster) -> Callable[[Floats], Floats]:
    return lambda rows: booster.predict(rows, raw_score=True)


def knots(found: Sequence[tuple[float, bool, Asked]]) -> tuple[Floats, Floats]:
    """From share to the part of such values that are right: never falling, in about 25 steps.

    Real documents of a kind that was left out count more: they are what confidence is for.
    """
    pairs = sorted(
        (share, right)
        for share, right, one in found
        for _ in range(REAL_OUTCOME if one.kind.startswith("real") else 1)
    )
    blocks: list[list[float]] = []  # sum of shares, sum of right ones, how many
    size = max(40, len(pairs) // 25)
    for at in range(0, len(pairs), size):
        part = pairs[at : at + size]
        blocks.append([sum(s for s, _ in part), float(sum(r for _, r in part)), float(len(part))])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    x = [0.0, *(block[0] / block[2] for block in blocks), 1.0]
    y = [0.0, *(block[1] / block[2] for block in blocks)]
    y.append(min(0.99, y[-1] + 0.005))
    return np.array(x, dtype=np.float32), np.array(y, dtype=np.float32)


def table(found: Sequence[tuple[float, bool, Asked]], x: Floats, y: Floats) -> None:
    """F1 by kind, and how often values of each confidence are right."""
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    levels: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for share, right, one in found:
        sure = float(np.interp(share, x, y))
        row = kinds[one.kind]
        row[2] += one.wanted > 0
        row[3] += one.wanted == 0
        if sure >= 0.5:
            row[0] += right
            row[1] += 1
            row[4] += one.wanted == 0
        level = levels[int(10 * sure)]
        level[0] += 1
        level[1] += sure
        level[2] += right
    total = [sum(row[at] for row in kinds.values()) for at in range(5)]
    for kind, row in [*sorted(kinds.items()), ("all", total)]:
        f1 = 2 * row[0] / max(1, row[1] + row[2])
        precision, recall = row[0] / max(1, row[1]), row[0] / max(1, row[2])
        print(
            f"{kind:16} P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}"
            f"   given where there is none {row[4]} of {row[3]}"
        )
    print("confidence  values  told  right")
    for level, (many, told, right) in sorted(levels.items()):
        print(f"{level / 10:.1f}  {many:7.0f}  {told / many:.2f}  {right / many:.2f}")
    every = sum(many for many, _, _ in levels.values())
    error = sum(abs(told - right) for _, told, right in levels.values()) / every
    print(f"expected calibration error {error:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--per-layout", type=int, default=3)
    parser.add_argument("--real", type=Path, action="append", default=[])
    parser.add_argument("--without", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    without = set(filter(None, given.without.split(",")))
    sets = list(made(given.per_layout, seed=1))
    for folder in given.real:
        sets += list(real(folder))
    sets = [one for one in sets if len(one.rows)]
    kept = [one for one in sets if one.kind not in without]
    found = left_out(kept)
    x, y = knots(found)
    if given.table:
        table(found, x, y)
    booster = fitted(kept)
    if without:
        print("left out altogether:")
        table(outcomes(logits_of(booster), [one for one in sets if one.kind in without]), x, y)
    if given.write:
        held = BytesIO()
        np.savez_compressed(held, **arrays(booster), knots=x, levels=y)
        path = Path(forest.__file__).with_name(forest.WEIGHTS)
        path.write_bytes(held.getvalue())
        print(f"{path.name}: {path.stat().st_size} bytes, {TREES} trees")


if __name__ == "__main__":
    main()
