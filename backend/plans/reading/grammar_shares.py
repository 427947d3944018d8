"""Constructions of shares: of the documents, or of a sum over them."""

from typing import Any

from backend.plans.reading.chart import Beside
from backend.plans.reading.grammar_types import COUNT, makes
from backend.plans.reading.phrasing import Measure
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter

_SHARE = "share|percentage|percent|proportion|fraction"


@makes(
    "Share",
    f"{_SHARE} of? Noun Be?",
    f"{_SHARE} of? Noun that|which|who? Be?",
    f"{_SHARE} of them Be?",
    "how many percent of Noun Be?",
    "how large|big share of Noun Be?",
    example="share of boats",
    weight="share",
)
def _of_documents(*_: Any) -> Measure:
    return COUNT


@makes(
    "Share",
    f"what|which {_SHARE} Be?",
    f"{_SHARE} of all?",
    ",? in percent",
    example="what share",
    weight="share: of what is meant",
)
def _of_what_is_meant(*_: Any) -> Measure:
    return COUNT


@makes("Share", f"{_SHARE} Cond of|among", example="percent licensed of", weight="share")
def _of_those(part: Any) -> Beside | None:
    """The part comes first here: `percent licensed of the Ashby boats`."""
    return Beside(COUNT, part) if isinstance(part, BasicFilter) else None


@makes(
    "Share",
    f"{_SHARE} of Prop",
    f"{_SHARE} of total|overall|whole|entire Prop",
    f"{_SHARE} of Measures",
    "how much of total|overall|whole? Prop",
    example="share of the total price",
    weight="share",
)
def _of_sum(whole: Any) -> Measure | None:
    if isinstance(whole, Property):
        return Measure("sum", whole.field) if whole.numeric and not whole.key else None
    return whole[0] if len(whole) == 1 and whole[0].func in ("sum", "count") else None
