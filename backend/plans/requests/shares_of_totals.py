"""Drops readings that pass over the whole of a share, or over `both`: `what share of the fees is
from Hill`, `how many towns had both ketches and sloops`.
"""

from collections.abc import Sequence

from backend.language.common_words import FREE
from backend.language.nouns import singular
from backend.language.words import words
from backend.plans.edits.draft import Draft
from backend.plans.reading.sorts import DECISIVE
from backend.plans.requests.choose import UNANSWERED, Candidate, ranked
from backend.plans.requests.plan_state import PlanState, state_of
from workbench.contract.plan_nodes import BasicFilter

_SHARES = frozenset({"share", "percentage", "percent", "proportion", "fraction"})
_QUANTITIES = frozenset({"all", "total", "whole", "entire", "overall"})


def of_the_whole(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without those that pass over what a share is of, or over `both`, if others do
    not.
    """
    if any(c.keeps_whole_groups for c in found) and "both" in words(found[0].plan.query.lower()):
        found = [c for c in found if c.keeps_whole_groups or not _passes_over_both(c)]
        return ranked(found, [candidate.score for candidate in found])
    if any(c.ranks_groups and not c.skipped for c in found):
        found = [c for c in found if c.ranks_groups or c.features.get("noun: named")]
    found = [c for c in found if not any(_reads_more(other, c) for other in found)]
    found = _without_turned_round(found)
    naming = [candidate for candidate in found if not passes_over_the_whole(candidate)]
    divides = any(c.plan.node(c.plan.result_node).node_type == "Math" for c in naming)
    kept = naming if divides else found
    return ranked(kept, [candidate.score for candidate in kept])


def _passes_over_both(candidate: Candidate) -> bool:
    return "both" in map(str.lower, candidate.skipped)


def _reads_more(other: Candidate, candidate: Candidate) -> bool:
    """Whether another likely reading, behind this one, skips less and uses a word of computing that
    this one skips: the `per` of `the most money per hire`.
    """
    passed = {*map(str.lower, candidate.skipped)} - {*map(str.lower, other.skipped)}
    less = {*other.skipped} < {*candidate.skipped}
    behind = 0 < other.score < candidate.score
    return less and behind and not DECISIVE.isdisjoint(passed)


def _without_turned_round(found: Sequence[Candidate]) -> Sequence[Candidate]:
    """The candidates without those that take what a share is of, `door` in `what percentage of door
    faults trapped someone`, as the part, if others take the rest.
    """
    whole = _whole(found[0].plan.query) if found else None
    if whole is None:
        return found
    states = [state_of(Draft.of(c.plan)) for c in found]
    return [
        c
        for c, one in zip(found, states, strict=True)
        if not any(_is_turned_round(one, other, whole) for other in states)
    ]


def _is_turned_round(one: PlanState, other: PlanState, whole: str) -> bool:
    if not one.share or not other.share or one.share == other.share:
        return False
    same = sorted(map(repr, one.filters)) == sorted(map(repr, other.filters))
    return same and _names(one.share, whole) and not _names(other.share, whole)


def _names(conditions: Sequence[BasicFilter], word: str) -> bool:
    values = (value for c in conditions for value in (c.query, *(c.values or ())))
    named = {part for value in values for part in words(str(value).lower())}
    return bool(named & {word, singular(word)})


def passes_over_the_whole(candidate: Candidate) -> bool:
    """Whether a reading skips the property that a share is of."""
    passed = {word.lower() for word in candidate.skipped}
    return bool(candidate.features.get(UNANSWERED)) and _whole(candidate.plan.query) in passed


def _whole(question: str) -> str | None:
    """`fees` in `what share of the fees …` and `of all fees, what share …`."""
    asked = words(question.lower())
    if _SHARES.isdisjoint(asked) or "of" not in asked:
        return None
    behind = asked[asked.index("of") + 1 :]
    return next((word for word in behind if word not in FREE and word not in _QUANTITIES), None)
