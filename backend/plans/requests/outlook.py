"""The predicted role of each property in a question, by `role_network`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.inference.role_network import Column, Foreseen, network
from backend.plans.reading.assembly import tokens_of
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.roles import ROLES, TRAITS, Roles, in_use, roles_of, values_tested
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import DATED, NUMERIC

LIKELY = -1.5
"""The log-odds from which a role is worth trying."""
_MOST_COLUMNS = 16
"""Maximum properties in the input beside a question: first those that some plan uses."""
_FEW = 12
"""The input includes all values of properties with at most this many."""


@dataclass(frozen=True)
class Outlook:
    """The prediction for the properties `fields` among all `columns`."""

    columns: Mapping[str, Column]
    fields: Sequence[str]
    foreseen: Foreseen

    def odds(self, field: str, role: str) -> float:
        """The log-odds of a role; hopeless for a property outside the input."""
        if field not in self.fields:
            return LIKELY - 1
        return float(self.foreseen.roles[self.fields.index(field), ROLES.index(role)])

    def values(self, field: str) -> Mapping[Any, float]:
        """The log-odds of listed values."""
        read = field in self.fields
        return self.foreseen.values[self.fields.index(field)] if read else {}

    def likeliest(self, role: str, props: Iterable[Property]) -> list[Property]:
        """The properties that probably have a role, the likeliest first."""
        able = [prop for prop in props if self.odds(prop.field, role) > LIKELY]
        return sorted(able, key=lambda prop: -self.odds(prop.field, role))

    def trait(self, trait: str) -> float:
        """The log-odds of a trait."""
        return float(self.foreseen.traits[TRAITS.index(trait)])

    def wants(self, trait: str) -> bool:
        return self.trait(trait) > LIKELY


def outlook(
    question: str, noun: str, columns: Mapping[str, Column], used: Iterable[str],
    now: Sequence[str] | None = None,
) -> Outlook:  # fmt: skip
    """The prediction for the properties `used` by plans; `now` has traits of the plan before."""
    first = frozenset(used)
    fields = sorted(columns, key=lambda field: field not in first)[:_MOST_COLUMNS]
    read = [columns[field] for field in fields]
    return Outlook(columns, fields, network().foreseen(question, noun, read, now))


@dataclass(frozen=True)
class Standing:
    """What the plan before a follow-up does: its roles, and the values that it tests for."""

    roles: Roles
    values: Mapping[str, Sequence[str]]

    @property
    def traits(self) -> tuple[str, ...]:
        return tuple(trait for trait in TRAITS[1:] if trait in self.roles.traits)

    def of(self, field: str) -> tuple[str, ...]:
        """What it does with a property, in words."""
        return in_use(self.roles.of.get(field, ()), self.values.get(field, ()))


def standing_of(plan: Plan) -> Standing:
    return Standing(roles_of(plan), values_tested(plan))


def columns_of(
    question: str, vocabulary: Vocabulary, now: Standing | None = None
) -> dict[str, Column]:
    """The properties as the network reads them, by field; `now` is the plan before."""
    tokens = tokens_of(question)[1]
    mentioned: dict[str, dict[str, None]] = defaultdict(dict)
    for place in range(len(tokens)):
        for field, value in vocabulary.values_at(tokens, place)[1][:6]:
            mentioned[field][str(value)] = None
    columns: dict[str, Column] = {}
    for prop in vocabulary.properties:
        listed = prop.kind not in NUMERIC | DATED | {"bool"}
        values = vocabulary.values.meant_of_field(prop.field) if listed else []
        tested = now.values.get(prop.field, ()) if now is not None else ()
        few = values if len(values) <= _FEW else list(tested)
        named, does = list(mentioned[prop.field]), now.of(prop.field) if now is not None else ()
        columns[prop.field] = Column(prop.label, prop.kind, prop.description, few, named, does)
    return columns
