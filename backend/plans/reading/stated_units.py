"""Finds the property of a number whose unit does not fit the named one, or fits only one: `follow
patients for longer than 36 weeks`, `narrower than 5 inches`.
"""

from backend.language.units import convert, measure_of
from backend.plans.reading.cascade import Reader
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.properties import Property


def in_unit(prop: Property, number: Quantity) -> float | None:
    """A number in the unit of a property; None if the units are incompatible."""
    if number.unit == "pct" and prop.unit is None and prop.high is not None and prop.high <= 1:
        return number.value / 100
    return convert(number.value, number.unit, number.scaled, prop.unit)


def stated_in(reader: Reader, prop: Property, number: Piece) -> Property:
    """`follow their patients for longer than 36 weeks`: a number of people is never in weeks, but
    one other property is.
    """
    unit = getattr(number.load, "unit", None)
    if unit is None or prop.unit is not None or measure_of(unit) in ("money", "share", None):
        return prop
    others = [
        other
        for other in reader.vocabulary.properties
        if other.unit is not None and measure_of(other.unit.name) == measure_of(unit)
    ]
    same = [other for other in others if other.unit is not None and other.unit.name == unit]
    others = same if len(others) > 1 else others
    return others[0] if len(others) == 1 and prop.kind == "int" else prop


def in_that_unit(reader: Reader, number: Piece) -> Property | None:
    """`narrower than 5 inches`, if one property is in inches and the others are in feet."""
    unit = number.load.unit
    if unit is None or measure_of(unit) not in ("length", "area", "mass"):
        return None
    properties = [
        p for p in reader.vocabulary.properties if p.unit is not None and p.unit.name == unit
    ]
    return properties[0] if len(properties) == 1 else None


def measured_so(reader: Reader, prop: Property, number: Piece) -> Property | None:
    """The property if it measures in the unit of the number, or the only one with exactly that
    unit: `longer than 500 days` is no tenure in years if something is in days.
    """
    if prop.unit is None or measure_of(prop.unit.name) != measure_of(number.load.unit):
        return None
    if prop.unit.name == number.load.unit:
        return prop
    properties = reader.vocabulary.properties
    same = [p for p in properties if p.unit is not None and p.unit.name == number.load.unit]
    return same[0] if len(same) == 1 else prop
