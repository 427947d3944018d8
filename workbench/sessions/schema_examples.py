"""Questions and conditions that fit a DocSet, made from its schema and from counted values."""

from collections.abc import Sequence

from workbench.contract.plan_nodes import bare_field
from workbench.contract.schema import Schema, SchemaProperty
from workbench.contract.search import Facet
from workbench.sessions.facet_choices import literal

_TEXTS = ("string", "choice")
_NUMBERS = ("int", "float")
_DATES = ("date", "datetime")
_MOST = 3
_FEW_VALUES = 12
"""A property with at most as many different values makes groups that people can read."""


def question_examples(schema: Schema | None, facets: Sequence[Facet] = ()) -> list[str]:
    """Up to three questions about the properties of the DocSet; without any, how many documents
    there are. With `facets`, groups are made by a property whose values repeat.
    """
    known = schema.properties if schema else []
    group = _spoken(_group(known, facets))
    number = _spoken(_first(known, _NUMBERS))
    date = _spoken(_first(known, _DATES))
    examples = [f"How many documents are there by {group}?"] if group else []
    if number and group:
        examples.append(f"What is the average {number} by {group}?")
    elif number:
        examples.append(f"What is the average {number}?")
    if date:
        examples.append(f"How many documents are there by year of {date}?")
    return examples[:_MOST] or ["How many documents are there?"]


def condition_example(schema: Schema | None, facets: Sequence[Facet] = ()) -> str:
    """A readable condition such as `state = "Ohio"`; empty where no property can be named."""
    known = [item for item in (schema.properties if schema else []) if item.name.isidentifier()]
    group = _group(known, facets)
    if group is not None and (value := _value(group, facets)) is not None:
        return f"{group.name} = {literal(value)}"
    for kinds, test in ((_NUMBERS, "> 0"), (_DATES, "is not null"), (("bool",), "= true")):
        if (item := _first(known, kinds)) is not None:
            return f"{item.name} {test}"
    return ""


def _group(known: Sequence[SchemaProperty], facets: Sequence[Facet]) -> SchemaProperty | None:
    """The property with the fewest groups of several documents, or the first choice or text."""
    distinct = {bare_field(facet.field): facet.distinct for facet in facets}
    texts = [item for item in known if item.kind in _TEXTS]
    if not distinct:
        return _first(known, ("choice",)) or _first(known, ("string", "bool"))
    counted = [item for item in texts if 1 < distinct.get(item.name, 0) <= _FEW_VALUES]
    if counted:
        return counted[0]
    repeated = [item for item in texts if _repeats(item.name, facets)]
    return min(repeated, key=lambda item: distinct[item.name], default=_first(known, ("bool",)))


def _repeats(name: str, facets: Sequence[Facet]) -> bool:
    return any(
        facet.values and facet.values[0].count > 1 and facet.distinct > 1
        for facet in facets
        if bare_field(facet.field) == name
    )


def _value(item: SchemaProperty, facets: Sequence[Facet]) -> object:
    """A value from the documents, or an example of the schema; None if neither exists."""
    counted = [f.values[0].value for f in facets if f.values and bare_field(f.field) == item.name]
    written = [listed[0] for listed in (item.choices, item.examples) if listed]
    return next(iter([*counted, *written]), None)


def _first(known: Sequence[SchemaProperty], kinds: tuple[str, ...]) -> SchemaProperty | None:
    return next((item for item in known if item.kind in kinds), None)


def _spoken(item: SchemaProperty | None) -> str:
    """The name of a property as people write it."""
    return item.name.replace("_", " ") if item else ""
