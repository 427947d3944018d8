"""Property values as choices of a dialog: the most common at once, the others by typing."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.contract.plan_nodes import bare_field
from workbench.contract.search import Facet
from workbench.formats import counted, value_words
from workbench.sessions.facet_choices import (
    Choice as Value,
)
from workbench.sessions.facet_choices import (
    Pick,
    choices,
    condition,
    every_choice,
    unlisted,
)
from workbench.sessions.property_values import is_incomplete, values_beginning
from workbench.tui.dialogs.choose import Choice, LookUp
from workbench.tui.formats import count
from workbench.tui.lines import Part, dim, line

if TYPE_CHECKING:
    from workbench.client import AsyncClient

SHOWN = 8
"""How many values of a property are listed before the user asks for the rest."""


def condition_choices(facets: Sequence[Facet]) -> list[Choice]:
    """Values and ranges of all properties, keyed by the condition that each adds."""
    made: list[Choice] = []
    for facet in facets:
        short = choices(facet, (), SHOWN)
        shown = [choice.pick for choice in short]
        made += [_condition_choice(facet.field, value) for value in short]
        if more := more_words(facet, short):
            name = bare_field(facet.field)
            label = line(dim(f"{name}  "), dim(more))
            made.append(Choice(f"more {facet.field}", label, types=f"{name} "))
        made += [
            _condition_choice(facet.field, value, rare=True)
            for value in every_choice(facet, ())
            if value.pick not in shown
        ]
    return made


def condition_finder(
    client: "AsyncClient", docset_id: str, facets: Sequence[Facet]
) -> LookUp | None:
    """Searches by prefix for values that `condition_choices` lacks; None if it has all."""
    fields = [facet.field for facet in facets if is_incomplete(facet)]
    if not fields:
        return None

    async def find(text: str) -> list[Choice]:
        asked = [(field, _without_name(text, field)) for field in fields]
        matches = await asyncio.gather(
            *(values_beginning(client, docset_id, field, typed) for field, typed in asked if typed)
        )
        named = [field for field, typed in asked if typed]
        return [
            _condition_choice(field, Value(value, number), rare=True)
            for field, values in zip(named, matches, strict=True)
            for value, number in values
        ]

    return find


def value_choices(facet: Facet, picked: Sequence[Pick]) -> tuple[list[Choice], dict[str, Pick]]:
    """All values of one property, and the pick for each key. Picked values come first."""
    every = sorted(every_choice(facet, picked), key=lambda value: value.pick not in picked)
    return [_value_choice(facet.field, v) for v in every], {repr(v.pick): v.pick for v in every}


def value_finder(
    client: "AsyncClient", docset_id: str, facet: Facet, picks: dict[str, Pick]
) -> LookUp | None:
    """Searches for values that `value_choices` lacks, for `picks`; None if it has all."""
    if not is_incomplete(facet):
        return None

    async def find(text: str) -> list[Choice]:
        matches = await values_beginning(client, docset_id, facet.field, text.strip())
        picks.update((repr(value), value) for value, _ in matches)
        # Their counts are of all documents, not of those that the search finds.
        return [_value_choice(facet.field, Value(value, None), rare=True) for value, _ in matches]

    return find


def more_words(facet: Facet, shown: Sequence[Value]) -> str:
    """`2 more…`; `40 values…` if none of them is listed; empty if all are."""
    number = unlisted(facet, shown)
    if not number:
        return ""
    return f"{count(number)} more…" if number < facet.distinct else f"{counted(number, 'value')}…"


def words_of(value: Value, field: str) -> str:
    """A value or range as people write it."""
    return value.words or value_words(value.pick, field) or "—"


def _condition_choice(field: str, value: Value, *, rare: bool = False) -> Choice:
    label = line(dim(f"{bare_field(field)}  "), words_of(value, field))
    return _choice(condition(_short(field), value.pick), label, value, rare)


def _value_choice(field: str, value: Value, *, rare: bool = False) -> Choice:
    return _choice(repr(value.pick), words_of(value, field), value, rare)


def _choice(key: str, label: Part, value: Value, rare: bool) -> Choice:
    return Choice(key, label, "" if value.count is None else count(value.count), rare)


def _without_name(text: str, field: str) -> str:
    """What the user typed after the name of the property, if the text starts with it."""
    name = bare_field(field).lower()
    typed = text.strip()
    behind = typed.lower().startswith(f"{name} ")
    return "" if typed.lower() == name else typed[len(name) :].strip() if behind else typed


def _short(field: str) -> str:
    """A field without its prefix, where the filter language can read it so."""
    bare = bare_field(field)
    return bare if bare.isidentifier() else field
