"""The operations that all requests come down to, from questions and from feedback alike.

Each is a value that says what to do; `edits` carries it out. Whatever proposes edits, a grammar or
a language model, can only propose these.
"""

from dataclasses import dataclass
from typing import Literal

from backend.plans.reading.phrasing import Bound, Key, Measure
from workbench.contract.plan_nodes import BasicFilter
from workbench.contract.search import QueryType


@dataclass(frozen=True)
class AddFilter:
    """Keep what matches. A filter of the same property is narrowed or replaced rather than
    contradicted; with `together` both stay, as a multi-valued property can match both. With
    `behind` it is a condition on the documents that the limit of the plan left.
    """

    condition: BasicFilter
    together: bool = False
    behind: bool = False


@dataclass(frozen=True)
class WidenFilter:
    """Include more values of a filtered property; with `through` also everything between."""

    condition: BasicFilter
    through: bool = False


@dataclass(frozen=True)
class ChangeFilter:
    """Replace the filter for `old`, or the one on the same property."""

    new: BasicFilter
    old: BasicFilter | None = None


@dataclass(frozen=True)
class RemoveFilter:
    """Remove filters: of a property, of some values, by position, all, or the only one."""

    field: str | None = None
    condition: BasicFilter | None = None
    ordinal: int | None = None
    every: bool = False
    words: str = ""


@dataclass(frozen=True)
class EitherFilter:
    """Require only one of the two conditions of the plan."""


@dataclass(frozen=True)
class KeepGroups:
    """Keep groups whose measure matches."""

    bound: Bound
    low: float
    high: float | None = None


@dataclass(frozen=True)
class SetGroup:
    """Group by a key; with `add`, in addition to the present one."""

    key: Key
    add: bool = False


@dataclass(frozen=True)
class RemoveGroup:
    """One answer over all documents instead of one for each group. Of several keys only `field`
    is removed if it is one of them.
    """

    field: str | None = None


@dataclass(frozen=True)
class SetMeasures:
    """Compute these numbers; with `add`, in addition to the present ones."""

    measures: tuple[Measure, ...]
    add: bool = False


@dataclass(frozen=True)
class RemoveMeasure:
    measure: Measure


@dataclass(frozen=True)
class SetLimit:
    """Keep `count` lines, or that many for each value of the fields `per`. `end` last and bottom
    take them from the other end of the order. `ties` also keeps lines that tie with the last one.
    `skip` lines are passed over first: with 1 the second line is the first that is kept. With
    `beneath` a number stays, and only this many of its documents are left.
    """

    count: int
    end: Literal["first", "last", "top", "bottom"] = "first"
    per: tuple[str, ...] = ()
    ties: bool = False
    skip: int = 0
    beneath: bool = False


@dataclass(frozen=True)
class RemoveLimit:
    pass


@dataclass(frozen=True)
class SetSort:
    """Sort by a field or a measure; without both, change the present direction. `then` are further
    fields of documents, each with its `descending`; with `beneath` a number stays, and its
    documents are sorted.
    """

    field: str | None = None
    measure: Measure | None = None
    descending: bool | None = None
    then: tuple[tuple[str, bool], ...] = ()
    beneath: bool = False


@dataclass(frozen=True)
class ReverseSort:
    pass


@dataclass(frozen=True)
class RemoveSort:
    pass


@dataclass(frozen=True)
class ToCount:
    """The number of matching documents, or of distinct values of a field."""

    distinct_field: str | None = None


@dataclass(frozen=True)
class CountGroups:
    """The number of remaining groups."""


@dataclass(frozen=True)
class ToDocuments:
    """The documents themselves instead of numbers or texts about them."""


@dataclass(frozen=True)
class ListValues:
    """The distinct values of a field."""

    field: str


@dataclass(frozen=True)
class ShowFields:
    """Only some fields of each document; with `add`, in addition to those shown."""

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
    """Read a new property from the text."""

    question: str
    new_field: str
    kind: str = "string"


@dataclass(frozen=True)
class Summarise:
    """Summarise the result."""

    question: str


@dataclass(frozen=True)
class SetSource:
    """Search documents by text; without `text`, by the present text or the question. Without
    `kind`, read all documents.
    """

    kind: QueryType | None
    text: str | None = None


@dataclass(frozen=True)
class ShareOf:
    """The share of documents that match `part` among those that match the rest."""

    part: tuple[BasicFilter, ...]
    base: tuple[BasicFilter, ...] = ()


@dataclass(frozen=True)
class Difference:
    """The same number for two conditions, subtracted or divided; with `second`, two numbers of the
    same documents.
    """

    left: tuple[BasicFilter, ...]
    right: tuple[BasicFilter, ...]
    measure: Measure
    operation: Literal["subtract", "divide"] = "subtract"
    second: Measure | None = None


@dataclass(frozen=True)
class InExtremeGroups:
    """Keep documents of the groups that rank first by a measure."""

    field: str
    measure: Measure
    count: int = 1
    descending: bool = True


@dataclass(frozen=True)
class AsInAnswer:
    """Keep documents whose value of a field is one of those in the current answer: that of its
    groups, or of its documents.
    """

    field: str


@dataclass(frozen=True)
class SameAs:
    """Keep documents that share a value of a field with those that match a condition."""

    field: str
    of: BasicFilter


Operation = (
    AddFilter | WidenFilter | ChangeFilter | RemoveFilter | EitherFilter | KeepGroups | SetGroup
    | RemoveGroup | SetMeasures | RemoveMeasure | SetLimit | RemoveLimit | SetSort | ReverseSort
    | RemoveSort | ToCount | CountGroups | ToDocuments | ListValues | ShowFields | RemoveStep
    | JudgeText | ExtractField | Summarise | SetSource | ShareOf | Difference | InExtremeGroups
    | AsInAnswer | SameAs
)  # fmt: skip


def op_name(operation: Operation) -> str:
    """The name of an operation in reports, for instance `add_filter`."""
    name = type(operation).__name__
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
