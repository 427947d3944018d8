"""How well edits agree with what a network foresees of a follow-up, beside their score.

The network reads the words, what the plan before does with each property, and says what is wanted
after them. The score of `follow_ups` counts signs and knows no meaning; both together say how
likely each edit is.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from backend.inference.role_network import network
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.agreement import agreement, bounded, by_grammar, shared
from backend.plans.requests.choose import Candidate, ranked
from backend.plans.requests.deciding import DECISIVE, TAKEN
from backend.plans.requests.outlook import Outlook, columns_of, outlook, standing_of
from backend.plans.requests.roles import roles_of
from workbench.contract.plan import Plan

_WEIGHTS = np.array([0.676, 0.156, 0.137, 0.311, 0.196, -0.24, 0.183, 0.111, 0.444, -0.818, -0.494])
"""What each of the signs counts (`tests/bench/role_weights.py`)."""
_SURE = 0.95
"""An edit so likely by its score alone is nothing to ask the network about."""
_TALK = 5
"""A follow-up of which so many words are passed over is mostly talk, which the network has not
learned to read.
"""
_EDITING = frozenset({"compare", "compared", "sort", "sorted"})
"""Words that say what to do with the plan: an edit without it is no better than its score."""

Rows = npt.NDArray[np.float64]


def foresee_edit(
    feedback: str, before: Plan, found: Sequence[Candidate], vocabulary: Vocabulary
) -> Outlook | None:
    """What the network foresees of a follow-up; None where the score alone is sure, where the
    network cannot read the follow-up, and where the likeliest edit reads a decisive word
    that others pass over: networks do not know how things are compared or computed.
    """
    best, noun, now = found[0] if found else None, vocabulary.collection.name, standing_of(before)
    if best is not None and (best.likely >= _SURE or _reads_more(best, found)):
        return None
    if best is not None and len(best.skipped) >= _TALK:
        return None
    if not network().reads_whole(feedback, noun, now.traits):
        return None
    columns = columns_of(feedback, vocabulary, now)
    used = [*now.roles.of, *(field for c in found for field in roles_of(c.plan).of)]
    return outlook(feedback, noun, columns, used, now.traits)


def _reads_more(best: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether an edit that is likely by its score reads a decisive word that others pass over."""
    passed = {word.lower() for c in found for word in c.skipped} & (DECISIVE | _EDITING)
    return best.likely >= TAKEN and bool(passed.difference(map(str.lower, best.skipped)))


def agreeing_edits(found: Sequence[Candidate], foreseen: Outlook | None) -> list[Candidate]:
    """The edits with how likely each is by score and agreement, the likeliest first."""
    if foreseen is None or not found:
        return list(found)
    was = {c.core: 0.0 for c in found} | {c.core: c.likely for c in found if not c.foreseen}
    worth = by_grammar(edit_signs(found, foreseen) @ _WEIGHTS, found)
    best_first = ranked(found, worth)
    return [replace(c, likely=_bounded(c, was[c.core], found)) for c in best_first]


def _bounded(candidate: Candidate, was: float, found: Sequence[Candidate]) -> float:
    likely = bounded(candidate, was, found)
    passes = not _EDITING.isdisjoint(map(str.lower, candidate.skipped))
    return min(likely, was) if passes else likely


def edit_signs(found: Sequence[Candidate], foreseen: Outlook) -> Rows:
    """A row for each edit: its score, how its plan agrees with what was foreseen, whether it was
    made of that, and a constant.
    """
    rows = [[c.score, *agreement(c.plan, foreseen), c.foreseen, 1.0] for c in found]
    return shared(np.array(rows, dtype=float), found)
