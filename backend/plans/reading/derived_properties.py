"""Properties computed from those of a collection."""

from collections.abc import Callable
from dataclasses import replace

from backend.language.units import Unit
from backend.plans.reading.properties import Property
from workbench.contract.derived_fields import (
    DerivedField,
    OfTwo,
    PartOfDate,
    derived_field,
    derived_kind,
)

_NONE: frozenset[str] = frozenset()


def part_of_date(prop: Property, part: PartOfDate) -> Property | None:
    """The weekday, month or hour of a date; None if the property has no such part."""
    return _derived(DerivedField(part, prop.field), (prop,))


def of_two(operation: OfTwo, prop: Property, other: Property) -> Property | None:
    """The result of an operation on two properties of a document; None if they are incompatible."""
    if prop.field == other.field or prop.is_year or other.is_year or prop.key or other.key:
        return None
    if operation in ("minus", "plus") and not _same_measure(prop, other):
        return None
    made = _derived(DerivedField(operation, prop.field, other.field), (prop, other))
    if made is None:
        return None
    unit = _UNITS.get(operation, prop.unit)
    return replace(made, unit=unit)


_UNITS: dict[str, Unit | None] = {
    "days_since": Unit("day"), "hours_since": Unit("h"), "minutes_since": Unit("min"),
    "share_of": None, "times": None,
}  # fmt: skip


def property_of(field: str, named: Callable[[str], Property | None]) -> Property | None:
    """The property with a field name, which may be one that is computed from others."""
    derived = derived_field(field)
    if derived is None:
        return named(field)
    sources = [named(name) for name in (derived.field, derived.other) if name is not None]
    made = _derived(derived, tuple(prop for prop in sources if prop is not None))
    if None in sources or made is None:
        return None
    return replace(made, unit=_UNITS.get(derived.operation, made.unit))


def counted_in(span: Property, operation: OfTwo) -> Property | None:
    """The time between two dates in hours or minutes; None if it is none, or of whole days."""
    derived = derived_field(span.field)
    if derived is None or derived.operation not in _SPANS or span.kind == "int":
        return None
    return replace(span, field=replace(derived, operation=operation).name, unit=_UNITS[operation])


_SPANS = ("days_since", "hours_since", "minutes_since")


def span_between(one: Property, other: Property) -> Property | None:
    """The days between two dates, counted from the one that is earlier in most documents."""
    if not one.dated or not other.dated:
        return None
    later = _extent(one) > _extent(other) if one.low and other.low else False
    return of_two("days_since", one, other) if later else of_two("days_since", other, one)


def _extent(prop: Property) -> tuple[str, str]:
    """The first and the last date of a property, as text that is comparable between dates and
    times.
    """
    return str(prop.low), str(prop.high)


def source_field(prop: Property) -> str | None:
    """The date that a property is part of; None for other properties."""
    derived = derived_field(prop.field)
    return derived.field if derived is not None and derived.other is None else None


def _same_measure(one: Property, other: Property) -> bool:
    """Whether values can be added: the units are equal, or one has none."""
    return one.unit is None or other.unit is None or one.unit == other.unit


def _derived(derived: DerivedField, sources: tuple[Property, ...]) -> Property | None:
    fields = {prop.field: prop.kind for prop in sources}
    kind = derived_kind(derived, fields)
    if kind is None or any(derived_field(prop.field) is not None for prop in sources):
        return None
    return Property(
        field=derived.name, kind=kind, parts=(), weak=_NONE, suffix=_NONE, described=_NONE,
        unit=None, gaps=any(prop.gaps for prop in sources),
    )  # fmt: skip
