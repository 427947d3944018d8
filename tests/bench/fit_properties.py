"""Fits the score of extraction: writes `backend/extraction/weights.npz`.

    python -m tests.bench.fit_properties [--per-layout 1] [--ways 1] [--real FOLDER]...
                                         [--without KIND,KIND] [--write] [--judges] [--table]
                                         [--diagram FILE]

Fitted are gradient-boosted trees (LightGBM) and small networks (torch), both of which are needed
in such scripts and nowhere else (pip install lightgbm torch), on the values in the running of
documents whose values are known (`known_documents`). What becomes of the odds where documents are
read closely, `tests.bench.fit_value_reader` fits afterwards.

The score that ships was fitted on a third of the made documents (56 kinds in 12 layouts), on 199
written ones of 71 kinds, and on 1,121 others: 110 agreements, 115 receipts, 38 invoices, 30 minutes
and 40 mails that are real, and 788 documents of 590 kinds that people wrote who had not seen the
code (560 of them are `short_documents/`). Its judges also learned from the files of
`filed_documents`, which the score has not seen; the lists of documents too short for a close
reading, which no file is, have a judge of their own without them. How near labels come to
properties is fitted before: `tests.bench.fit_label_vectors`.

The score gives the right value of a property most of the share among all in the running, or leaves
it to "none". The judge, which says how sure a value is, is fitted on what the score says of
kinds that were left out; its calibration on kinds that it has not seen either. `--table` prints
what each left-out kind gave, `--diagram` draws how sure values of real kinds are and how many of
them are right; `--without` leaves kinds out altogether, made or real, and measures them. With
`--judges` the score that ships stays and its judges are fitted anew.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from backend.extraction import forest
from backend.extraction.comparing import Comparison
from backend.extraction.document import Document
from backend.extraction.features import FALLING, NAMES, RISING
from backend.extraction.lists import LISTED, Listing, listing_rows
from backend.extraction.tagged import Tagged
from backend.extraction.weighing import Running
from tests.bench.booster_arrays import arrays
from tests.bench.fit_comparing import Competing, comparison
from tests.bench.known_documents import (
    Known,
    judged,
    known_documents,
    plain,
    with_foreign_lists,
)
from tests.bench.reliability import diagram

Floats = NDArray[Any]
FOLDS = 5
TREES = 200
NETWORK_SEEDS = 1, 2
"""The mean of these networks ships; of kinds that were left out the first of them speaks."""
SETTINGS = {
    "objective": "binary", "learning_rate": 0.07, "num_leaves": 20, "min_data_in_leaf": 40,
    "feature_fraction": 0.5, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 8.0,
    "max_depth": 7, "max_bin": 63, "verbose": -1, "num_threads": 1, "seed": 5,
    "deterministic": True,
    "monotone_constraints": [(name in RISING) - (name in FALLING) for name in NAMES],
}  # fmt: skip
REAL_WEIGHT = 2.5
MOST_WRONG, MOST_WRONG_BY_HAND = 11, 30
"""Values of one property that are not right and are fitted on; they stand for the others."""
WRITTEN_OUTCOME, MADE_OUTCOME = 0.1, 0.001
"""What a kind of documents that are not real counts where confidence is calibrated."""
JUDGE_TREES = 90
JUDGE_SEEDS = 5, 6, 7, 8
JUDGE_SETTINGS = {
    "objective": "binary", "learning_rate": 0.06, "num_leaves": 8, "min_data_in_leaf": 60,
    "feature_fraction": 0.4, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 10.0,
    "max_bin": 63, "verbose": -1, "num_threads": 1, "seed": 5, "deterministic": True,
    "monotone_constraints": [0] * len(NAMES) + [1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
}  # fmt: skip
LIST_RISING = ("list_score", "list_mean", "list_least", "list_apart", "list_alike")
ITEMS_WORTH = 5.0
"""All possible items of an array together count as so many properties of one value."""
LIST_TREES = 110
LIST_SETTINGS = JUDGE_SETTINGS | {
    "objective": "cross_entropy",
    "monotone_constraints": [0] * len(NAMES) + [1 if name in LIST_RISING else 0 for name in LISTED],
    "min_data_in_leaf": 30, "num_leaves": 10,
}  # fmt: skip
FILED_LISTS, FILED_KINDS = 4.0, 36.0
"""What lists of files count where they are judged, and a kind of them where the confidence of lists
is fitted: as much together as the many kinds of short texts, most of which list things in prose.
"""
HARD_KINDS = ([0.0, 0.75, 0.9, 1.0], [0.0, 0.75, 0.8, 1.0])
"""From the part of sure values that are right on the whole to that of a hard kind: what has a
confidence above .8 may be relied on for documents of any kind.
"""
_NEWTON_STEPS, _KNOTS = 30, 101
JUDGED = {"by hand": 3.0, "made": 1.0}
"""Weights of documents where confidence is fitted."""


@dataclass
class Asked:
    """One property of one document: what was in the running, and which of it is right."""

    kind: str
    document: str
    running: Running
    rows: Floats
    right: Floats
    truth: frozenset[str]
    """The values there are to find, as they are compared."""
    filed: bool = False
    """Whether the document is a file of a folder."""

    @property
    def asks(self) -> str:
        """What it asks for."""
        return self.running.kind

    @property
    def starts(self) -> list[frozenset[tuple[int, int]]]:
        """Where each value begins."""
        return [group.starts for group in self.running.groups]

    @property
    def by_hand(self) -> bool:
        """Whether somebody wrote the whole document, not a program."""
        return self.kind.startswith(("real", "written"))

    @property
    def wanted(self) -> int:
        """How many values there are to find."""
        return len(self.truth)


def asked(known: Known, read: Document) -> Iterator[Asked]:
    """What is in the running for the properties of a document whose truth is known."""
    for each in judged(known, read):
        if known.only not in ("", each.running.target.name):
            continue
        right = each.right.astype(np.float32)
        yield Asked(
            known.kind, known.name, each.running, each.running.rows, right, each.truth, known.filed
        )


def fitted(sets: Sequence[Asked]) -> lightgbm.Booster:
    """Trees whose odds give the right value of a property most of the share among its values, or
    leave it to "none", which has the odds of one; each item of a list is on its own.
    """
    rng = np.random.default_rng(5)
    thinned = [_thinned(one, rng) for one in sets]
    rows, right, weight = (np.concatenate(parts) for parts in zip(*thinned, strict=True))
    alone = np.concatenate(
        [np.full(len(part[1]), one.asks == "item") for one, part in zip(sets, thinned, strict=True)]
    )
    starts = np.cumsum([0, *(len(part[1]) for part in thinned)])[:-1]
    owner = np.repeat(np.arange(len(sets)), [len(part[1]) for part in thinned])
    worth = np.array([REAL_WEIGHT if one.by_hand else 1.0 for one in sets])[owner]
    many = weight / worth
    """How many values each row stands for."""
    rows_of = np.add.reduceat(many, starts)[owner]
    worth = np.where(alone, worth * np.minimum(1.0, ITEMS_WORTH / rows_of), worth)

    def objective(logits: Floats, data: lightgbm.Dataset) -> tuple[Floats, Floats]:
        odds = np.exp(np.clip(logits, -15.0, 15.0))
        mass = many * odds
        total = 1.0 + np.add.reduceat(mass, starts)
        whole = np.where(alone, 1.0 + odds, total[owner])
        own = np.where(alone, many * odds / whole, mass / whole)
        good = np.add.reduceat(np.where(right > 0, mass, 0.0), starts)[owner]
        aim = np.where(right > 0, np.where(alone, many, mass / np.maximum(good, 1e-12)), 0.0)
        bend = own * np.maximum(1.0 - own / np.where(alone, many, 1.0), 0.02)
        return worth * (own - aim), worth * bend + 1e-6

    settings = SETTINGS | {"objective": objective}
    return lightgbm.train(settings, lightgbm.Dataset(rows, right), TREES)


def _thinned(one: Asked, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Rows, whether they are right, and their weight; of many wrong ones a sample."""
    weight = np.full(len(one.right), REAL_WEIGHT if one.by_hand else 1.0)
    wrong = np.flatnonzero(one.right == 0)
    most = MOST_WRONG_BY_HAND if one.by_hand else MOST_WRONG
    if len(wrong) > most:
        dropped = rng.choice(wrong, len(wrong) - most, replace=False)
        weight[wrong] *= len(wrong) / most
        return tuple(np.delete(part, dropped, axis=0) for part in (one.rows, one.right, weight))
    return one.rows, one.right, weight


@dataclass
class Score:
    """Trees that look at a value alone, and networks that see it beside the others."""

    booster: lightgbm.Booster
    networks: dict[str, Floats]

    @cached_property
    def _comparison(self) -> Comparison:
        return Comparison(self.networks)

    def _alone(self, rows: Floats) -> Floats:
        raw: Floats = self.booster.predict(rows, raw_score=True)
        return raw

    def logits(self, sets: Sequence[Asked]) -> list[Floats]:
        """The odds of the values of each of some properties."""
        running = [(one.rows, one.asks != "item") for one in sets]
        return forest.mixed(self._alone, self._comparison.logits, running)


def score_of(sets: Sequence[Asked], network_seeds: Sequence[int]) -> Score:
    """The score that is fitted on some properties; every second of those that are made is enough
    for networks.
    """
    competing = [
        Competing(one.rows, one.right, REAL_WEIGHT if one.by_hand else 1.0)
        for at, one in enumerate(sets)
        if one.asks != "item" and (one.by_hand or at % 2)
    ]
    return Score(fitted(sets), comparison(competing, network_seeds))


class Shipped:
    """The score that ships."""

    def logits(self, sets: Sequence[Asked]) -> list[Floats]:
        """As those of `Score`."""
        return forest.forest().logits([(one.rows, one.asks != "item") for one in sets])


@dataclass
class Judge:
    """The mean of judges that differ by their seed alone: one is swayed by chance near `GIVEN`."""

    boosters: list[lightgbm.Booster]

    def predict(self, rows: Floats) -> Floats:
        """How sure each row is."""
        raw = sum(booster.predict(rows, raw_score=True) for booster in self.boosters)
        return 1.0 / (1.0 + np.exp(-raw / len(self.boosters)))


@dataclass
class Scored:
    """A property with the odds of its values, and what other properties want of them."""

    one: Asked
    logits: Floats
    rivals: Floats
    tagged: Tagged | None = None
    """What a close reading says of the tokens of a list."""

    @cached_property
    def lists(self) -> tuple[list[Listing], Floats, Floats]:
        """The lists in the running for an array, their rows, and how much of each is right."""
        own = self.one.running
        running = own.listings(self.logits, self.tagged)
        rows = listing_rows(running, own.groups, self.one.rows, self.logits, self.tagged)
        results = [frozenset(map(plain, listing.values)) for listing in running]
        right = [2 * len(keys & self.one.truth) / (len(keys) + self.one.wanted) for keys in results]
        return running, rows, np.array(right, dtype=np.float32)


@dataclass
class Outcome:
    """What is likeliest for a property: how sure that is, and how many values are right."""

    share: float
    right: int
    given: int
    one: Asked

    @property
    def correct(self) -> float:
        """How much of it is right: 1 or 0 for a value, for a list the F1 of its items."""
        return 2 * self.right / (self.given + self.one.wanted)


def scored(score: Score | Shipped, sets: Sequence[Asked]) -> list[Scored]:
    """The odds of all values, and by document how properties compete for them."""
    documents: dict[str, list[Asked]] = defaultdict(list)
    for one in sets:
        documents[f"{one.kind} {one.document}"].append(one)
    results = []
    for own in documents.values():
        logits = score.logits(own)
        rivals = forest.rivalry(logits, [one.starts for one in own])
        results += [Scored(*parts) for parts in zip(own, logits, rivals, strict=True)]
    return results


def folds(kinds: Iterable[str]) -> list[set[str]]:
    """The kinds dealt into parts."""
    ordered = sorted(set(kinds))
    return [set(ordered[fold::FOLDS]) for fold in range(FOLDS)]


def left_out(sets: Sequence[Asked]) -> list[Scored]:
    """What the score says of kinds they have not seen."""
    results: list[Scored] = []
    for out in folds(one.kind for one in sets):
        known = [one for one in sets if one.kind not in out]
        score = score_of(known, NETWORK_SEEDS[:1])
        results += scored(score, [one for one in sets if one.kind in out])
    return results


def _weight(one: Asked) -> float:
    return JUDGED["by hand" if one.by_hand else "made"]


def judge_of(results: Sequence[Scored]) -> Judge:
    """Trees that say whether a likely value is right, from what others said of unseen kinds."""
    rows, right, weight = [], [], []
    for each in results:
        if each.one.asks != "item":
            best, compared = forest.compared_rows(each.logits, each.one.rows, each.rivals)
            rows.append(compared)
            right.append(each.one.right[best])
            weight.append(np.full(len(best), _weight(each.one)))
    data = lightgbm.Dataset(
        np.concatenate(rows), np.concatenate(right), weight=np.concatenate(weight)
    )
    return Judge(
        [lightgbm.train(JUDGE_SETTINGS | {"seed": seed}, data, JUDGE_TREES) for seed in JUDGE_SEEDS]
    )


def lists_of(results: Sequence[Scored]) -> Judge:
    """Trees that say how much of a list is right."""
    parts = [(each, *each.lists[1:]) for each in results if each.one.asks == "item"]
    parts = [part for part in parts if len(part[1])]
    weight = [
        np.full(len(rows), _weight(each.one) * (FILED_LISTS if each.one.filed else 1.0))
        for each, rows, _ in parts
    ]
    aim = np.concatenate([np.maximum(0.0, 2.0 * right - 1.0) for _, _, right in parts])
    rows = np.concatenate([rows for _, rows, _ in parts])
    data = lightgbm.Dataset(rows, aim, weight=np.concatenate(weight))
    return Judge(
        [lightgbm.train(LIST_SETTINGS | {"seed": seed}, data, LIST_TREES) for seed in JUDGE_SEEDS]
    )


def outcomes(results: Sequence[Scored], judge: Judge, lists: Judge | None) -> list[Outcome]:
    """How sure the likeliest value or list of each property is, and whether it is right; without
    `lists` arrays are left out.
    """
    out = []
    for each in results:
        one = each.one
        if one.asks == "item":
            running, rows, _ = each.lists
            if running and lists is not None:
                odds = lists.predict(rows)
                first = int(odds.argmax())
                keys = frozenset(map(plain, running[first].values))
                out.append(Outcome(float(odds[first]), len(keys & one.truth), len(keys), one))
            continue
        best, compared = forest.compared_rows(each.logits, one.rows, each.rivals)
        odds = judge.predict(compared)
        first = int(odds.argmax())
        out.append(Outcome(float(odds[first]), int(one.right[best[first]]), 1, one))
    return out


def crossed(results: Sequence[Scored]) -> list[Outcome]:
    """What judges say of kinds that they have not seen either."""
    out: list[Outcome] = []
    for kinds in folds(each.one.kind for each in results):
        known = [each for each in results if each.one.kind not in kinds]
        judge = judge_of(known)
        lists = lists_of(known) if any(each.one.asks == "item" for each in known) else None
        out += outcomes([each for each in results if each.one.kind in kinds], judge, lists)
    return out


def curve(results: Sequence[Outcome]) -> tuple[Floats, Floats]:
    """From what the judge says to the part of such values that are right: a logistic curve.

    Real kinds that were left out count most: they are what confidence is for.
    """
    share = np.clip([each.share for each in results], 1e-4, 1 - 1e-4)
    logit = np.log(share / (1.0 - share))
    right = np.array([each.correct for each in results])
    weight = _outcome_weights(results)
    slope, shift = 1.0, 0.0
    for _ in range(_NEWTON_STEPS):
        odds = 1.0 / (1.0 + np.exp(-(slope * logit + shift)))
        error, bend = weight * (odds - right), weight * odds * (1.0 - odds) + 1e-12
        gradient = np.array([(error * logit).sum(), error.sum()])
        matrix = np.array([
            [(bend * logit * logit).sum(), (bend * logit).sum()], [(bend * logit).sum(), bend.sum()]
        ])  # fmt: skip
        slope, shift = np.array([slope, shift]) - np.linalg.solve(matrix, gradient)
    x = np.linspace(0.0, 1.0, _KNOTS)
    inner = np.clip(x, 1e-4, 1 - 1e-4)
    y = 1.0 / (1.0 + np.exp(-(slope * np.log(inner / (1.0 - inner)) + shift)))
    shown = np.interp(np.minimum(y, 0.99), *HARD_KINDS)
    return x.astype(np.float32), shown.astype(np.float32)


def _outcome_weights(results: Sequence[Outcome]) -> Floats:
    """Every real kind counts alike, however many documents it has; other kinds count little."""
    many = Counter(each.one.kind for each in results)
    return np.array([_kind_weight(each.one) / many[each.one.kind] for each in results])


def _kind_weight(one: Asked) -> float:
    if one.asks == "item" and one.filed:
        return FILED_KINDS
    if one.kind.startswith("real"):
        return 1.0
    return WRITTEN_OUTCOME if one.by_hand else MADE_OUTCOME


Curves = dict[str, Floats]


def curves(results: Sequence[Outcome]) -> Curves:
    """The calibration of values and that of lists."""
    x, y = curve([each for each in results if each.one.asks != "item"])
    list_x, list_y = curve([each for each in results if each.one.asks == "item"])
    return {"knots": x, "levels": y, "list_knots": list_x, "list_levels": list_y}


def table(results: Sequence[Outcome], calibrated: Curves) -> None:
    """F1 by kind, and how often values of each confidence are right."""
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    levels: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for each in results:
        one = each.one
        sure = _sure(each, calibrated)
        for key in (one.kind, "all", f"all {'real' if one.kind.startswith('real') else 'made'}"):
            row = kinds[key]
            row[2] += one.wanted
            row[3] += one.wanted == 0
            if sure >= 0.5:
                row[0] += each.right
                row[1] += each.given
                row[4] += one.wanted == 0
        level = levels[int(10 * sure)]
        level[0] += 1
        level[1] += sure
        level[2] += each.correct
    for kind, row in sorted(kinds.items()):
        f1 = 2 * row[0] / max(1, row[1] + row[2])
        precision, recall = row[0] / max(1, row[1]), row[0] / max(1, row[2])
        print(
            f"{kind:26} P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}"
            f"   given where there is none {row[4]} of {row[3]}"
        )
    print("confidence  values  stated  right")
    for level, (many, sum_stated, right) in sorted(levels.items()):
        print(f"{level / 10:.1f}  {many:7.0f}  {sum_stated / many:.2f}  {right / many:.2f}")
    every = sum(many for many, _, _ in levels.values())
    error = sum(abs(sum_stated - right) for _, sum_stated, right in levels.values()) / every
    print(f"expected calibration error {error:.3f}")


def stated(results: Sequence[Outcome], calibrated: Curves) -> list[tuple[float, float]]:
    """The confidence of the likeliest value of each property, and how much of it is right."""
    return [(_sure(each, calibrated), each.correct) for each in results]


def _sure(each: Outcome, calibrated: Curves) -> float:
    names = ("list_knots", "list_levels") if each.one.asks == "item" else ("knots", "levels")
    return float(np.interp(each.share, *(calibrated[name] for name in names)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--per-layout", type=int, default=1)
    parser.add_argument("--ways", type=int, default=1)
    parser.add_argument("--real", type=Path, action="append", default=[])
    parser.add_argument("--without", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--judges", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--diagram", type=Path)
    given = parser.parse_args()
    without = set(filter(None, given.without.split(",")))
    sets = [
        one
        for known in with_foreign_lists(known_documents(given.per_layout, given.ways, given.real))
        if not known.exercise
        for one in asked(known, Document(known.elements))
        if len(one.rows)
    ]
    kept = [one for one in sets if one.kind not in without]
    learned = [one for one in kept if not one.filed]
    score = Shipped() if given.judges else score_of(learned, NETWORK_SEEDS)
    unseen = left_out(learned) + scored(score, [one for one in kept if one.filed])
    judge, lists = judge_of(unseen), lists_of(unseen)
    results = crossed(unseen)
    calibrated = curves(results)
    if given.table:
        table(results, calibrated)
    if given.diagram is not None:
        by_hand = [each for each in results if each.one.kind.startswith("real")]
        given.diagram.write_text(diagram(stated(by_hand, calibrated)), "utf-8")
    if without:
        print("left out altogether:")
        out = [one for one in sets if one.kind in without]
        table(outcomes(scored(score, out), judge, lists), calibrated)
    if given.write:
        content = BytesIO()
        short = [each for each in unseen if not each.one.filed]
        curve_of_short = curves(crossed(short))
        trees = (
            arrays(f"{forest.SHORT}lists", *lists_of(short).boosters)
            | {
                f"{forest.SHORT}{name}": array
                for name, array in curve_of_short.items()
                if name.startswith("list_")
            }
            | arrays("judge", *judge.boosters)
            | arrays("lists", *lists.boosters)
        )
        if isinstance(score, Score):
            trees |= arrays("score", score.booster)
            trees |= {f"comparison_{part}": array for part, array in score.networks.items()}
        path = Path(forest.__file__).with_name(forest.WEIGHTS)
        with np.load(path) as file:
            kept_arrays = {name: file[name] for name in file.files}
        np.savez_compressed(content, **kept_arrays | trees | calibrated)
        path.write_bytes(content.getvalue())
        print(
            f"{path.name}: {path.stat().st_size} bytes, {TREES}, {JUDGE_TREES}, {LIST_TREES} trees"
        )


if __name__ == "__main__":
    main()
