"""Edits of filters: adding without contradicting, widening, changing, removing."""

from collections.abc import Sequence
from typing import Any

from backend.contract.plan_nodes import BasicFilter, Condition, Node, canonical_field, typed
from backend.plans.cascade import Unclear
from backend.plans.describing import say_condition, say_field, say_filter
from backend.plans.draft import Draft
from backend.plans.operations import AddFilter, ChangeFilter, RemoveFilter, WidenFilter

Edit = tuple[Draft, int | None, str]
"""The draft after an edit, the step it is about, and what was done in words."""


def anchors(draft: Draft) -> list[int]:
    """Where documents come from for the main line of the plan: its last join, or all sources."""
    joins = [node.node_id for node in draft.spine() if node.node_type == "FieldIn"]
    return joins[-1:] or [node.node_id for node in draft.sources()]


def trunk(draft: Draft, anchor: int) -> list[Node]:
    """The steps that alone follow an anchor and hand on documents."""
    found: list[Node] = []
    node_id = anchor
    while True:
        users = draft.users(node_id)
        if len(users) != 1 or draft.flow(users[0].node_id) != "docs":
            return found
        found.append(users[0])
        node_id = users[0].node_id


def filter_place(draft: Draft, anchor: int) -> int:
    """The step after which a filter belongs: behind the filters that follow the anchor."""
    place = anchor
    for node in trunk(draft, anchor):
        if node.node_type != "BasicFilter" or _relative(condition_of(node)):
            break
        place = node.node_id
    return place


def _relative(condition: BasicFilter) -> bool:
    """Whether a bound is taken from what comes in: such a filter stays behind all others."""
    return condition.start_at is not None or condition.end_at is not None


def document_filters(draft: Draft) -> list[Node]:
    """All filters of documents, in the order they work."""
    return [n for n in draft.of_type("BasicFilter") if draft.flow(n.node_id) == "docs"]


def condition_of(node: Node) -> BasicFilter:
    """The condition of a filter step, with its field in the canonical spelling."""
    read = typed(node)
    assert isinstance(read, BasicFilter)
    return read.model_copy(update={"field": canonical_field(read.field)})


def wire_fields(condition: BasicFilter) -> dict[str, Any]:
    """The fields of a filter step; what says nothing is set to None and so left out."""
    body = condition.model_dump(exclude_defaults=True)
    names = BasicFilter.model_fields.keys() - {"field"}
    empty: dict[str, Any] = dict.fromkeys(names)
    return {**empty, **body, "field": condition.field}


def wire_condition(condition: BasicFilter) -> dict[str, Any]:
    """A condition inside another step."""
    return {**condition.model_dump(exclude_defaults=True), "field": condition.field}


def add_filter(draft: Draft, operation: AddFilter) -> Edit:
    new = operation.condition
    for anchor in anchors(draft):
        for node in trunk(draft, anchor):
            if node.node_type != "BasicFilter":
                continue
            old = condition_of(node)
            if old.field != new.field or old.any_of or new.any_of:
                continue
            merged = merge(old, new)
            if merged is not None:
                return _replace(draft, node, merged)
    edited = draft
    for anchor in anchors(draft):
        place = filter_place(edited, anchor)
        if _relative(new):
            filters = [n for n in trunk(edited, anchor) if n.node_type == "BasicFilter"]
            place = filters[-1].node_id if filters else place
        edited = edited.insert_after(place, "BasicFilter", say_filter(new), **wire_fields(new))
    return edited, edited.newest, say_filter(new)


def _replace(draft: Draft, node: Node, condition: BasicFilter) -> Edit:
    text = say_filter(condition)
    if condition == condition_of(node):
        return draft, node.node_id, f"{text} (as before)"
    return draft.change(node.node_id, text, **wire_fields(condition)), node.node_id, text


def merge(old: BasicFilter, new: BasicFilter) -> BasicFilter | None:
    """One condition for two of the same property, None when both have to stand.

    The new one wins where they contradict each other: people correct themselves.
    """
    if _relative(old) or _relative(new):
        return new if _relative(old) and _relative(new) else None
    if old.exists is not None or new.exists is not None:
        return new if old.exists is not None and new.exists is not None else None
    if old.range_filter or new.range_filter:
        return _merge_ranges(old, new)
    before, after = _values(old), _values(new)
    if not _exact(new) or not (_exact(old) or new.negate == old.negate is False):
        return None
    if new.negate and old.negate:
        return _with_values(old, [*before, *(v for v in after if v not in before)])
    if new.negate:
        left = [value for value in before if not _among(value, after)]
        return _with_values(old, left) if left else new
    return new


def _exact(condition: BasicFilter) -> bool:
    """Whether whole values are compared: always so for numbers and truth values."""
    return condition.match == "exact" or not any(isinstance(v, str) for v in _values(condition))


def excludes(one: BasicFilter, other: BasicFilter) -> bool:
    """Whether nothing can pass both conditions, which are about the same property."""
    if one.field != other.field or one.any_of or other.any_of:
        return False
    if _relative(one) or _relative(other):
        return False
    if one.exists is not None or other.exists is not None:
        gap, rest = (one, other) if one.exists is False else (other, one)
        return gap.exists is False and not rest.negate and rest.exists is not False
    if one.range_filter and other.range_filter and not (one.negate or other.negate):
        return not (_reaches(one, other) and _reaches(other, one))
    if one.range_filter or other.range_filter or not (_exact(one) and _exact(other)):
        return False
    if one.negate and other.negate:
        return False
    if one.negate or other.negate:
        kept, gone = (
            (_values(other), _values(one)) if one.negate else (_values(one), _values(other))
        )
        return all(_among(value, gone) for value in kept)
    return not any(_among(value, _values(other)) for value in _values(one))


def _reaches(low: BasicFilter, high: BasicFilter) -> bool:
    """Whether the end of one range lies at or above the start of the other."""
    if low.start is None or high.end is None:
        return True
    if low.start == high.end:
        return not (low.start_exclusive or high.end_exclusive)
    return _less(low.start, high.end)


def _merge_ranges(old: BasicFilter, new: BasicFilter) -> BasicFilter | None:
    if new.negate or old.negate or not (old.range_filter and new.range_filter):
        return None if new.negate or old.negate else new
    if (new.start is not None and new.end is not None) or excludes(old, new):
        return new
    low, high = new, new
    if new.start is None and old.start is not None and _less(old.start, new.end):
        low = old
    if new.end is None and old.end is not None and _less(new.start, old.end):
        high = old
    return new.model_copy(
        update={
            "start": low.start,
            "start_exclusive": low.start_exclusive,
            "end": high.end,
            "end_exclusive": high.end_exclusive,
        }
    )


def _less(low: Any, high: Any) -> bool:
    try:
        return bool(low <= high)
    except TypeError:
        return False


def _values(condition: BasicFilter) -> list[Any]:
    found: list[Any] = list(condition.values or [])
    if condition.query is not None:
        found.append(condition.query)
    return found


def _among(value: Any, values: Sequence[Any]) -> bool:
    return any(str(value).lower() == str(other).lower() for other in values)


def _with_values(condition: BasicFilter, values: Sequence[Any]) -> BasicFilter:
    single = len(values) == 1
    return condition.model_copy(
        update={"query": values[0] if single else None, "values": None if single else list(values)}
    )


def widen_filter(draft: Draft, operation: WidenFilter) -> Edit | None:
    """None when nothing filters by the property, so that there is nothing to widen."""
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
        return _replace(draft, node, _union(old, new))
    return None


def _union(old: BasicFilter, new: BasicFilter) -> BasicFilter:
    """What passes at least one of two conditions on the same property."""
    if old.match == "exact" and new.match == "exact" and not old.range_filter:
        before, after = _values(old), _values(new)
        if old.negate:
            left = [value for value in before if not _among(value, after)]
            return _with_values(old, left) if left else old
        return _with_values(old, [*before, *(v for v in after if not _among(v, before))])
    ranges = old.range_filter and new.range_filter and not (old.negate or new.negate)
    if ranges and None in (new.start, new.end, old.start, old.end):
        return _open_union(old, new)
    parts = [Condition.model_validate(c.model_dump(exclude={"any_of"})) for c in (old, new)]
    return BasicFilter(field=old.field, is_date=old.is_date or new.is_date, any_of=parts)


def _open_union(old: BasicFilter, new: BasicFilter) -> BasicFilter:
    """Two ranges of which one is open: the wider bound at each end that both have."""
    wider = new
    if old.start is not None and new.start is not None and _less(old.start, new.start):
        wider = wider.model_copy(
            update={"start": old.start, "start_exclusive": old.start_exclusive}
        )
    if old.end is not None and new.end is not None and _less(new.end, old.end):
        wider = wider.model_copy(update={"end": old.end, "end_exclusive": old.end_exclusive})
    if old.start is None:
        wider = wider.model_copy(update={"start": None, "start_exclusive": False})
    if old.end is None:
        wider = wider.model_copy(update={"end": None, "end_exclusive": False})
    return wider


def change_filter(draft: Draft, operation: ChangeFilter) -> Edit | None:
    """None when there is no filter to change."""
    edited: Draft | None = None
    node_id, text = None, ""
    for node in document_filters(draft):
        replaced = _changed(condition_of(node), operation)
        if replaced is not None:
            edited, node_id, text = _replace(edited or draft, node, replaced)
    return None if edited is None else (edited, node_id, text)


def _changed(present: BasicFilter, operation: ChangeFilter) -> BasicFilter | None:
    new, old = operation.new, operation.old
    if old is None:
        same = present.field == new.field
        return new.model_copy(update={"negate": present.negate or new.negate}) if same else None
    if present.field != old.field:
        return None
    if present.range_filter and old.range_filter:
        if present.start == old.start and present.end == old.end:
            return new
        inside = _less(present.start, old.start) if present.start is not None else True
        return new if inside and (present.end is None or _less(old.end, present.end)) else None
    if present.range_filter or old.range_filter:
        return None
    before, gone = _values(present), _values(old)
    if not any(_among(value, gone) for value in before):
        return None
    if new.field != present.field or new.range_filter or new.any_of:
        return new
    values = [*(v for v in before if not _among(v, gone)), *_values(new)]
    return _with_values(present, list(dict.fromkeys(values)))


def remove_filter(draft: Draft, operation: RemoveFilter) -> Edit:
    filters = draft.of_type("BasicFilter")
    told = [say_condition(condition_of(node)) for node in filters]
    if not filters:
        raise Unclear("no_such_node", operation.words, "the plan has no filter to remove")
    chosen = _chosen(filters, operation, told)
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
    filters: list[Node], operation: RemoveFilter, told: list[str]
) -> list[tuple[Node, BasicFilter | None]]:
    """The filters to remove, each with what is left of it."""
    if operation.every:
        return [(node, None) for node in filters]
    if operation.ordinal is not None:
        place = operation.ordinal - 1 if operation.ordinal > 0 else operation.ordinal
        if not -len(filters) <= place < len(filters):
            reason = f"the plan has {len(filters)} filters, so there is no such one"
            raise Unclear("no_such_node", operation.words, reason, told)
        return [(filters[place], None)]
    if operation.condition is not None:
        found = [
            (node, left)
            for node in filters
            if (left := _left_over(condition_of(node), operation.condition)) is not False
        ]
        if found:
            return [(node, left if isinstance(left, BasicFilter) else None) for node, left in found]
    elif operation.field is not None:
        found_nodes = [node for node in filters if _about(condition_of(node), operation.field)]
        if found_nodes:
            return [(node, None) for node in found_nodes]
        reason = f"nothing filters by {say_field(operation.field)}"
        raise Unclear("no_such_node", operation.words, reason, told)
    elif len(filters) == 1:
        return [(filters[0], None)]
    else:
        raise Unclear("ambiguous", operation.words, "there are several filters: say which", told)
    raise Unclear("no_such_node", operation.words, "no filter says that", told)


def _about(condition: BasicFilter, field: str) -> bool:
    fields = {condition.field, *(c.field for c in condition.any_of or [])}
    return field in {canonical_field(name) for name in fields if name}


def _left_over(present: BasicFilter, gone: BasicFilter) -> BasicFilter | bool | None:
    """What is left of a filter without some values: None for nothing, False if unrelated."""
    if present.field != gone.field or present.any_of:
        return False
    if present.range_filter or gone.range_filter or present.exists is not None:
        same = (present.start, present.end, present.exists) == (gone.start, gone.end, gone.exists)
        return None if same or (present.range_filter and gone.range_filter) else False
    before, values = _values(present), _values(gone)
    if not any(_among(value, values) for value in before):
        return False
    left = [value for value in before if not _among(value, values)]
    return _with_values(present, left) if left else None
