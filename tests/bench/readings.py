"""How many questions and how much feedback of a set are answered right, in process.

    READINGS=FOLDER python -m tests.bench.readings [--domain D] [--category C] [--limit N]
        [--only questions|feedback|conversations] [--failures] [--report FILE]

A set is a folder with `schema/`, `data/`, `questions.jsonl`, `feedback.jsonl` or
`conversations.jsonl` (also called `sequences.jsonl`) and, there or in a folder `plans` beside it,
with what is expected. Prints right, refused and wrong by category: an answer that was given and is
not right is wrong, one that was declined is refused. “sound” are the follow-ups behind which every
turn was right.
"""

import argparse
import importlib.util
import json
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlalchemy import select

from backend.plans.running import answering
from backend.plans.running.passages import StoredTexts
from backend.plans.running.run import Reports, run_plan
from backend.plans.running.stage import Stage
from backend.store.tables import documents
from tests.backend.plans.desk import ACCOUNT, Desk, WordSearch, make_desk
from workbench.contract.errors import Invalid, ServiceError
from workbench.contract.plan import Plan

ROOT = Path(__file__).resolve().parents[2]
Case = dict[str, Any]
Verdict = tuple[str, str, str, str]
"""Group, category, right, refused or wrong, and why."""


class Tables:
    """The tables of a set as desks, each loaded when it is first asked about."""

    def __init__(self, folder: Path, work: Path) -> None:
        self.folder = folder
        self._work = work
        self._desks: dict[str, Desk] = {}
        self._names: dict[str, dict[str, str]] = {}
        self.scorer = _scorer(folder)

    def key(self, name: str) -> str:
        return str(self._schema(name)["key"])

    def desk(self, name: str) -> Desk:
        if name not in self._desks:
            schema, records, texts = self._schema(name), [], []
            reported = _lines(self.folder / "data" / f"{name}.jsonl")
            for record in reported:
                properties = record["properties"]
                records.append(properties)
                lines = [f"{k.replace('_', ' ')}: {v}" for k, v in properties.items()]
                noun = schema.get("noun", name)
                texts.append([record["text"]] if "text" in record else [noun.capitalize(), *lines])
            (self._work / name).mkdir(parents=True)
            noun = schema.get("noun", name)
            desk = make_desk(self._work / name, noun, schema["properties"], records, texts)
            self._desks[name] = desk
            with desk.database.reading() as connection:
                rows = connection.execute(select(documents.c.doc_id, documents.c.name)).all()
            order = {row.name: row.doc_id for row in rows}
            self._names[name] = {
                order[f"{place}.txt"]: record["key"] for place, record in enumerate(reported)
            }
        return self._desks[name]

    def _schema(self, name: str) -> dict[str, Any]:
        read: dict[str, Any] = json.loads((self.folder / "schema" / f"{name}.json").read_text())
        return read

    def judged(self, desk: Desk, plan: Plan, case: Case) -> tuple[bool, str]:
        """Whether what a plan gives is one of the answers that are expected."""
        expected = _expected(case)
        if fault := self.scorer.sound(plan.model_dump(mode="json")):
            return False, f"unsound plan: {fault}"
        result = _result(desk, plan)
        key, names = self.key(case["domain"]), self._names[case["domain"]]
        for item in result if isinstance(result, list) else []:
            if isinstance(item, dict) and item.get("doc_id") in names:
                item.setdefault("properties", {})[key] = names[item["doc_id"]]
        why = ""
        for one in expected:
            right, message = self.scorer.judge(one, result, key)
            if right or _behind_values(self.scorer, expected, one, result):
                return True, ""
            why = why or message
        return False, why


def _expected(case: Case) -> list[Any]:
    """The answers of which any is right."""
    return case.get("expect_any") or [case["expect"]]


def _result(desk: Desk, plan: Plan) -> Any:
    """What a plan gives, without keeping the run."""
    collection = desk.service.collection(desk.docset_id, ACCOUNT)
    stage = Stage(collection, StoredTexts(desk.database), WordSearch(desk.database), lambda: False)
    done = run_plan(plan, stage, Reports(lambda *_: None, lambda *_: None))
    return answering.result_of(done[plan.result_node].relation, collection)


def _behind_values(scorer: ModuleType, expected: list[Any], one: Any, result: Any) -> bool:
    """Whether the documents found are those that hold the wanted values."""
    listed = isinstance(result, list) and all(isinstance(item, dict) for item in result)
    if one["kind"] != "values" or len(expected) > 1 or not listed:
        return False
    read = {str(scorer.deep(i.get("properties", i), one["field"])).lower() for i in result}
    return read == {str(value).lower() for value in one["values"]}


def _scorer(folder: Path) -> ModuleType:
    own = folder / "score.py"
    text = own.read_text() if own.exists() else ""
    beside = folder.parent / "plans" / "score.py"
    data = Path(os.environ.get("WORKBENCH_BENCH") or ROOT.parent / "shared" / "bench")
    shared = beside if beside.exists() else data / "plans" / "score.py"
    path = own if "def judge(" in text else shared
    spec = importlib.util.spec_from_file_location("readings_scorer", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _lines(path: Path) -> list[Case]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def cases(folder: Path, kind: str) -> list[Case]:
    path = folder / f"{kind}.jsonl"
    return _lines(path) if path.exists() else []


def conversations(folder: Path) -> list[Case]:
    """Conversations of several turns, each judged by what its plan gives."""
    return [*cases(folder, "conversations"), *cases(folder, "sequences")]


def question(tables: Tables, case: Case) -> Verdict:
    """The verdict on one question."""
    desk = tables.desk(case["domain"])
    try:
        plan = desk.ask(case["question"])
    except Invalid as refused:
        right = case.get("expect", {}).get("kind") == "refuse"
        text = "; ".join(fault.msg for fault in refused.faults)
        return "question", case["category"], "right" if right else "refused", text
    if case.get("expect", {}).get("kind") == "refuse":
        return "question", case["category"], "wrong", "should be refused"
    try:
        right, why = tables.judged(desk, plan, case)
    except ServiceError as error:
        right, why = False, str(error)
    return "question", case["category"], "right" if right else "wrong", why


def conversation(tables: Tables, case: Case) -> Iterator[Verdict]:
    """The verdicts on the turns of a conversation; each follows what is there after the last."""
    desk = tables.desk(case["domain"])
    plan: Plan | None = None
    for place, turn in enumerate(case["turns"]):
        group = "follow-up" if place else "first turn"
        category = turn.get("category") or _expected(turn)[0]["kind"]
        try:
            plan = desk.ask(turn["text"]) if plan is None else desk.edit(plan, turn["text"])
        except Invalid as refused:
            wanted = _expected(turn)[0]["kind"] == "refuse"
            yield group, category, "right" if wanted else "refused", refused.faults[0].msg
            continue
        right, why = tables.judged(desk, plan, {**turn, "domain": case["domain"]})
        yield group, category, "right" if right else "wrong", why


def feedback(tables: Tables, case: Case) -> Verdict:
    """The verdict on the feedback of one case, all its turns together."""
    desk = tables.desk(case["domain"])
    expected, category = case["expect"], case["category"]
    plan = starting_plan(desk, case)
    for place, text in enumerate(case["feedback"]):
        last = place == len(case["feedback"]) - 1
        try:
            plan = desk.edit(plan, text)
        except Invalid as refused:
            msg = "; ".join(fault.msg for fault in refused.faults)
            wanted = last and expected["kind"] == "refuse" and _mentions(expected, msg)
            return "feedback", category, "right" if wanted else "refused", msg
    if expected["kind"] == "refuse":
        return "feedback", category, "wrong", "should be refused"
    if why := lacking(tables.scorer, plan, case):
        return "feedback", category, "wrong", why
    try:
        right, why = tables.judged(desk, plan, case)
    except ServiceError as error:
        right, why = False, str(error)
    return "feedback", category, "right" if right else "wrong", why


def starting_plan(desk: Desk, case: Case) -> Plan:
    """The plan that feedback is about."""
    text = json.dumps(case["plan"]).replace("{docset_id}", desk.docset_id)
    return Plan.model_validate(json.loads(text))


def _mentions(expected: Case, msg: str) -> bool:
    wanted = expected.get("mention") or []
    return not wanted or any(word.lower() in msg.lower() for word in wanted)


def lacking(scorer: ModuleType, plan: Plan, case: Case) -> str:
    """What a plan must have or must not have beside what it gives."""
    body = plan.model_dump(mode="json")
    kinds = [node.node_type for node in plan.nodes.values()]
    text = json.dumps(body["nodes"]).lower()
    if lacked := [kind for kind in case.get("lacks", []) if kind in kinds]:
        return f"{lacked[0]} is still in the plan"
    if case.get("has_any") and not any(kind in kinds for kind in case["has_any"]):
        nearest = any(kind in text for kind in ('"vector"', '"hybrid"'))
        if not ("QueryVectorDatabase" in case["has_any"] and nearest):
            return f"none of {case['has_any']} in the plan"
    if not all(word.lower() in text for word in case.get("has_query", [])):
        return f"the plan lacks {case['has_query']}"
    reported = json.dumps(scorer.without(body, {"query", "feedback"})).lower()
    partial = case["expect"].get("partial") or []
    if partial and not any(word.lower() in reported for word in partial):
        return f"the part that was not applied ({partial}) is not reported"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--domain")
    parser.add_argument("--category")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--only")
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--report")
    options = parser.parse_args()
    folder = Path(os.environ["READINGS"])
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    failed: list[dict[str, str]] = []

    def wanted(case: Case) -> bool:
        same = options.category in (None, case.get("category"))
        return same and options.domain in (None, case["domain"])

    def note(case: Case, text: str, verdict: Verdict) -> None:
        group, category, outcome, why = verdict
        counts[group, category][outcome] += 1
        if outcome != "right":
            failed.append(
                {
                    "group": group,
                    "category": category,
                    "verdict": outcome,
                    "why": why,
                    "domain": case["domain"],
                    "text": text,
                    "sql": case.get("sql", ""),
                }
            )
            if options.failures:
                print(f"{outcome.upper():8}[{category}] {case['domain']} | {text} :: {why[:160]}")

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        tables = Tables(folder, Path(work))
        if options.only in (None, "questions"):
            for case in list(filter(wanted, cases(folder, "questions")))[: options.limit]:
                note(case, case["question"], question(tables, case))
        if options.only in (None, "feedback"):
            for case in list(filter(wanted, cases(folder, "feedback")))[: options.limit]:
                note(case, " // ".join(case["feedback"]), feedback(tables, case))
        if options.only in (None, "conversations"):
            for case in list(filter(wanted, conversations(folder)))[: options.limit]:
                verdicts = list(conversation(tables, case))
                for turn, verdict in zip(case["turns"], verdicts, strict=True):
                    note({**turn, "domain": case["domain"]}, turn["text"], verdict)
                outcomes = [verdict[2] for verdict in verdicts]
                right = list(takewhile(lambda outcome: outcome == "right", outcomes))
                # What follows a turn that failed is about another plan than the person thinks.
                counts["sound", "turn"].update(outcomes[1 : len(right) + 1])
                whole = "right" if len(right) == len(outcomes) else "wrong"
                counts["whole", "conversation"][whole] += 1
    _print(counts)
    if options.report:
        Path(options.report).write_text(json.dumps(failed, indent=1, ensure_ascii=False))
    return 0


def _print(counts: dict[tuple[str, str], Counter[str]]) -> None:
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for (group, category), tally in sorted(counts.items()):
        totals[group] += tally
        print(_row(group, category, tally))
    for group, tally in totals.items():
        print(_row(group, "ALL", tally))


def _row(group: str, category: str, tally: Counter[str]) -> str:
    count = sum(tally.values()) or 1
    shares = "  ".join(f"{name} {tally[name]:4} ({tally[name] / count:.3f})"
                       for name in ("right", "refused", "wrong"))  # fmt: skip
    return f"{group:11}{category:14} of {count:5}  {shares}"


if __name__ == "__main__":
    sys.exit(main())
