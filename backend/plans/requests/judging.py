"""Whether the plan that is to be taken fits the question, as a network judges that reads both.

The score of `choose` counts signs and knows no meaning. Where it is not sure of the plan that
`deciding` takes, that plan is put into words and judged beside the question
(`backend.inference.reading_judge`); where the judge finds it less likely than none, it is not
taken.
"""

import math
import re
from collections.abc import Sequence

from backend.inference.reading_judge import judge
from backend.plans.reading.properties import Property
from backend.plans.requests.choose import Candidate
from backend.plans.requests.offering import steps_of
from workbench.contract.plan import Plan

_SURE = 0.9
"""How likely a plan must be by its score not to be judged: judging changes nothing there."""
_WEIGHT = 0.45
"""What the judgement counts beside the score (`tests/bench/judge_weight.py`)."""
SHOWN = 2
"""So many ways to show what a plan finds are judged; the better one counts."""


def fits(
    question: str, best: Candidate, found: Sequence[Candidate], props: Sequence[Property]
) -> bool:
    """Whether the best plan is meant rather than none of them.

    Plans of which the score is sure are not judged, nor are those that ask what texts say: of that
    the judge knows nothing.
    """
    if is_sure(best.likely) or _asks_texts(best.plan):
        return True
    plans = [best.plan, *(c.plan for c in found if c.core == best.core and c is not best)]
    score = max(judge().scores(question, plans_in_words(plans[:SHOWN], props)))
    return is_meant(best.likely, score)


def is_sure(likely: float) -> bool:
    """Whether a plan is so likely by its score that it is not judged."""
    return likely >= _SURE


def is_meant(likely: float, score: float, weight: float = _WEIGHT) -> bool:
    """Whether score and judgement together find a plan likelier than none."""
    return math.log(likely / (1 - likely)) + weight * score >= 0


def _asks_texts(plan: Plan) -> bool:
    return any(node.node_type.startswith("Llm") for node in plan.nodes.values())


def plans_in_words(plans: Sequence[Plan], props: Sequence[Property]) -> list[str]:
    """Each plan as the judge reads it: its steps, and what is known of the properties they name.

    Example: “Keep where paid on is unknown | paid on: Day of payment”.
    """
    described = {prop.label.lower(): prop.description for prop in props if prop.description}
    made: list[str] = []
    for plan in plans:
        text = "; ".join(steps_of(plan))
        low = text.lower()
        notes = [f"{name}: {described[name]}" for name in described
                 if re.search(rf"\b{re.escape(name)}\b", low)]  # fmt: skip
        made.append(" | ".join([text, *notes]))
    return made
