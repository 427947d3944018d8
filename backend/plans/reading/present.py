"""The current state of a plan, as far as feedback can refer to it."""

from dataclasses import dataclass
from datetime import date

from backend.language.dates import Span
from workbench.contract.plan_nodes import BasicFilter
from workbench.contract.plan_values import as_date


@dataclass(frozen=True)
class Present:
    """`fields` are all that the plan uses; `filters` its conditions on documents, in order; `keys`
    its group keys, `order` the field it sorts by.
    """

    fields: frozenset[str] = frozenset()
    filters: tuple[BasicFilter, ...] = ()
    keys: tuple[str, ...] = ()
    order: str | None = None

    @property
    def period(self) -> Span | None:
        """The time span that the plan asks for, to which parts of a year are relative."""
        for condition in self.filters:
            days = _bounds(condition)
            if len(days) == 2 and not condition.negate:
                return Span(days[0], days[1])
        return None

    def on(self, field: str) -> list[BasicFilter]:
        """The conditions on a field."""
        return [condition for condition in self.filters if condition.field == field]


def _bounds(condition: BasicFilter) -> list[date]:
    if not condition.is_date:
        return []
    days = (as_date(condition.start), as_date(condition.end, end=True))
    return [day for day in days if day is not None]
