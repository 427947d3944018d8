"""What follow-ups mean of the list in a plan: of the documents that a number is computed of, or of
those that a limit left.

`Of the 2 cheapest` after an average asks for the average of these, not for a list. `Which of them
are sold?` after the 3 largest asks about these 3, not for the 3 largest that are sold. `How many
beds does it have?` after the largest asks for its beds: one document needs no total.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from backend.language.tokens import Token
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import (
    AddFilter,
    ChangeFilter,
    Operation,
    SetLimit,
    SetMeasures,
    SetSort,
    ShowFields,
    ToDocuments,
)

_OF = frozenset({"of", "for", "among", "from", "only", "just", "but"})
_AMONG = frozenset({"of", "among", "amongst"})
_THEM = frozenset({"them", "those", "these"})


def of_the_list(
    operations: Sequence[Operation], draft: Draft, tokens: Sequence[Token]
) -> tuple[Operation, ...]:
    """The operations of a follow-up as its words relate them to the list in the plan."""
    words = [token.lower for token in tokens]
    if _gives_one(draft):
        return tuple(map(_of_one, operations))
    if draft.gives == "docs" and draft.on_spine("Limit") and _among_them(words):
        return tuple(
            replace(operation, behind=True) if isinstance(operation, AddFilter) else operation
            for operation in operations
        )
    if draft.gives == "number" and draft.on_spine("Aggregate") and _begin_with_of(words):
        return _of_the_first(operations)
    return tuple(operations)


def _gives_one(draft: Draft) -> bool:
    """Whether a plan gives a single document."""
    limits = draft.on_spine("Limit")
    return draft.gives == "docs" and any(n.extras.get("num_records") == 1 for n in limits)


def _of_one(operation: Operation) -> Operation:
    """A total of one document is what it has."""
    measures = operation.measures if isinstance(operation, SetMeasures) else ()
    totals = [item.field for item in measures if item.func == "sum" and item.field]
    return ShowFields(tuple(totals)) if totals and len(totals) == len(measures) else operation


def _among_them(words: Sequence[str]) -> bool:
    return any(one in _AMONG and other in _THEM for one, other in pairwise(words))


def _begin_with_of(words: Sequence[str]) -> bool:
    return next((word for word in words if word != "and"), "") in _OF


def _of_the_first(operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """An order with a limit, possibly with conditions, concerns the documents of the number."""
    kinds = {type(operation) for operation in operations}
    if kinds - {AddFilter, ChangeFilter, ToDocuments} != {SetSort, SetLimit}:
        return tuple(operations)
    return tuple(
        replace(operation, beneath=True) if isinstance(operation, SetSort | SetLimit) else operation
        for operation in operations
        if not isinstance(operation, ToDocuments)
    )
