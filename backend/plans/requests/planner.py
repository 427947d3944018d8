"""From a question to a plan: the operations of an edit, applied to one that reads everything."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from backend.inference.language import ModelError
from backend.language.words import content_stems
from backend.plans.edits.applying import apply
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import Operation, op_name
from backend.plans.reading.antecedents import in_context
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause, plain_request, read_clauses
from backend.plans.reading.focus import focused
from backend.plans.reading.repairing import with_compounds, with_signed_values
from backend.plans.reading.restating import restatement
from backend.plans.reading.second_reading import without_company
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.agreement import agreeing, foresee
from backend.plans.requests.asked_of_texts import of_texts
from backend.plans.requests.choose import Candidate, Choosing
from backend.plans.requests.deciding import chosen, guessed, undecided
from backend.plans.requests.journal import marked
from backend.plans.requests.model_readings import with_proposed
from backend.plans.requests.offering import Meaning, finished, with_choices
from backend.plans.requests.percentages import asks_for_percent, with_percent
from backend.plans.requests.proposing import Proposer
from backend.plans.requests.referring_back import refers_back
from backend.plans.requests.report import helpless, not_understood, refusal
from backend.plans.requests.shares_of_totals import of_the_whole
from backend.plans.requests.statements import statements
from backend.plans.tables.collection import Collection
from workbench.contract.errors import Invalid
from workbench.contract.plan import AppliedClause, EditReport, Plan, RefusedClause
from workbench.contract.plan_nodes import Node
from workbench.contract.plan_validation import validate


def plan_question(
    question: str,
    collection: Collection,
    vocabulary: Vocabulary,
    now: float,
    proposer: Proposer | None = None,
    loc: tuple[str, ...] = ("body", "query"),
) -> Plan:
    """The plan that answers a question; Invalid at `loc` if none is likely enough to be meant.

    `proposer` is asked if there is none, unless some readings explain every word: those are choices
    for the person.
    """
    whole, left_out = question, tuple[str, ...]()
    question = stated = restatement(question)
    today = datetime.fromtimestamp(now, UTC).date()
    for shorter in (in_context, focused):
        if (parts := shorter(question, vocabulary, today)) is not None:
            question, left_out = parts[0], (*left_out, *parts[1])
    back = refers_back(plain_request(stated)) or refers_back(plain_request(question))
    if back is not None:
        msg = f"“{back}” refers to an earlier question, and there is none: ask the whole question"
        raise Invalid.at(loc, f"{msg} (“{whole}”).", "not_understood")
    understood = _read(question, collection, vocabulary, now, loc)
    refused = understood.refused
    percent = asks_for_percent(whole, vocabulary)

    def worded(plan: Plan) -> Plan:
        made = with_percent(plan, percent=True) if percent else plan
        return _worded(_asked_in(made, whole, left_out))

    outlook = foresee(understood.question, vocabulary, understood.candidates)
    options = agreeing(question, understood.candidates, outlook)
    best = chosen(options, refused=refused)
    if best is not None:
        return worded(best.plan)

    def read(meant: Meaning) -> Plan:
        return rules_plan(question, collection, meant.vocabulary, now, loc)

    problem = undecided(options, refused, loc, question)
    decidable = _offers(problem) and not any(c.skipped for c in options[:2])
    if not _offers(problem):
        problem = with_choices(problem, understood.unclear, vocabulary, read)
        decidable = _offers(problem)
    if proposer is not None and not decidable:
        try:
            proposed = proposer.readings(question, reading(collection), collection)
        except ModelError as failure:
            raise helpless(problem, failure.detail) from failure
        name = proposer.model.name
        options = with_proposed(
            understood.candidates, question, reading(collection), vocabulary, proposed, name
        )
        if (best := chosen(options, refused=refused)) is not None:
            return worded(best.plan)
        problem = undecided(options, refused, loc, question)
    if outlook is not None and not _offers(problem):
        extended = understood.choosing.with_foreseen(understood.candidates, outlook)
        guesses = agreeing(question, extended, outlook)
        problem = guessed(guesses, loc, question) or problem
    raise finished(problem, worded)


def questions(
    question: str, collection: Collection, vocabulary: Vocabulary, now: float,
    *, foreseen: bool = False,
) -> list[Candidate]:  # fmt: skip
    """All possible plans of a question, likeliest first; with `foreseen` also predicted ones."""
    understood = _read(question, collection, vocabulary, now, ("body", "query"))
    found = understood.candidates
    outlook = foresee(understood.question, vocabulary, found) if foreseen else None
    return found if outlook is None else understood.choosing.with_foreseen(found, outlook)


@dataclass(frozen=True)
class Understood:
    """The possible plans of a question, the refusal of the rules, if any, and the problems of each
    clause. `question` is the text that was read; `choosing` builds further plans from predictions.
    """

    question: str
    candidates: list[Candidate]
    refused: Invalid | None
    unclear: Mapping[str, Unclear]
    choosing: Choosing


def _read(
    question: str, collection: Collection, vocabulary: Vocabulary, now: float, loc: tuple[str, ...]
) -> Understood:
    """All results of the chart and the rules for a question."""
    today = datetime.fromtimestamp(now, UTC).date()
    question = with_compounds(with_signed_values(question, vocabulary), vocabulary)
    ruled: Plan | None = None
    refused: Invalid | None = None
    unclear: dict[str, Unclear] = {}
    try:
        ruled = rules_plan(question, collection, vocabulary, now, loc, unclear)
    except Invalid as refusal_of_rules:
        refused = refusal_of_rules
    choosing = Choosing(question, reading(collection), vocabulary, today)
    found = of_the_whole(choosing.candidates(ruled))
    if not content_stems(question):
        found = [candidate for candidate in found if not _reads_everything(candidate.plan)]
    return Understood(question, found, refused, unclear, choosing)


def _reads_everything(plan: Plan) -> bool:
    """Whether a plan only reads all documents, which words such as “of” or “what?” do not ask."""
    return all(node.node_type == "QueryDatabase" for node in plan.nodes.values())


def _asked_in(plan: Plan, text: str, left_out: tuple[str, ...]) -> Plan:
    """The plan for a whole text, with the parts of it that were left out."""
    ignored = ["ignored: " + ", ".join(f"“{part}”" for part in left_out)] if left_out else []
    return plan.with_warnings(ignored).model_copy(update={"query": text})


def _offers(problem: Invalid) -> bool:
    return any(fault.choices for fault in problem.faults)


def _worded(plan: Plan) -> Plan:
    """The plan with its steps and assumptions in words, for callers that keep only these."""
    report = plan.edit or EditReport()
    return plan.model_copy(update={"llm_plan": marked(_words(plan, report), 0)})


def reading(collection: Collection) -> Draft:
    """The plan that reads everything, from which all others are built."""
    return Draft({0: _source(collection)}, 0)


def rules_plan(
    question: str,
    collection: Collection,
    vocabulary: Vocabulary,
    now: float,
    loc: tuple[str, ...] = ("body", "query"),
    unclear: dict[str, Unclear] | None = None,
) -> Plan:
    """The plan that answers a question; Invalid at `loc`, with problems by clause in `unclear`."""
    today = datetime.fromtimestamp(now, UTC).date()
    clauses = read_clauses(question, vocabulary, today, None, split_commands=False)
    draft = reading(collection)
    report = EditReport()
    refused: list[RefusedClause] = []
    grouped = False
    for clause in clauses:
        try:
            if _only_the_number(clause, draft):
                continue
            among = clause.among and draft.gives == "docs"
            clause, operations = _asked(clause, grouped=grouped and not among)
            if among:
                draft = _behind(draft, clause, operations, question, report)
            else:
                draft = _applied(draft, clause, operations, question, report)
            grouped = bool(draft.on_spine("GroupBy"))
        except Unclear as problem:
            refused.append(refusal(clause.text, problem))
            if unclear is not None:
                unclear[clause.text] = problem
        report.warnings.extend(w for w in clause.reader.assumptions if w not in report.warnings)
    if refused or not clauses:
        raise not_understood(refused, loc, question)
    empty = Plan(query=question, nodes={}, result_node=0)
    draft, place = draft.renumbered()
    report.applied = [
        item.model_copy(update={"node": None if item.node is None else place.get(item.node)})
        for item in report.applied
    ]
    plan = draft.as_plan(empty)
    verdict = validate(plan, collection.fields)
    if verdict.faults:
        reason = f"“{question}” would make a plan that cannot run: {verdict.faults[0].msg}"
        raise Invalid.at(loc, reason, "not_understood")
    report.warnings.extend(fault.msg for fault in verdict.warnings)
    return plan.model_copy(update={"edit": report, "llm_plan": marked(_words(plan, report), 0)})


def direct_plan(question: str, collection: Collection) -> Plan:
    """The plan for an answer read directly from the nearest passages."""
    source = Node.model_validate(
        {
            "node_type": "QueryVectorDatabase",
            "node_id": 0,
            "description": f"Find the documents nearest in meaning to “{question}”",
            "inputs": [],
            "index": collection.docset_id,
            "query_phrase": question,
            "rag_mode": True,
            "top_k": 10,
        }
    )
    summary = Node.model_validate(
        {
            "node_type": "SummarizeData",
            "node_id": 1,
            "description": "Answer from their text",
            "inputs": [0],
            "question": question,
        }
    )
    return Plan(query=question, nodes={"0": source, "1": summary}, result_node=1)


def _source(collection: Collection) -> Node:
    return Node.model_validate(
        {
            "node_type": "QueryDatabase",
            "node_id": 0,
            "description": f"Read all documents of {collection.name}",
            "inputs": [],
            "index": collection.docset_id,
        }
    )


def _asked(clause: Clause, *, grouped: bool) -> tuple[Clause, list[Operation]]:
    """The operations of a clause, if necessary in a second reading; and the clause as read."""

    def read(part: Clause) -> list[Operation]:
        return statements(part, grouped=grouped, question=True)

    try:
        operations = read(clause)
    except Unclear as problem:
        if problem.kind in ("contradictory", "out_of_scope"):
            raise
        again = of_texts(clause, None, read) or _without_company(clause, grouped)
        if again is None:
            raise
        return again
    return of_texts(clause, operations, read) or (clause, operations)


def _without_company(clause: Clause, grouped: bool) -> tuple[Clause, list[Operation]] | None:
    """The clause without accompanying words, and its operations then."""
    for again in without_company(clause):
        with suppress(Unclear):
            if operations := statements(again, grouped=grouped, question=True):
                return again, operations
    return None


def _applied(
    draft: Draft, clause: Clause, operations: list[Operation], question: str, report: EditReport
) -> Draft:
    for operation in operations:
        draft, node_id, _ = apply(draft, operation, question)
        report.applied.append(
            AppliedClause(clause=clause.text, op=op_name(operation), node=node_id)
        )
    return draft


def _only_the_number(clause: Clause, draft: Draft) -> bool:
    """`… Just the number.` behind a question whose answer is one."""
    content = [piece for piece in clause.pieces if piece.tag not in "o,&"]
    asked = clause.words(content).lower() in ("the number", "number", "the numbers", "numbers")
    return asked and bool(draft.on_spine("Aggregate", "Count", "Math"))


def _behind(
    draft: Draft, clause: Clause, operations: list[Operation], question: str, report: EditReport
) -> Draft:
    """Like `_applied`, but on the plan's result, with its order and limit."""
    source = next(draft.sources())
    reported = EditReport()
    later = _applied(Draft({source.node_id: source}, source.node_id), clause, operations, question,
                     reported)  # fmt: skip
    joined, place = draft.followed_by(later)
    report.applied += [
        item.model_copy(update={"node": None if item.node is None else place.get(item.node)})
        for item in reported.applied
    ]
    return joined


def _words(plan: Plan, report: EditReport) -> str:
    steps = [f"{i}. {node.description}" for i, node in enumerate(plan.nodes.values(), 1)]
    notes = [f"Note: {warning}." for warning in report.warnings]
    return "\n".join([*steps, *notes])
