"""Drops readings that pass over the whole of a share: `what share of the fees is from Hill`."""

from collections.abc import Sequence

from backend.language.common_words import FREE
from backend.language.words import words
from backend.plans.requests.choose import UNANSWERED, Candidate, ranked

_SHARES = frozenset({"share", "percentage", "percent", "proportion", "fraction"})
_QUANTITIES = frozenset({"all", "total", "whole", "entire", "overall"})


def of_the_whole(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without those that pass over what a share is of, if others do not."""
    naming = [candidate for candidate in found if not passes_over_the_whole(candidate)]
    divides = any(c.plan.node(c.plan.result_node).node_type == "Math" for c in naming)
    if len(naming) == len(found) or not divides:
        return list(found)
    return ranked(naming, [candidate.score for candidate in naming])


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
