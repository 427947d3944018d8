"""Values of a requested type in a sentence, and how well the sentence fits the question.

Each recogniser returns the span that it read, or None: a wrong value is worse than none.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz, process

from backend.extraction.dates import moments
from backend.extraction.numbers import Number, numbers
from backend.language.words import content_stems

_NAME = re.compile(
    r"(?:(?:Mr|Ms|Mrs|Dr|Prof)\.? )?(?<![\w’'-])[A-Z][\w’'-]+(?: (?:[A-Z]\.|[A-Z][\w’'-]+)){1,3}"
)
_LABEL = re.compile(r"^\s*([^:]{2,40}):(?!\d\d\b)\s*(.{1,200})$")


@dataclass(frozen=True)
class Reading:
    """A value and the words it was read from; `weight` grows with the words shared."""

    value: Any
    span: str
    weight: float


def read_sentence(
    sentence: str, cues: Sequence[str], kind: str, choices: Sequence[str]
) -> Reading | None:
    """The value in `sentence` that answers the question with the content stems `cues`."""
    label = _LABEL.match(sentence)
    stems = set(content_stems(label[1] if label else sentence))
    shared = len(stems & set(cues)) / max(1, len(set(cues)))
    if shared == 0 and not choices:
        return None
    body = label[2] if label else sentence
    value = _choice(body, choices) if choices else _READERS.get(kind, _name)(body)
    if value is None and label and kind == "string":
        value = body.strip(), body
    if value is None:
        return None
    return Reading(value[0], value[1], shared + (0.5 if label else 0.0))


def _choice(text: str, choices: Sequence[str]) -> tuple[Any, str] | None:
    match = process.extractOne(text, choices, scorer=fuzz.partial_ratio, score_cutoff=90)
    return None if match is None else (match[0], match[0])


def _number(text: str) -> tuple[Any, str] | None:
    return next((_read(text, number) for number in _numbers(text)), None)


def _whole(text: str) -> tuple[Any, str] | None:
    number = _number(text)
    return number if number is not None and isinstance(number[0], int) else None


def _money(text: str) -> tuple[Any, str] | None:
    amounts = (n for n in _numbers(text) if n.unit is not None and n.unit.dimension == "money")
    return next((_read(text, amount) for amount in amounts), None) or _number(text)


def _numbers(text: str) -> list[Number]:
    """The numbers that are not part of a date."""
    days = moments(text)
    return [n for n in numbers(text) if not any(n.start < d.end and d.start < n.end for d in days)]


def _read(text: str, number: Number) -> tuple[Any, str]:
    whole = number.value.is_integer()
    return int(number.value) if whole else number.value, text[number.start : number.end]


def _date(text: str) -> tuple[Any, str] | None:
    days = ((day.day.isoformat(), text[day.start : day.end]) for day in moments(text))
    return next(days, None)


def _name(text: str) -> tuple[Any, str] | None:
    match = _NAME.search(text)
    return None if match is None else (match[0], match[0])


def _truth(text: str) -> tuple[Any, str] | None:
    negative = re.search(r"\b(no|not|never|without|none)\b", text, re.IGNORECASE)
    return (negative is None, text)


_READERS: dict[str, Callable[[str], tuple[Any, str] | None]] = {
    "int": _whole,
    "integer": _whole,
    "float": _number,
    "number": _number,
    "money": _money,
    "date": _date,
    "datetime": _date,
    "bool": _truth,
    "boolean": _truth,
    "string": _name,
}
