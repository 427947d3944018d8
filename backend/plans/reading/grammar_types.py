"""What phrases of a request mean, and how constructions are added to the grammar."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from backend.plans.reading.chart import Construction
from backend.plans.reading.phrasing import Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property

CONSTRUCTIONS: list[Construction] = []
"""All constructions but words; the modules of the grammar fill it when they are imported."""
COUNT = Measure("count")
_Part = TypeVar("_Part")


@overload
def first_of(parts: Sequence[Any], kind: type[_Part]) -> _Part | None: ...
@overload
def first_of(parts: Sequence[Any], kind: type[_Part], default: _Part) -> _Part: ...
def first_of(parts: Sequence[Any], kind: type[Any], default: Any = None) -> Any:
    """The first part of a construction that is of a kind, otherwise the default."""
    return next((part for part in parts if isinstance(part, kind)), default)


def part_of(parts: Sequence[Any], kind: type[_Part]) -> _Part:
    """The first part of a construction that is of a kind, where every pattern has one."""
    return next(part for part in parts if isinstance(part, kind))


@dataclass(frozen=True)
class Limits:
    """What a number is compared with: `more than 5`, `between 5 and 10`."""

    op: str
    value: Quantity
    upper: Quantity | None = None


@dataclass(frozen=True)
class Columns:
    """Properties that are to be shown; `distinct` asks for each value once."""

    props: tuple[Property, ...]
    distinct: bool = False


@dataclass(frozen=True)
class Sorting:
    """An order by properties or a measure; without both, by what is shown, `by_value` by the number
    of each group rather than its key. `then` orders what is equal so far.
    """

    props: tuple[Property, ...] = ()
    measure: Measure | None = None
    descending: bool | None = None
    then: tuple["Sorting", ...] = ()
    by_value: bool = False


@dataclass(frozen=True)
class First:
    """The documents that come first by a property."""

    prop: Property
    high: bool
    count: int = 1


@dataclass(frozen=True)
class FirstGroups:
    """The groups that come first by a measure."""

    measure: Measure
    high: bool
    count: int = 1


@dataclass(frozen=True)
class Part:
    """How many are wanted: `top 5`, `the first three`. `high` when the words say the best ones."""

    count: int
    high: bool | None = None


@dataclass(frozen=True)
class Newest:
    """The documents that come first or last by a date that is not named; `when` asks for the date
    itself.
    """

    high: bool
    count: int = 1
    when: bool = False


def makes(kind: str, *patterns: str, example: str, weight: str = "") -> Callable[..., Any]:
    """Adds a construction for each pattern. `weight` names a feature that several share; without
    one each pattern has its own.
    """

    def add(build: Callable[..., Any]) -> Callable[..., Any]:
        CONSTRUCTIONS.extend(Construction(kind, p, build, example, weight) for p in patterns)
        return build

    return add
