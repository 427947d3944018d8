"""Types for the meanings of phrases, and the registration of constructions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, overload

from backend.plans.reading.chart import Construction
from backend.plans.reading.phrasing import Bound, Key, Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter

CONSTRUCTIONS: list[Construction] = []
"""All constructions except words; the grammar modules fill it on import."""
COUNT = Measure("count")
_Part = TypeVar("_Part")


@overload
def first_of(parts: Sequence[Any], kind: type[_Part]) -> _Part | None: ...
@overload
def first_of(parts: Sequence[Any], kind: type[_Part], default: _Part) -> _Part: ...
def first_of(parts: Sequence[Any], kind: type[Any], default: Any = None) -> Any:
    """The first part of a construction with this type, or the default."""
    return next((part for part in parts if isinstance(part, kind)), default)


def part_of(parts: Sequence[Any], kind: type[_Part]) -> _Part:
    """The first part of a construction with this type, which every pattern has."""
    return next(part for part in parts if isinstance(part, kind))


@dataclass(frozen=True)
class Limits:
    """What a number is compared with: `more than 5`, `between 5 and 10`; the operation of a range
    whose ends do not belong to it names both sides, as in `gt lt`.
    """

    op: str
    value: Quantity
    upper: Quantity | None = None


@dataclass(frozen=True)
class Columns:
    """Properties to show; `distinct` asks for each value once."""

    props: tuple[Property, ...]
    distinct: bool = False


@dataclass(frozen=True)
class Sorting:
    """An order by properties or a measure; with neither, by what is shown. `by_value` sorts groups
    by their number instead of their key. `then` breaks ties.
    """

    props: tuple[Property, ...] = ()
    measure: Measure | None = None
    descending: bool | None = None
    then: tuple["Sorting", ...] = ()
    by_value: bool = False


@dataclass(frozen=True)
class First:
    """The documents that rank first by a property, behind `skip` others."""

    prop: Property
    high: bool
    count: int = 1
    skip: int = 0


@dataclass(frozen=True)
class FirstGroups:
    """The groups that rank first by a measure, behind `skip` others; `key` are the groups if the
    words name them: `the busiest month`.
    """

    measure: Measure
    high: bool
    count: int = 1
    skip: int = 0
    key: Key | None = None


@dataclass(frozen=True)
class Part:
    """The number of wanted items: `top 5`, `the first three`. `high` if the words ask for
    the best. In follow-ups `the second` is one item behind `skip` others.
    """

    count: int
    high: bool | None = None
    skip: int = 0


@dataclass(frozen=True)
class Newest:
    """The first or last documents by an unnamed date, behind `skip` others; `when` asks for the
    date itself.
    """

    high: bool
    count: int = 1
    when: bool = False
    skip: int = 0


@dataclass(frozen=True)
class HavingOf:
    """A condition on the number of documents of a group that meet further conditions."""

    bound: Bound
    conditions: tuple[BasicFilter, ...]


@dataclass(frozen=True)
class Whole:
    """The groups of a field of which all documents match, or none does; or that have documents of
    both kinds, whatever the field is.
    """

    matching: Literal["all", "none", "both"]
    field: str | None = None


@dataclass(frozen=True)
class SameOne:
    """Documents that share the value of a field with the one that a condition names."""

    field: str
    of: BasicFilter


@dataclass(frozen=True)
class Contrast:
    """How two groups or numbers are compared: subtracted, divided, beside each other, or by which
    has more. `measure` is what is compared if the words say so; `turned` subtracts the first from
    the second, and `in_time` the earlier of two times from the later one, whichever is named first.
    One that is `joined` is the verb of another, as in `by how much does … exceed …`.
    """

    way: Literal["subtract", "divide", "beside", "more"]
    measure: Measure | None = None
    turned: bool = False
    in_time: bool = False
    joined: bool = False


def makes(kind: str, *patterns: str, example: str, weight: str = "") -> Callable[..., Any]:
    """Adds a construction for each pattern. `weight` names a feature that several share; without it
    each pattern has its own.
    """

    def add(build: Callable[..., Any]) -> Callable[..., Any]:
        CONSTRUCTIONS.extend(Construction(kind, p, build, example, weight) for p in patterns)
        return build

    return add
