"""Fits what is a table and what is a heading: writes `backend/partition/fitted.npz`.

    python tests/bench/fit_partition.py FOLDER [FOLDER …] [--real FOLDER …] [--write]
        [--only headings]

FOLDERs hold pages with their truth, as tests/bench/partition_pages.py makes them; pages that were
not made count five times. Each candidate that
the partitioner weighs is recorded with what it measures, and is right if the truth reads so:
rows across, a line as a heading. While recording, the truth decides, so that later candidates are
those of a right reading. Prints how often trees fitted on the other kinds of pages, and the rules
that were there before, are right on each kind. Needs lightgbm, which the product does not.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import lightgbm  # noqa: E402
import numpy as np  # noqa: E402

from backend.partition.layout import headings  # noqa: E402
from backend.partition.layout.blocks import Block  # noqa: E402
from backend.partition.tables import find, judging  # noqa: E402
from backend.partition.tables.grid import Grid  # noqa: E402
from backend.partition.tables.plausible import is_other, tabular  # noqa: E402
from tests.bench.fit_properties import arrays  # noqa: E402
from tests.bench.partition_pages import read  # noqa: E402

SETTINGS: dict[str, Any] = {
    "objective": "binary", "num_leaves": 4, "learning_rate": 0.1, "min_data_in_leaf": 15,
    "lambda_l2": 3.0, "feature_fraction": 0.6, "verbosity": -1, "seed": 7, "num_threads": 2,
    "deterministic": True, "force_row_wise": True, "bagging_fraction": 0.8, "bagging_freq": 1,
}  # fmt: skip
TREES = 80
REAL = 5.0
"""How much a page that was not made weighs."""
FOLDS = 5
FITTED = ROOT / "backend" / "partition" / "fitted.npz"
_TAG = re.compile(r"<[^>]*>")

Records = list[tuple[str, list[float], bool, bool]]
"""Kind of page, measures, whether it is right, and what was decided without trees."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", choices=["tables", "headings"], help="keep the other trees")
    parser.add_argument("--real", type=Path, nargs="*", default=[], help="pages not made here")
    arguments = parser.parse_args()
    recorded = record_all(arguments.folders)
    real = record_all(arguments.real)
    with np.load(FITTED, allow_pickle=False) as before:
        fitted = dict(before)
    for name, records in recorded.items():
        if arguments.only not in (None, name):
            continue
        print(f"{name}: {len(records)} candidates, {sum(r[2] for r in records)} right")
        compare(records, real[name])
        booster = fit(records, real[name])
        gains = booster.feature_importance("gain")
        print("  weight:", sorted(zip(gains.round().tolist(), names(name), strict=True))[::-1][:14])
        fitted |= arrays(name, booster)
    if arguments.write:
        np.savez_compressed(FITTED, **fitted)
        print(f"wrote {FITTED.name}, {FITTED.stat().st_size} bytes")
    return 0


def record_all(folders: list[Path]) -> dict[str, Records]:
    results: dict[str, Records] = {"tables": [], "headings": []}
    for folder in folders:
        for source in sorted((folder / "pdf").glob("*.pdf")):
            truth = folder / "md" / f"{source.stem}.md"
            if truth.is_file():
                record(source, truth.read_text("utf-8"), *results.values())
    return results


def names(name: str) -> tuple[str, ...]:
    return judging.NAMES if name == "tables" else headings.NAMES


def record(source: Path, truth: str, tables: Records, heads: Records) -> None:
    """Reads a page while the truth decides, and keeps what was to be decided."""
    kind = source.stem.split("-")[0]
    whole, titles = bare(_TAG.sub("", truth)), titles_of(truth)
    forms = kind in ("accident", "pairs", "lab")

    def across(grid: Grid) -> bool:
        right = reads_across(grid, whole, forms)
        before = tabular(grid) and not is_other(grid)
        tables.append((kind, judging.measures(grid), right, before))
        return right

    def weighed(blocks: list[Block], rows: list[list[float]], before: list[bool]) -> list[bool]:
        right = [is_title(bare(block.text), titles) for block in blocks]
        heads.extend((kind, *one) for one in zip(rows, right, before, strict=True))
        return right

    with (
        mock.patch.object(find, "reads_across", across),
        mock.patch.object(headings, "decided", weighed),
    ):
        read(source)


def is_title(text: str, titles: set[str]) -> bool:
    """Whether a block is a title, one line of it, or a title with little more."""
    return any(
        text == title
        or (len(text) > 2 and title.startswith(text))
        or (len(title) > 0.4 * len(text) and text.startswith(title))
        for title in titles
        if title
    )


def titles_of(truth: str) -> set[str]:
    return {bare(line.lstrip("# ")) for line in truth.splitlines() if line.startswith("#")}


def reads_across(grid: Grid, whole: str, forms: bool) -> bool:
    """Whether most rows stand in the truth as they are read across. A form of two pairs beside each
    other may be two blocks of labels and values."""
    right = wrong = 0
    for row in grid.by_row():
        texts = [bare(cell.text) for cell in sorted(row, key=lambda cell: cell.col) if cell.words]
        if len(texts) < 2 or len("".join(texts)) < 4:
            continue
        halves = forms and grid.cols == 4 and len(texts) == 4
        kept = "".join(texts) in whole or (
            halves and all("".join(half) in whole for half in (texts[:2], texts[2:]))
        )
        right, wrong = right + kept, wrong + (not kept)
    return right > 0.6 * (right + wrong)


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def fit(made: Records, real: Records) -> lightgbm.Booster:
    records = made + real
    rows = np.array([row for _, row, _, _ in records])
    right = np.array([one for _, _, one, _ in records], dtype=float)
    weight = [1.0] * len(made) + [REAL] * len(real)
    return lightgbm.train(SETTINGS, lightgbm.Dataset(rows, right, weight=weight), TREES)


def compare(made: Records, real: Records) -> None:
    """How often trees fitted on the rest are right: on each made kind, and on a fifth of the pages
    that were not made, each in its turn. Beside it, what was decided without trees."""
    total = np.zeros(3)
    for kind in sorted({one[0] for one in made}):
        own = [one for one in made if one[0] == kind]
        total += counts(fit([one for one in made if one[0] != kind], real), own, kind)
    print(f"  {'made':10} trees {total[0] / total[2]:.3f} before {total[1] / total[2]:.3f}")
    total = np.zeros(3)
    for part in range(FOLDS):
        first, last = part * len(real) // FOLDS, (part + 1) * len(real) // FOLDS
        if first < last:
            booster = fit(made, real[:first] + real[last:])
            total += counts(booster, real[first:last], f"fifth {part}")
    if total[2]:
        print(f"  {'not made':10} trees {total[0] / total[2]:.3f} before {total[1] / total[2]:.3f}")


def counts(booster: lightgbm.Booster, own: Records, name: str) -> Any:
    answers = np.asarray(booster.predict(np.array([row for _, row, _, _ in own]))) > 0.5
    right = np.array([one[2] for one in own])
    before = np.array([one[3] for one in own])
    result = np.array([(answers == right).sum(), (before == right).sum(), len(own)])
    print(f"  {name:10} trees {result[0]:4} before {result[1]:4} of {result[2]:4}")
    return result


if __name__ == "__main__":
    sys.exit(main())
