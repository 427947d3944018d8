"""Applies an operation to a draft."""

from backend.plans.edits import edit_filters, edit_groups, edit_order, edit_steps
from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import Edit
from backend.plans.edits.operations import (
    AddFilter,
    AsInAnswer,
    ChangeFilter,
    CountGroups,
    Difference,
    EitherFilter,
    ExtractField,
    InExtremeGroups,
    JudgeText,
    KeepGroups,
    ListValues,
    Operation,
    RemoveFilter,
    RemoveGroup,
    RemoveLimit,
    RemoveMeasure,
    RemoveSort,
    RemoveStep,
    ReverseSort,
    SameAs,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    SetSource,
    ShareOf,
    ShowFields,
    Summarise,
    ToCount,
    ToDocuments,
    WidenFilter,
)
from backend.plans.edits.wording import say_condition, say_field
from backend.plans.reading.cascade import Unclear
from workbench.contract.plan_nodes import MAX_NODES, BasicFilter


def apply(draft: Draft, operation: Operation, question: str) -> Edit:
    """The draft after one operation. Raises Unclear when this plan does not allow it."""
    if len(draft.used()) > MAX_NODES:
        raise Unclear("out_of_scope", question, f"a plan has at most {MAX_NODES} steps")
    edited, node_id, text = _apply(draft, operation, question)
    return edit_steps.with_share_named(edited, draft), node_id, text


def _apply(draft: Draft, operation: Operation, question: str) -> Edit:
    match operation:
        case AddFilter():
            return edit_filters.add_filter(draft, operation)
        case WidenFilter():
            return _widen(draft, operation)
        case ChangeFilter():
            return _change(draft, operation)
        case RemoveFilter():
            return edit_filters.remove_filter(draft, operation)
        case EitherFilter():
            return edit_filters.either_filter(draft)
        case KeepGroups():
            return _keep_groups(draft, operation)
        case SetGroup():
            return edit_groups.set_group(draft, operation)
        case RemoveGroup():
            return edit_groups.remove_group(draft, operation)
        case SetMeasures():
            return edit_groups.set_measures(draft, operation)
        case RemoveMeasure():
            return edit_groups.remove_measure(draft, operation)
        case ShareOf():
            return edit_steps.share_of(draft, operation)
        case Difference():
            return edit_steps.difference(draft, operation)
        case SameAs():
            return edit_steps.same_as(draft, operation)
        case AsInAnswer():
            return edit_steps.as_in_answer(draft, operation)
        case InExtremeGroups():
            return edit_steps.in_extreme_groups(draft, operation)
        case _:
            return _apply_order(draft, operation, question)


def _apply_order(draft: Draft, operation: Operation, question: str) -> Edit:
    match operation:
        case SetLimit():
            return edit_order.set_limit(draft, operation)
        case RemoveLimit():
            return edit_order.remove_limit(draft)
        case SetSort():
            return edit_order.set_sort(draft, operation)
        case ReverseSort():
            return edit_order.reverse_sort(draft)
        case RemoveSort():
            return edit_order.remove_sort(draft)
        case ToCount():
            return edit_order.to_count(draft, operation)
        case CountGroups():
            return edit_order.count_groups(draft)
        case ToDocuments():
            return edit_order.to_documents(draft)
        case ListValues():
            return edit_order.list_values(draft, operation)
        case ShowFields():
            return edit_order.show_fields(draft, operation)
        case RemoveStep():
            return edit_steps.remove_step(draft, operation)
        case JudgeText():
            return edit_steps.judge_text(draft, operation)
        case ExtractField():
            return edit_steps.extract_field(draft, operation)
        case Summarise():
            return edit_steps.summarise(draft, operation)
        case SetSource():
            return edit_steps.set_source(draft, operation, question)
    raise TypeError(type(operation).__name__)


def _widen(draft: Draft, operation: WidenFilter) -> Edit:
    edited = edit_filters.widen_filter(draft, operation)
    if edited is None:
        return edit_filters.add_filter(draft, AddFilter(operation.condition))
    return edited


def _change(draft: Draft, operation: ChangeFilter) -> Edit:
    edited = edit_filters.change_filter(draft, operation) or edit_groups.change_part(
        draft, operation
    )
    if edited is not None:
        return edited
    if operation.old is not None:
        asked = say_condition(operation.old)
        have = [
            say_condition(edit_filters.condition_of(node))
            for node in edit_filters.document_filters(draft)
        ]
        raise Unclear("no_such_node", asked, f"the plan has no filter “{asked}”", have)
    return edit_filters.add_filter(draft, AddFilter(operation.new))


def _keep_groups(draft: Draft, operation: KeepGroups) -> Edit:
    """Without groups, a condition on a measure is one on its field, or a limit of the list."""
    if draft.on_spine("GroupBy", "TopK"):
        return edit_groups.keep_groups(draft, operation)
    measure, bound = operation.bound.measure, operation.bound
    if measure.func == "count" and bound.op in ("le", "lt", "eq"):
        count = int(operation.low) - (bound.op == "lt")
        return edit_order.set_limit(draft, SetLimit(max(1, count)))
    if measure.field is None or measure.func == "count":
        reason = "there are no groups whose numbers could be compared: group by something first"
        raise Unclear("no_such_node", "", reason)
    condition: BasicFilter = edit_groups.bound_condition(
        measure.field, bound.op, operation.low, operation.high
    )
    edited, node_id, text = edit_filters.add_filter(draft, AddFilter(condition))
    return (
        edited,
        node_id,
        f"{text} (of each document: there are no groups by {say_field(measure.field)})",
    )
