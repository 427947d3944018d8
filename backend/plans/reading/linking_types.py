"""What links of single words and phrases stand for in the chart."""

from dataclasses import dataclass

from backend.plans.reading.properties import Property


@dataclass(frozen=True)
class Value:
    """Values of one property, as documents hold them."""

    prop: Property
    values: tuple[str | int | float | bool, ...]


@dataclass(frozen=True)
class Degreed:
    """A property that an adjective measures, and whether more is meant."""

    prop: Property
    high: bool


@dataclass(frozen=True)
class Owed:
    """The amount that something is part of until it is complete."""

    prop: Property


@dataclass(frozen=True)
class Lead:
    """The days before an event, from the stage that documents go through before it."""

    days: Property


@dataclass(frozen=True)
class MoneyOf:
    """The amount that is added up for words such as `revenue`, which name no property."""

    prop: Property
