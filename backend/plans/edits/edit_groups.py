"""Edits of groups and computed numbers: keys, measures, conditions on groups."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import (
    Edit,
    changed,
    condition_of,
    document_filters,
    narrowed,
    wire_condition,
    wire_fields,
)
from backend.plans.edits.operations import (
    ChangeFilter,
    KeepGroups,
    RemoveGroup,
    RemoveMeasure,
    SetGroup,
    SetMeasures,
)
from backend.plans.edits.wording import (
    say_column,
    say_columns,
    say_condition,
    say_direction,
    say_field,
    say_key,
    say_measure,
)
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.comparing import open_ends
from backend.plans.reading.phrasing import Bound, Key, Measure
from workbench.contract.plan_nodes import (
    Aggregate,
    Aggregation,
    BasicFilter,
    GroupBy,
    Node,
    TopK,
    bare_field,
    canonical_field,
    row_field,
    typed,
)


def aggregation(measure: Measure) -> Aggregation:
    """A measure as a column of an Aggregate."""
    if measure.func == "count":
        return Aggregation(func="count", name="count")
    bare = bare_field(measure.field or "")
    if measure.func == "share":
        name = f"share_{bare}" if bare else "share"
        where = list(measure.where)
        return Aggregation(func="share", field=measure.field, name=name, where=where)
    return Aggregation(func=measure.func, field=measure.field, name=f"{measure.func}_{bare}")


def wire_aggregations(items: Sequence[Aggregation]) -> list[dict[str, Any]]:
    return [
        {"func": item.func, "field": item.field, "name": item.column}
        | ({"where": [wire_condition(c) for c in item.where]} if item.where else {})
        | ({"percent": True} if item.percent else {})
        for item in items
    ]


def measures_of(node: Node) -> list[Aggregation]:
    """The columns of an Aggregate step."""
    read = typed(node)
    return list(read.aggregations) if isinstance(read, Aggregate) else []


def keys_of(draft: Draft) -> list[str]:
    """The fields that a plan groups by."""
    groups = draft.on_spine("GroupBy")
    read = typed(groups[-1]) if groups else None
    if isinstance(read, GroupBy):
        return [canonical_field(name) for name in read.keys]
    return [canonical_field(str(node.extras["field"])) for node in draft.on_spine("TopK")]


def documents_end(draft: Draft) -> Draft:
    """The draft cut after its last step that outputs documents: without groups and numbers."""
    last = [node for node in draft.spine() if draft.flow(node.node_id) == "docs"][-1]
    return draft.cut_after(last.node_id)


def gathered(draft: Draft) -> Draft:
    """The documents that groups and numbers are made of: without order and limit, unless a later
    condition concerns what the limit left.
    """
    draft = documents_end(draft).without("Project")
    kinds = [node.node_type for node in draft.spine()]
    behind = kinds[kinds.index("Limit") :] if "Limit" in kinds else []
    return draft if "BasicFilter" in behind else draft.without("Sort", "Limit")


def lifted(draft: Draft) -> Draft:
    """Expands TopK and AggregateCount into the steps they stand for, so that they can be edited."""
    for node in draft.spine():
        if node.node_type == "AggregateCount":
            described = node.description or "Count each group"
            made = Node(node_type="Aggregate", node_id=node.node_id, description=described,
                        inputs=node.inputs)  # fmt: skip
            made = made.with_fields(aggregations=wire_aggregations([aggregation(Measure("count"))]))
            draft = Draft({**draft.nodes, node.node_id: made}, draft.result)
        read = typed(node)
        if isinstance(read, TopK) and not read.llm_cluster and read.primary_field is None:
            draft = _lift_top(draft, node, read)
    return draft


def _lift_top(draft: Draft, node: Node, read: TopK) -> Draft:
    field = canonical_field(read.field)
    name = say_field(field)
    group = Node(node_type="GroupBy", node_id=node.node_id, description=f"Group by {name}",
                 inputs=node.inputs).with_fields(field=field)  # fmt: skip
    draft = Draft({**draft.nodes, node.node_id: group}, draft.result)
    counted = wire_aggregations([aggregation(Measure("count"))])
    draft = draft.insert_after(node.node_id, "Aggregate", "Count each group", aggregations=counted)
    draft = draft.insert_after(
        draft.newest, "Sort", "Sort by count", field="properties.count", descending=read.descending
    )
    if read.K is None:
        return draft
    return draft.insert_after(draft.newest, "Limit", f"Keep the first {read.K}", num_records=read.K)


def set_group(draft: Draft, operation: SetGroup) -> Edit:
    key = operation.key
    tops = draft.on_spine("TopK")
    if tops and not operation.add and len(key.fields) == 1 and key.bucket is None:
        text = f"Group by {say_key(key)}"
        edited = draft.change(tops[-1].node_id, text, field=key.fields[0])
        return edited, tops[-1].node_id, text
    draft = lifted(draft)
    groups = draft.on_spine("GroupBy")
    if groups:
        return _change_group(draft, groups[-1], operation)
    share = share_parts(draft)
    if share is not None:
        base, part = share
        grouped, place, text = _new_group(draft.cut_after(base), key)
        measured = aggregation(Measure("share", where=tuple(part)))
        description = f"Compute the {say_column(measured)} of each group"
        wire = wire_aggregations([measured])
        return grouped.change(grouped.result, description, aggregations=wire), place, text
    if draft.on_spine("Math"):
        reason = "a share or difference of all documents cannot be split into groups"
        raise Unclear("out_of_scope", f"group by {say_key(key)}", reason)
    return _new_group(draft, key)


def share_parts(draft: Draft) -> tuple[int, list[BasicFilter]] | None:
    """For a plan that computes a share: the step where its branches divide, and the conditions of
    the part; None for other plans.
    """
    last = draft.nodes[draft.result]
    if last.node_type != "Math" or last.extras.get("operation") != "divide":
        return None
    part, whole = (draft.nodes[i] for i in last.inputs)
    if part.node_type != "Count" or whole.node_type != "Count":
        return None
    base, place = whole.inputs[0], part.inputs[0]
    conditions: list[BasicFilter] = []
    while place != base:
        read = typed(draft.nodes[place])
        if not isinstance(read, BasicFilter):
            return None
        conditions.append(read.model_copy(update={"field": canonical_field(read.field)}))
        place = draft.nodes[place].inputs[0]
    return (base, conditions[::-1]) if conditions else None


def _change_group(draft: Draft, node: Node, operation: SetGroup) -> Edit:
    present = typed(node)
    assert isinstance(present, GroupBy)
    key = operation.key
    if operation.add:
        fields = [canonical_field(name) for name in present.keys]
        if key.bucket is not None and key.fields[0] not in fields:
            key = Key((*key.fields, *fields), key.bucket)
        else:
            key = Key(tuple(dict.fromkeys((*fields, *key.fields))), present.bucket or key.bucket)
    text = f"Group by {say_key(key)}"
    several = list(key.fields) if len(key.fields) > 1 else None
    edited = draft.change(
        node.node_id, text, field=key.fields[0], fields=several, bucket=key.bucket
    )
    return _without_missing_columns(edited), node.node_id, text


def _new_group(draft: Draft, key: Key) -> Edit:
    totals = [n for n in draft.on_spine("Aggregate") if draft.flow(n.inputs[0]) == "docs"]
    measures = measures_of(totals[-1]) if totals else [aggregation(Measure("count"))]
    computed = say_columns(measures)
    draft = gathered(draft)
    text = f"Group by {say_key(key)}"
    several = list(key.fields) if len(key.fields) > 1 else None
    draft = draft.append("GroupBy", text, field=key.fields[0], fields=several, bucket=key.bucket)
    place = draft.newest
    draft = draft.append(
        "Aggregate",
        f"Compute the {computed} of each group",
        aggregations=wire_aggregations(measures),
    )
    return draft, place, text


def remove_group(draft: Draft, operation: RemoveGroup) -> Edit:
    draft = lifted(draft)
    groups = draft.on_spine("GroupBy")
    if not groups:
        raise Unclear("no_such_node", "group", "the plan has no groups")
    left = [field for field in keys_of(draft) if field != operation.field]
    if operation.field is not None and left and len(left) < len(keys_of(draft)):
        present = typed(groups[-1])
        first = isinstance(present, GroupBy) and canonical_field(present.field) == left[0]
        bucket = present.bucket if isinstance(present, GroupBy) and first else None
        return _change_group(draft, groups[-1], SetGroup(Key(tuple(left), bucket)))
    aggregates = draft.on_spine("Aggregate")
    measures = measures_of(aggregates[-1]) if aggregates else []
    draft = documents_end(draft)
    numbers = [item for item in measures if item.func != "count"]
    if measures and not numbers:
        draft = draft.append("Count", "Count the documents")
    elif numbers:
        wire = wire_aggregations(measures)
        text = f"Compute the {say_columns(measures)}"
        draft = draft.append("Aggregate", text, aggregations=wire)
    return draft, draft.result, "Removed the groups"


def set_measures(draft: Draft, operation: SetMeasures) -> Edit:
    """Computes numbers instead of, or in addition to, the present ones."""
    draft = lifted(draft)
    aggregates = draft.on_spine("Aggregate")
    counts = draft.on_spine("Count")
    if draft.on_spine("Math"):
        reason = "a share or difference is a single number; ask for the other number by itself"
        raise Unclear("out_of_scope", "", reason)
    present = measures_of(aggregates[-1]) if aggregates else []
    if not aggregates and counts:
        present = [aggregation(Measure("count"))]
    kept = [condition_of(node) for node in document_filters(draft)]
    asked = (_without_kept(measure, kept) for measure in operation.measures)
    wanted = [aggregation(_completed(measure, present)) for measure in asked]
    items = [*present, *wanted] if operation.add else [*wanted, *_bounding(draft, present)]
    items = list({item.column: item for item in items}.values())
    text = f"Compute the {say_columns(items)}"
    wire = wire_aggregations(items)
    if aggregates:
        text += " of each group" if draft.on_spine("GroupBy") else ""
        edited = draft.change(aggregates[-1].node_id, text, aggregations=wire)
        return _without_missing_columns(edited), aggregates[-1].node_id, text
    draft = documents_end(draft).without("Project")
    if not draft.on_spine("Limit"):
        draft = draft.without("Sort")
    if [item.func for item in items] == ["count"]:
        draft = draft.append("Count", "Count the documents")
        return draft, draft.result, "Count the documents"
    draft = draft.append("Aggregate", text, aggregations=wire)
    return draft, draft.result, text


def _bounding(draft: Draft, present: Sequence[Aggregation]) -> list[Aggregation]:
    """The numbers by which groups are chosen: without them the groups would be others."""
    rows = [n for n in draft.on_spine("BasicFilter") if draft.flow(n.node_id) == "rows"]
    fields = {row_field(str(node.extras.get("field"))) for node in rows}
    return [item for item in present if row_field(item.column) in fields]


def change_part(draft: Draft, operation: ChangeFilter) -> Edit | None:
    """Replaces a condition on the part of each group that a share counts: `fans instead` after the
    share of pumps in each town. None if no number has such a condition.
    """
    aggregates = lifted(draft).on_spine("Aggregate")
    present = measures_of(aggregates[-1]) if aggregates else []
    items = [_with_part(item, operation) for item in present]
    if items == present:
        return None
    of_groups = " of each group" if draft.on_spine("GroupBy") else ""
    text = f"Compute the {say_columns(items)}{of_groups}"
    node_id = aggregates[-1].node_id
    return draft.change(node_id, text, aggregations=wire_aggregations(items)), node_id, text


def _with_part(item: Aggregation, operation: ChangeFilter) -> Aggregation:
    tests = [BasicFilter.model_validate(test.model_dump()) for test in item.where]
    where = [changed(test, operation) or test for test in tests]
    return item if where == tests else item.model_copy(update={"where": where})


def _without_kept(measure: Measure, kept: Sequence[BasicFilter]) -> Measure:
    """A share without conditions that all documents fulfil anyhow: it is one of the whole then."""
    redundant = measure.func == "share" and all(test in kept for test in measure.where)
    return replace(measure, where=()) if redundant else measure


def _completed(measure: Measure, present: Sequence[Aggregation]) -> Measure:
    """The measure; without a field of its own, it gets that of the present ones."""
    if measure == Measure("share"):
        return _share_of(present)
    if not measure.needs_field:
        return measure
    fields = list(dict.fromkeys(item.field for item in present if item.field is not None))
    if len(fields) != 1:
        words = say_measure(Measure(measure.func))
        reason = f"the {words} of what? Name a property with numbers"
        raise Unclear("ambiguous", words, reason, [say_field(name) for name in fields])
    return Measure(measure.func, fields[0])


def _share_of(present: Sequence[Aggregation]) -> Measure:
    """The share that a present number has in its whole: of the documents, or of a total."""
    for item in present:
        if item.func not in ("count", "sum", "share"):
            reason = f"the {say_column(item)} is no part of a whole: ask for a total or a number"
            raise Unclear("contradictory", say_column(item), reason)
    fields: set[str | None] = {item.field for item in present} or {None}
    if len(fields) > 1:
        have = [say_column(item) for item in present]
        raise Unclear("ambiguous", "share", "a share of what? Name the number", have)
    return Measure("share", next(iter(fields)))


def remove_measure(draft: Draft, operation: RemoveMeasure) -> Edit:
    draft = lifted(draft)
    aggregates = draft.on_spine("Aggregate")
    present = measures_of(aggregates[-1]) if aggregates else []
    gone = operation.measure
    left = [
        item
        for item in present
        if item.func != gone.func or (gone.field is not None and item.field != gone.field)
    ]
    name = say_measure(gone)
    if len(left) == len(present):
        have = [say_column(item) for item in present]
        raise Unclear("no_such_node", name, f"the plan does not compute the {name}", have)
    if not left:
        left = [aggregation(Measure("count"))]
        if not draft.on_spine("GroupBy"):
            draft = documents_end(draft)
            return draft, draft.result, f"Removed the {name}"
    node_id = aggregates[-1].node_id
    text = f"Compute the {say_columns(left)}"
    edited = draft.change(node_id, text, aggregations=wire_aggregations(left))
    return _without_missing_columns(edited), node_id, f"Removed the {name}"


def column_of(draft: Draft, measure: Measure) -> tuple[Draft, str]:
    """The column with a measure, added if it is missing."""
    draft = lifted(draft)
    aggregate = draft.on_spine("Aggregate")[-1]
    present = measures_of(aggregate)
    same = [item for item in present if item.func == measure.func]
    if measure.field is not None:
        same = [item for item in same if item.field == measure.field]
    if not same and measure.needs_field:
        measure = _completed(measure, present)
    if same:
        return draft, row_field(same[0].column)
    items = [*present, aggregation(measure)]
    draft = draft.change(
        aggregate.node_id,
        f"Compute the {say_columns(items)} of each group",
        aggregations=wire_aggregations(items),
    )
    return draft, row_field(items[-1].column)


def keep_groups(draft: Draft, operation: KeepGroups) -> Edit:
    draft, column = column_of(draft, operation.bound.measure)
    bound, op = operation.bound, operation.bound.op
    low, high = operation.low, operation.high
    if bound.measure.func == "share" and _in_percent(bound):
        low, high = low / 100, None if high is None else high / 100
    condition = bound_condition(column, op, low, high)
    node = draft.on_spine("Aggregate")[-1]
    for user in draft.on_spine("BasicFilter"):
        read = typed(user)
        if isinstance(read, BasicFilter) and row_field(read.field) == column:
            both = narrowed(read.model_copy(update={"field": column}), condition) or condition
            if bound.measure.func == "count" and _between_whole_numbers(both):
                both = condition
            text = f"Keep groups where {say_condition(both)}"
            return draft.change(user.node_id, text, **wire_fields(both)), user.node_id, text
    text = f"Keep groups where {say_condition(condition)}"
    draft = draft.insert_after(node.node_id, "BasicFilter", text, **wire_fields(condition))
    return draft, draft.newest, text


def _in_percent(bound: Bound) -> bool:
    """Whether a share is compared with a number in percent: none is more than the whole."""
    numbers = [number for number in (bound.value, bound.upper) if number is not None]
    return any(n.unit == "pct" or n.value > 1 for n in numbers) or (
        bound.op == "gt" and bound.value.value == 1
    )


def _between_whole_numbers(condition: BasicFilter) -> bool:
    """Whether no whole number is in a range, as in more than 1 and less than 2."""
    if condition.start is None or condition.end is None:
        return False
    inside = float(condition.end) - float(condition.start)
    return inside <= condition.start_exclusive + condition.end_exclusive - 1


def bound_condition(field: str, op: str, low: float, high: float | None) -> BasicFilter:
    """A comparison as a condition on a field; one with two numbers is a range."""
    if high is not None:
        low, high = min(low, high), max(low, high)
        made = BasicFilter(field=field, range_filter=True, start=low, end=high)
        return made.model_copy(update=open_ends(op))
    if op in ("gt", "ge"):
        return BasicFilter(field=field, range_filter=True, start=low, start_exclusive=op == "gt")
    if op in ("lt", "le"):
        return BasicFilter(field=field, range_filter=True, end=low, end_exclusive=op == "lt")
    if op == "around":
        return BasicFilter(field=field, range_filter=True, start=low * 0.9, end=low * 1.1)
    return BasicFilter(field=field, query=low, match="exact", negate=op == "ne")


def _without_missing_columns(draft: Draft) -> Draft:
    """Makes sorts by removed columns use the first measure, and drops conditions on them."""
    aggregates = draft.on_spine("Aggregate")
    if not aggregates:
        return draft
    have = [row_field(item.column) for item in measures_of(aggregates[-1])]
    groups = draft.on_spine("GroupBy")
    group = typed(groups[-1]) if groups else None
    keys = [row_field(key) for key in group.keys] if isinstance(group, GroupBy) else []
    known = {*have, "properties.key", *keys}
    for node_id in [node.node_id for node in draft.spine()]:
        node = draft.nodes[node_id]
        on_rows = bool(node.inputs) and draft.flow(node.inputs[0]) == "rows"
        name = row_field(str(node.extras.get("field", "")))
        if not on_rows or name in known:
            continue
        if node.node_type == "Sort":
            way = say_direction(bool(node.extras.get("descending")))
            text = f"Sort by {say_field(have[0])} {way}"
            draft = draft.change(node.node_id, text, field=have[0])
        elif node.node_type == "BasicFilter":
            draft = draft.remove(node.node_id)
    return draft
