"""Fits the weights of the reader on sets of questions, and tells how well that generalises.

    READINGS=FOLDER[:FOLDER…] python -m tests.bench.fit_readings [--folds 5] [--write] [--rounds 1]

Every question is read, each candidate plan is run, and those whose answer is expected are right. A
log-linear model chooses among the candidates and no answer at all. Left-out figures leave whole
domains out, and with them their phrasings. `--write` keeps the weights fitted on everything.
"""

import argparse
import json
import os
import pickle
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from backend.language.tokens import tokenise
from backend.language.words import stem
from backend.plans.reading.clauses import plain_request
from backend.plans.reading.focus import focused
from backend.plans.reading.score import PRIORS, weights
from backend.plans.requests.choose import Candidate
from backend.plans.requests.deciding import ACCEPTED, understands
from backend.plans.requests.planner import questions
from backend.plans.requests.referring_back import refers_back
from backend.plans.requests.sql import begins_as_sql
from tests.backend.plans.desk import ACCOUNT, NOW, Desk
from tests.bench.made_talk import narrowed, with_talk
from tests.bench.readings import Case, Tables, cases, conversations
from workbench.contract.errors import ServiceError

_NONE = ("spoiled", "repo refused", "refuse")
"""Categories of what should be refused."""
_DECAY = 0.005
_STEPS = 300
_WEIGHTS = Path(__file__).parents[2] / "backend" / "plans" / "reading" / "weights.json"


@dataclass(frozen=True)
class Example:
    """A question with the features of its candidates and which of them are right.

    `passed_over` holds the words that each candidate skips, `understood` the places of others that
    take such words for a value; `focused` is what was read of the question.
    """

    domain: str
    category: str
    text: str
    features: list[dict[str, float]]
    right: list[bool]
    cores: list[str]
    ruled: int | None
    """Which candidate is what the rules made."""
    weight: float = 1.0
    passed_over: list[tuple[str, ...]] = field(default_factory=list)
    understood: list[list[int]] = field(default_factory=list)
    lacking: list[tuple[str, ...]] = field(default_factory=list)
    focused: str = ""
    answered: bool = True
    """Whether the planner reads the question at all."""


def example(tables: Tables, case: Case) -> Example:
    """A question with all its candidates run, read as the planner reads it."""
    desk = tables.desk(case["domain"])
    read = planned(desk, case["question"])
    right: list[bool] = []
    for candidate in read.candidates:
        try:
            right.append(tables.judged(desk, candidate.plan, case)[0])
        except ServiceError:
            right.append(False)
    return _example(tables, case, case["category"], read, right)


@dataclass(frozen=True)
class Planned:
    """What the planner reads in a question; `answered` is False where it refuses it unread."""

    question: str
    focused: str
    candidates: list[Candidate]
    answered: bool


def planned(desk: Desk, question: str, *, foreseen: bool = False) -> Planned:
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    today = datetime.fromtimestamp(NOW, UTC).date()
    parts = focused(question, vocabulary, today)
    text = question if parts is None else parts[0]
    result = questions(text, vocabulary.collection, vocabulary, NOW, foreseen=foreseen)
    back = refers_back(plain_request(question))
    return Planned(question, text, result, back is None)


def _example(
    tables: Tables, case: Case, category: str, read: Planned, right: list[bool], weight: float = 1.0
) -> Example:
    result = read.candidates
    return Example(
        f"{tables.folder.name}/{case['domain']}", category, read.question,
        [dict(c.features) for c in result], right, [c.core for c in result],
        next((i for i, c in enumerate(result) if c.by_rules), None), weight,
        [c.skipped for c in result],
        [[i for i, other in enumerate(result) if understands(other, c)] for c in result],
        [c.lacking for c in result], read.focused, read.answered,
    )  # fmt: skip


_STRANGE = {
    "with a {}": ["crowbar", "lantern", "harness", "barcode", "mortgage", "scar", "balcony"],
    "in {}": ["Gotham", "Zanzibar", "Narnia", "Elbonia", "Wakanda"],
    "for {}": ["children", "beginners", "pensioners", "vegetarians"],
    "by {}": ["astronauts", "phase-of-moon", "candlelight", "Boeing"],
    "painted {}": ["purple", "turquoise", "scarlet"],
    "that are {}": ["haunted", "insured", "translated", "waterproof", "vaccinated"],
    "per {}": ["galaxy", "eyelash", "sandwich"],
    "about {}": ["dragons", "lightning", "plumbing"],
}  # fmt: skip
_BEFORE = ["retired", "velvet", "haunted", "organic", "Martian", "nocturnal"]


def beside(tables: Tables, case: Case, number: int) -> Example | None:
    """The question among words that say nothing, narrowed by strange ones, or neither."""
    if number % 2:
        return None
    dice = random.Random(number)
    if number % 4:
        return spoiled(tables, case, dice)
    chatty = example(tables, {**case, "question": with_talk(case["question"], dice)})
    return replace(chatty, category="talk", weight=0.7)


def spoiled(tables: Tables, case: Case, dice: random.Random) -> Example | None:
    """The question narrowed by what the collection knows nothing of: no candidate is right."""
    desk = tables.desk(case["domain"])
    text = spoiled_text(desk, case["question"], dice)
    if text is None:
        return None
    read = planned(desk, text)
    return _example(tables, case, "spoiled", read, [False] * len(read.candidates), 0.7)


def spoiled_text(desk: Desk, question: str, dice: random.Random) -> str | None:
    """A question narrowed by what the collection knows nothing of; None where it does know it."""
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    text = question.rstrip(" ?.")
    nouns = [w for w in text.split() if stem(w) in vocabulary.nouns]
    way = dice.random()
    if way < 0.3:
        return narrowed(text, dice)
    if nouns and way < 0.6:
        word = dice.choice(_BEFORE)
        text = text.replace(nouns[0], f"{word} {nouns[0]}", 1)
    else:
        pattern = dice.choice(list(_STRANGE))
        word = dice.choice(_STRANGE[pattern])
        text = f"{text} {pattern.format(word)}"
    known = vocabulary.values_at(tokenise(word), 0)[0] or vocabulary.names_part(stem(word))
    return None if known else text


class Model:
    """Candidates as sparse rows; the last candidate of each question is no answer, worth 0."""

    def __init__(self, examples: Sequence[Example], names: Sequence[str]) -> None:
        place = {name: i for i, name in enumerate(names)}
        rows: list[int] = []
        columns: list[int] = []
        amounts: list[float] = []
        groups: list[int] = []
        right: list[float] = []
        for number, item in enumerate(examples):
            for features, fits in zip(item.features, item.right, strict=True):
                for name, amount in features.items():
                    if name in place:
                        rows.append(len(groups))
                        columns.append(place[name])
                        amounts.append(amount)
                groups.append(number)
                right.append(float(fits))
            groups.append(number)
            right.append(float(not any(item.right)))
        self.rows, self.columns = np.array(rows), np.array(columns)
        self.amounts = np.array(amounts)
        self.groups, self.right = np.array(groups), np.array(right)
        self.count, self.size = len(examples), len(names)
        self.weight = np.array([item.weight for item in examples])

    def likely(self, w: np.ndarray) -> np.ndarray:
        score = np.bincount(self.rows, self.amounts * w[self.columns], minlength=len(self.groups))
        top = np.full(self.count, -np.inf)
        np.maximum.at(top, self.groups, score)
        power = np.exp(score - top[self.groups])
        return power / np.bincount(self.groups, power, minlength=self.count)[self.groups]

    def gradient(self, w: np.ndarray) -> np.ndarray:
        share = self.likely(w)
        mass = np.bincount(self.groups, share * self.right, minlength=self.count)
        wanted = share * self.right / np.maximum(mass, 1e-12)[self.groups]
        pull = (wanted - share) * self.weight[self.groups]
        return np.bincount(self.columns, self.amounts * pull[self.rows], minlength=self.size)


def fit(
    examples: Sequence[Example],
    names: Sequence[str],
    priors: Mapping[str, float] = PRIORS,
    decay: float = _DECAY,
) -> np.ndarray:
    """Weights near the priors that make the right candidates likely."""
    model = Model(examples, names)
    prior = np.array([priors.get(name, 0.0) for name in names])
    w, first, second = prior.copy(), np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, _STEPS + 1):
        g = model.gradient(w) / model.count - decay * (w - prior) / 10
        first, second = 0.9 * first + 0.1 * g, 0.999 * second + 0.001 * g * g
        w = w + 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return w


def first_questions(folder: Path) -> list[Case]:
    """The questions of a set, and those that open its conversations."""
    opening = [{**c["turns"][0], "domain": c["domain"], "category": "first turn",
                "question": c["turns"][0]["text"]} for c in conversations(folder)]  # fmt: skip
    asked = [*cases(folder, "questions"), *opening]
    asked = [c for c in asked if not begins_as_sql(c["question"])]
    return [c if (c.get("expect") or {}).get("kind") != "refuse" else {**c, "category": "refuse"}
            for c in asked]  # fmt: skip


def names_of(examples: Sequence[Example]) -> list[str]:
    seen = Counter(name for item in examples for f in item.features for name in f)
    return sorted(name for name, count in seen.items() if count >= 5)


def outcomes(
    examples: Sequence[Example], w: np.ndarray, names: Sequence[str]
) -> list[tuple[Example, str, float]]:
    model = Model(examples, names)
    share = model.likely(w)
    results: list[tuple[Example, str, float]] = []
    place = 0
    for item in examples:
        mine = share[place : place + len(item.features)]
        place += len(item.features) + 1
        if not len(mine):
            results.append((item, "right" if item.category in _NONE else "refused", 0.0))
            continue
        together: dict[str, float] = defaultdict(float)
        for core, part in zip(item.cores, mine, strict=True):
            together[core] += float(part)
        if not any(item.right) and max(together.values()) < ACCEPTED:
            results.append((item, "right" if item.category in _NONE else "wrong",
                          max(together.values())))  # fmt: skip
            continue
        best = max(range(len(mine)), key=lambda i: (together[item.cores[i]], mine[i]))
        outcome = "right" if item.right[best] else "wrong"
        results.append((item, outcome, together[item.cores[best]]))
    return results


def report(judged: Sequence[tuple[Example, str, float]]) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item, outcome, _ in judged:
        for key in (item.category, "ALL", "set " + item.domain.split("/")[0]):
            counts[key][outcome] += 1
            counts[key]["possible"] += any(item.right)
            if item.ruled is not None:
                counts[key]["rules right" if item.right[item.ruled] else "rules wrong"] += 1
    for key in sorted(counts):
        c = counts[key]
        n = c["right"] + c["wrong"] + c["refused"]
        print(f"{key:14} of {n:5} right {c['right'] / n:.3f} wrong {c['wrong'] / n:.3f} "
              f"possible {c['possible'] / n:.3f} | rules right {c['rules right'] / n:.3f} "
              f"wrong {c['rules wrong'] / n:.3f}")  # fmt: skip


def write_failures(path: Path, judged: Sequence[tuple[Example, str, float]], least: float) -> None:
    """Writes the examples that are not right, or less likely than `least`, as JSON."""
    lines = [
        {"outcome": o, "likely": round(p, 3), "category": i.category, "domain": i.domain,
         "text": i.text, "possible": any(i.right)}
        for i, o, p in judged if o != "right" or p < least
    ]  # fmt: skip
    path.write_text(json.dumps(lines, indent=0, ensure_ascii=False))


def write_weights(
    path: Path, names: Sequence[str], fitted: np.ndarray, priors: Mapping[str, float] = PRIORS
) -> None:
    """Writes the weights of the features that matter, as JSON."""
    kept = {n: round(float(x), 3) for n, x in zip(names, fitted, strict=True)
            if abs(x) >= 0.02 or n in priors}  # fmt: skip
    path.write_text(json.dumps(kept, indent=0, sort_keys=True, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", help="file for the examples")
    parser.add_argument("--also", action="append", default=[], help="examples kept before")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--failures", help="file for what went wrong")
    options = parser.parse_args()
    if options.reuse:
        examples: list[Example] = pickle.loads(Path(options.keep).read_bytes())
    else:
        examples = []
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
            for number, folder in enumerate(os.environ["READINGS"].split(":")):
                tables = Tables(Path(folder), Path(work) / str(number))
                for place, case in enumerate(first_questions(Path(folder))):
                    examples.append(example(tables, case))
                    more = beside(tables, case, place)
                    examples += [] if more is None else [more]
        if options.keep:
            Path(options.keep).write_bytes(pickle.dumps(examples))
    for path in options.also:
        examples += pickle.loads(Path(path).read_bytes())
    domains = sorted({item.domain for item in examples})
    judged: list[tuple[Example, str, float]] = []
    for fold in range(options.folds):
        out = set(domains[fold :: options.folds])
        train = [item for item in examples if item.domain not in out]
        names = names_of(train)
        w = fit(train, names)
        judged += outcomes([i for i in examples if i.domain in out], w, names)
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        c = Counter(
            "refused" if p < threshold else ("right" if o == "right" else "wrong")
            for _, o, p in ((i, o if o != "refused" else "refused", p) for i, o, p in judged)
        )
        print(threshold, dict(c))
    report([(i, o if p >= ACCEPTED or i.category in _NONE else "refused", p) for i, o, p in judged])
    if options.failures:
        write_failures(Path(options.failures), judged, ACCEPTED)
    if options.write:
        names = names_of(examples)
        w = fit(examples, names)
        write_weights(_WEIGHTS, names, w)
        weights.cache_clear()


if __name__ == "__main__":
    main()
