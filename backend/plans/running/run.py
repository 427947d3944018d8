"""Runs a plan step by step and records a trace of each.

This module alone decides the physical plan: each step runs once, inputs first; only columns that
the plan names are read; filters directly behind a ranked source are applied before the ranking.
Everything else runs as written.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from backend.plans.running import text_steps
from backend.plans.running.account import sentence_of
from backend.plans.running.allowance import OverAllowance
from backend.plans.running.arranging import ordered, selected, unrolled
from backend.plans.running.choosing import filtered, joined, limited
from backend.plans.running.clustering import k_means
from backend.plans.running.coverage import coverage_of, unit_remarks
from backend.plans.running.grouping import collected, distinct, gathered, grouped, top
from backend.plans.running.judging import judged
from backend.plans.running.measuring import aggregated, calculated, counted, uncalculated
from backend.plans.running.note import Note
from backend.plans.running.relations import (
    LINEAGE,
    SCORE,
    Docs,
    Groups,
    Number,
    Ordered,
    Prose,
    Relation,
    Rows,
    settled,
    used_fields,
)
from backend.plans.running.sources import nearest, scanned
from backend.plans.running.stage import Stage
from backend.plans.running.summing_up import summed_up
from backend.plans.tables.collection import ROW
from backend.plans.tables.narrowing import fields_in_use, named_in, narrowed
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import (
    CATALOGUE,
    TEXT,
    Aggregate,
    AggregateCollect,
    AggregateCount,
    BasicFilter,
    Count,
    Distinct,
    FieldIn,
    Fields,
    GroupBy,
    KMeanClustering,
    Limit,
    LLMClustering,
    LlmExtractEntity,
    LlmFilter,
    Math,
    Node,
    Project,
    QueryDatabase,
    QueryVectorDatabase,
    Sort,
    SummarizeData,
    TopK,
    Unroll,
    canonical_field,
    typed,
)
from workbench.contract.plan_validation import walk
from workbench.contract.query import NodeProgress, NodeTrace

SAMPLES = 20


@dataclass(frozen=True)
class Done:
    """A finished step: its result and its trace."""

    relation: Relation
    trace: NodeTrace


@dataclass(frozen=True)
class Reports:
    """Callbacks of a run: the progress of a step, and its result when it is finished."""

    progress: Callable[[Node, NodeProgress], None]
    done: Callable[[Node, Done], None]


def run_plan(plan: Plan, stage: Stage, reports: Reports) -> dict[int, Done]:
    """Runs all steps of a valid plan."""
    done: dict[int, Done] = {}
    relations: dict[int, Relation] = {}
    unreported: list[tuple[Node, Callable[[], NodeTrace]]] = []
    report = partial(_report, unreported, relations, done, reports)
    names = fields_in_use(plan)
    stage = replace(stage, collection=narrowed(stage.collection, plan), named=named_in(plan))
    for node_id in walk(plan):
        node = plan.node(node_id)
        step = typed(node)
        inputs = [_input_of(node, relations[i]) for i in node.inputs]
        ahead = [] if node.inputs else _filters_ahead(plan, node_id)
        watched = replace(stage, report_rows=_row_reporter(node, inputs, reports, report))
        watched.go_on()
        forms_groups = bool(unreported)
        if not forms_groups:
            watched.report_rows(0)
        note = Note(allowance=stage.allowance)
        begun = time.perf_counter()
        try:
            relation = _apply(node, step, inputs, ahead, watched, note)
            if node_id == plan.result_node:
                relation = settled(relation)
            _check_grown(relation, stage)
        except OverAllowance as error:
            place = ("body", "query", "plan", "nodes", str(node_id))
            raise Invalid.at(place, str(error), "too_large") from error
        elapsed = (time.perf_counter() - begun) * 1000
        if forms_groups:
            watched.report_rows(0)
        note.coverage = coverage_of(node_id, step, inputs)
        note.warnings += unit_remarks(step, inputs)
        relations[node_id] = relation
        trace = partial(_trace, node, step, inputs, relation, note, elapsed, names)
        unreported.append((node, trace))
        # Their number costs as much as the next step, after which it is known.
        if not isinstance(relation, Groups) or node_id == plan.result_node:
            report()
    return done


def _report(
    unreported: list[tuple[Node, Callable[[], NodeTrace]]],
    relations: Mapping[int, Relation],
    done: dict[int, Done],
    reports: Reports,
) -> None:
    """Makes the traces of finished steps, in their order, and passes them on."""
    for node, trace in unreported:
        done[node.node_id] = Done(relations[node.node_id], trace())
        reports.done(node, done[node.node_id])
    unreported.clear()


def _check_grown(relation: Relation, stage: Stage) -> None:
    match relation:
        case Ordered(source=Docs(table=table)) | Docs(table=table) | Groups(docs=Docs(table=table)):
            stage.allowance.check_grown(table, stage.collection.table.height)


def _input_of(node: Node, relation: Relation) -> Relation:
    """The input of a step: all steps behind an order need it fully sorted, except a limit."""
    return relation if node.node_type == "Limit" else settled(relation)


def _row_reporter(
    node: Node, inputs: list[Relation], reports: Reports, report: Callable[[], None]
) -> Callable[[int], None]:
    """Reports the progress of a step, after the steps before it, which `report` passes on."""

    def report_rows(rows: int) -> None:
        report()
        rows_in = sum(item.height for item in inputs)
        so_far = NodeProgress(
            node_id=node.node_id, state="running", rows_in=rows_in, rows_done=rows
        )
        reports.progress(node, so_far)

    return report_rows


def _apply(
    node: Node,
    step: Fields,
    inputs: list[Relation],
    ahead: Sequence[BasicFilter],
    stage: Stage,
    note: Note,
) -> Relation:
    """Runs one step. Validation has checked the kinds of its inputs."""
    match step, inputs:
        case QueryDatabase(), []:
            return scanned(step, ahead, stage, note)
        case QueryVectorDatabase(), []:
            return nearest(step, ahead, stage, note)
        case SummarizeData(), _:
            return summed_up(step.question, inputs, stage)
        case Math(), [Number() as left, Number() as right]:
            return calculated(step, left, right, note)
        case Math(), [left, right]:
            return uncalculated(left, right, note)
        case FieldIn(), [(Docs() | Rows()) as first, (Docs() | Rows()) as second]:
            first = _with_text_of(first, step.field_one, stage)
            second = _with_text_of(second, step.field_two, stage)
            return joined(step, first, second, note)
        case Limit(), [Ordered() as order]:
            return limited(step, order, note)
        case _, [Docs() as docs]:
            return _on_docs(step, docs, stage, note)
        case _, [Groups() as groups]:
            return _on_groups(step, groups, stage, note)
        case _, [Rows() as rows]:
            return _on_table(step, rows, note)
    raise TypeError(f"{node.node_type} does not accept these inputs")


def _on_docs(step: Fields, docs: Docs, stage: Stage, note: Note) -> Relation:
    if _reads_text(step):
        docs = text_steps.with_text(docs, stage)
    match step:
        case LlmFilter():
            return judged(step, docs, stage, note)
        case LlmExtractEntity():
            return text_steps.extracted(step, docs, stage, note)
        case GroupBy():
            return grouped(step, docs, note)
        case Aggregate():
            return aggregated(step, docs, note)
        case TopK(llm_cluster=True):
            return text_steps.top_clusters(step, docs, stage, note)
        case TopK():
            return top(step, docs, note)
        case Unroll():
            return unrolled(step, docs, note)
        case LLMClustering():
            return text_steps.clustered(step, docs, stage, note)
        case KMeanClustering():
            return k_means(step, docs, stage, note)
    return _on_table(step, docs, note)


def _with_text_of(table: Docs | Rows, field: str, stage: Stage) -> Docs | Rows:
    if isinstance(table, Docs) and canonical_field(field) == TEXT:
        return text_steps.with_text(table, stage)
    return table


def _on_groups(step: Fields, groups: Groups, stage: Stage, note: Note) -> Relation:
    if _reads_text(step):
        groups = replace(groups, docs=text_steps.with_text(groups.docs, stage))
    match step:
        case AggregateCollect():
            return collected(step, groups)
        case Aggregate() | AggregateCount():
            return gathered(step, groups, note)
    raise TypeError(f"{type(step).__name__} does not accept groups")


def _on_table(step: Fields, table: Docs | Rows, note: Note) -> Relation:
    match step:
        case BasicFilter():
            return filtered(step, table, note)
        case Count():
            return counted(step, table, note)
        case Sort():
            return ordered(step, table, note)
        case Limit():
            return limited(step, table, note)
        case Distinct():
            return distinct(step, table, note)
        case Project():
            return selected(step, table, note)
    raise TypeError(f"{type(step).__name__} does not accept {type(table).__name__}")


_FIELD_NAMES = ("field", "start_field", "end_field", "distinct_field", "primary_field")


def _reads_text(step: Fields) -> bool:
    """Whether an exact step reads the full text; approximate ones read passages."""
    if isinstance(step, LlmFilter | LlmExtractEntity | KMeanClustering):
        return False
    parts = [step]
    for key in ("any_of", "aggregations", "then"):
        parts += getattr(step, key, None) or []
    names = [getattr(part, key, None) for part in parts for key in _FIELD_NAMES]
    for key in ("fields", "per"):
        names += getattr(step, key, None) or []
    return any(isinstance(name, str) and canonical_field(name) == TEXT for name in names)


def _filters_ahead(plan: Plan, node_id: int) -> list[BasicFilter]:
    """The filters directly behind a source, on its only branch."""
    filters: list[BasicFilter] = []
    while True:
        users = [n for n in plan.nodes.values() if node_id in n.inputs]
        step = typed(users[0]) if len(users) == 1 else None
        if not isinstance(step, BasicFilter) or _reads_text(step) or step.start_at or step.end_at:
            return filters
        filters.append(step)
        node_id = users[0].node_id


def _trace(
    node: Node,
    step: Fields,
    inputs: list[Relation],
    relation: Relation,
    note: Note,
    ms: float,
    names: list[str],
) -> NodeTrace:
    flows: Mapping[type, str] = {
        Docs: "docs", Groups: "groups", Rows: "rows", Number: "number", Prose: "text",
    }  # fmt: skip
    return NodeTrace(
        node_id=node.node_id,
        node_type=node.node_type,
        flow=flows[type(relation.source if isinstance(relation, Ordered) else relation)],
        rows_in=sum(item.height for item in inputs),
        rows_out=relation.height,
        ms=round(ms, 3),
        approximate=CATALOGUE[node.node_type].approximate or _is_approximate(node),
        dropped=note.dropped,
        warnings=note.warnings,
        samples=_samples(relation, names),
        coverage=note.coverage,
        sentence=sentence_of(node, step, inputs, relation),
        units=note.units,
    )


def _is_approximate(node: Node) -> bool:
    ranked = node.extras.get("query_type") in ("vector", "hybrid")
    return ranked or node.node_type == "QueryVectorDatabase" or bool(node.extras.get("llm_cluster"))


def _samples(relation: Relation, names: list[str]) -> list[dict[str, object]]:
    match relation:
        case Ordered():
            return _samples(relation.first(SAMPLES), names)
        case Docs():
            return _sampled(relation, names)
        case Rows(table=table):
            records = table.drop(LINEAGE).head(SAMPLES).iter_rows(named=True)
            return [{"properties": used_fields(record)} for record in records]
        case Number(value=value):
            return [{"value": value}]
        case Prose(text=text):
            return [{"text": text[:500]}]
        case _:
            return []


def _sampled(docs: Docs, names: list[str]) -> list[dict[str, object]]:
    """The first documents: ids, the fields in use, and what an approximate step read."""
    first = replace(docs, table=docs.table.head(SAMPLES)).identified()
    shown = [c for c in first.columns if c in names or c in (ROW, "doc_id", SCORE)]
    samples: list[dict[str, object]] = []
    for record in first.select(shown).iter_rows(named=True):
        sample = {"doc_id": record["doc_id"], "properties": used_fields(record)}
        if SCORE in record:
            sample["score"] = record[SCORE]
        if record[ROW] in docs.evidence:
            sample["evidence"] = [item.model_dump() for item in docs.evidence[record[ROW]]]
        samples.append(sample)
    return samples
