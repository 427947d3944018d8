"""Edits that no words express, but that a network predicts for a follow-up.

`Outlook` predicts what the plan does with each property after the follow-up. Each difference from
the current plan is an edit: a condition is added, changed, denied or dropped, groups and figures
replace others. These edits are compared with the others by the same features.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from backend.plans.edits.operations import (
    AddFilter,
    ChangeFilter,
    ListValues,
    Operation,
    RemoveFilter,
    RemoveGroup,
    RemoveLimit,
    SetGroup,
    SetMeasures,
    SetSort,
    ShareOf,
    ToCount,
    ToDocuments,
)
from backend.plans.reading.grammar_conditions import denied
from backend.plans.reading.phrasing import Key
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.edit_acts import EditAct, affirmed
from backend.plans.requests.foreseen_plans import figures_of_properties, foreseen_tests
from backend.plans.requests.outlook import LIKELY, Outlook
from backend.plans.requests.plan_state import PlanState
from workbench.contract.derived_fields import sources_of
from workbench.contract.plan_nodes import BasicFilter, GroupBy, typed

_MOST, _PAIRED = 7, 4
_TESTS = ("is", "is not", "from", "to", "known", "unknown", "begins", "ends")
_SIGN = (("source: foreseen", 1.0),)


@dataclass(frozen=True)
class _Change:
    """A possible change with its log-odds; of those with the same `place` only one can be made."""

    odds: float
    place: str
    operations: tuple[Operation, ...]

    @property
    def drops(self) -> bool:
        """Whether a condition is dropped, rather than changed."""
        return isinstance(self.operations[0], RemoveFilter)


def foreseen_edits(state: PlanState, outlook: Outlook, vocabulary: Vocabulary) -> Iterator[EditAct]:
    """The possible edits of a plan: all likely changes at once, then one or two of them. Where both
    are likely, a condition is changed rather than dropped.
    """
    found = [*_of_conditions(state, outlook, vocabulary), *_of_answers(state, outlook, vocabulary)]
    found = [change for change in found if change.odds > LIKELY]
    found = sorted(found, key=lambda change: -change.odds)[:_MOST]
    likely = {change.place: change for change in reversed(found) if change.odds > 0}
    changing = [change for change in found if change.odds > 0 and not change.drops]
    likely |= {change.place: change for change in reversed(changing)}
    ways = [
        list(likely.values()),
        *([one] for one in found),
        *map(list, combinations(found[:_PAIRED], 2)),
    ]
    made: set[str] = set()
    for way in ways:
        places = {change.place for change in way}
        operations = tuple(operation for change in way for operation in change.operations)
        if operations and len(places) == len(way) and repr(operations) not in made:
            made.add(repr(operations))
            yield EditAct(operations, features=_SIGN)


def _of_conditions(state: PlanState, outlook: Outlook, vocabulary: Vocabulary) -> Iterator[_Change]:
    for condition in state.filters:
        field = condition.field
        kept = max(outlook.odds(field, role) for role in _TESTS)
        yield _Change(-kept, field, (RemoveFilter(condition=condition),))
        opposite = denied(condition)
        if opposite is not None and not condition.range_filter:
            now, then = ("is not", "is") if _denies(condition) else ("is", "is not")
            odds = min(outlook.odds(field, then), -outlook.odds(field, now))
            yield _Change(odds, field, (ChangeFilter(affirmed(opposite), condition),))
        yield from _on_other_dates(condition, outlook, vocabulary)
    for odds, condition in foreseen_tests(outlook, vocabulary, ()):
        if condition not in state.filters:
            there = state.filtered(condition.field)
            operation = ChangeFilter(condition) if there else AddFilter(condition)
            yield _Change(odds, condition.field, (operation,))


def _denies(condition: BasicFilter) -> bool:
    return condition.negate != (condition.query is False)


def _on_other_dates(
    condition: BasicFilter, outlook: Outlook, vocabulary: Vocabulary
) -> Iterator[_Change]:
    """The same period on another date."""
    if not condition.is_date or condition.start_field or condition.end_field:
        return
    gone = -max(outlook.odds(condition.field, role) for role in ("from", "to"))
    for prop in vocabulary.properties:
        if prop.dated and prop.field != condition.field:
            wanted = max(outlook.odds(prop.field, role) for role in ("from", "to"))
            moved = condition.model_copy(update={"field": prop.field})
            yield _Change(min(gone, wanted), condition.field, (ChangeFilter(moved, condition),))


def _of_answers(state: PlanState, outlook: Outlook, vocabulary: Vocabulary) -> Iterator[_Change]:
    """Other groups, figures, orders and sorts of answer."""
    props = vocabulary.properties
    yield from _of_groups(state, outlook, vocabulary)
    computed = {(item.func, item.field) for item in state.measures}
    for odds, measure in figures_of_properties(outlook, props):
        if (measure.func, measure.field) not in computed:
            yield _Change(odds, "measure", (SetMeasures((measure,)),))
    listing: tuple[Operation, ...] = () if state.gives == "docs" else (ToDocuments(),)
    for role in ("down", "up"):
        for prop in outlook.likeliest(role, props) if outlook.wants("list") else ():
            operations = (*listing, SetSort(prop.field, None, role == "down"))
            yield _Change(outlook.odds(prop.field, role), "order", operations)
    for prop in outlook.likeliest("distinct", props)[:1]:
        yield _Change(outlook.odds(prop.field, "distinct"), "answer", (ListValues(prop.field),))
    if not state.counts:
        yield _Change(outlook.trait("count"), "answer", (ToCount(),))
    if listing:
        yield _Change(outlook.trait("list"), "answer", listing)
    if state.share is None and state.filters:
        yield _Change(outlook.trait("share"), "answer", (ToDocuments(), ShareOf(state.filters)))
    if state.limited:
        yield _Change(-outlook.trait("first"), "limit", (RemoveLimit(),))


def _of_groups(state: PlanState, outlook: Outlook, vocabulary: Vocabulary) -> Iterator[_Change]:
    """Groups by other properties; dates by the part of a date that the plan groups by."""
    if state.keys:
        yield _Change(-outlook.trait("groups"), "group", (RemoveGroup(),))
    keys = {source for key in state.keys for source in sources_of(key)}
    for prop in outlook.likeliest("group", vocabulary.properties):
        if prop.field not in keys:
            odds = outlook.odds(prop.field, "group")
            for key in _keys(prop.field, state) if prop.dated else [Key((prop.field,))]:
                yield _Change(odds, "group", (SetGroup(key),))


def _keys(field: str, state: PlanState) -> Iterable[Key]:
    """A date by the parts of dates that are grouped by."""
    steps: Sequence[object] = list(map(typed, state.draft.on_spine("GroupBy")))
    for step in steps:
        if isinstance(step, GroupBy):
            for key in state.keys:
                (source, *_), part = sources_of(key), key
                yield Key((part.replace(source, field),), step.bucket)
