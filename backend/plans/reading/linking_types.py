"""Types of the meanings of words and phrases in the chart."""

from collections.abc import Mapping
from dataclasses import dataclass

from backend.plans.reading.properties import Property


@dataclass(frozen=True)
class Value:
    """Values of one property, as stored."""

    prop: Property
    values: tuple[str | int | float | bool, ...]


@dataclass(frozen=True)
class Degreed:
    """A property that an adjective measures, and whether more is meant."""

    prop: Property
    high: bool


@dataclass(frozen=True)
class Owed:
    """The amount that partial payments or deliveries add up to."""

    prop: Property


@dataclass(frozen=True)
class Lead:
    """The days before an event, since the preceding stage of a document."""

    days: Property


@dataclass(frozen=True)
class Known:
    """A single document that others are compared with: the field and value that name it, and all
    of its values by field.
    """

    field: str
    name: str
    row: Mapping[str, object]


@dataclass(frozen=True)
class Theme:
    """A phrase to look for in the texts; `spoken` after a verb of saying."""

    text: str
    spoken: bool
    denied: bool = False


@dataclass(frozen=True)
class MoneyOf:
    """The amount to sum for words such as `revenue`, which name no property."""

    prop: Property
