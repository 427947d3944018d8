"""Sheets made of the values of described tables (`described/`), for the first rounds of
`fit_value_reader`.

Each sheet has one record of a table, with a value of some of its properties, among values of other
tables. A value is beside its description, its name, a part of either or nothing, so what is to be
learned is which words and which values go together: that “Mia Lund” may be a technician, and that
what was “handed over” was collected.
"""

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.inference.phrase_vectors import encoder
from backend.inference.value_reader import TYPES, Asked, Possible, Sheet, Stretch

_FOLDER = Path(__file__).with_name("described")
_KINDS = {"date": "date", "int": "number", "float": "number", "string": "text", "array": "text"}
_DATES = ("%d.%m.%Y", "%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%d/%m/%Y", "%d %b %Y")
_UNITS = ("€ ", "$", "EUR ", "£", "USD ", "kg ", "CHF ")
_LAYOUTS = ("lines", "cells", "prose", "split")
_BETWEEN = {"lines": (": ", " ", " - "), "prose": (" is ", " was ", ": ", " ")}
_LEAST, _MOST_FOREIGN, _MOST_ITEMS = 4, 5, 4
_LABELLED = (0.4, 0.6, 0.7)
"""How often a label is the description, the name, or its last word; the others have none."""
_NAMED, _BARE, _UNNAMED = 10, 0.25, 0.1
_ASKED_TOKENS = 18
_FACTORS = (1.0, 1.0, 1.0, 0.7, 1.3, 2.0)


class Right(NamedTuple):
    """Which values of a property are right, whether it is a list, and all places of what is right;
    `elsewhere` if that is not among the values.
    """

    values: NDArray[np.bool_]
    is_list: bool
    places: frozenset[Stretch]
    elsewhere: bool = False


class Exercise(NamedTuple):
    """A sheet with the solution, and its weight."""

    sheet: Sheet
    right: Sequence[Right]
    worth: float


def tables() -> list[dict[str, Any]]:
    """The described tables, with those of their properties of which values can be shown."""
    out = []
    for file in sorted(_FOLDER.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            table = json.loads(line)
            properties = [p for p in table["properties"] if p["type"] in _KINDS and p["values"]]
            if len(properties) >= _LEAST:
                out.append({**table, "properties": properties})
    return out


class _Page:
    """The tokens of a sheet, and the places of its values: by kind, text and name of property."""

    def __init__(self) -> None:
        self._pieces = encoder().pieces
        first, self.between = self._pieces.tokens("", 2)
        self.tokens: list[int] = [first]
        self.found: dict[str, dict[str, tuple[list[Stretch], set[str]]]] = {}

    def write(self, text: str, kind: str = "", owner: str = "") -> Stretch:
        start = len(self.tokens)
        self.tokens += self._pieces.placed(text)[0]
        stretch = start, len(self.tokens)
        if kind and start < len(self.tokens):
            places, owners = self.found.setdefault(kind, {}).setdefault(text, ([], set()))
            places.append(stretch)
            owners.add(owner)
        return stretch

    def end(self) -> None:
        self.tokens.append(self.between)


def exercise(all_tables: Sequence[Mapping[str, Any]], worth: float) -> Exercise:
    """Draws a sheet."""
    table = random.choice(all_tables)
    asked = random.sample(table["properties"], len(table["properties"]))
    shown = [(p, p["name"]) for p in asked[: max(3, len(asked) - random.randint(0, 3))]]
    for _ in range(random.randint(1, _MOST_FOREIGN)):
        shown.append((random.choice(random.choice(all_tables)["properties"]), ""))
    random.shuffle(shown)
    page, layout = _Page(), random.choice((*_LAYOUTS, ""))
    page.write(_cased(table["noun"]))
    page.end()
    for prop, owner in shown:
        _field(page, prop, owner, layout or random.choice(_LAYOUTS))
    page.end()
    return Exercise(*_with_questions(page, random.sample(asked, min(len(asked), 12))), worth)


def _field(page: _Page, prop: Mapping[str, Any], owner: str, layout: str) -> None:
    label, kind = _label(prop), _KINDS[prop["type"]]
    if label and layout in ("cells", "split"):
        page.write(label, "text")
        if layout == "cells":
            page.write("|")
        else:
            page.end()
    elif label:
        page.write(label + random.choice(_BETWEEN[layout if layout in _BETWEEN else "lines"]))
    if prop["type"] == "float" and random.random() < 0.4:
        page.write(random.choice(_UNITS))
    for number, value in enumerate(_values(prop)):
        if number:
            page.write(",")
        page.write(value, kind, owner)
    if layout == "prose" and random.random() < 0.7:
        page.write(random.choice(".;,"))
    else:
        page.end()


def _label(prop: Mapping[str, Any]) -> str:
    dice, described = random.random(), prop.get("description") or ""
    name = _words(prop["name"])
    described_most, named_most, short_most = _LABELLED
    if described and dice < described_most:
        words = described.split()
        return _cased(" ".join(words[:6] if random.random() < 0.6 else words[-4:]))
    if dice < named_most:
        return _cased(name)
    return _cased(name.split()[-1]) if dice < short_most else ""


def _words(name: str) -> str:
    return re.sub(r"[_\W]+", " ", name).strip()


def _cased(text: str) -> str:
    return random.choice((str.capitalize, str.capitalize, str.title, str.upper, str))(text)


def _values(prop: Mapping[str, Any]) -> list[str]:
    value = random.choice(prop["values"])
    if isinstance(value, list):
        return [str(item) for item in value[:_MOST_ITEMS]]
    if prop["type"] == "date":
        return [_date(str(value))]
    if prop["type"] in ("int", "float"):
        number = float(value) * random.choice(_FACTORS)
        return [f"{number:,.2f}" if prop["type"] == "float" else f"{number:.0f}"]
    return [str(value)]


def _date(text: str) -> str:
    year = int(text[:4]) + random.choice((-2, -1, 0, 0, 1))
    day = date(year, random.randint(1, 12), random.randint(1, 28))
    return day.strftime(random.choice(_DATES))


def _with_questions(
    page: _Page, asked: Iterable[Mapping[str, Any]]
) -> tuple[Sheet, Sequence[Right]]:
    """The sheet with properties behind it."""
    first, questions, right = len(page.tokens), list[Asked](), list[Right]()
    for prop in asked:
        found = page.found.get(_KINDS[prop["type"]], {})
        described = prop.get("description") or ""
        dice = random.random()
        name = "" if dice < _UNNAMED and described else _words(prop["name"])
        bare = not described or _UNNAMED <= dice < _UNNAMED + _BARE
        at, _ = page.write(name if bare else f"{name}: {described}")
        del page.tokens[at + _ASKED_TOKENS :]
        values = [Possible(places[:2], None, 0) for places, _ in found.values()]
        is_list = prop["type"] == "array"
        kind = TYPES.index("item" if is_list else prop["type"])
        questions.append(Asked((at, len(page.tokens)), kind, values))
        owned = [prop["name"] in owners for _, owners in found.values()]
        places = frozenset(place for stated, owners in found.values() if prop["name"] in owners
                           for place in stated)  # fmt: skip
        right.append(Right(np.array(owned, dtype=np.bool_), is_list, places))
        page.end()
    return Sheet(page.tokens, first, questions), right
