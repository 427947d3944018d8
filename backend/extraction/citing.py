"""Asks a language model for values with their sources, and checks the sources.

The type of the answer is generated from the schema: each value comes with the index of an element
and a quote from it. A value is refused if its element does not contain the quote or the quote does
not contain the value. The model sees why and may try again; values that are still wrong then are
dropped.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Literal, TypedDict

from pydantic import BaseModel, Field, create_model

from backend.extraction.habits import Habits
from backend.extraction.targets import MAX_DEPTH, Target, item_target, targets
from backend.extraction.validators import passes
from backend.extraction.values import read_values
from backend.extraction.windows import Passage
from backend.inference.language import Question
from workbench.contract.schema import PropertyShape, Schema

INSTRUCTIONS = (
    "Read the values of properties from the elements of one document. The data lists the wanted"
    " properties under `properties`, with the keys p0, p1, …, and the elements under `elements`."
    " Answer each key. Give with each value the id of the `element` it stands in and a `quote`:"
    " the exact words of that element, few of them, that say the value. Convert numbers to the"
    " unit that the property names. Give null, or an empty list, where the document does not say;"
    " never guess and never use what you know from elsewhere."
)
READ, INFERRED = 0.75, 0.6
"""Confidence of a value that only a model gave: stated by its quote, or inferred from it."""
_COMPLAINTS = 1
_MAX_COMPLAINTS = 3
_SHAPE_TRIES = 2
_MAX_REPORTED = 12
_PLAIN = {"int": int, "float": float, "bool": bool, "date": date, "datetime": datetime}
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-"})


class CitedValue(TypedDict):
    """A value found where the model cited it: the index of the element, and a confidence."""

    value: Any
    element: int
    confidence: float


class Refused(ValueError):
    """A value is not where the model cited it; the message is meant for the model."""


def question(
    schema: Schema, passages: Sequence[Passage], temperature: float = 0.0
) -> "tuple[Question[BaseModel], Callable[[BaseModel], dict[str, CitedValue]]]":
    """The question about one piece of a document, and the function that reads the answer.

    The function returns the values whose citations hold, by property name.
    """
    wanted = targets(schema.properties)
    texts: dict[int, str] = {}
    for passage in passages:
        texts[passage["id"]] = f"{texts.get(passage['id'], '')} {_plain(passage['text'])}"
    retries = max((v.n_retries for t in wanted for v in t.shape.validators), default=0)
    complaints = min(_MAX_COMPLAINTS, _COMPLAINTS + retries)
    sent = 0

    def check(answer: BaseModel) -> str | None:
        nonlocal sent
        faults = _read(wanted, answer, texts)[1]
        if not faults or sent == complaints:
            return None
        sent += 1
        return "These values cannot be accepted:\n" + "\n".join(faults[:_MAX_REPORTED])

    asked = Question(
        INSTRUCTIONS,
        {
            "properties": [_described(f"p{at}", t) for at, t in enumerate(wanted)],
            "elements": passages,
        },
        _object("Properties", [target.shape for target in wanted], 0),
        check=check,
        tries=complaints + _SHAPE_TRIES,
        temperature=temperature,
    )
    return asked, lambda answer: _read(wanted, answer, texts)[0]


def _described(key: str, target: Target) -> dict[str, Any]:
    """The description of a property that the model sees."""
    shape = target.shape
    described: dict[str, Any] = {
        "key": key,
        "name": target.name,
        "type": shape.kind,
        "unit": target.unit.name if target.unit is not None else None,
        "description": shape.description,
        "instructions": shape.extraction_instructions,
        "examples": shape.examples,
        "choices": shape.choices,
        "parts": [_described(f"p{at}", inner) for at, inner in enumerate(target.inner)],
    }
    if shape.kind == "array" and shape.item_type is not None:
        described["items"] = _described("", item_target(target, shape.item_type))
    return {name: value for name, value in described.items() if value not in (None, "", [])}


def _object(name: str, shapes: Sequence[PropertyShape], depth: int) -> type[BaseModel]:
    fields: dict[str, Any] = {
        f"p{at}": (_type(shape, depth), ...) for at, shape in enumerate(shapes)
    }
    return create_model(name, **fields)


def _type(shape: PropertyShape, depth: int) -> Any:
    if shape.kind == "array" and shape.item_type is not None:
        return list[_type(shape.item_type, depth + 1)]  # type: ignore[misc]
    if shape.kind == "object" and depth < MAX_DEPTH:
        return _object("Parts", shape.properties or [], depth + 1) | None
    choices = tuple(str(choice) for choice in shape.choices or [])
    return _scalar(shape.kind, choices if shape.kind == "choice" else ()) | None


@lru_cache(maxsize=256)
def _scalar(kind: str, choices: tuple[str, ...]) -> Any:
    """The type of a value with its source; properties of the same kind share it."""
    value: Any = Literal[choices] if choices else _PLAIN.get(kind, str)
    quote = (str, Field(max_length=1_000))
    return create_model(f"Cited{kind.title()}", value=(value, ...), element=(int, ...), quote=quote)


def _read(
    wanted: Sequence[Target], answer: BaseModel, texts: Mapping[int, str]
) -> tuple[dict[str, CitedValue], list[str]]:
    """The values whose citations hold, and a sentence about each of the others."""
    cited: dict[str, CitedValue] = {}
    faults: list[str] = []
    for at, target in enumerate(wanted):
        value = _cited_value(target, getattr(answer, f"p{at}"), texts, f"p{at}", faults)
        if value is None:
            continue
        if passes(value["value"], target.shape.validators):
            cited[target.name] = value
        else:
            faults.append(f"p{at}: {value['value']!r} does not pass its validators")
    return cited, faults


def _cited_value(
    target: Target, given: Any, texts: Mapping[int, str], key: str, faults: list[str]
) -> CitedValue | None:
    if given is None or given == []:
        return None
    if isinstance(given, list) and target.shape.item_type is not None:
        item = item_target(target, target.shape.item_type)
        items = [
            _cited_value(item, part, texts, f"{key}[{at}]", faults) for at, part in enumerate(given)
        ]
        return _together([part for part in items if part], [p["value"] for p in items if p])
    if target.shape.kind == "object":
        parts = {
            inner.name: _cited_value(inner, getattr(given, f"p{at}"), texts, f"{key}.p{at}", faults)
            for at, inner in enumerate(target.inner)
        }
        values = {name: None if part is None else part["value"] for name, part in parts.items()}
        return _together([part for part in parts.values() if part], values)
    try:
        return _cited(target, given, texts)
    except Refused as refusal:
        faults.append(f"{key}: {refusal}")
        return None


def _together(parts: Sequence[CitedValue], value: Any) -> CitedValue | None:
    if not parts:
        return None
    least = min(part["confidence"] for part in parts)
    return CitedValue(value=value, element=parts[0]["element"], confidence=least)


def _cited(target: Target, given: Any, texts: Mapping[int, str]) -> CitedValue:
    text, quote = texts.get(given.element), _plain(given.quote)
    if text is None:
        raise Refused(f"there is no element {given.element}")
    if not quote or quote not in text:
        raise Refused(f"element {given.element} does not contain the words {given.quote[:80]!r}")
    meant = _wire(target.shape, given.value)
    for value in meant:
        if _says(target, quote, value):
            return CitedValue(value=value, element=given.element, confidence=READ)
    if target.shape.kind in ("bool", "choice"):
        return CitedValue(value=meant[0], element=given.element, confidence=INFERRED)
    raise Refused(f"the quote {given.quote[:80]!r} does not say {meant[0]!r}")


def _says(target: Target, quote: str, value: Any) -> bool:
    """Whether the quote contains the value."""
    if target.shape.kind in ("string", "custom"):
        return bool(value) and _plain(value) in quote
    readings = [
        reading.value
        for label in ("", target.name)
        for habits in (Habits(), Habits(day_first=True, decimal_comma=True))
        for reading in read_values(target, quote, label=label, habits=habits)
    ]
    return any(_same(reading, value) for reading in readings)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        # Models round what they convert from another unit.
        return bool(abs(one - other) <= max(0.005, 0.002 * abs(other)))
    return bool(one == other)


def _wire(shape: PropertyShape, value: Any) -> list[Any]:
    """The value as JSON, or all its possible readings, the likeliest first."""
    if isinstance(value, datetime):  # models like to add an offset that nobody wrote
        return [value.isoformat(), value.replace(tzinfo=None).isoformat()]
    if isinstance(value, date):
        return [value.isoformat()]
    if shape.kind == "choice":
        return [choice for choice in shape.choices or [] if str(choice) == value]
    return [value.strip() if isinstance(value, str) else value]


def _plain(text: str) -> str:
    """Normalises case, blanks, quotes and dashes."""
    return re.sub(r"\s+", " ", text.translate(_APOSTROPHES)).strip().casefold()
