"""The answer of a run: the response body, and the ordered events of a streamed answer."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from backend.plans.edits.draft import Draft
from backend.plans.edits.wording import say_column, say_field, say_key
from backend.plans.reading.phrasing import Key
from backend.plans.running.relations import (
    LINEAGE,
    Docs,
    Groups,
    Number,
    Prose,
    Relation,
    Rows,
    settled,
    wire_documents,
    wire_rows,
)
from backend.plans.running.run import Done
from backend.plans.running.stage import Stage
from backend.plans.running.summing_up import in_words, summed_up
from backend.plans.tables.collection import RAW, ROW, Collection
from backend.plans.tables.segments import release_pages
from workbench.contract.derived_fields import derived_field
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import (
    Aggregate,
    Distinct,
    GroupBy,
    Node,
    TopK,
    canonical_field,
    typed,
)
from workbench.contract.query import (
    AnswerAccount,
    Event,
    Evidence,
    NodeProgress,
    NodeTrace,
    step_words,
)

Emit = Callable[[Event], None]

Later = Callable[[Iterator[list[Event]]], None]
"""Receives the events of a long list lazily."""

_WINDOW = 100
_WINDOW_BYTES = 4 * 2**20

TRACED_DOCUMENTS = 5
"""Documents of each step that are shown while a plan runs."""


def announce(query_id: str, plan: Plan, emit: Emit) -> None:
    """Emits the first event: the plan, the id of the run, and the labels of the columns."""
    extensions = {"query_id": query_id, "labels": labels_of(plan)}
    emit(Event("plan", plan.model_dump(mode="json") | extensions))


def emit_progress(node: Node, so_far: NodeProgress, emit: Emit) -> None:
    """Emits the progress of a step."""
    text = f"{so_far.rows_done} of {so_far.rows_in}" if so_far.rows_done else "begun"
    emit(Event("status", f"{node.node_type} ({node.node_id}): {text}", so_far))


def emit_step(node: Node, done: Done, emit: Emit) -> None:
    """Emits the events of a finished step."""
    trace = done.trace
    words = step_words(node.node_type, node.node_id, trace.rows_out, trace.flow)
    emit(Event("status", words, progress_of(trace)))
    if trace.flow == "docs":
        for sample in trace.samples[:TRACED_DOCUMENTS]:
            emit(Event("trace_doc", {"node_id": node.node_id, "doc": sample}))


def progress_of(trace: NodeTrace) -> NodeProgress:
    """The progress of a finished step."""
    return NodeProgress(
        node_id=trace.node_id,
        state="done",
        rows_in=trace.rows_in,
        rows_done=trace.rows_in,
        rows_out=trace.rows_out,
        ms=trace.ms,
        coverage=trace.coverage,
        sentence=trace.sentence,
    )


def result_of(relation: Relation, collection: Collection) -> Any:
    """The `result` of the body: a list of documents or rows, a number, or a text."""
    if isinstance(relation, Number):
        return relation.value
    return relation.text if isinstance(relation, Prose) else list(_lines(relation, collection))


def size_of(relation: Relation, collection: Collection) -> int:
    """Approximate size of the JSON of an answer in bytes; documents include all properties."""
    match settled(relation):
        case Docs(table=table) | Groups(docs=Docs(table=table)):
            raw = collection.table.get_column(RAW).str.len_bytes()
            properties = int(raw.gather(table.get_column(ROW)).sum() or 0)
            return properties + int(table.estimated_size())
        case Rows(table=table):
            return int(table.drop(LINEAGE).estimated_size())
    return 0


def is_list(relation: Relation) -> bool:
    """Whether the answer is a list of documents or rows."""
    return not isinstance(relation, Number | Prose)


def windows(relation: Relation, collection: Collection) -> Iterator[list[Event]]:
    """The events of a list, in windows built on demand: a long list would not fit into memory."""
    lines = _lines(relation, collection)
    count = _window(relation, collection)
    while window := [Event("result_doc", line) for line in islice(lines, count)]:
        yield window
        if count < _WINDOW:  # of long documents
            release_pages()


def _window(relation: Relation, collection: Collection) -> int:
    """The number of lines that are kept in memory at once."""
    if isinstance(relation, Rows):
        return _WINDOW
    largest = collection.table.get_column(RAW).str.len_bytes().max()
    return max(1, min(_WINDOW, _WINDOW_BYTES // max(1, largest if isinstance(largest, int) else 1)))


def _lines(relation: Relation, collection: Collection) -> Iterator[dict[str, Any]]:
    match settled(relation):
        case Docs() as docs:
            return wire_documents(docs, collection)
        case Groups(docs=docs):
            return wire_documents(docs, collection)
        case Rows() as rows:
            return wire_rows(rows)
    raise TypeError(f"{type(relation).__name__} is not a list")


def labels_of(plan: Plan) -> dict[str, str]:
    """The contents of the columns of rows: for `key` the property that was grouped by or listed,
    for numbers of derived fields their sources.
    """
    draft = Draft.of(plan)
    labels: dict[str, str] = {}
    if draft.gives != "rows":
        return labels
    for node in reversed(draft.spine()):
        match typed(node):
            case Aggregate(aggregations=items):
                labels |= {
                    item.column: say_column(item)
                    for item in items
                    if derived_field(item.field or "") is not None
                    and item.column == item.model_copy(update={"name": None}).column
                }
            case GroupBy() as group:
                fields = tuple(canonical_field(name) for name in group.keys)
                return {"key": say_key(Key(fields, group.bucket)), **labels}
            case TopK(field=field) | Distinct(field=field):
                return {"key": say_field(canonical_field(field)), **labels}
    return labels


def emit_result(result: Any, emit: Emit) -> None:
    """Emits the events of the answer itself."""
    if isinstance(result, list):
        for item in result:
            emit(Event("result_doc", item))
    else:
        emit(Event("result", result))


def emit_citations(citations: list[Evidence], emit: Emit) -> None:
    """Emits the citations of an answer, if it has any."""
    if citations:
        emit(Event("citations", [item.model_dump() for item in citations]))


def closing(relation: Relation, account: AnswerAccount) -> Event:
    """The last event, with the account of the answer."""
    count = relation.height
    return Event("complete", f"{count} result{'' if count == 1 else 's'}", account=account)


def summary_of(question: str, relation: Relation, stage: Stage) -> str:
    """The summary that a caller may request in addition to the answer."""
    if isinstance(relation, Docs):
        return summed_up(question, [relation], stage).text
    return in_words(relation)


def citations_of(relation: Relation) -> list[Evidence]:
    """The sources of an answer: the citations of a text, the passages of matching documents."""
    if isinstance(relation, Prose):
        return relation.citations
    if isinstance(relation, Docs):
        return [item for items in relation.evidence.values() for item in items]
    return []
