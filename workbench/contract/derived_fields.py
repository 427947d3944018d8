"""Fields that are computed from others; their names say how.

`received_on.weekday` is the weekday of a date, `opened_at.time_of_day` the hours since midnight,
`closed_on.days_since.opened_on` the days between two dates, `paid.share_of.total` a part of a
number. They can be used wherever a plan names a field, and have a value where all of their sources
have one. A property of the same name takes precedence.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from workbench.contract.plan_columns import DATED, NUMERIC, Columns
from workbench.contract.plan_nodes import ENTITY, bare_field, canonical_field
from workbench.contract.schema import PropertyKind

PartOfDate = Literal["weekday", "month_of_year", "quarter_of_year", "year", "hour", "time_of_day"]
OfTwo = Literal["days_since", "hours_since", "minutes_since", "minus", "plus", "times", "share_of"]

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
QUARTERS = ("Q1", "Q2", "Q3", "Q4")
CALENDAR = {"weekday": WEEKDAYS, "month_of_year": MONTHS, "quarter_of_year": QUARTERS}
"""The values of recurring parts of dates, in order."""

_MOST_DATES = 6
"""Number of date fields for which pairs are proposed."""

_OF_DATE = re.compile(r"(.+)\.(weekday|month_of_year|quarter_of_year|year|hour|time_of_day)")
_OF_TWO = re.compile(
    r"(.+?)\.(days_since|hours_since|minutes_since|minus|plus|times|share_of)\.(.+)"
)
_WORDS = {
    "weekday": "weekday of {0}",
    "month_of_year": "calendar month of {0}",
    "quarter_of_year": "calendar quarter of {0}",
    "year": "year of {0}",
    "hour": "hour of {0}",
    "time_of_day": "time of day of {0}",
    "days_since": "days from {1} to {0}",
    "hours_since": "hours from {1} to {0}",
    "minutes_since": "minutes from {1} to {0}",
    "minus": "{0} minus {1}",
    "plus": "{0} plus {1}",
    "times": "{0} times {1}",
    "share_of": "{0} as a share of {1}",
}


@dataclass(frozen=True)
class DerivedField:
    """How a field is computed, by canonical names; a part of a date has no `other`."""

    operation: PartOfDate | OfTwo
    field: str
    other: str | None = None

    @property
    def name(self) -> str:
        """The canonical name."""
        if self.other is None:
            return f"{self.field}.{self.operation}"
        return f"{self.field}.{self.operation}.{self.other.removeprefix(ENTITY)}"

    @property
    def sources(self) -> tuple[str, ...]:
        """The fields it is computed from."""
        return (self.field,) if self.other is None else (self.field, self.other)

    @property
    def words(self) -> str:
        """A description with the bare names of its sources."""
        bare = (name.removeprefix(ENTITY).replace("_", " ") for name in self.sources)
        return _WORDS[self.operation].format(*bare)


def derived_field(name: str) -> DerivedField | None:
    """How the field of that name is computed; None for other names."""
    full = canonical_field(name)
    if not full.startswith(ENTITY):
        return None
    bare = full.removeprefix(ENTITY)
    if (two := _OF_TWO.fullmatch(bare)) is not None:
        return DerivedField(two[2], ENTITY + two[1], canonical_field(two[3]))  # type: ignore[arg-type]
    if (part := _OF_DATE.fullmatch(bare)) is not None:
        return DerivedField(part[2], ENTITY + part[1])  # type: ignore[arg-type]
    return None


def derived_kind(derived: DerivedField, fields: Columns) -> PropertyKind | None:
    """The kind of its values; None when its sources are missing or of other kinds."""
    kinds = [fields.get(name) for name in derived.sources]
    match derived.operation:
        case "weekday" | "month_of_year" | "quarter_of_year":
            return "choice" if kinds[0] in DATED else None
        case "year":
            return "int" if kinds[0] in DATED else None
        case "hour":
            return "int" if kinds[0] == "datetime" else None
        case "time_of_day":
            return "float" if kinds[0] == "datetime" else None
        case "hours_since" | "minutes_since":
            return "float" if all(kind == "datetime" for kind in kinds) else None
        case "days_since":
            whole = all(kind == "date" for kind in kinds)
            return ("int" if whole else "float") if all(k in DATED for k in kinds) else None
        case "share_of":
            return "float" if all(kind in NUMERIC for kind in kinds) else None
    whole = all(kind == "int" for kind in kinds)
    return ("int" if whole else "float") if all(k in NUMERIC for k in kinds) else None


def derived_columns(names: Iterable[str], fields: Columns) -> dict[str, PropertyKind]:
    """The derived fields among `names` that `fields` can provide, canonical, with their kinds."""
    kinds: dict[str, PropertyKind] = {}
    for name in names:
        derived = derived_field(name) if "." in name else None
        if derived is None or derived.name in fields:
            continue
        kind = derived_kind(derived, fields)
        if kind is not None:
            kinds[derived.name] = kind
    return dict(sorted(kinds.items()))


def worth_proposing(fields: Columns) -> dict[str, PropertyKind]:
    """Derived fields that forms propose: parts of dates, and the days between two dates."""
    dated = [name for name, kind in fields.items() if kind in DATED and name.startswith(ENTITY)]
    parts = [f"{name}.{part}" for name in dated for part in (*CALENDAR, "year")]
    spans = [
        DerivedField("days_since", one, other).name
        for one in dated[:_MOST_DATES]
        for other in dated[:_MOST_DATES]
        if one != other
    ]
    return derived_columns([*parts, *spans], fields)


def plain_name(field: str) -> str:
    """A field as messages name it: the bare name of a property, or a description."""
    derived = derived_field(field)
    return bare_field(field) if derived is None else derived.words


def sources_of(name: str) -> tuple[str, ...]:
    """The canonical names of the fields that a field is computed from: for most, itself."""
    derived = derived_field(name)
    return (canonical_field(name),) if derived is None else derived.sources
