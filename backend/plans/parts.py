"""Parts of a clause read by themselves, and numbers that stand alone."""

from collections.abc import Sequence
from dataclasses import replace

from backend.plans.bag import Bag, refuse_left_over
from backend.plans.clauses import Clause
from backend.plans.comparing import compare
from backend.plans.draft import Draft
from backend.plans.edit_filters import condition_of, document_filters
from backend.plans.edit_groups import measures_of
from backend.plans.linking import Piece, Quantity
from backend.plans.operations import (
    ChangeFilter,
    Operation,
    SetLimit,
)
from backend.plans.statements import statements
from backend.plans.subjects import number_of

FILLING = ",&|yztbEeWRodhi"


def part(clause: Clause, pieces: Sequence[Piece]) -> Clause:
    return replace(clause, pieces=tuple(pieces), text=clause.words(pieces))


def stated_in(clause: Clause, draft: Draft) -> list[Operation]:
    """A clause read as a statement about this plan."""
    aggregates = draft.on_spine("Aggregate")
    return statements(
        clause,
        grouped=bool(draft.on_spine("GroupBy", "TopK")),
        question=False,
        present=measures_of(aggregates[-1]) if aggregates else (),
    )


def bare_number(clause: Clause, piece: Piece, draft: Draft) -> list[Operation]:
    """A number alone: the limit if there is one or `only` was said, else the number of a filter."""
    number: Quantity = piece.load
    limited = draft.on_spine("Limit", "TopK")
    changed = None if limited else _other_number(clause, piece, draft)
    if changed is not None:
        return [changed]
    if number.unit is None and number.whole and number.value >= 1:
        return [SetLimit(int(number.value))]
    refuse_left_over(Bag(clause, [replace(piece, tag="?")]))
    return []


def _other_number(clause: Clause, piece: Piece, draft: Draft) -> Operation | None:
    """The one filter with a number, with this number in its place."""
    found = []
    for node in document_filters(draft):
        condition = condition_of(node)
        prop = clause.reader.vocabulary.get(condition.field)
        if prop is not None and prop.numeric and not condition.any_of and condition.values is None:
            found.append((condition, prop))
    if len(found) != 1:
        return None
    condition, prop = found[0]
    value = compare(prop, "eq", number_of(clause.reader, piece, prop)).query
    bounds = [name for name in ("query", "start", "end") if getattr(condition, name) is not None]
    if len(bounds) != 1:
        return None
    return ChangeFilter(condition.model_copy(update={bounds[0]: value}), None)
