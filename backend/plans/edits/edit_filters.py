"""Edits of filters: add without contradiction, widen, change, remove."""

from dataclasses import replace
from typing import Any

from backend.plans.edits.draft import Draft
from backend.plans.edits.merging import (
    among,
    is_less,
    is_relative,
    merge,
    union,
    values_in,
    with_values,
)
from backend.plans.edits.operations import AddFilter, ChangeFilter, RemoveFilter, WidenFilter
from backend.plans.edits.wording import say_condition, say_field, say_filter
from backend.plans.reading.cascade import Unclear
from workbench.contract.plan_nodes import BasicFilter, Condition, Node, canonical_field, typed

Edit = tuple[Draft, int | None, str]
"""The draft after an edit, the step it concerns, and a sentence about it."""


def anchors(draft: Draft) -> list[int]:
    """Where the documents of the main line come from: its last join, or all sources."""
    joins = [node.node_id for node in draft.spine() if node.node_type == "FieldIn"]
    return joins[-1:] or [node.node_id for node in draft.sources()]


def trunk(draft: Draft, anchor: int) -> list[Node]:
    """The unbranched chain of document steps behind an anchor."""
    steps: list[Node] = []
    node_id = anchor
    while True:
        users = draft.users(node_id)
        if len(users) != 1 or draft.flow(users[0].node_id) != "docs":
            return steps
        steps.append(users[0])
        node_id = users[0].node_id


def filter_place(draft: Draft, anchor: int) -> int:
    """The step to insert a filter after: the last of the filters that follow the anchor."""
    place = anchor
    for node in trunk(draft, anchor):
        if node.node_type != "BasicFilter" or is_relative(condition_of(node)):
            break
        place = node.node_id
    return place


def document_filters(draft: Draft) -> list[Node]:
    """All filters of documents, in execution order."""
    return [n for n in draft.of_type("BasicFilter") if draft.flow(n.node_id) == "docs"]


def condition_of(node: Node) -> BasicFilter:
    """The condition of a filter step, with its field in the canonical spelling."""
    read = typed(node)
    assert isinstance(read, BasicFilter)
    return read.model_copy(update={"field": canonical_field(read.field)})


def wire_fields(condition: BasicFilter) -> dict[str, Any]:
    """The fields of a filter step; defaults become None and are left out."""
    body = condition.model_dump(exclude_defaults=True)
    # In the order of the model: the order of a set would differ between processes.
    empty: dict[str, Any] = dict.fromkeys(BasicFilter.model_fields)
    return {**empty, **body, "field": condition.field}


def wire_condition(condition: BasicFilter) -> dict[str, Any]:
    """A condition as part of another step."""
    return {**condition.model_dump(exclude_defaults=True), "field": condition.field}


def add_filter(draft: Draft, operation: AddFilter) -> Edit:
    new = operation.condition
    if new.query is not None and not (new.negate or operation.together):
        draft = _without_joins(draft, new.field)
    cuts = [node for node in draft.on_spine("Limit") if draft.flow(node.node_id) == "docs"]
    starts = [cuts[-1].node_id] if operation.behind and cuts else anchors(draft)
    for anchor in starts:
        for node in trunk(draft, anchor):
            if node.node_type != "BasicFilter":
                continue
            old = condition_of(node)
            if old.field != new.field or old.any_of or new.any_of:
                continue
            if operation.together and not _about_the_same(old, new):
                continue
            merged = narrowed(old, new)
            if merged is not None:
                return _replace(draft, node, merged)
    edited = draft
    for anchor in starts:
        place = filter_place(edited, anchor)
        if is_relative(new):
            filters = [n for n in trunk(edited, anchor) if n.node_type == "BasicFilter"]
            place = filters[-1].node_id if filters else place
        edited = edited.insert_after(place, "BasicFilter", say_filter(new), **wire_fields(new))
    return edited, edited.newest, say_filter(new)


def _without_joins(draft: Draft, field: str) -> Draft:
    """The draft without what keeps documents whose value is among those of others: a value that is
    named replaces it.
    """
    for node in draft.on_spine("FieldIn"):
        if canonical_field(str(node.extras.get("field_one"))) == field:
            draft = draft.remove(node.node_id)
    return draft


def narrowed(old: BasicFilter, new: BasicFilter) -> BasicFilter | None:
    """A newer condition together with an older one on the same field; None if both must stay."""
    merged = merge(old, new)
    return new if merged == old and _opens(old, new) else merged


def _about_the_same(old: BasicFilter, new: BasicFilter) -> bool:
    """Whether the newer of two conditions on a multi-valued property corrects the older one: it
    excludes what was asked for, asks for what was excluded, or repeats the same values with others.
    """
    if old == new or new.exists is not None:
        return True
    before, after = values_in(old), values_in(new)
    if old.negate != new.negate:
        return any(among(value, before) for value in after)
    return not new.negate and all(among(value, after) for value in before)


def _opens(old: BasicFilter, new: BasicFilter) -> bool:
    """`since 2022` in a plan that filters by 2022: the newer condition drops the upper bound."""
    one_sided = (new.start is None) != (new.end is None)
    closed = old.start is not None and old.end is not None
    return new.range_filter and one_sided and closed and new != old


def _replace(draft: Draft, node: Node, condition: BasicFilter) -> Edit:
    text = say_filter(condition)
    if condition == condition_of(node):
        return draft, node.node_id, f"{text} (as before)"
    return draft.change(node.node_id, text, **wire_fields(condition)), node.node_id, text


def widen_filter(draft: Draft, operation: WidenFilter) -> Edit | None:
    """Includes more values; None if no filter is on the property."""
    new = operation.condition
    for node in document_filters(draft):
        old = condition_of(node)
        if old.any_of:
            if old.field == new.field and not new.any_of:
                parts = [*old.any_of, Condition.model_validate(new.model_dump(exclude={"any_of"}))]
                return _replace(draft, node, old.model_copy(update={"any_of": parts}))
            continue
        if old.field != new.field or new.any_of:
            continue
        wider = union(old, new, through=operation.through)
        if wider is None:
            text = f"Removed the filter: {say_condition(old)}"
            return draft.remove(node.node_id), None, text
        return _replace(draft, node, wider)
    return None


def change_filter(draft: Draft, operation: ChangeFilter) -> Edit | None:
    """Replaces a filter; None if there is none to change."""
    edited: Draft | None = None
    node_id, text = None, ""
    for node in document_filters(draft):
        replaced = changed(condition_of(node), operation)
        if replaced is not None:
            edited, node_id, text = _replace(edited or draft, node, replaced)
    return None if edited is None else (edited, node_id, text)


def changed(present: BasicFilter, operation: ChangeFilter) -> BasicFilter | None:
    """What a condition becomes; None if the operation concerns another one."""
    new, old = operation.new, operation.old
    if present == old:
        return new
    if old is None:
        same = present.field == new.field
        return new.model_copy(update={"negate": present.negate or new.negate}) if same else None
    if present.field != old.field:
        return None
    if present.range_filter and old.range_filter:
        if present.start == old.start and present.end == old.end:
            return new
        inside = is_less(present.start, old.start) if present.start is not None else True
        return new if inside and (present.end is None or is_less(old.end, present.end)) else None
    if present.range_filter or old.range_filter:
        return None
    before, gone = values_in(present), values_in(old)
    if not any(among(value, gone) for value in before):
        return None
    if new.field != present.field or new.range_filter or new.any_of:
        return new
    values = [*(v for v in before if not among(v, gone)), *values_in(new)]
    return with_values(present, list(dict.fromkeys(values)))


def either_filter(draft: Draft) -> Edit:
    """Merges two filters into one that accepts either condition."""
    filters = document_filters(draft)
    conditions = [condition_of(node) for node in filters]
    if len(filters) != 2 or any(c.any_of or is_relative(c) for c in conditions):
        present = [say_condition(condition) for condition in conditions]
        reason = f"either of which two? The plan has {len(filters)} conditions"
        raise Unclear("ambiguous" if filters else "no_such_node", "either", reason, present)
    parts = [Condition.model_validate(c.model_dump(exclude={"any_of"})) for c in conditions]
    made = BasicFilter(field=conditions[0].field, any_of=parts)
    edited, node_id, text = _replace(draft, filters[0], made)
    return edited.remove(filters[1].node_id), node_id, text


def remove_filter(draft: Draft, operation: RemoveFilter) -> Edit:
    filters = draft.of_type("BasicFilter")
    present = [say_condition(condition_of(node)) for node in filters]
    if not filters:
        raise Unclear("no_such_node", operation.words, "the plan has no filter to remove")
    chosen = _chosen(filters, operation, present)
    edited, lines, last = draft, [], None
    for node, left in chosen:
        if left is None:
            edited = edited.remove(node.node_id)
            lines.append(f"Removed the filter: {say_condition(condition_of(node))}")
        else:
            edited, last, text = _replace(edited, node, left)
            lines.append(text)
    return edited, last, "; ".join(lines)


def _chosen(
    filters: list[Node], operation: RemoveFilter, present: list[str]
) -> list[tuple[Node, BasicFilter | None]]:
    """The filters to remove, each with the part of it that stays."""
    if operation.every:
        return [(node, None) for node in filters]
    if operation.ordinal is not None:
        place = operation.ordinal - 1 if operation.ordinal > 0 else operation.ordinal
        if not -len(filters) <= place < len(filters):
            reason = f"the plan has only {len(filters)} filters"
            raise Unclear("no_such_node", operation.words, reason, present)
        return [(filters[place], None)]
    if operation.condition is not None:
        matches = [
            (node, left)
            for node in filters
            if (left := _left_over(condition_of(node), operation.condition)) is not False
        ]
        if matches:
            return [
                (node, left if isinstance(left, BasicFilter) else None) for node, left in matches
            ]
    elif operation.field is not None:
        about = [node for node in filters if _about(condition_of(node), operation.field)]
        if about:
            return [(node, None) for node in about]
        reason = f"nothing filters by {say_field(operation.field)}"
        raise Unclear("no_such_node", operation.words, reason, present)
    elif len(filters) == 1:
        return [(filters[0], None)]
    else:
        each = [[replace(operation, condition=condition_of(node))] for node in filters]
        reason = "there are several filters: say which one"
        raise Unclear("ambiguous", operation.words, reason, present, each)
    raise Unclear("no_such_node", operation.words, "no filter has this condition", present)


def _about(condition: BasicFilter, field: str) -> bool:
    fields = {condition.field, *(c.field for c in condition.any_of or [])}
    return field in {canonical_field(name) for name in fields if name}


def _left_over(present: BasicFilter, gone: BasicFilter) -> BasicFilter | bool | None:
    """The rest of a filter without some values: None for nothing, False if unrelated."""
    if present.field != gone.field or present.any_of:
        return False
    if present.range_filter or gone.range_filter or present.exists is not None:
        same = (present.start, present.end, present.exists) == (gone.start, gone.end, gone.exists)
        return None if same or (present.range_filter and gone.range_filter) else False
    before, values = values_in(present), values_in(gone)
    if not any(among(value, values) for value in before):
        return False
    left = [value for value in before if not among(value, values)]
    return with_values(present, left) if left else None
