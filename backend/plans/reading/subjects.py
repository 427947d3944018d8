"""Decides which property a number, date, value or adjective refers to."""

from collections.abc import Sequence

from backend.language.adjectives import ALSO_CALLED, COMPARATIVES
from backend.language.dates import Span
from backend.language.units import Unit, convert, measure_of
from backend.language.words import stem
from backend.plans.reading.amounts import money
from backend.plans.reading.cascade import Reader, Unclear
from backend.plans.reading.comparing import one_of
from backend.plans.reading.moments import moment
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.stated_units import in_unit
from backend.plans.tables.value_index import FieldValue
from workbench.contract.plan_nodes import BasicFilter

_HINTED_MEASURES = {
    "speed": "speed", "duration": "time", "weight": "mass", "price": "money",
    "temperature": "temperature", "length": "length", "height": "length", "depth": "length",
    "width": "length", "thickness": "length", "distance": "length",
}  # fmt: skip


def number_of(reader: Reader, piece: Piece, prop: Property) -> float:
    """The number of a piece in the unit of the property; Unclear if units do not match."""
    quantity = piece.load
    if isinstance(quantity, Span):
        return float(quantity.year or 0)
    assert isinstance(quantity, Quantity)
    value = in_unit(prop, quantity)
    if value is None:
        words = reader.words([piece])
        raise Unclear("wrong_type", words, f"{prop.label} is not measured in “{words}”")
    if quantity.each is not None and prop.each is not None and quantity.each != prop.each:
        turned = convert(1.0, prop.each, False, Unit(quantity.each))
        value *= turned or 1.0  # "200k a year" of a monthly rent
    return round(value, 9)


def is_number(piece: Piece) -> bool:
    return piece.tag == "N" or (piece.tag == "D" and piece.load.year is not None)


def by_unit(reader: Reader, piece: Piece) -> Property | None:
    """The only numeric property compatible with the unit of a number."""
    quantity = piece.load
    if not isinstance(quantity, Quantity) or quantity.unit is None:
        return None
    wanted = measure_of(quantity.unit)
    properties = [
        prop
        for prop in reader.vocabulary.properties
        if prop.unit is not None and prop.unit.name and measure_of(prop.unit.name) == wanted
    ]
    used = [prop for prop in properties if prop.field in reader.in_use]
    if len(used) != 1 and wanted != "money":
        # "over 20 km" is a length in km rather than a climb in m
        same = [prop for prop in properties if prop.unit and prop.unit.name == quantity.unit]
        properties = same if len(same) == 1 else properties
    if len(properties) != 1 and len(used) != 1 and wanted == "money":
        likely = money(reader.vocabulary)
        used = [] if likely is None else [likely]
        if likely is not None:
            reader.assume(f"took “{reader.words([piece])}” to be about {likely.label}")
    if len(properties) > 1 and len(used) != 1:
        words = reader.words([piece])
        names = [prop.label for prop in properties]
        raise Unclear(
            "ambiguous", words, f"“{words}” may be about {', '.join(names)}: say which", names
        )
    return next(iter(used or properties), None)


def common_fields(lists: Sequence[Sequence[FieldValue]]) -> list[str]:
    """Fields that contain one value of each list."""
    shared = [dict.fromkeys(field for field, _ in pairs) for pairs in lists]
    return [field for field in shared[0] if all(field in other for other in shared[1:])]


def values_filter(
    reader: Reader, pieces: Sequence[Piece], near: Piece | None
) -> BasicFilter | None:
    """The condition that a field has one of some values; None if no field has them all."""
    fields = common_fields([piece.load for piece in pieces])
    if not fields:
        return None
    if near is not None:
        named = [m.prop.field for m in near.load if m.prop.field in fields]
        if not named:
            return None
        fields = named[:1]
    if len(fields) > 1:
        fields = [field for field in fields if field in reader.in_use] or fields
    if len(fields) > 1:
        words = reader.words(pieces)
        labels = [prop.label for f in fields if (prop := reader.vocabulary.get(f))]
        reason = f"“{words}” is a value of {' and of '.join(labels)}: say which is meant"
        raise Unclear("ambiguous", words, reason, labels)
    values = [value for piece in pieces for field, value in piece.load if field == fields[0]]
    return one_of(fields[0], values)


def by_adjective(reader: Reader, piece: Piece) -> Property | None:
    """The property that `colder than` refers to."""
    degree = COMPARATIVES.get(reader.tokens[piece.start].lower)
    return None if degree is None else hinted(reader, degree.dimension)


def number_of_plan(reader: Reader) -> Property | None:
    """The number that the plan sorts by, or else compares, for words that name none: for boats over
    500 euros, `worst first` and `what do they come to` refer to the price.
    """
    present = reader.present
    if present is None:
        return None
    compared = dict.fromkeys(c.field for c in present.filters if c.range_filter)
    fields = [present.order] if present.order else list(compared)
    props = [reader.vocabulary.get(field) for field in fields]
    numbers = [p for p in props if p is not None and p.numeric and not (p.is_year or p.key)]
    if len(numbers) != 1:
        return None
    reader.assume(f"took it to be about {numbers[0].label}, which the plan is about")
    return numbers[0]


def duration_property(reader: Reader) -> Property | None:
    """A duration to use when there is no speed: a number in a unit of time; among several the one
    that runs to an end, like `days_to_ruling`, or is called a duration.
    """
    timed = [
        p for p in reader.vocabulary.properties if p.unit and measure_of(p.unit.name) == "time"
    ]
    ending = [p for p in timed if {*p.label.split()} & _TO_AN_END]
    chosen = ending if len(timed) > 1 else timed
    return chosen[0] if len(chosen) == 1 else None


_TO_AN_END = frozenset({"to", "until", "till", "duration", "processing", "response", "waiting"})


_NAMED = 0.9
"""The score of a meaning that is in the name or the description, and not just similar to it."""


def hinted(reader: Reader, hint: str) -> Property | None:
    """The property that an adjective implies: `fastest` implies a speed."""
    ages = [prop for prop in reader.vocabulary.properties if prop.is_age] if hint == "age" else []
    if len(ages) == 1:
        return ages[0]
    if hint in ("date", "age"):
        return moment(reader, of_making=hint == "age")
    if hint == "price" and not any(stem(hint) in p.parts for p in reader.vocabulary.properties):
        likely = money(reader.vocabulary)
        if likely is not None:
            reader.assume(f"took {likely.label} for the price")
            return likely
    for called in (hint, *ALSO_CALLED.get(hint, ())):
        meant = [m for m in reader.vocabulary.meanings([stem(called)]) if m.prop.numeric]
        close = hint != "price" or (bool(meant) and meant[0].score >= _NAMED)
        named = [m.prop for m in meant if close]
        if named:
            return named[0]
    measured = _HINTED_MEASURES.get(hint)
    properties = [
        prop
        for prop in reader.vocabulary.properties
        if prop.unit is not None and measure_of(prop.unit.name) == measured is not None
    ]
    spoken = {token.stem for token in reader.tokens}
    used = [
        prop for prop in properties if spoken & set(prop.parts)
    ]  # "the cheapest by monthly rent"
    if len(used) != 1:
        used = [prop for prop in properties if prop.field in reader.in_use]
    if len(properties) > 1 and len(used) != 1:
        names = [prop.label for prop in properties]
        raise Unclear("ambiguous", hint, f"the {hint} may be {' or '.join(names)}", names)
    chosen = next(iter(used or properties), None)
    if chosen is not None:
        reader.assume(f"took {chosen.label} for the {hint}")
    return chosen
