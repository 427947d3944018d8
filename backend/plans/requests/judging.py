"""Rates plans against their question with the network of `backend.inference.reading_judge`."""

import re
from collections.abc import Iterable, Sequence

from backend.inference.reading_judge import judge
from backend.inference.role_network import Column
from backend.plans.requests.offering import steps_of
from workbench.contract.plan import Plan


def judged(question: str, plans: Sequence[Plan], columns: Iterable[Column]) -> list[float]:
    """The log-odds of each plan against "none of them is meant"."""
    return judge().scores(question, plans_in_words(plans, columns))


def plans_in_words(plans: Sequence[Plan], columns: Iterable[Column]) -> list[str]:
    """Each plan as input of the judge: its steps, and the properties that they name.

    Example: “Keep where paid on is unknown | paid on: Day of payment”.
    """
    described = {one.label.lower(): one.description for one in columns if one.description}
    made: list[str] = []
    for plan in plans:
        text = "; ".join(steps_of(plan))
        low = text.lower()
        notes = [f"{name}: {described[name]}" for name in described
                 if re.search(rf"\b{re.escape(name)}\b", low)]  # fmt: skip
        made.append(" | ".join([text, *notes]))
    return made
