"""What a question is likely to want of each property, as `role_network` sees it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.inference.role_network import Column, Foreseen, network
from backend.plans.reading.assembly import tokens_of
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.roles import ROLES, TRAITS
from workbench.contract.plan_columns import DATED, NUMERIC

LIKELY = -1.5
"""The logarithm of the odds from which a role is worth trying."""
_MOST_COLUMNS = 16
"""So many properties are read beside a question: first those that some plan uses."""
_FEW = 12
"""A property with so many values or fewer is read with all of them."""


@dataclass(frozen=True)
class Outlook:
    """What was foreseen of the properties `fields` among all `columns`."""

    columns: Mapping[str, Column]
    fields: Sequence[str]
    foreseen: Foreseen

    def odds(self, field: str, role: str) -> float:
        """The logarithm of the odds of a role; hopeless for a property that was not read."""
        if field not in self.fields:
            return LIKELY - 1
        return float(self.foreseen.roles[self.fields.index(field), ROLES.index(role)])

    def values(self, field: str) -> Mapping[Any, float]:
        """The logarithms of the odds of listed values."""
        read = field in self.fields
        return self.foreseen.values[self.fields.index(field)] if read else {}

    def likeliest(self, role: str, props: Iterable[Property]) -> list[Property]:
        """The properties that are likely to have a role, the likeliest first."""
        able = [prop for prop in props if self.odds(prop.field, role) > LIKELY]
        return sorted(able, key=lambda prop: -self.odds(prop.field, role))

    def wants(self, trait: str) -> bool:
        return float(self.foreseen.traits[TRAITS.index(trait)]) > LIKELY


def outlook(
    question: str, noun: str, columns: Mapping[str, Column], used: Iterable[str]
) -> Outlook:
    """What is foreseen of the properties, of which some plans use those called `used`."""
    first = frozenset(used)
    fields = sorted(columns, key=lambda field: field not in first)[:_MOST_COLUMNS]
    read = [columns[field] for field in fields]
    return Outlook(columns, fields, network().foreseen(question, noun, read))


def columns_of(question: str, vocabulary: Vocabulary) -> dict[str, Column]:
    """The properties as the network reads them, by their fields."""
    tokens = tokens_of(question)[1]
    mentioned: dict[str, dict[str, None]] = defaultdict(dict)
    for place in range(len(tokens)):
        for field, value in vocabulary.values_at(tokens, place)[1][:6]:
            mentioned[field][str(value)] = None
    columns: dict[str, Column] = {}
    for prop in vocabulary.properties:
        listed = prop.kind not in NUMERIC | DATED | {"bool"}
        values = vocabulary.values.of_field(prop.field) if listed else []
        few = values if len(values) <= _FEW else []
        named = list(mentioned[prop.field])
        columns[prop.field] = Column(prop.label, prop.kind, prop.description, few, named)
    return columns
