"""The answer of a run: what is written into the body, and the events of a streamed answer, in
order.
"""

from collections.abc import Callable
from typing import Any

from backend.contract.plan import Plan
from backend.contract.plan_nodes import Distinct, GroupBy, Node, TopK, canonical_field, typed
from backend.contract.query import Event, Evidence, NodeProgress, NodeTrace, step_words
from backend.plans.edits.describing import say_field, say_key
from backend.plans.edits.draft import Draft
from backend.plans.reading.phrasing import Key
from backend.plans.running.relations import (
    Docs,
    Groups,
    Number,
    Prose,
    Relation,
    Rows,
    wire_document,
    wire_row,
)
from backend.plans.running.run import Done
from backend.plans.running.stage import Stage
from backend.plans.running.summing_up import in_words, summed_up
from backend.plans.tables.collection import Collection

Emit = Callable[[Event], None]

TRACED_DOCUMENTS = 5
"""How many documents of each step are shown while a plan runs."""


def announce(query_id: str, plan: Plan, emit: Emit) -> None:
    """The first event: the plan as it will run, with the name of the run and what `key` will be."""
    extensions = {"query_id": query_id, "labels": labels_of(plan)}
    emit(Event("plan", plan.model_dump(mode="json") | extensions))


def tell_progress(node: Node, so_far: NodeProgress, emit: Emit) -> None:
    """The event of a step that has begun or has come some way."""
    text = f"{so_far.rows_done} of {so_far.rows_in}" if so_far.rows_done else "begun"
    emit(Event("status", f"{node.node_type} ({node.node_id}): {text}", so_far))


def tell_step(node: Node, done: Done, emit: Emit) -> None:
    """The events of a step that is done."""
    trace = done.trace
    words = step_words(node.node_type, node.node_id, trace.rows_out, trace.flow)
    emit(Event("status", words, progress_of(trace)))
    if trace.flow == "docs":
        for sample in trace.samples[:TRACED_DOCUMENTS]:
            emit(Event("trace_doc", {"node_id": node.node_id, "doc": sample}))


def progress_of(trace: NodeTrace) -> NodeProgress:
    """The progress of a step that is done."""
    return NodeProgress(
        node_id=trace.node_id,
        state="done",
        rows_in=trace.rows_in,
        rows_done=trace.rows_in,
        rows_out=trace.rows_out,
        ms=trace.ms,
    )


def result_of(relation: Relation, collection: Collection) -> Any:
    """The `result` of the body: a list of documents or rows, a number, or a text."""
    match relation:
        case Docs():
            return [wire_document(relation, i, collection) for i in range(relation.height)]
        case Groups(docs=docs):
            return [wire_document(docs, i, collection) for i in range(docs.height)]
        case Rows():
            return [wire_row(relation, i) for i in range(relation.height)]
        case Number(value=value):
            return value
        case Prose(text=text):
            return text


def labels_of(plan: Plan) -> dict[str, str]:
    """What the `key` of rows is: the property they were grouped by or listed from."""
    draft = Draft.of(plan)
    if draft.gives != "rows":
        return {}
    for node in reversed(draft.spine()):
        match typed(node):
            case GroupBy() as group:
                fields = tuple(canonical_field(name) for name in group.keys)
                return {"key": say_key(Key(fields, group.bucket))}
            case TopK(field=field) | Distinct(field=field):
                return {"key": say_field(canonical_field(field))}
    return {}


def tell_result(result: Any, citations: list[Evidence], emit: Emit) -> None:
    """The events of the answer itself."""
    if isinstance(result, list):
        for item in result:
            emit(Event("result_doc", item))
    else:
        emit(Event("result", result))
    if citations:
        emit(Event("citations", [item.model_dump() for item in citations]))


def closing_words(relation: Relation) -> str:
    """The text of the last event."""
    count = relation.height
    return f"{count} result{'' if count == 1 else 's'}"


def summary_of(question: str, relation: Relation, stage: Stage) -> str:
    """The summary that a caller may ask for besides the answer."""
    if isinstance(relation, Docs):
        return summed_up(question, [relation], stage).text
    return in_words(relation)


def citations_of(relation: Relation) -> list[Evidence]:
    """Where an answer was read: of a text its citations, of found documents their passages."""
    if isinstance(relation, Prose):
        return relation.citations
    if isinstance(relation, Docs):
        return [item for items in relation.evidence.values() for item in items]
    return []
