"""Fits the weights of follow-ups and feedback, and tells how well that generalises.

    READINGS=FOLDER[:FOLDER…] python -m tests.bench.fit_edits --keep FILE [--also FILE] [--write]

Each turn of the sets is read over the plan that is right before it; every candidate is run, and
those that give what is expected are right. Left-out figures leave whole domains out, and with them
their phrasings. `--write` keeps the weights fitted on everything.
"""

import argparse
import os
import pickle
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from backend.plans.reading.score import EDIT_PRIORS, edit_weights
from backend.plans.requests.choose import Candidate
from backend.plans.requests.edit_agreement import foresee_edit
from backend.plans.requests.editor import rules_edit
from backend.plans.requests.follow_ups import ACCEPTED, Asked, edit_candidates, guessed_edits
from backend.plans.requests.offering import Meaning
from backend.plans.requests.planner import questions
from tests.backend.plans.desk import ACCOUNT, NOW, Desk
from tests.bench.fit_readings import (
    Example,
    fit,
    names_of,
    outcomes,
    report,
    write_failures,
    write_weights,
)
from tests.bench.readings import Case, Tables, cases, conversations, lacking, starting_plan
from workbench.contract.errors import Invalid, ServiceError
from workbench.contract.plan import Plan

_WEIGHTS = Path(__file__).parents[2] / "backend" / "plans" / "reading" / "edit_weights.json"
_DECAY = 0.02
_WORTH = {"repo": 0.6, "repo refused": 0.5, "made": 0.3, "made anew": 0.1,
          "made spoiled": 0.3}  # fmt: skip
"""How much an example counts beside one that people wrote. What is right in those of the repository
is what the rules make: counted fully, they teach nothing but to trust the rules.
"""


def read(desk: Desk, before: Plan, text: str, *, foreseen: bool = False) -> list[Candidate]:
    """All candidates of a follow-up; those that are foreseen too if wanted."""
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    collection = vocabulary.collection
    ruled: Plan | None = None
    with suppress(Invalid):
        ruled = rules_edit(before, text, collection, Meaning(vocabulary), NOW)
    today = datetime.fromtimestamp(NOW, UTC).date()
    asked = Asked(before, text, collection, vocabulary, today)
    found = edit_candidates(asked, ruled, questions(text, collection, vocabulary, NOW))
    outlook = foresee_edit(text, before, found, vocabulary) if foreseen else None
    return found if outlook is None else [*found, *guessed_edits(asked, found, outlook)]


def as_example(
    candidates: Sequence[Candidate], right: Sequence[bool], domain: str, category: str, text: str,
    weight: float = 1.0,
) -> Example:  # fmt: skip
    place = next((i for i, c in enumerate(candidates) if c.by_rules), None)
    features = [dict(c.features) for c in candidates]
    cores = [c.core for c in candidates]
    return Example(domain, category, text, features, list(right), cores, place, weight)


def right_ones(
    tables: Tables, desk: Desk, candidates: Sequence[Candidate], case: Case
) -> list[bool]:
    """Which candidates give what is expected."""
    made: list[bool] = []
    for candidate in candidates:
        try:
            fits = not lacking(tables.scorer, candidate.plan, case)
            made.append(fits and tables.judged(desk, candidate.plan, case)[0])
        except (ServiceError, ValueError):
            made.append(False)
    return made


def of_feedback(tables: Tables, case: Case) -> Iterator[Example]:
    """The turns of a case of feedback; only the last one is judged, the others must lead to it."""
    desk = tables.desk(case["domain"])
    domain = f"{tables.folder.name}/{case['domain']}"
    before = starting_plan(desk, case)
    for place, text in enumerate(case["feedback"]):
        result = read(desk, before, text)
        if place == len(case["feedback"]) - 1:
            refused = case["expect"]["kind"] == "refuse"
            right = [False] * len(result) if refused else right_ones(tables, desk, result, case)
            category = "refuse" if refused else case["category"]
            if category in ("undo_seq", "noop"):
                return  # the journal answers these
            yield as_example(result, right, domain, category, text)
            return
        ruled = [c for c in result if c.by_rules] or list(result[:1])
        if not ruled:
            return
        before = ruled[0].plan


def of_conversation(tables: Tables, case: Case) -> Iterator[Example]:
    """The turns of a conversation after the first, each over a plan that is right before it."""
    desk = tables.desk(case["domain"])
    domain = f"{tables.folder.name}/{case['domain']}"
    before: Plan | None = None
    for turn in case["turns"]:
        wanted = {**turn, "domain": case["domain"]}
        if before is None:
            vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
            result = questions(turn["text"], vocabulary.collection, vocabulary, NOW)
            right = right_ones(tables, desk, result, wanted)
        else:
            result = read(desk, before, turn["text"])
            right = right_ones(tables, desk, result, wanted)
            yield as_example(result, right, domain, "turn " + turn["expect"]["kind"], turn["text"])
        if not any(right):
            return
        before = result[right.index(True)].plan


def examples_of(folders: Sequence[str]) -> list[Example]:
    made: list[Example] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        for number, folder in enumerate(folders):
            tables = Tables(Path(folder), Path(work) / str(number))
            for case in cases(Path(folder), "feedback"):
                made += of_feedback(tables, case)
            for case in conversations(Path(folder)):
                made += of_conversation(tables, case)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", required=True, help="file for the examples")
    parser.add_argument("--also", action="append", default=[], help="examples kept before")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--failures", help="file for what went wrong")
    options = parser.parse_args()
    if options.reuse:
        examples: list[Example] = pickle.loads(Path(options.keep).read_bytes())
    else:
        examples = examples_of(os.environ["READINGS"].split(":"))
        Path(options.keep).write_bytes(pickle.dumps(examples))
    for path in options.also:
        examples += pickle.loads(Path(path).read_bytes())
    examples = [replace(item, weight=_WORTH.get(item.category, 1.0)) for item in examples]
    judged = left_out(examples, options.folds)
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        print(threshold, dict(Counter("refused" if p < threshold else o for _, o, p in judged)))
    report([(i, o if p >= ACCEPTED or (o == "right" and not any(i.right)) else "refused", p)
            for i, o, p in judged])  # fmt: skip
    if options.failures:
        write_failures(Path(options.failures), judged, ACCEPTED)
    if options.write:
        names = names_of(examples)
        w = fit(examples, names, EDIT_PRIORS, _DECAY)
        write_weights(_WEIGHTS, names, w)
        edit_weights.cache_clear()


def left_out(examples: Sequence[Example], folds: int) -> list[tuple[Example, str, float]]:
    """What comes of each example with weights that know nothing of its domain."""
    domains = sorted({item.domain for item in examples})
    judged: list[tuple[Example, str, float]] = []
    for fold in range(folds):
        out = set(domains[fold::folds])
        train = [item for item in examples if item.domain not in out]
        names = names_of(train)
        w = fit(train, names, EDIT_PRIORS, _DECAY)
        judged += outcomes([i for i in examples if i.domain in out], w, names)
    return judged


if __name__ == "__main__":
    main()
