"""One run from its first step to its last event, in the server or in a worker process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from backend.plans.running import answering
from backend.plans.running.alike import merge_words, merges_for
from backend.plans.running.bounds import bounds_of
from backend.plans.running.contradictions import contradictions
from backend.plans.running.relations import Prose, Relation
from backend.plans.running.run import Done, Reports, run_plan
from backend.plans.running.stage import Stage
from backend.plans.tables.collection import Collection
from workbench.contract.coverage import uncertain_words
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import Node
from workbench.contract.query import AnswerAccount, Event, NodeProgress, NodeTrace, QueryResult


@dataclass(frozen=True)
class RunRequest:
    """What to run. `unused` are words of the question that the plan does not reflect."""

    query_id: str
    plan: Plan
    question: str
    rag_mode: bool = False
    summarize: bool = False
    unused: list[str] = field(default_factory=list)


class Record(Protocol):
    """Records the progress of a run."""

    def advance(self, so_far: NodeProgress) -> None:
        """Records the progress of a step."""
        ...

    def add(self, trace: NodeTrace, relation: Relation) -> None:
        """Records a finished step and its result."""
        ...


ShowList = Callable[[Relation], None]
"""Receives a list whose lines are built lazily."""


@dataclass(frozen=True)
class Listeners:
    """Receivers of the events of a run; `show_list` receives an answer that is a list."""

    emit: answering.Emit
    show_list: ShowList | None = None


def execute(
    order: RunRequest, stage: Stage, record: Record, emit: answering.Emit
) -> tuple[Relation, AnswerAccount]:
    """Runs the steps; returns the result of the last one and the account of the answer."""

    def progress(node: Node, so_far: NodeProgress) -> None:
        record.advance(so_far)
        answering.emit_progress(node, so_far, emit)

    def report(node: Node, done: Done) -> None:
        record.add(done.trace, done.relation)
        answering.emit_step(node, done, emit)

    done = run_plan(order.plan, stage, Reports(progress, report))
    account = _account(order, done, stage.collection)
    return done[order.plan.result_node].relation, account


def answer(
    order: RunRequest,
    relation: Relation,
    account: AnswerAccount,
    stage: Stage,
    listeners: Listeners,
) -> QueryResult:
    """Emits the answer up to the last event, except a list that `show_list` receives."""
    emit, result = listeners.emit, None
    citations = answering.citations_of(relation)
    if listeners.show_list is not None and answering.is_list(relation):
        listeners.show_list(relation)
    else:
        stage.allowance.check_answer(answering.size_of(relation, stage.collection))
        result = answering.result_of(relation, stage.collection)
        if order.rag_mode and isinstance(relation, Prose):
            for item in citations:
                emit(Event("rag_source", item.model_dump()))
            emit(Event("rag_answer", relation.text))
        else:
            answering.emit_result(result, emit)
    answering.emit_citations(citations, emit)
    if order.summarize and not order.rag_mode:
        emit(Event("result_summary", answering.summary_of(order.question, relation, stage)))
    emit(answering.closing(relation, account))
    return QueryResult(
        query_id=order.query_id,
        plan=order.plan,
        result=result,
        citations=citations,
        labels=answering.labels_of(order.plan),
        **account.__dict__,
    )


def _account(order: RunRequest, done: Mapping[int, Done], collection: Collection) -> AnswerAccount:
    merges = merges_for(order.plan, collection)
    # Only the plan of a bare question has a report: one that was sent was shown with it before.
    warnings = list(order.plan.edit.remarks) if order.plan.edit is not None else []
    warnings += [warning for step in done.values() for warning in step.trace.warnings]
    empty = [node_id for node_id, step in done.items() if not step.trace.rows_out]
    warnings += contradictions(order.plan, empty, collection.fields)
    warnings += map(merge_words, merges)
    coverage = [item for step in done.values() for item in step.trace.coverage]
    warnings += uncertain_words(coverage)
    return AnswerAccount(
        coverage=coverage,
        bounds=bounds_of(done[order.plan.result_node].relation),
        sentences=[step.trace.sentence for step in done.values()],
        unused=order.unused,
        warnings=list(dict.fromkeys(warnings)),
        merges=merges,
        confidence_limit=collection.rules.limit,
    )
