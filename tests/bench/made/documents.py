"""Made documents with their schema and their truth."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.bench.made import layouts, pages
from tests.bench.made.fields import FIELDS
from tests.bench.made.kinds import KINDS, Kind
from tests.bench.made.sheet import Sheet
from tests.bench.made.values import Made, Style, duration
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

_LAYOUTS = layouts.LAYOUTS | pages.PAGES
_MISSING = 0.14
"""How often a document lacks what its schema asks for."""
_AGREED = 3
"""How many times as many documents there are whose first sentence names the parties."""
_NO_DURATION = 0.35
"""How often it does not say how long something lasts, while other lengths of time stand in it."""
_SPARSE = 0.06
"""How often a document says little, and is asked what it does not say."""


@dataclass
class Document:
    kind: str
    layout: str
    elements: list[Element]
    schema: Schema
    truth: dict[str, Any]


def documents(per_layout: int, seed: int = 1) -> Iterator[Document]:
    """So many documents of every kind in every layout."""
    for kind, made in KINDS.items():
        for layout in [*_LAYOUTS, *(["yearly"] if made.years else [])]:
            rng = random.Random(f"{kind} {layout} {seed}")
            often = _AGREED if made.pair and layout in ("prose", "letter") else 1
            for _ in range(often * per_layout):
                yield _document(kind, made, layout, rng)


def _document(kind: str, made: Kind, layout: str, rng: random.Random) -> Document:
    style = Style.drawn(rng)
    wanted = list(made.fields)
    strangers = [name for name in FIELDS if name not in wanted]
    asked = rng.sample(wanted, max(3, len(wanted) - rng.randrange(0, 4)))
    asked += rng.sample(strangers, rng.choice([0, 0, 1, 1, 2]))
    sparse = rng.random() < _SPARSE
    if sparse:
        asked = rng.sample(wanted, 2) + rng.sample(strangers, 3)
    facts: dict[str, Made] = {}
    for name in wanted:
        missing = _NO_DURATION if FIELDS[name].make is duration else _MISSING
        if rng.random() >= (0.7 if sparse else missing):
            facts[name] = FIELDS[name].make(rng, style)
    _add_up(facts, style, rng)
    _in_order(facts, style, rng)
    flowing = layout in ("web page", "printout") or rng.random() < 0.2
    sheet = Sheet(flowing=flowing)
    set_out = layouts.yearly if layout == "yearly" else _LAYOUTS[layout]
    set_out(sheet, made, facts, style, rng)
    truths = {name: made.true for name, made in facts.items()}
    if made.pair and rng.random() < 0.7:
        asked.append("parties")
        truths["parties"] = [truths[name] for name in made.pair if name in truths] or None
    schema, names = _schema(asked, rng)
    truth = {names[name]: truths.get(name) for name in asked}
    return Document(kind, layout, sheet.elements, schema, truth)


def document_of_template(
    kind: str, made: Kind, layout: str, template: str, number: int
) -> Document:
    """Document `number` of a template: style, wording and schema are the template's, values are its
    own, and it lacks nothing.
    """
    values = random.Random(f"{template} {number}")
    style = Style.drawn(random.Random(template))
    facts = {name: FIELDS[name].make(values, style) for name in made.fields}
    _add_up(facts, style, values)
    _in_order(facts, style, values)
    sheet = Sheet(flowing=False)
    layouts.LAYOUTS[layout](sheet, made, facts, style, random.Random(template))
    schema, names = _schema(list(made.fields), random.Random(template))
    truth = {names[name]: facts[name].true for name in made.fields}
    return Document(kind, layout, sheet.elements, schema, truth)


def _add_up(facts: dict[str, Made], style: Style, rng: random.Random) -> None:
    """A total is what the amounts before it come to."""
    if "total" not in facts:
        return
    total = facts["total"].true
    tax = round(total * rng.choice([0.05, 0.06, 0.16]), 2)
    if "tax" in facts:
        facts["tax"] = Made(tax, style.money(tax, rng))
    if "subtotal" in facts:
        facts["subtotal"] = Made(round(total - tax, 2), style.money(round(total - tax, 2), rng))


def _in_order(facts: dict[str, Made], style: Style, rng: random.Random) -> None:
    """What begins does so before it ends."""
    for first, last in (("start", "end"), ("arrival", "departure"), ("admitted", "discharged")):
        if first in facts and last in facts and facts[first].true > facts[last].true:
            facts[first], facts[last] = facts[last], facts[first]


def _schema(asked: list[str], rng: random.Random) -> tuple[Schema, dict[str, str]]:
    properties, names = [], {}
    used: set[str] = set()
    for name in asked:
        field = FIELDS[name]
        called = next(
            (n for n in rng.sample(field.names, len(field.names)) if n not in used),
            name,
        )
        used.add(called)
        names[name] = called
        definition: dict[str, Any] = {
            "type": field.kind,
            "description": rng.choice(field.descriptions),
        }
        if rng.random() < 0.2:
            definition["description"] = None
        if field.choices and rng.random() < 0.45:
            listed = f"{', '.join(field.choices[:-1])} or {field.choices[-1]}"
            definition |= {
                "type": "string",
                "description": f"{rng.choice(field.descriptions)}: {listed}",
            }
        elif field.choices:
            definition["choices"] = field.choices
        if field.kind == "array":
            definition["item_type"] = {"type": "string"}
        if rng.random() < 0.45 and field.kind in ("string", "array", "date", "float"):
            other = Style.drawn(rng)
            shown = [field.make(rng, other).true for _ in range(rng.choice([1, 1, 2]))]
            definition["examples"] = shown
        properties.append({"name": called, "type": definition})
    return Schema.model_validate({"properties": properties}), names
