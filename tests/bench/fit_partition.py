"""Fits what is a table, a line of a cell, and a heading: writes `backend/partition/fitted.npz`.

    python tests/bench/fit_partition.py FOLDER[=WEIGHT] [FOLDER[=WEIGHT] …] [--only rows]
        [--write]

FOLDERs hold pages in `pdf` with their truth in `md` or `gt`, as tests/bench/partition_pages.py
makes them. Each candidate that the partitioner weighs is recorded with what it measures, and is
right if the truth reads so: rows across, a line in the row above, a line as a heading. While
recording, the truth decides, so that later candidates are those of a right reading. Prints for each
folder how often the trees that ship, and trees fitted on the other kinds of pages, accept wrong
candidates and refuse right ones. Needs lightgbm, which the product does not.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import lightgbm  # noqa: E402
import numpy as np  # noqa: E402

from backend.partition.fitted import log_odds  # noqa: E402
from backend.partition.layout import headings  # noqa: E402
from backend.partition.layout.blocks import Block  # noqa: E402
from backend.partition.tables import continued, find, judging  # noqa: E402
from backend.partition.tables.continued import Row  # noqa: E402
from backend.partition.tables.grid import Grid  # noqa: E402
from backend.partition.tables.plausible import is_other, tabular  # noqa: E402
from tests.bench.booster_arrays import arrays  # noqa: E402
from tests.bench.partition_pages import read  # noqa: E402
from tests.bench.partition_rows import TABLE, bare, continuing, tables_of  # noqa: E402

SETTINGS: dict[str, Any] = {
    "objective": "binary", "num_leaves": 4, "learning_rate": 0.1, "min_data_in_leaf": 15,
    "lambda_l2": 3.0, "feature_fraction": 0.6, "verbosity": -1, "seed": 7, "num_threads": 1,
    "deterministic": True, "force_row_wise": True, "bagging_fraction": 0.8, "bagging_freq": 1,
}  # fmt: skip
TREES = 80
FOLDS = 5
NAMES = {"tables": judging.NAMES, "rows": continued.NAMES, "headings": headings.NAMES}
SURE = {"tables": judging.LIKELY, "rows": 0.0, "headings": headings.SURE}
"""The log-odds that overrule what is decided without trees."""
FITTED = ROOT / "backend" / "partition" / "fitted.npz"
_TAG = re.compile(r"<[^>]*>")


class Record(NamedTuple):
    """A candidate: where it was, what it measures, and what is right."""

    folder: str
    kind: str
    """Of page: the beginning of the file's name."""
    weight: float
    measures: list[float]
    right: bool
    before: bool
    """What is decided without trees."""


Records = list[Record]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", choices=list(NAMES), help="keep the other trees")
    arguments = parser.parse_args()
    recorded: dict[str, Records] = {name: [] for name in NAMES}
    for folder in arguments.folders:
        name, _, weight = folder.partition("=")
        record_all(Path(name), float(weight or 1), recorded)
    with np.load(FITTED, allow_pickle=False) as before:
        fitted = dict(before)
    for name, records in recorded.items():
        if arguments.only not in (None, name):
            continue
        print(f"{name}: {len(records)} candidates, {sum(one.right for one in records)} right")
        compare(name, records)
        booster = fit(records)
        gains = booster.feature_importance("gain")
        print("  weight:", sorted(zip(gains.round().tolist(), NAMES[name], strict=True))[::-1][:14])
        fitted |= arrays(name, booster)
    if arguments.write:
        np.savez_compressed(FITTED, **fitted)
        print(f"wrote {FITTED.name}, {FITTED.stat().st_size} bytes")
    return 0


def record_all(folder: Path, weight: float, recorded: dict[str, Records]) -> None:
    for source in sorted((folder / "pdf").glob("*.pdf")):
        for part in ("md", "gt"):
            truth = folder / part / f"{source.stem}.md"
            if truth.is_file():
                record(source, truth.read_text("utf-8"), weight, recorded)


def record(source: Path, truth: str, weight: float, recorded: dict[str, Records]) -> None:
    """Reads a page while the truth decides, and keeps what was to be decided."""
    kind = re.split("[-_]", source.stem)[0]
    page = str(source.parent.parent), kind, weight
    whole, titles = bare(_TAG.sub("", truth)), titles_of(truth)
    tables, whole_page = tables_of(truth), bool(TABLE.sub("", truth).strip())
    forms = kind in ("accident", "pairs", "lab")

    def across(grid: Grid) -> bool:
        right = reads_across(grid, whole, forms)
        before = tabular(grid) and not is_other(grid)
        recorded["tables"].append(Record(*page, judging.measures(grid), right, before))
        return right

    def weighed(blocks: list[Block], rows: list[list[float]], before: list[bool]) -> list[bool]:
        right = [is_title(bare(block.text), titles) for block in blocks]
        if whole_page:
            of_page = zip(rows, right, before, strict=True)
            recorded["headings"].extend(Record(*page, *one) for one in of_page)
        return right

    def joined(lines: list[Row], drawn: bool) -> list[bool]:
        if len(lines) < 2:
            return []
        measured, right = continued.measures(lines, drawn), continuing(lines, tables)
        for row, one in zip(measured, right, strict=True):
            if one is not None:
                recorded["rows"].append(Record(*page, row, one, before=False))
        shipped = log_odds("rows", measured) > 0
        return [
            ships if one is None else one
            for one, ships in zip(right, shipped.tolist(), strict=True)
        ]

    with (
        mock.patch.object(continued, "continued", joined),
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


def fit(records: Records) -> lightgbm.Booster:
    rows = np.array([one.measures for one in records])
    right = np.array([one.right for one in records], dtype=float)
    weight = [one.weight for one in records]
    return lightgbm.train(SETTINGS, lightgbm.Dataset(rows, right, weight=weight), TREES)


def compare(name: str, records: Records) -> None:
    """How often the trees that ship, and trees fitted on other kinds of pages, are wrong on the
    kinds of each folder."""
    for folder in dict.fromkeys(one.folder for one in records):
        kinds = sorted({one.kind for one in records if one.folder == folder})
        total = np.zeros(4, dtype=int)
        for fold in range(min(FOLDS, len(kinds))):
            left_out = {(folder, kind) for kind in kinds[fold::FOLDS]}
            own = [one for one in records if (one.folder, one.kind) in left_out]
            booster = fit([one for one in records if (one.folder, one.kind) not in left_out])
            rows = [one.measures for one in own]
            shipped = mistakes(name, own, log_odds(name, rows))
            total += shipped + mistakes(name, own, booster.predict(np.array(rows), raw_score=True))
        shipped, anew = (f"{total[at]} + {total[at + 1]}" for at in (0, 2))
        count = sum(one.folder == folder for one in records)
        print(f"  {folder}: ships {shipped}, left out {anew} of {count}")


def mistakes(name: str, records: Records, odds: Any) -> tuple[int, int]:
    """The wrong candidates that are accepted, and the right ones that are refused."""
    sure = SURE[name]
    accepted = [
        odd > (-sure if one.before else sure) for one, odd in zip(records, odds, strict=True)
    ]
    pairs = list(zip(records, accepted, strict=True))
    return sum(yes and not one.right for one, yes in pairs), sum(
        one.right and not yes for one, yes in pairs
    )


if __name__ == "__main__":
    sys.exit(main())
