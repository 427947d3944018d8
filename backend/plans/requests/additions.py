"""Additions by a clause to a plan: `also Ohio`, `include the count`, `extend it to 2025`."""

import re

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.edit_groups import measures_of
from backend.plans.edits.operations import (
    AddFilter,
    ChangeFilter,
    Operation,
    RemoveFilter,
    SetGroup,
    SetMeasures,
    SetSort,
    ShowFields,
    ToDocuments,
    WidenFilter,
)
from backend.plans.edits.wording import say_measure
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.comparing import compare
from backend.plans.reading.phrasing import Key, Measure, Order
from backend.plans.reading.pieces import Piece
from backend.plans.reading.subjects import number_of
from backend.plans.requests.groupings import usual_function
from backend.plans.requests.parts import FILLING, part
from backend.plans.requests.short_requests import says_not_only
from workbench.contract.plan_nodes import BasicFilter, Function
from workbench.contract.plan_values import as_number


def additions(clause: Clause, draft: Draft, grouped: bool) -> tuple[list[Operation], Clause | None]:
    """More values, more numbers, a further key; and the rest of the clause, if there is any."""
    pieces = [p for p in clause.pieces if p.tag != "w"]
    only = _says_only(clause) and not says_not_only(clause)
    if not [p for p in pieces if p.tag not in FILLING]:
        return ([ToDocuments()] if any(p.tag == "E" for p in pieces) else []), None
    needed = any(clause.words([p]).lower().startswith(_NEEDED) for p in clause.pieces)
    needed |= clause.text.lower().startswith(("and ", "with ", "that also ", "they also "))
    operations: list[Operation] = []
    rest: list[Piece] = []
    for piece in pieces:
        both = needed and piece.tag == "F" and _of_several(clause, piece.load.field)
        if both or (piece.tag == "F" and _closes(piece.load, draft)):
            operations.append(AddFilter(piece.load))
        elif piece.tag == "F" and not only and not piece.load.negate:
            operations.append(WidenFilter(piece.load, through=_says_through(clause)))
        elif piece.tag == "N" and (other := _other_value(clause, piece, draft)) is not None:
            operations.append(other)
        elif piece.tag == "N" and (moved := _moved_bound(clause, piece, draft)) is not None:
            operations.append(moved)
        elif piece.tag == "P" and (more := _more_measured(clause, piece, draft)) is not None:
            operations.append(more)
        elif piece.tag == "K":
            operations.append(SetGroup(piece.load, add=grouped))
        elif piece.tag == "M":
            operations.append(SetMeasures((piece.load,), add=True))
        elif piece.tag == "A":
            operations.append(SetMeasures((Measure(piece.load),), add=True))
        elif piece.tag == "#":
            operations.append(SetMeasures((Measure("count"),), add=True))
        elif piece.tag == "P" and grouped and not piece.load[0].prop.numeric:
            field = clause.reader.any_property(piece).field
            operations.append(SetGroup(Key((field,)), add=True))
        elif piece.tag == "P" and draft.on_spine("Project"):
            operations.append(ShowFields((clause.reader.any_property(piece).field,), add=True))
        elif piece.tag == "H" and grouped and piece.load.extreme and piece.load.field:
            operations.append(_extreme(piece.load, draft))
        elif piece.tag == "g" and operations:
            continue
        else:
            rest.append(piece)
    left = [p for p in rest if p.tag not in FILLING]
    return operations, part(clause, rest) if left else None


def _extreme(order: Order, draft: Draft) -> Operation:
    """`and the most days?` beside groups: their other end where they are ranked by that number,
    else a further number of each.
    """
    computed = [item for node in draft.on_spine("Aggregate") for item in measures_of(node)]
    ranks = draft.on_spine("Sort") and draft.on_spine("Limit")
    if ranks and [item.field for item in computed] == [order.field]:
        return SetSort(None, Measure(computed[0].func, order.field), order.descending is not False)
    func: Function = "min" if order.descending is False else "max"
    return SetMeasures((Measure(func, order.field),), add=True)


def _closes(new: BasicFilter, draft: Draft) -> bool:
    """`at most 3000 as well` in a plan that asks for more than 1000: the other end of one range,
    since an alternative would include everything.
    """
    low, high = as_number(new.start), as_number(new.end)
    if not new.range_filter or new.negate or (low is None) == (high is None):
        return False
    conditions = [c for n in document_filters(draft) if (c := condition_of(n)).field == new.field]
    if (
        len(conditions) != 1
        or not conditions[0].range_filter
        or conditions[0].negate
        or conditions[0].any_of
    ):
        return False
    start, end = as_number(conditions[0].start), as_number(conditions[0].end)
    if high is not None:
        return end is None and start is not None and start < high
    return start is None and end is not None and low is not None and low < end


_NEEDED = ("must", "has to", "have to", "needs to", "require")


def _of_several(clause: Clause, field: str) -> bool:
    """`lead must be there as well`: a property with several values must have both."""
    prop = clause.reader.vocabulary.get(field)
    return prop is not None and prop.kind == "array"


_MODAL = ("should", "must", "has to", "have to", "needs to")


def _says_only(clause: Clause) -> bool:
    """`only`, but not `should be`, which adds as well as it narrows."""
    phrase = [clause.words([p]).lower() for p in clause.pieces if p.tag == "o"]
    return any(not words.startswith(_MODAL) for words in phrase)


def _other_value(clause: Clause, piece: Piece, draft: Draft) -> Operation | None:
    """`or 18` if the only number in the filters is that a property is 12."""
    conditions = [condition_of(node) for node in document_filters(draft)]
    numbers = [c for c in conditions if _is_number(clause, c.field)]
    single = numbers[0] if len(numbers) == 1 else None
    prop = clause.reader.vocabulary.get(single.field) if single is not None else None
    if single is None or prop is None or single.range_filter or single.negate:
        return None
    if (single.query is None and not single.values) or draft.on_spine("Limit", "TopK"):
        return None
    return WidenFilter(compare(prop, "eq", number_of(clause.reader, piece, prop)))


def _is_number(clause: Clause, field: str) -> bool:
    prop = clause.reader.vocabulary.get(field)
    return prop is not None and prop.numeric


_THROUGH = re.compile(
    r"^(?:\w+ )?(?:extend|widen|expand|broaden|stretch|prolong|open)\w*\b"
    r".*\b(?:to|till|until|through)\b",
    re.IGNORECASE,
)


def _says_through(clause: Clause) -> bool:
    """`extend it to 2025`: everything up to there, not only that year in addition."""
    return _THROUGH.search(clause.text) is not None


def _moved_bound(clause: Clause, piece: Piece, draft: Draft) -> Operation | None:
    """`100 itself should count too` closes a bound, `extend it to 200` moves it there."""
    operations: list[Operation] = []
    for node in document_filters(draft):
        present = condition_of(node)
        prop = clause.reader.vocabulary.get(present.field)
        if prop is None or not prop.numeric or not present.range_filter:
            continue
        value = number_of(clause.reader, piece, prop)
        for end in ("start", "end"):
            if getattr(present, end) == value and getattr(present, f"{end}_exclusive"):
                included = present.model_copy(update={f"{end}_exclusive": False})
                return ChangeFilter(included, present)
        top = as_number(present.end)
        above = top is not None and value > top
        operations.append(WidenFilter(compare(prop, "le" if above else "ge", value), through=True))
    return operations[0] if len(operations) == 1 and _says_through(clause) else None


def _more_measured(clause: Clause, piece: Piece, draft: Draft) -> Operation | None:
    """`show the incidents as well`: one more number, computed like the current one."""
    aggregates = draft.on_spine("Aggregate")
    prop = clause.reader.choose(piece, lambda p: p.numeric) if aggregates else None
    if prop is None or prop.is_year:
        return None
    funcs = {item.func for item in measures_of(aggregates[-1]) if item.field is not None}
    func = funcs.pop() if len(funcs) == 1 else usual_function(prop)
    clause.reader.assume(f"took “{clause.words([piece])}” to mean its {say_measure(Measure(func))}")
    return SetMeasures((Measure(func, prop.field),), add=True)


def unlimited(clause: Clause, operations: list[Operation], draft: Draft) -> list[Operation]:
    """`not just Texas` in a plan that asks for Texas: nothing else is named, so the filter goes."""
    only = operations[0] if len(operations) == 1 else None
    if not isinstance(only, WidenFilter) or not says_not_only(clause):
        return operations
    for node in document_filters(draft):
        present = condition_of(node)
        if present == only.condition and present.exists is None:
            return [RemoveFilter(condition=only.condition, words=clause.text)]
    if only.condition.field not in {condition_of(n).field for n in document_filters(draft)}:
        reason = f"nothing limits the answer to {clause.text.removeprefix('not just ')}"
        raise Unclear("no_change", clause.text, reason)
    return operations
