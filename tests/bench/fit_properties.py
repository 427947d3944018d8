"""Fits the score of extraction: writes `backend/extraction/weights.npz`.

    python -m tests.bench.fit_properties [--per-layout 2] [--real FOLDER]... [--without KIND,KIND]
                                         [--write] [--table]

Fitted are gradient-boosted trees (LightGBM, which is needed here and nowhere else: pip install
lightgbm) on the values in the running of made documents (tests/bench/made: every kind in every
layout) and, with `--real`, of real ones: a folder with `truth.jsonl`, `schemas.json` and the
elements of each file as JSON in `elements/` (its path with "__" for "/", and ".json"), which
`tests.bench.property_folder --elements` writes. They are no part of the repository. The weights
that ship were fitted on two made documents of each of 56 kinds in each of 12 layouts and on 336
others: 110 agreements, 46 receipts, 38 invoices, 30 minutes and 40 mails that are real, and 72
documents of six kinds that somebody else made.

The judge of the trees, which says how sure a value is, is fitted on what trees say of kinds that
were left out; its calibration on kinds that it has not seen either. `--table` prints what each
left-out kind gave; `--without` leaves kinds out altogether, made or real, and measures them.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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
FOLDS = 3
TREES = 200
SETTINGS = {
    "objective": "binary", "learning_rate": 0.07, "num_leaves": 20, "min_data_in_leaf": 40,
    "feature_fraction": 0.5, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 8.0,
    "max_depth": 7, "verbose": -1, "num_threads": 1, "seed": 5, "deterministic": True,
    "monotone_constraints": [1 if name in RISING else 0 for name in NAMES],
}  # fmt: skip
REAL_WEIGHT = 2.5
MOST_WRONG = 11
"""Values of one property that are not right and are fitted on; they stand for the others."""
REAL_OUTCOME = 6
JUDGE_TREES = 90
JUDGE_SETTINGS = {
    "objective": "binary", "learning_rate": 0.06, "num_leaves": 8, "min_data_in_leaf": 60,
    "feature_fraction": 0.4, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 10.0,
    "verbose": -1, "num_threads": 1, "seed": 5, "deterministic": True,
    "monotone_constraints": [0] * len(NAMES) + [1, 1, 1, 0, 0, 0],
}  # fmt: skip
JUDGED_REAL = 3.0
"""Weight of real documents where confidence is fitted."""


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
    rng = np.random.default_rng(5)
    thinned = [_thinned(one, rng) for one in sets]
    rows, right, weight = (np.concatenate(parts) for parts in zip(*thinned, strict=True))
    return lightgbm.train(SETTINGS, lightgbm.Dataset(rows, right, weight=weight), TREES)


def _thinned(one: Asked, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Rows, whether they are right, and their weight; of many wrong ones a sample."""
    weight = np.full(len(one.right), REAL_WEIGHT if one.kind.startswith("real") else 1.0)
    wrong = np.flatnonzero(one.right == 0)
    if len(wrong) > MOST_WRONG:
        dropped = rng.choice(wrong, len(wrong) - MOST_WRONG, replace=False)
        weight[wrong] *= len(wrong) / MOST_WRONG
        return tuple(np.delete(part, dropped, axis=0) for part in (one.rows, one.right, weight))
    return one.rows, one.right, weight


def arrays(name: str, booster: lightgbm.Booster) -> dict[str, Floats]:
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
    found = {
        "feature": np.array(feature, dtype=np.int32), "limit": np.array(limit, dtype=np.float32),
        "low": np.array(low, dtype=np.int32), "high": np.array(high, dtype=np.int32),
        "value": np.array(value, dtype=np.float32), "roots": np.array(roots, dtype=np.int32),
        "depth": np.array(depth),
    }  # fmt: skip
    return {f"{name}_{part}": array for part, array in found.items()}


Scored = list[tuple[Asked, Floats]]
"""Properties with the odds that trees say of their values."""
Outcome = tuple[float, bool, Asked]


def scored(booster: lightgbm.Booster, sets: Iterable[Asked]) -> Scored:
    return [(one, booster.predict(one.rows, raw_score=True)) for one in sets if len(one.rows)]


def folds(kinds: Iterable[str]) -> list[set[str]]:
    """The kinds dealt into parts."""
    ordered = sorted(set(kinds))
    return [set(ordered[fold::FOLDS]) for fold in range(FOLDS)]


def left_out(sets: Sequence[Asked]) -> Scored:
    """What the trees say of kinds they have not seen."""
    found: Scored = []
    for out in folds(one.kind for one in sets):
        booster = fitted([one for one in sets if one.kind not in out])
        found += scored(booster, [one for one in sets if one.kind in out])
    return found


def judge_of(found: Scored) -> lightgbm.Booster:
    """Trees that say whether a likely value is right, from what others said of unseen kinds."""
    rows, right, weight = [], [], []
    for one, logits in found:
        if one.asks == "item":
            continue
        best, compared = forest.compared_rows(logits, one.rows)
        rows.append(compared)
        right.append(one.right[best])
        real = one.kind.startswith("real")
        weight.append(np.full(len(best), JUDGED_REAL if real else 1.0))
    data = lightgbm.Dataset(
        np.concatenate(rows), np.concatenate(right), weight=np.concatenate(weight)
    )
    return lightgbm.train(JUDGE_SETTINGS, data, JUDGE_TREES)


def outcomes(found: Scored, judge: lightgbm.Booster) -> list[Outcome]:
    """How sure the judge is of the likeliest value of each property, and whether it is right."""
    out = []
    for one, logits in found:
        if one.asks == "item":
            continue
        best, compared = forest.compared_rows(logits, one.rows)
        odds = judge.predict(compared)
        first = int(odds.argmax())
        out.append((float(odds[first]), bool(one.right[best[first]]), one))
    return out


def crossed(found: Scored) -> list[Outcome]:
    """What a judge says of kinds that it has not seen either."""
    out: list[Outcome] = []
    for kinds in folds(one.kind for one, _ in found):
        judge = judge_of([pair for pair in found if pair[0].kind not in kinds])
        out += outcomes([pair for pair in found if pair[0].kind in kinds], judge)
    return out


def knots(found: Sequence[Outcome]) -> tuple[Floats, Floats]:
    """From what the judge says to the part of such values that are right: never falling.

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


def table(found: Sequence[Outcome], x: Floats, y: Floats) -> None:
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
    parser.add_argument("--per-layout", type=int, default=2)
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
    unseen = left_out(kept)
    judge = judge_of(unseen)
    found = crossed(unseen)
    x, y = knots(found)
    if given.table:
        table(found, x, y)
    booster = fitted(kept)
    if without:
        print("left out altogether:")
        out = [one for one in sets if one.kind in without]
        table(outcomes(scored(booster, out), judge), x, y)
    if given.write:
        content = BytesIO()
        trees = arrays("score", booster) | arrays("judge", judge)
        np.savez_compressed(content, **trees, knots=x, levels=y)
        path = Path(forest.__file__).with_name(forest.WEIGHTS)
        path.write_bytes(content.getvalue())
        print(f"{path.name}: {path.stat().st_size} bytes, {TREES} + {JUDGE_TREES} trees")


if __name__ == "__main__":
    main()
