"""Types of the meanings of words and phrases in the chart."""

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
class MoneyOf:
    """The amount to sum for words such as `revenue`, which name no property."""

    prop: Property
