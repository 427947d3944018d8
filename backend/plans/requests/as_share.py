"""`As a share of all boats`: which documents of a plan are the part, and which the whole."""

import re
from collections.abc import Iterator, Sequence

from backend.language.words import stem
from backend.plans.edits.operations import (
    AddFilter,
    Operation,
    RemoveFilter,
    SetMeasures,
    ShareOf,
    ToDocuments,
)
from backend.plans.reading.grammar_edits import Shared
from backend.plans.reading.phrasing import Measure
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.plan_state import PlanState
from workbench.contract.plan_nodes import BasicFilter

Shares = Iterator[tuple[tuple[Operation, ...], tuple[str, ...]]]
"""Operations, and the names of what was assumed for them."""


def shares_of(shared: Shared, state: PlanState) -> Shares:
    """The possible shares that a follow-up asks for."""
    if state.keys:
        whole = shared.of == "conditions" and all(c in state.filters for c in shared.conditions)
        if whole or shared.of in ("all", "unsaid", "times"):
            yield (SetMeasures((Measure("share"),)),), ()
        return
    filters = state.filters
    if not filters or state.share is not None or not state.linear:
        return
    match shared.of:
        case "all":
            yield _of(filters), ()
        case "times":
            yield from _of_the_rest([c for c in filters if not c.is_date], filters, ())
        case "unsaid":
            yield _of(filters[-1:]), ("share: of the last",)
            if len(filters) > 1:
                yield _of(filters), ("share: of everything",)
        case "conditions":
            yield from _of_named(shared.conditions, filters)


def _of_named(named: Sequence[BasicFilter], filters: Sequence[BasicFilter]) -> Shares:
    known = [c for c in named if c in filters]
    if len(known) == len(named):
        part = [c for c in filters if c not in named]
        yield from _of_the_rest(part, filters, ())
        if len(part) > 1 and filters[-1] in part:
            yield from _of_the_rest(filters[-1:], filters, ("share: of the last",))
    elif not {c.field for c in named} & {c.field for c in filters}:
        ops = tuple(RemoveFilter(condition=c) for c in filters)
        whole = tuple(map(AddFilter, named))
        yield (ToDocuments(), *ops, *whole, ShareOf(tuple(filters))), ()


def _of_the_rest(
    part: Sequence[BasicFilter], filters: Sequence[BasicFilter], signs: tuple[str, ...]
) -> Shares:
    if part and len(part) < len(filters):
        yield _of(part), signs


def _of(part: Sequence[BasicFilter]) -> tuple[Operation, ...]:
    removed = (RemoveFilter(condition=condition) for condition in part)
    return ToDocuments(), *removed, ShareOf(tuple(part))


_OF_THEIRS = re.compile(
    r"^\W*(?:and )?(?:as |in )?(?:an? |the )?(?:share|percentage|proportion|fraction|percent) of "
    r"(?:all )?(?:her|his|their) (\w+)\W*$",
    re.IGNORECASE,
)


def asks_for_share_of_theirs(request: str, vocabulary: Vocabulary) -> bool:
    """Whether a request is `as a share of her boats`."""
    asked = _OF_THEIRS.match(request)
    return asked is not None and stem(asked[1].lower()) in vocabulary.nouns


def share_of_theirs(state: PlanState) -> tuple[Operation, ...]:
    """`As a share of her boats`, after the share that hers are of something: what they were a share
    of is the part now, and hers are the whole. Nothing after other plans.
    """
    part = state.share
    if part is None:
        return ()
    whole = tuple(condition for condition in state.filters if condition not in part)
    if not whole or not part or any(c.negate or c.is_date for c in part):
        return ()
    removed = (RemoveFilter(condition=condition) for condition in whole)
    return ToDocuments(), *removed, ShareOf(whole)
