"""How well edits agree with what a network predicts of a follow-up.

The network reads the words beside what the plan before does with each property, and predicts what
the plan does after them. The score of `follow_ups` counts features and knows no meaning; together
they give each edit a probability.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from backend.inference.role_network import network
from backend.plans.reading.sorts import DECISIVE
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.agreement import agreement, likeliest_first, shared
from backend.plans.requests.choose import Candidate
from backend.plans.requests.deciding import ACCEPTED
from backend.plans.requests.outlook import Outlook, columns_of, outlook, standing_of
from backend.plans.requests.roles import roles_of
from workbench.contract.plan import Plan

_WEIGHTS = np.array([0.676, 0.156, 0.137, 0.311, 0.196, -0.24, 0.183, 0.111, 0.444, -0.818, -0.494])
"""The weights of the features (`tests/bench/role_weights.py`)."""
_SURE = 0.95
"""An edit this probable by its score alone needs no network."""
_TALK = 5
"""A follow-up with this many skipped words is mostly talk, unknown to the network."""
_DECISIVE = DECISIVE | {"compare", "compared", "sort", "sorted"}
"""Words that say how to compute, compare or sort, which the network does not understand."""

Rows = npt.NDArray[np.float64]


def foresee_edit(
    feedback: str, before: Plan, found: Sequence[Candidate], vocabulary: Vocabulary
) -> Outlook | None:
    """The network's prediction for a follow-up. None if the score alone is certain, if the
    follow-up is too long or mostly talk, and if the likeliest edit uses a decisive word that others
    skip.
    """
    best = found[0] if found else None
    if best is not None and (
        best.likely >= _SURE or len(best.skipped) >= _TALK or _reads_more(best, found)
    ):
        return None
    noun, now = vocabulary.collection.name, standing_of(before)
    if not network().reads_whole(feedback, noun, now.traits):
        return None
    columns = columns_of(feedback, vocabulary, now)
    used = [*now.roles.of, *(field for c in found for field in roles_of(c.plan).of)]
    return outlook(feedback, noun, columns, used, now.traits)


def _reads_more(best: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether an edit that is likely by its score uses a decisive word that others skip."""
    passed = {word.lower() for c in found for word in c.skipped} & _DECISIVE
    return best.likely >= ACCEPTED and bool(passed.difference(map(str.lower, best.skipped)))


def agreeing_edits(found: Sequence[Candidate], foreseen: Outlook | None) -> list[Candidate]:
    """The edits with their probability by score and agreement, the likeliest first."""
    if foreseen is None or not found:
        return list(found)
    return likeliest_first(found, edit_signs(found, foreseen) @ _WEIGHTS, _DECISIVE)


def edit_signs(found: Sequence[Candidate], foreseen: Outlook) -> Rows:
    """A row for each edit: score, agreement, whether built from the prediction, a constant."""
    rows = [[c.score, *agreement(c.plan, foreseen), c.foreseen, 1.0] for c in found]
    return shared(np.array(rows, dtype=float), found)
