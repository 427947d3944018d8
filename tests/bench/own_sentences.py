"""A pytest plugin that keeps the questions of the tests as examples for fitting the reader.

    python -m pytest -p tests.bench.own_sentences tests/backend/plans
    READINGS=… python -m tests.bench.fit_readings --also build/own_sentences.pkl --write
    READINGS=… python -m tests.bench.fit_edits --also build/own_edits.pkl --write

While it is loaded the rules alone answer, as all these tests expect; a candidate is right when it
gives what the plan of the rules gives. What the rules refuse has no right candidate. Questions
about the collections in `_READ_BY_ALL` ask for what the rules cannot mean: the whole reader answers
them, and what it takes is right, because these tests check every answer.
"""

import pickle
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from backend.plans import service
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests import choose, editor, planner
from backend.plans.requests.choose import Candidate
from backend.plans.requests.follow_ups import Asked, edit_candidates
from backend.plans.requests.offering import Meaning
from backend.plans.requests.proposing import Proposer
from backend.plans.tables.collection import Collection
from tests.bench.fit_edits import as_example
from tests.bench.fit_readings import Example
from tests.bench.plan_answers import answer as answer_of
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash

KEPT = Path("build") / "own_sentences.pkl"
KEPT_EDITS = Path("build") / "own_edits.pkl"
_LOC = ("body", "query")
_READ_BY_ALL = frozenset({"shipments", "bills", "leases"})
_examples: dict[tuple[str, str], Example] = {}
_edits: dict[tuple[str, str, str], Example] = {}


def _plan_question(
    question: str,
    collection: Collection,
    vocabulary: Vocabulary,
    now: float,
    proposer: Proposer | None = None,
    loc: tuple[str, ...] = _LOC,
) -> Plan:
    name = (collection.digest, question)
    if collection.name in _READ_BY_ALL:
        plan = _whole_reader(question, collection, vocabulary, now, proposer, loc)
        _examples[name] = _example(question, collection, vocabulary, now, plan)
        return plan
    if proposer is None and loc == _LOC and name not in _examples:
        _examples[name] = _example(question, collection, vocabulary, now)
    return planner.rules_plan(question, collection, vocabulary, now, loc)


def _example(
    question: str, collection: Collection, vocabulary: Vocabulary, now: float,
    answer: Plan | None = None,
) -> Example:  # fmt: skip
    """A question with its candidates; right is what gives the same as `answer` or the rules."""
    try:
        ruled = planner.rules_plan(question, collection, vocabulary, now)
    except Invalid:
        ruled = None
    today = datetime.fromtimestamp(now, UTC).date()
    start = planner.reading(collection)
    options = choose.candidates(question, start, collection, vocabulary, today, ruled)
    model = ruled if answer is None else answer
    right = _right(options, model, collection, by_rules=answer is None)
    return Example(
        f"own/{collection.name}",
        "repo refused" if model is None else "repo",
        question,
        [dict(c.features) for c in options],
        right,
        [c.core for c in options],
        next((i for i, c in enumerate(options) if c.by_rules), None),
    )


def _right(
    candidates: Sequence[Candidate],
    model: Plan | None,
    collection: Collection,
    *,
    by_rules: bool = True,
) -> list[bool]:
    """Which candidates give what the model gives, which the rules made or not."""
    if model is None:
        return [False] * len(candidates)
    wanted = answer_of(model, collection)
    core = next((c.core for c in candidates if c.by_rules and by_rules), None)
    return [
        c.core == core or (wanted is not None and answer_of(c.plan, collection) == wanted)
        for c in candidates
    ]


def _decided(
    before: Plan,
    feedback: str,
    collection: Collection,
    vocabulary: Vocabulary,
    now: float,
    proposer: Proposer | None = None,
) -> Plan:
    name = (collection.digest, plan_hash(before), feedback)
    if proposer is None and name not in _edits:
        _edits[name] = _edit_example(before, feedback, collection, vocabulary, now)
    return editor.rules_edit(before, feedback, collection, Meaning(vocabulary), now, proposer)


def _edit_example(
    before: Plan, feedback: str, collection: Collection, vocabulary: Vocabulary, now: float
) -> Example:
    ruled: Plan | None = None
    with suppress(Invalid):
        ruled = editor.rules_edit(before, feedback, collection, Meaning(vocabulary), now)
    today = datetime.fromtimestamp(now, UTC).date()
    asked = Asked(before, feedback, collection, vocabulary, today)
    fresh = planner.questions(feedback, collection, vocabulary, now)
    options = edit_candidates(asked, ruled, fresh)
    category = "repo refused" if ruled is None else "repo"
    right = _right(options, ruled, collection)
    return as_example(options, right, f"own/{collection.name}", category, feedback)


_whole_reader = planner.plan_question
service.plan_question = _plan_question  # type: ignore[attr-defined]
editor.plan_question = _plan_question  # type: ignore[attr-defined]
editor._decided = _decided


def pytest_sessionfinish() -> None:
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_bytes(pickle.dumps(list(_examples.values())))
    KEPT_EDITS.write_bytes(pickle.dumps(list(_edits.values())))
