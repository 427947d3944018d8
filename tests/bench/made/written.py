"""Documents that were written one by one (`written/*.txt`), each set out in several ways.

Made documents that put values into sentences of their own share one idea of a document. These do
not: values stand in running text, beside others of the same kind, behind labels that share no word
with the schema, or nowhere. Labels and values are set as a table, as lines, as boxes or as a
printout; persons, firms and codes are exchanged for others, so that none can be learnt by heart.
"""

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.made import phrases, values
from tests.bench.made.sheet import Sheet
from tests.bench.made.values import Maker, Style
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

_SETTINGS = ("table", "lines", "boxes", "printout", "pairs")
_DESCRIBED = 0.85
"""How often a property keeps its description."""
_SHAPED = re.compile(r"\d")
_CELL = re.compile(r"\s\|(?=\s)")


@dataclass(frozen=True)
class Property:
    name: str
    type: dict[str, Any]
    pool: str


@dataclass(frozen=True)
class Written:
    """A document as it is written: its kind, what its schema asks for, the truth and the lines."""

    kind: str
    properties: tuple[Property, ...]
    truth: dict[str, Any]
    lines: tuple[str, ...]


@dataclass
class SetOut:
    kind: str
    elements: list[Element]
    schema: Schema
    truth: dict[str, Any]


def written() -> list[Written]:
    """All documents of the folder."""
    texts = []
    for path in sorted(Path(__file__).with_name("written").glob("*.txt")):
        for block in re.split(r"^=== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            head, *documents = re.split(r"^--- ", block, flags=re.MULTILINE)
            kind, *lines = head.strip().splitlines()
            properties = tuple(_property(line) for line in lines)
            for document in documents:
                truth, *body = document.rstrip().splitlines()
                texts.append(Written(kind, properties, json.loads(truth), tuple(body)))
    return texts


def _property(line: str) -> Property:
    name, kind, description, *choices = (part.strip() for part in line.split(" ~"))
    kind, _, pool = kind.partition("@")
    definition: dict[str, Any] = {"type": kind, "description": description or None}
    if kind == "array":
        definition["item_type"] = {"type": "string"}
    if choices:
        definition["choices"] = [choice.strip() for choice in choices[0].split("|")]
    return Property(name, definition, pool)


def set_out(document: Written, number: int) -> SetOut:
    """The document set out in way `number`; in the first it keeps its own names."""
    rng = random.Random(f"{document.kind} {document.lines[0]} {number}")
    truth, lines = dict(document.truth), list(document.lines)
    if number:
        truth, lines = _renamed(document, rng)
    sheet = Sheet(flowing=rng.random() < 0.3)
    _place(sheet, lines, _SETTINGS[rng.randrange(len(_SETTINGS))], rng)
    asked = [one for one in document.properties if rng.random() < 0.92]
    made = []
    for one in asked:
        definition = dict(one.type)
        if rng.random() >= _DESCRIBED:
            definition["description"] = None
        made.append({"name": one.name, "type": definition})
    schema = Schema.model_validate({"properties": made})
    return SetOut(
        document.kind, sheet.elements, schema, {one.name: truth[one.name] for one in asked}
    )


def _renamed(document: Written, rng: random.Random) -> tuple[dict[str, Any], list[str]]:
    """Truth and lines with other persons, firms and codes, where they stand in the text as told."""
    truth, text = dict(document.truth), "\n".join(document.lines)
    for one in document.properties:
        true = truth[one.name]
        if not one.pool or true is None:
            continue
        others = []
        for value in true if isinstance(true, list) else [true]:
            other = _other(value, one.pool, rng)
            if value in text and len(value) > 5:
                there = rf"(?<!\w){re.escape(value)}(?!\w)"
                text = re.sub(there, other.replace("\\", r"\\"), text)
                truth = {name: _exchanged(entry, value, other) for name, entry in truth.items()}
            others.append(other)
    return truth, text.splitlines()


def _exchanged(entry: Any, value: str, other: str) -> Any:
    if isinstance(entry, list):
        return [other if one == value else one for one in entry]
    return other if entry == value else entry


def _other(value: str, pool: str, rng: random.Random) -> str:
    if pool in ("code", "plate"):
        made = "".join(
            rng.choice("123456789") if c.isdigit() else rng.choice("ABCDEFGHKLMNPRSTUVWX")
            if c.isupper() else c
            for c in value
        )  # fmt: skip
        return made if _SHAPED.search(made) else value
    makers: dict[str, Maker] = {
        "person": values.person, "firm": values.firm, "body": values.body, "plain": phrases.plain,
        "thing": phrases.thing,
    }  # fmt: skip
    made = makers[pool](rng, Style.drawn(rng)).written
    return made.upper() if value.isupper() else made


def _place(sheet: Sheet, lines: list[str], setting: str, rng: random.Random) -> None:
    """Sets the lines; those of one form or table that follow each other belong together."""
    at = 0
    while at < len(lines):
        mark = _mark(lines[at])
        end = at + 1
        while mark in (".", "|", "::") and end < len(lines) and _mark(lines[end]) == mark:
            end += 1
        run = [line if mark == "::" else line[len(mark) :].strip() for line in lines[at:end]]
        _run(sheet, mark, run, setting, rng)
        at = end


def _mark(line: str) -> str:
    first = line.split(" ", 1)[0]
    if first in ("#", "##", "-", ">", "!", ".", "|"):
        return first
    return "::" if " :: " in line else ""


def _run(sheet: Sheet, mark: str, run: list[str], setting: str, rng: random.Random) -> None:
    match mark:
        case "#":
            sheet.text(rng.choice(["Title", "Section-header"]), run[0], size=16)
        case "##":
            sheet.text("Section-header", run[0], size=12)
        case "-":
            sheet.text("List-item", run[0])
        case ">":
            sheet.text("Text", run[0], 0.6, 0.92)
        case "!":
            sheet.text(rng.choice(["Page-footer", "Text"]), run[0], size=7)
        case ".":
            lined = [" ".join(line.split()) for line in run]
            if len(lined) > 1 and rng.random() < 0.75:
                sheet.block(lined, 0.08, 0.8)
            else:
                for line in lined:
                    sheet.text("Text", line)
        case "|":
            rows = [[cell.strip() for cell in _CELL.split(f" {line} ")] for line in run]
            width = max(map(len, rows))
            sheet.table([row + [""] * (width - len(row)) for row in rows], header=True)
        case "::":
            _form(sheet, run, setting)
        case _:
            if run[0]:
                sheet.text("Text", run[0])


def _form(sheet: Sheet, run: list[str], setting: str) -> None:
    rows = [
        [tuple(part.strip() for part in pair.split(" :: ", 1)) for pair in line.split(" ;; ")]
        for line in run
    ]
    flat = [pair for row in rows for pair in row]
    width = max(map(len, rows))
    match setting:
        case "table":
            cells = [[text for pair in row for text in pair] for row in rows]
            sheet.table([row + [""] * (2 * width - len(row)) for row in cells])
        case "boxes":
            for row in rows:
                sheet.table([["\n".join(pair) for pair in row]])
        case "printout":
            wide = max(len(label) for label, _ in flat) + 2
            sheet.block([f"{label.upper():.<{wide}}: {value}" for label, value in flat], 0.08, 0.8)
        case "pairs":
            for row in rows:
                sheet.columns([(label, value) for label, value in row])
        case _:
            for row in rows:
                sheet.text("Text", "   ".join(f"{label}: {value}" for label, value in row))
