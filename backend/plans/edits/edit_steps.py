"""Edits of the other steps: sources, text judging and extraction, summaries, shares, differences,
joins.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import Edit, anchors, filter_place, wire_fields
from backend.plans.edits.edit_groups import (
    aggregation,
    documents_end,
    gathered,
    lifted,
    share_parts,
    wire_aggregations,
)
from backend.plans.edits.operations import (
    AsInAnswer,
    Difference,
    ExtractField,
    InExtremeGroups,
    JudgeText,
    RemoveStep,
    SameAs,
    SetSource,
    ShareOf,
    Summarise,
)
from backend.plans.edits.wording import (
    say_condition,
    say_direction,
    say_field,
    say_filter,
    say_measure,
)
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.phrasing import Measure
from workbench.contract.plan_nodes import TEXT, BasicFilter, Node


def remove_step(draft: Draft, operation: RemoveStep) -> Edit:
    steps = draft.of_type(*operation.types)
    if not steps:
        have = [node.node_type for node in draft.used()]
        raise Unclear(
            "no_such_node", operation.name, f"the plan has no {operation.name} to remove", have
        )
    for node in steps:
        if node.inputs:
            draft = draft.remove(node.node_id)
    return draft, None, f"Removed the {operation.name}"


def judge_text(draft: Draft, operation: JudgeText) -> Edit:
    text = f"Keep documents that answer yes to: {operation.question}"
    for node in draft.of_type("LlmFilter"):
        if node.extras.get("question") == operation.question:
            return draft, node.node_id, f"{text} (as before)"
    for anchor in anchors(draft):
        draft = draft.insert_after(
            filter_place(draft, anchor), "LlmFilter", text, field=TEXT, question=operation.question
        )
    return draft, draft.newest, text


def extract_field(draft: Draft, operation: ExtractField) -> Edit:
    text = f"Read {operation.new_field.replace('_', ' ')} from the text"
    anchor = anchors(draft)[0]
    place = filter_place(draft, anchor)
    for node in draft.users(place):
        if node.node_type == "LlmFilter":
            place = node.node_id
    draft = draft.insert_after(
        place,
        "LlmExtractEntity",
        text,
        field=TEXT,
        question=operation.question,
        new_field=operation.new_field,
        new_field_type=operation.kind,
    )
    return draft, draft.newest, text


def summarise(draft: Draft, operation: Summarise) -> Edit:
    present = draft.nodes[draft.result]
    if present.node_type == "SummarizeData":
        return draft, present.node_id, "Sum up the results (as before)"
    if draft.gives == "groups":
        draft = documents_end(draft)
    draft = draft.append("SummarizeData", "Sum up the results", question=operation.question)
    return draft, draft.result, "Sum up the results"


def set_source(draft: Draft, operation: SetSource, question: str) -> Edit:
    if operation.kind is None:
        return _read_all(draft)
    node_id: int | None = None
    text = ""
    for source in list(draft.sources()):
        words = operation.text or _present_text(source.extras) or question
        if not words:
            raise Unclear("not_understood", "", "say which words to search for, in quotation marks")
        text = f"Find documents by {operation.kind} search for “{words}”"
        kind, fields = "QueryDatabase", {"query_text": words, "query_type": operation.kind}
        if operation.kind == "vector":
            kind, fields = "QueryVectorDatabase", {"query_phrase": words}
        draft = _instead_of(draft, source, kind, text, fields)
        node_id = source.node_id
    return draft, node_id, text


def _read_all(draft: Draft) -> Edit:
    """Replaces the searching sources by sources that read all documents."""
    searched = [source for source in draft.sources() if _present_text(source.extras)]
    if not searched:
        raise Unclear("no_such_node", "search", "the plan reads all documents: it has no search")
    text = "Read all documents"
    for source in searched:
        draft = _instead_of(draft, source, "QueryDatabase", text, {})
    return draft, searched[0].node_id, text


def _instead_of(
    draft: Draft, source: Node, kind: str, text: str, fields: Mapping[str, Any]
) -> Draft:
    """The draft with one source replaced by another over the same documents."""
    kept = {name: source.extras.get(name) for name in ("index", "doc_filter", "result_filter")}
    made = draft.add(kind, [], text, **kept, **fields)
    node = made.nodes[made.newest].model_copy(update={"node_id": source.node_id})
    return Draft({**draft.nodes, source.node_id: node}, draft.result)


def _present_text(fields: dict[str, object]) -> str | None:
    text = fields.get("query_text") or fields.get("query_phrase")
    return text if isinstance(text, str) else None


def _filtered(draft: Draft, base: int, conditions: Sequence[BasicFilter]) -> tuple[Draft, int]:
    """The id of a step that keeps what passes all conditions, on a branch of its own."""
    place = base
    for condition in conditions:
        draft = draft.add("BasicFilter", [place], say_filter(condition), **wire_fields(condition))
        place = draft.newest
    return draft, place


def share_of(draft: Draft, operation: ShareOf) -> Edit:
    draft = gathered(draft)
    draft, base = _filtered(draft, draft.result, operation.base)
    part = base
    if operation.part:
        draft, part = _filtered(draft, base, operation.part)
    else:
        base = next(draft.sources()).node_id
        if base == part:
            raise Unclear("contradictory", "", "a share of what? Name the part that is counted")
    counted, text = _share_words(operation.part)
    draft = draft.add("Count", [part], counted)
    over = draft.newest
    draft = draft.add("Count", [base], "Count all of which they are a share")
    draft = draft.add("Math", [over, draft.newest], text, operation="divide")
    return draft.cut_after(draft.newest), draft.newest, text


def _share_words(part: Sequence[BasicFilter]) -> tuple[str, str]:
    """What the steps of a share are called: the count of the part, and the division."""
    words = " and ".join(map(say_condition, part)) or "what fits"
    return f"Count {words}", f"Divide the two counts: the share of {words}"


def with_share_named(draft: Draft, before: Draft) -> Draft:
    """The draft with the steps of a share called after its part, if that is another one than
    before.
    """
    parts, old = share_parts(draft), share_parts(before)
    if parts is None or old is None or parts[1] == old[1]:
        return draft
    last = draft.nodes[draft.result]
    for node_id, text in zip((last.inputs[0], last.node_id), _share_words(parts[1]), strict=True):
        draft = draft.change(node_id, text)
    return draft


def difference(draft: Draft, operation: Difference) -> Edit:
    draft = gathered(draft)
    base = draft.result
    ends: list[int] = []
    measures = (operation.measure, operation.second or operation.measure)
    for conditions, measure in zip((operation.left, operation.right), measures, strict=True):
        draft, place = _filtered(draft, base, conditions)
        draft = _number(draft, place, measure)
        ends.append(draft.newest)
    verb = "Subtract" if operation.operation == "subtract" else "Divide"
    number = say_measure(operation.measure)
    text = f"{verb} the {number} of the second from the first"
    if operation.operation == "divide":
        text = f"Divide the {number} of the first by that of the second"
    draft = draft.add("Math", ends, text, operation=operation.operation)
    return draft.cut_after(draft.newest), draft.newest, text


def _number(draft: Draft, place: int, measure: Measure) -> Draft:
    if measure.func == "count":
        return draft.add("Count", [place], "Count the documents")
    if measure.func == "distinct":
        text = f"Count the different values of {say_field(measure.field or '')}"
        return draft.add("Count", [place], text, distinct_field=measure.field)
    text = f"Compute the {say_measure(measure)}"
    wire = wire_aggregations([aggregation(measure)])
    return draft.add("Aggregate", [place], text, aggregations=wire)


def in_extreme_groups(draft: Draft, operation: InExtremeGroups) -> Edit:
    draft = documents_end(draft)
    base = draft.result
    name, measured = say_field(operation.field), say_measure(operation.measure)
    item = aggregation(operation.measure)
    draft = draft.add("GroupBy", [base], f"Group by {name}", field=operation.field)
    wire = wire_aggregations([item])
    draft = draft.add(
        "Aggregate", [draft.newest], f"Compute the {measured} of each group", aggregations=wire
    )
    column = f"properties.{item.column}"
    way = say_direction(operation.descending)
    draft = draft.add(
        "Sort",
        [draft.newest],
        f"Sort by {measured} {way}",
        field=column,
        descending=operation.descending,
    )
    first = f"Keep the first {operation.count}"
    draft = draft.add("Limit", [draft.newest], first, num_records=operation.count)
    text = f"Keep documents whose {name} is among these {operation.count}"
    draft = draft.add(
        "FieldIn", [base, draft.newest], text, field_one=operation.field, field_two="properties.key"
    )
    return draft.cut_after(draft.newest), draft.newest, text


def as_in_answer(draft: Draft, operation: AsInAnswer) -> Edit:
    draft = lifted(draft)
    name = say_field(operation.field)
    if draft.gives == "rows":
        place, column = draft.result, "properties.key"
        base = documents_end(draft).result
    else:
        draft = documents_end(draft).without("Project")
        place, column = draft.result, operation.field
        whole = takewhile(lambda node: node.node_type not in ("Sort", "Limit"), draft.spine())
        base = [node.node_id for node in whole][-1]
    limits = [n for n in draft.on_spine("Limit") if draft.flow(n.node_id) == draft.gives]
    count = f" {limits[-1].extras['num_records']}" if limits else ""
    text = f"Keep documents whose {name} is among these{count}"
    draft = draft.add("FieldIn", [base, place], text, field_one=operation.field, field_two=column)
    return draft.cut_after(draft.newest), draft.newest, text


def same_as(draft: Draft, operation: SameAs) -> Edit:
    draft = documents_end(draft)
    base, source = draft.result, next(draft.sources()).node_id
    draft, place = _filtered(draft, source, (operation.of,))
    name = say_field(operation.field)
    text = f"Keep documents with the same {name}"
    draft = draft.add(
        "FieldIn", [base, place], text, field_one=operation.field, field_two=operation.field
    )
    return draft.cut_after(draft.newest), draft.newest, text
