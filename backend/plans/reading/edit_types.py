"""Types for what only follow-ups ask for, and the registration of their constructions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from backend.plans.reading.chart import Construction
from backend.plans.reading.linking_types import Value
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter
from workbench.contract.search import QueryType

EDITS: list[Construction] = []
"""The constructions of follow-ups; the modules with them fill it on import."""


@dataclass(frozen=True)
class Gone:
    """Something unwanted. `firm` if the words ask to remove it (`drop the limit`) and do not just
    mention it as replaced (`rather than the limit`).
    """

    what: Literal[
        "condition",
        "field",
        "step",
        "measure",
        "fields",
        "number",
        "order",
        "form",
        "value",
        "dates",
        "it",
        "bound",
        "nth",
        "all but",
        "text",
        "groups",
        "time",
    ]
    value: Any
    firm: bool = True


@dataclass(frozen=True)
class Turned:
    """One end of the current order or numbers: `the smallest?`, `highest first`; `count` is 0 if
    only the order is meant. `asked` if a question asks for that one: `which comes first?`
    """

    high: bool
    count: int = 1
    asked: bool = False


@dataclass(frozen=True)
class Amount:
    """A number without context: `make it 10`; with `prop` one of its conditions: `raise the price
    limit to 10`. `bound` if the words ask for a condition, `lines` if they ask for so many lines.
    """

    value: Quantity
    prop: Property | None = None
    bound: bool = False
    lines: bool = False


@dataclass(frozen=True)
class Shift:
    """A number relative to that of the plan: `factor` times it, plus `step`. `way` is up, down,
    tighter or looser; `prop` restricts it to the conditions on that.
    """

    way: Literal["up", "down", "tighter", "looser"]
    step: Quantity | None = None
    factor: float = 1.0
    prop: Property | None = None


@dataclass(frozen=True)
class Sided:
    """The side of a bound with the wanted values: `below, not above`. `beside` if what the plan
    finds now stays: `and after`.
    """

    op: str
    beside: bool = False


@dataclass(frozen=True)
class Form:
    """The form of the answer: the documents, all of them, the reverse order, what it is, or the
    number of distinct values shown; `there` if the words refer to the previous answer; its share of
    the whole; a count for each value shown.
    """

    kind: Literal[
        "documents", "whole", "reversed", "others", "same", "distinct", "there", "share", "each",
    ]  # fmt: skip


@dataclass(frozen=True)
class TextStep:
    """A step over the texts: a summary, or a `search` of some kind for a `text`, if given."""

    what: Literal["summary", "search"]
    search: QueryType | None = None
    text: str | None = None


@dataclass(frozen=True)
class Alternative:
    """A further condition of which one suffices, or a further number: `or 6`."""

    value: BasicFilter | Quantity


@dataclass(frozen=True)
class Against:
    """Another value beside that of the plan: `compare with Brack`."""

    value: Value


def edits(kind: str, *patterns: str, example: str, weight: str = "") -> Callable[..., Any]:
    """Adds a construction for each pattern, as `makes` does for questions."""

    def add(build: Callable[..., Any]) -> Callable[..., Any]:
        EDITS.extend(Construction(kind, p, build, example, weight) for p in patterns)
        return build

    return add
