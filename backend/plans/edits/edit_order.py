"""Edits of order and size: sort, limit, and turning a plan into a count or into documents."""

from dataclasses import replace
from typing import Any

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import Edit, condition_of, document_filters
from backend.plans.edits.edit_groups import (
    column_of,
    documents_end,
    gathered,
    lifted,
    measures_of,
    set_measures,
)
from backend.plans.edits.operations import (
    ListValues,
    SetLimit,
    SetMeasures,
    SetSort,
    ShowFields,
    ToCount,
)
from backend.plans.edits.wording import say_column, say_direction, say_field, say_measure
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.phrasing import KEY, Measure
from workbench.contract.plan_nodes import GroupBy, Sort, TopK, canonical_field, row_field, typed
from workbench.contract.ranks import rows_kept

MAX_RESULTS = 1_000_000


def listing(draft: Draft, *, beneath: bool = False) -> Draft:
    """The draft up to its list: numbers and texts cannot be sorted or limited, only the list
    `beneath` a number, of which it is computed.
    """
    if draft.gives in ("number", "text") and _list_beneath(draft, beneath) is None:
        before = draft.nodes[draft.result].inputs[:1]
        if draft.gives == "text" and before and draft.flow(before[0]) in ("docs", "rows"):
            return draft
        return documents_end(draft)
    return draft


def _last_of_list(draft: Draft, beneath: bool = False) -> int:
    """The last step that outputs a list: a summary or a number may follow it."""
    cut = _list_beneath(draft, beneath)
    if cut is not None:
        return cut
    node = draft.nodes[draft.result]
    return node.inputs[0] if node.node_type == "SummarizeData" else node.node_id


def _list_beneath(draft: Draft, wanted: bool) -> int | None:
    """The end of the list which a number is computed of, if it is `wanted` or is cut already, as in
    `average price of the 3 cheapest`.
    """
    if draft.gives != "number":
        return None
    if wanted:
        return documents_end(draft).result
    cuts = draft.on_spine("Limit")
    return cuts[-1].node_id if cuts and draft.flow(cuts[-1].node_id) == "docs" else None


def set_sort(draft: Draft, operation: SetSort) -> Edit:
    draft = lifted(listing(draft, beneath=operation.beneath))
    sorts = draft.on_spine("Sort")
    end = _last_of_list(draft, operation.beneath)
    on_rows = draft.flow(end) == "rows"
    descending = operation.descending
    if operation.field is None and operation.measure is None:
        return _turn(draft, descending, on_rows)
    if on_rows:
        draft, column, name = _row_column(draft, operation)
        measured = operation.measure is not None or column != KEY
        descending = measured if descending is None else descending
    else:
        if operation.measure is not None:
            return _sort_by_field_of(draft, operation)
        if operation.field == KEY:
            reason = "documents have several names: say which property to sort by"
            raise Unclear("ambiguous", "alphabetically", reason)
        if descending is None and sorts and draft.on_spine("Limit"):
            descending = bool(sorts[-1].extras.get("descending"))
        column = canonical_field(operation.field or "")
        name = say_field(column)
        if column in unknown_fields(draft):
            raise Unclear("contradictory", name, f"{name} is unknown in all of these documents")
    draft, then = _then(draft, operation, on_rows)
    text = _sort_text(name, descending, then or [])
    here = [node for node in sorts if draft.flow(node.node_id) == draft.flow(end)]
    if here:
        last = here[-1].node_id
        fields = {"field": column, "descending": bool(descending), "then": then}
        return draft.change(last, text, **fields), last, text
    place = end
    limits = [n for n in draft.on_spine("Limit") if draft.flow(n.node_id) == draft.flow(end)]
    if limits:
        place = limits[0].inputs[0]
    more = {} if then is None else {"then": then}
    draft = draft.insert_after(
        place, "Sort", text, field=column, descending=bool(descending), **more
    )
    return draft, draft.newest, text


def unknown_fields(draft: Draft) -> frozenset[str]:
    """The fields of which a plan keeps only documents without a value: nothing is ordered by
    them.
    """
    conditions = map(condition_of, document_filters(draft))
    return frozenset(c.field for c in conditions if c.exists is False)


def _sort_text(name: str, descending: bool | None, then: list[dict[str, Any]]) -> str:
    further = [f", then by {say_field(k['field'])} {say_direction(k['descending'])}" for k in then]
    return f"Sort by {name} {say_direction(descending)}{''.join(further)}"


def _then(
    draft: Draft, operation: SetSort, on_rows: bool
) -> tuple[Draft, list[dict[str, Any]] | None]:
    """The further sort keys on the wire, None without any."""
    keys: list[dict[str, Any]] = []
    for field, descending in operation.then:
        column = canonical_field(field)
        if on_rows:
            draft, column, _ = _row_column(draft, SetSort(field))
        keys.append({"field": column, "descending": descending})
    return draft, keys or None


def _sort_by_field_of(draft: Draft, operation: SetSort) -> Edit:
    """Documents have no measures, so they are sorted by the field of the measure."""
    measure = operation.measure
    if measure is None or measure.field is None:
        reason = "documents cannot be sorted by a count: group them first, or name a property"
        raise Unclear("wrong_type", "sort", reason)
    return set_sort(draft, SetSort(measure.field, None, operation.descending))


def _turn(draft: Draft, descending: bool | None, on_rows: bool) -> Edit:
    sorts = draft.on_spine("Sort")
    if sorts:
        node = sorts[-1]
        read = typed(node)
        assert isinstance(read, Sort)
        wanted = not read.descending if descending is None else descending
        flipped = wanted != read.descending
        then = [{"field": k.field, "descending": k.descending != flipped} for k in read.then]
        text = _sort_text(say_field(read.field), wanted, then)
        fields = {"descending": wanted, **({"then": then} if then else {})}
        return draft.change(node.node_id, text, **fields), node.node_id, text
    aggregates = draft.on_spine("Aggregate")
    if on_rows and aggregates:
        column = row_field(measures_of(aggregates[-1])[0].column)
        place = _after_conditions(draft, aggregates[-1].node_id)
        text = _sort_text(say_field(column), descending, [])
        draft = draft.insert_after(place, "Sort", text, field=column, descending=bool(descending))
        return draft, draft.newest, text
    raise Unclear("no_such_node", "sort", "the plan has no sort: say which property to sort by")


def _after_conditions(draft: Draft, node_id: int) -> int:
    while True:
        users = draft.users(node_id)
        if len(users) != 1 or users[0].node_type != "BasicFilter":
            return node_id
        node_id = users[0].node_id


def _row_column(draft: Draft, operation: SetSort) -> tuple[Draft, str, str]:
    """The requested column of a small table: its key, or one of its numbers."""
    if not draft.on_spine("Aggregate"):
        return draft, KEY, "key"
    if operation.measure is not None:
        draft, column = column_of(draft, operation.measure)
        return draft, column, say_measure(operation.measure)
    field = operation.field or ""
    if field == KEY:
        return draft, KEY, "name"
    groups = draft.on_spine("GroupBy")
    group = typed(groups[-1]) if groups else None
    if isinstance(group, GroupBy):
        keys = [canonical_field(name) for name in group.keys]
        if field in keys:
            column = KEY if len(keys) == 1 else row_field(field)
            return draft, column, say_field(field)
    items = measures_of(draft.on_spine("Aggregate")[-1])
    same = [item for item in items if item.field == field]
    if not same:
        name = say_field(field)
        reason = f"the groups have no {name}: say whether you mean its total or its average"
        measures = Measure("avg", field), Measure("sum", field)
        each = [[replace(operation, field=None, measure=one)] for one in measures]
        raise Unclear("ambiguous", name, reason, [f"average {name}", f"total {name}"], each)
    return draft, row_field(same[0].column), say_column(same[0])


def set_limit(draft: Draft, operation: SetLimit) -> Edit:
    count = operation.count
    text = f"Keep {rows_kept(count, operation.skip)}" + (", with ties" if operation.ties else "")
    plain: dict[str, Any] = {"with_ties": operation.ties or None, "skip": operation.skip or None}
    further = {name: value for name, value in plain.items() if value}
    if count > MAX_RESULTS:
        reason = f"a limit can be at most {MAX_RESULTS:,}"
        raise Unclear("out_of_scope", str(count), reason)
    tops = draft.on_spine("TopK")
    if tops and not draft.on_spine("Limit") and not operation.skip:
        return (
            draft.change(tops[-1].node_id, f"Keep the first {count} groups", K=count),
            tops[-1].node_id,
            text,
        )
    if operation.per:
        return _limit_each(draft, operation)
    figures = draft.on_spine("Aggregate") if draft.gives == "number" else []
    if figures and not operation.beneath and not draft.on_spine("Sort"):
        have = [say_field(item.field) for item in measures_of(figures[-1]) if item.field]
        reason = f"the first {count} by what? The plan has no order: name a property"
        raise Unclear("ambiguous", str(count), reason, have)
    draft = listing(draft, beneath=operation.beneath)
    end = _last_of_list(draft, operation.beneath)
    if draft.flow(end) == "rows" and not draft.on_spine("Sort") and draft.on_spine("Aggregate"):
        draft, _, _ = _turn(draft, operation.end != "bottom", True)
        end = _last_of_list(draft)
    elif operation.end in ("last", "bottom") and draft.on_spine("Sort"):
        draft, _, _ = _turn(draft, None, draft.flow(end) == "rows")
    limits = [n for n in draft.on_spine("Limit") if draft.flow(n.node_id) == draft.flow(end)]
    if limits:
        last = limits[-1].node_id
        return draft.change(last, text, num_records=count, **plain), last, text
    draft = draft.insert_after(end, "Limit", text, num_records=count, **further)
    return draft, draft.newest, text


def _limit_each(draft: Draft, operation: SetLimit) -> Edit:
    """A limit on each group of documents, which stay documents."""
    names = " and ".join(map(say_field, operation.per))
    text = f"Keep {rows_kept(operation.count, operation.skip)} of each {names}"
    draft = listing(draft.without("Limit"))
    end = _last_of_list(draft)
    fields = {"num_records": operation.count, "per": list(operation.per)}
    if operation.skip:
        fields["skip"] = operation.skip
    draft = draft.insert_after(end, "Limit", text, **fields)
    return draft, draft.newest, text


def remove_limit(draft: Draft) -> Edit:
    tops = [n for n in draft.on_spine("TopK") if n.extras.get("K") is not None]
    if tops:
        node = tops[-1]
        return (
            draft.change(node.node_id, node.description or "", K=None),
            node.node_id,
            "Removed the limit",
        )
    if not draft.on_spine("Limit"):
        raise Unclear("no_such_node", "limit", "the plan has no limit")
    return draft.without("Limit"), None, "Removed the limit"


def remove_sort(draft: Draft) -> Edit:
    if not draft.on_spine("Sort"):
        if draft.on_spine("TopK"):
            return remove_sort(lifted(draft))
        raise Unclear("no_such_node", "sort", "nothing is sorted")
    return draft.without("Sort"), None, "Removed the sort"


def reverse_sort(draft: Draft) -> Edit:
    tops = draft.on_spine("TopK")
    if tops and not draft.on_spine("Sort"):
        read = typed(tops[-1])
        assert isinstance(read, TopK)
        text = "Keep the smallest groups" if read.descending else "Keep the largest groups"
        edited = draft.change(tops[-1].node_id, text, descending=not read.descending)
        return edited, tops[-1].node_id, text
    end = _last_of_list(draft)
    return _turn(draft, None, draft.flow(end) == "rows")


def to_count(draft: Draft, operation: ToCount) -> Edit:
    if operation.distinct_field is not None:
        draft = gathered(draft)
        text = f"Count the different values of {say_field(operation.distinct_field)}"
        draft = draft.append("Count", text, distinct_field=operation.distinct_field)
        return draft, draft.result, text
    if draft.on_spine("GroupBy", "TopK"):
        kept = [n for n in draft.on_spine("BasicFilter") if draft.flow(n.node_id) == "rows"]
        counted = [item.func for n in draft.on_spine("Aggregate") for item in measures_of(n)]
        if kept and counted == ["count"] and draft.gives == "rows":
            return count_groups(draft)
        return set_measures(draft, SetMeasures((Measure("count"),)))
    distinct = draft.on_spine("Distinct")
    if distinct:
        return to_count(draft, ToCount(canonical_field(str(distinct[-1].extras["field"]))))
    draft = gathered(draft)
    draft = draft.append("Count", "Count the documents")
    return draft, draft.result, "Count the documents"


def count_groups(draft: Draft) -> Edit:
    text = "Count the groups"
    draft = draft.without("Sort").append("Count", text)
    return draft, draft.result, text


def to_documents(draft: Draft) -> Edit:
    edited = documents_end(draft).without("Project")
    if edited == draft:
        return draft, draft.result, "The documents themselves (as before)"
    return edited, edited.result, "The documents themselves"


def list_values(draft: Draft, operation: ListValues) -> Edit:
    draft = gathered(draft)
    text = f"List the different values of {say_field(operation.field)}"
    draft = draft.append("Distinct", text, field=operation.field)
    return draft, draft.result, text


def show_fields(draft: Draft, operation: ShowFields) -> Edit:
    shown = draft.on_spine("Project") if operation.add else []
    present = [canonical_field(name) for node in shown for name in node.extras["fields"]]
    fields = list(dict.fromkeys([*present, *operation.fields]))
    draft = documents_end(draft).without("Project")
    text = "Show only " + ", ".join(map(say_field, fields))
    draft = draft.append("Project", text, fields=fields)
    return draft, draft.result, text
