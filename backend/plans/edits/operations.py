"""The operations that every request comes down to, made from a question or from feedback alike.

Each is a value that says what to do; `edits` knows how. Anything that proposes edits, a grammar or
a language model, can only propose these.
"""

from dataclasses import dataclass
from typing import Literal

from backend.plans.reading.phrasing import Bound, Key, Measure
from workbench.contract.plan_nodes import BasicFilter
from workbench.contract.search import QueryType


@dataclass(frozen=True)
class AddFilter:
    """Keep what fits. A filter of the same property is narrowed or replaced rather than
    contradicted; with `together` both stand, as a property of several values can fit both.
    """

    condition: BasicFilter
    together: bool = False


@dataclass(frozen=True)
class WidenFilter:
    """Let in more values of a property that is filtered already; with `through` all between too."""

    condition: BasicFilter
    through: bool = False


@dataclass(frozen=True)
class ChangeFilter:
    """Put a condition in the place of the filter for `old`, or of the one of the same property."""

    new: BasicFilter
    old: BasicFilter | None = None


@dataclass(frozen=True)
class RemoveFilter:
    """Remove filters: of a property, of some values, by number, all, or the only one."""

    field: str | None = None
    condition: BasicFilter | None = None
    ordinal: int | None = None
    every: bool = False
    words: str = ""


@dataclass(frozen=True)
class EitherFilter:
    """Of the two conditions of the plan one is enough."""


@dataclass(frozen=True)
class KeepGroups:
    """Keep groups whose measure fits."""

    bound: Bound
    low: float
    high: float | None = None


@dataclass(frozen=True)
class SetGroup:
    """Group by a key; with `add`, by it as well as by the present one."""

    key: Key
    add: bool = False


@dataclass(frozen=True)
class RemoveGroup:
    """One answer over all documents instead of one for each group; of several keys only `field`
    goes when it is one of them.
    """

    field: str | None = None


@dataclass(frozen=True)
class SetMeasures:
    """Compute these numbers; with `add`, besides the present ones."""

    measures: tuple[Measure, ...]
    add: bool = False


@dataclass(frozen=True)
class RemoveMeasure:
    measure: Measure


@dataclass(frozen=True)
class SetLimit:
    """Keep so many, with `per` of each value of those fields. `end` last and bottom take them from
    the other end of the order. `ties` also keeps what is equal to the last one.
    """

    count: int
    end: Literal["first", "last", "top", "bottom"] = "first"
    per: tuple[str, ...] = ()
    ties: bool = False


@dataclass(frozen=True)
class RemoveLimit:
    pass


@dataclass(frozen=True)
class SetSort:
    """Sort by a field or a measure; without both, turn the present order. `then` are further
    fields of documents, each with whether it goes down.
    """

    field: str | None = None
    measure: Measure | None = None
    descending: bool | None = None
    then: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True)
class ReverseSort:
    pass


@dataclass(frozen=True)
class RemoveSort:
    pass


@dataclass(frozen=True)
class ToCount:
    """The number of what fits, or of different values of a field."""

    distinct_field: str | None = None


@dataclass(frozen=True)
class CountGroups:
    """The number of groups that are left."""


@dataclass(frozen=True)
class ToDocuments:
    """The documents themselves instead of numbers or texts about them."""


@dataclass(frozen=True)
class ListValues:
    """The different values of a field."""

    field: str


@dataclass(frozen=True)
class ShowFields:
    """Only some fields of each document; with `add`, these besides those that are shown."""

    fields: tuple[str, ...]
    add: bool = False


@dataclass(frozen=True)
class RemoveStep:
    """Remove all steps of some types."""

    types: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class JudgeText:
    """Keep documents whose text answers a question with yes."""

    question: str


@dataclass(frozen=True)
class ExtractField:
    """Read a new property out of the text."""

    question: str
    new_field: str
    kind: str = "string"


@dataclass(frozen=True)
class Summarise:
    """Sum up what the plan gives."""

    question: str


@dataclass(frozen=True)
class SetSource:
    """Find documents by a text query; without text, by the present one or the question. Without a
    kind read all documents.
    """

    kind: QueryType | None
    text: str | None = None


@dataclass(frozen=True)
class ShareOf:
    """The share of documents that fit `part` among those that fit the rest."""

    part: tuple[BasicFilter, ...]
    base: tuple[BasicFilter, ...] = ()


@dataclass(frozen=True)
class Difference:
    """The same number for two conditions, one less the other, or divided by it; with `second` two
    numbers of the same documents.
    """

    left: tuple[BasicFilter, ...]
    right: tuple[BasicFilter, ...]
    measure: Measure
    operation: Literal["subtract", "divide"] = "subtract"
    second: Measure | None = None


@dataclass(frozen=True)
class InExtremeGroups:
    """Keep documents of the groups that come first by a measure."""

    field: str
    measure: Measure
    count: int = 1
    descending: bool = True


@dataclass(frozen=True)
class SameAs:
    """Keep documents that share a field with those that fit a condition."""

    field: str
    of: BasicFilter


Operation = (
    AddFilter | WidenFilter | ChangeFilter | RemoveFilter | EitherFilter | KeepGroups | SetGroup
    | RemoveGroup | SetMeasures | RemoveMeasure | SetLimit | RemoveLimit | SetSort | ReverseSort
    | RemoveSort | ToCount | CountGroups | ToDocuments | ListValues | ShowFields | RemoveStep
    | JudgeText | ExtractField | Summarise | SetSource | ShareOf | Difference | InExtremeGroups
    | SameAs
)  # fmt: skip


def op_name(operation: Operation) -> str:
    """The name of an operation in reports, for instance `add_filter`."""
    name = type(operation).__name__
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
