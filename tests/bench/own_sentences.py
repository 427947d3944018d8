"""A pytest plugin that keeps the questions of the tests as examples for fitting the reader.

    python -m pytest -p tests.bench.own_sentences tests/backend/plans
    READINGS=… python -m tests.bench.fit_readings --also build/own_sentences.pkl --write

While it is loaded the rules alone answer, as all these tests expect; a candidate is right when it
gives what the plan of the rules gives. What the rules refuse has no right candidate. Questions
about the collections in `_READ_BY_ALL` ask for what the rules cannot mean: the whole reader answers
them, and what it takes is right, because these tests check every answer.
"""

import pickle
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from backend.plans import service
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests import choose, editor, planner
from backend.plans.requests.proposing import Proposer
from backend.plans.running import answering
from backend.plans.running.run import Reports, run_plan
from backend.plans.running.stage import Stage
from backend.plans.tables.collection import Collection
from tests.bench.fit_readings import Example
from workbench.contract.errors import Invalid, ServiceError
from workbench.contract.plan import Plan

KEPT = Path("build") / "own_sentences.pkl"
_LOC = ("body", "query")
_READ_BY_ALL = frozenset({"shipments", "bills", "leases"})
_examples: dict[tuple[str, str], Example] = {}


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
    found = choose.candidates(question, start, collection, vocabulary, today, ruled)
    model = ruled if answer is None else answer
    wanted = None if model is None else _answer(model, collection)
    core = next((c.core for c in found if c.by_rules and answer is None), None)
    right = [
        c.core == core or (wanted is not None and _answer(c.plan, collection) == wanted)
        for c in found
    ]
    if model is None:
        right = [False] * len(found)
    return Example(
        f"own/{collection.name}",
        "repo refused" if model is None else "repo",
        question,
        [dict(c.features) for c in found],
        right,
        [c.core for c in found],
        next((i for i, c in enumerate(found) if c.by_rules), None),
    )


def _answer(plan: Plan, collection: Collection) -> Any:
    """What a plan gives, None where it needs more than the table."""
    missing: Any = None
    stage = Stage(collection, missing, missing, lambda: False)
    try:
        done = run_plan(plan, stage, Reports(lambda *_: None, lambda *_: None))
        result = answering.result_of(done[plan.result_node].relation, collection)
    except (ServiceError, AttributeError):
        return None
    if not isinstance(result, list):
        return str(result)
    lines = [str(item.get("doc_id") or item["properties"]) for item in result]
    ordered = any(node.node_type == "Sort" for node in plan.nodes.values())
    return lines if ordered else sorted(lines)


_whole_reader = planner.plan_question
service.plan_question = _plan_question  # type: ignore[attr-defined]
editor.plan_question = _plan_question  # type: ignore[attr-defined]


def pytest_sessionfinish() -> None:
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_bytes(pickle.dumps(list(_examples.values())))
