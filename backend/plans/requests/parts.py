"""Parts of a clause read separately, and bare numbers."""

from collections.abc import Sequence
from dataclasses import replace

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.edit_groups import measures_of
from backend.plans.edits.operations import (
    ChangeFilter,
    Difference,
    Operation,
    RemoveFilter,
    SetGroup,
    SetLimit,
)
from backend.plans.edits.wording import say_condition
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.comparing import compare
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.subjects import number_of
from backend.plans.requests.bag import Bag, refuse_left_over
from backend.plans.requests.statements import statements

FILLING = ",&|yztbEeWRodhi"


def part(clause: Clause, pieces: Sequence[Piece]) -> Clause:
    return replace(clause, pieces=tuple(pieces), text=clause.words(pieces))


def stated_in(clause: Clause, draft: Draft) -> list[Operation]:
    """A clause read as a statement about this plan."""
    aggregates = draft.on_spine("Aggregate")
    grouped = bool(draft.on_spine("GroupBy", "TopK"))
    operations = statements(
        clause,
        grouped=grouped,
        question=False,
        present=measures_of(aggregates[-1]) if aggregates else (),
    )
    operations = _between_all(clause, operations, draft)
    return operations if grouped else _for_each(clause, operations, draft)


def _between_all(clause: Clause, operations: list[Operation], draft: Draft) -> list[Operation]:
    """`difference between Holm and Brack`, in a plan about Holm: comparisons need both sides."""
    compared = {
        condition.field
        for item in operations
        if isinstance(item, Difference)
        for condition in (*item.left, *item.right)
    }
    conditions = [condition_of(node) for node in document_filters(draft)]
    gone = [c for c in conditions if c.field in compared and not c.range_filter]
    for condition in gone:
        words = say_condition(condition)
        clause.reader.assume(f"removed “{words}”, because two values are compared")
    return [*(RemoveFilter(condition.field) for condition in gone), *operations]


def _for_each(clause: Clause, operations: list[Operation], draft: Draft) -> list[Operation]:
    """`average rent in Moss`, `for each town`: drops the filter that would leave one group."""
    fields = {
        field for item in operations if isinstance(item, SetGroup) for field in item.key.fields
    }
    conditions = [condition_of(node) for node in document_filters(draft)]
    single = [c for c in conditions if c.field in fields and c.query is not None and not c.negate]
    for condition in single:
        words = say_condition(condition)
        clause.reader.assume(f"removed “{words}”, because the groups show all values")
    return [*(RemoveFilter(condition.field) for condition in single), *operations]


def bare_number(clause: Clause, piece: Piece, draft: Draft) -> list[Operation]:
    """A bare number: the limit if there is one or after `only`, else the number of a filter."""
    number: Quantity = piece.load
    limited = draft.on_spine("Limit", "TopK")
    changed = None if limited or _shown(clause) else _other_number(clause, piece, draft)
    if changed is not None:
        return [changed]
    if number.unit is None and number.whole and number.value >= 1:
        return [SetLimit(int(number.value))]
    refuse_left_over(Bag(clause, [replace(piece, tag="?")]))
    return []


_SHOWING = frozenset({"show", "list", "display", "give", "see", "only", "just", "keep", "print"})


def _shown(clause: Clause) -> bool:
    """`show 4`, `only 4`: a limit."""
    first, last = clause.pieces[0].start, clause.pieces[-1].end
    near = clause.reader.tokens[max(0, first - 2) : last + 1]
    return any(token.lower in _SHOWING for token in near)


def other_bound(clause: Clause, draft: Draft) -> Operation | None:
    """The only number of a filter, changed to the number in the clause."""
    for piece in clause.pieces:
        if piece.tag == "L":
            count = Quantity(float(piece.load.count))
            return _other_number(clause, replace(piece, tag="N", load=count), draft)
        if piece.tag == "N":
            return _other_number(clause, piece, draft)
    return None


def other_number(clause: Clause, new: Piece, old: Piece, draft: Draft) -> Operation:
    """`5 instead of 10`: whatever is 10 in the plan, a limit or a bound."""
    before: Quantity = old.load
    for node in draft.on_spine("Limit", "TopK"):
        if before.value in (node.extras.get("num_records"), node.extras.get("K")):
            return SetLimit(int(new.load.value))
    for node in document_filters(draft):
        condition = condition_of(node)
        prop = clause.reader.vocabulary.get(condition.field)
        if prop is None or not prop.numeric:
            continue
        was = number_of(clause.reader, old, prop)
        names = [name for name in ("query", "start", "end") if getattr(condition, name) == was]
        if names:
            value = compare(prop, "eq", number_of(clause.reader, new, prop)).query
            changed = condition.model_copy(update=dict.fromkeys(names, value))
            return ChangeFilter(changed, condition if condition.range_filter else None)
    words = clause.words([old])
    raise Unclear("no_such_node", words, f"nothing in the plan is {words}")


def _other_number(clause: Clause, piece: Piece, draft: Draft) -> Operation | None:
    """The only filter with a number, changed to this number."""
    results = []
    for node in document_filters(draft):
        condition = condition_of(node)
        prop = clause.reader.vocabulary.get(condition.field)
        if prop is not None and prop.numeric and not condition.any_of and condition.values is None:
            results.append((condition, prop))
    if len(results) != 1:
        return None
    condition, prop = results[0]
    value = compare(prop, "eq", number_of(clause.reader, piece, prop)).query
    bounds = [name for name in ("query", "start", "end") if getattr(condition, name) is not None]
    if len(bounds) != 1:
        return None
    return ChangeFilter(condition.model_copy(update={bounds[0]: value}), None)
