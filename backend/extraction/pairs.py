"""A label and its value: how they appear in a line of text, and labels that name several values.

This is independent of properties; `weight` is the confidence that label and value belong together.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from backend.extraction.periods import Other
from backend.extraction.words import FORM_WORDS, STOP, content, stem

MAX_LABEL = 64
MAX_VALUE = 600
MAX_LINE = 2_000
"""Characters of a line that are searched for labels."""

_LABELLED = re.compile(
    r"^(?P<label>[^\W\d_][^:：=|]{0,63}?|#)\s*(?:(?<!\d)[:：]\s*|[:：]\s+|\s=\s)(?P<value>\S.*)$"
)
_LEADERS = re.compile(r"^(?P<label>[^\W\d_][^.:]{1,60}?)\s*(?:\.\s?){3,}\s*(?P<value>\S.*)$")
_DASHED = re.compile(r"^(?P<label>[^\W\d_][\w ./#'()&]{1,38}?)\s+[-–—]\s+(?P<value>\S.*)$")
_SPACED = re.compile(r"^(?P<label>[^\W\d_][\w ./#'()&-]{1,48}?)(?:\s{3,}|\t+)(?P<value>\S.*)$")
_SEGMENTS = re.compile(r"\s+\|\s+|\t+|\s{3,}|\s+[•·]\s+")
_INNER_LABEL = re.compile(
    r"(?<=\s)((?:[A-Z#№][\w.'/()-]*\s+(?:(?:of|to|the|no\.?|#)\s+)?){0,4}"
    r"[A-Z#№][\w.'/()-]*(?:\s+[a-z][\w.'/()-]*){0,3}):\s+"
)
_NUMBERED = re.compile(
    r"(?<![\w.])(?P<label>[A-Z][a-z]+(?: [A-Za-z]+){0,2}? ?(?:#|№|[Nn]o\.|[Nn]r\.|[Nn]umber))\s*"
    r"(?P<value>[A-Z]{0,6}[-/]?\w*\d[\w/-]*)"
)
_FIGURED = re.compile(
    r"(?P<label>[A-Z][A-Za-z]+(?: [A-Za-z]+){0,2}) (?P<value>[+(]?[A-Z]{0,4}[-/]?\d[\w()/.+-]*"
    r"(?: [\d(][\d()/.-]*)*)(?: |$)"
)
_MAX_FIGURED = 80


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and the value that probably belongs to it."""

    label: str
    value: str
    element: int
    page: int
    bbox: tuple[float, ...]
    weight: float
    source: str
    row: str = ""
    """For a cell in a table of several rows: the name of its row, which is part of the label."""
    period: Other = ""
    """How the period of its column differs from the current one."""


def line_pairs(line: str) -> Iterator[tuple[str, str, float]]:
    """Label, value and weight of everything labelled in one line of text."""
    labelled = [segment for segment in _SEGMENTS.split(line) if _LABELLED.match(segment)]
    if not labelled:
        for pattern, weight in ((_LEADERS, 0.95), (_SPACED, 0.9), (_DASHED, 0.75)):
            match = pattern.match(line)
            if match and is_label(match["label"]):
                yield match["label"].strip(), match["value"].strip()[:MAX_VALUE], weight
                return
        return
    for segment in labelled:
        yield from _inline_pairs(segment)


def numbered_pairs(line: str) -> Iterator[tuple[str, str]]:
    """Codes behind a number sign without a colon: "Invoice # F-12", "Report No. 7"."""
    for match in _NUMBERED.finditer(line):
        if not line[match.end("label") :].lstrip().startswith(":"):
            yield match["label"], match["value"]


def figured_pairs(line: str) -> list[tuple[str, str]]:
    """Alternating labels and numbers that fill a line: "Phone 555 123 Fax 555 124"."""
    pairs, end = [], 0
    if len(line) <= _MAX_FIGURED:
        while match := _FIGURED.match(line, end):
            pairs.append((match["label"], match["value"]))
            end = match.end()
    return pairs if end == len(line) else []


def _inline_pairs(segment: str) -> Iterator[tuple[str, str, float]]:
    """Pairs of one segment; a value ends where the next label of the same line begins."""
    match = _LABELLED.match(segment)
    if match is None or not is_label(match["label"], sentence_start=True):
        return
    label, start, weight = match["label"].strip(), match.start("value"), 1.0
    for inner in _INNER_LABEL.finditer(segment, start):
        tail = _label_tail(inner[1])
        value = segment[start : inner.end(1) - len(tail)].strip(" ,;")
        if value.strip("."):
            yield label, value[:MAX_VALUE], 0.95
            label, start, weight = tail, inner.end(), 0.95
    value = segment[start:].strip()
    if value:
        yield label, value[:MAX_VALUE], weight


def _label_tail(words: str) -> str:
    """The label at the end of a run of words: from its last capital, extended over form words."""
    parts = words.split()
    start = len(parts) - 1
    while start > 0 and parts[start][0].islower():
        start -= 1
    while start > 0:
        word = parts[start - 1].strip(".()").lower()
        if stem(word) not in FORM_WORDS and word not in STOP:
            break
        start -= 1
    return " ".join(parts[start:])


def is_label(text: str, *, sentence_start: bool = False) -> bool:
    """Whether a text is short and plain enough to be a label."""
    if not 1 <= len(text) <= MAX_LABEL:
        return False
    if text[-1] in ".;,!" and not text.lower().endswith(("no.", "nr.")):
        return False
    words = text.split()
    if len(words) > 8 or not any(char.isalpha() for char in text):
        return False
    if len(words) > 4 and words[0].lower() in STOP:
        return False
    digits = sum(char.isdigit() for char in text)
    return digits <= 2 and (sentence_start or text[0].isupper() or text[0] in "#№")


_PLACE = frozenset(content("location place site where"))
_PLACE_PARTS = ("city", "state", "country")


def single(pair: Pair) -> list[Pair]:
    """Splits a pair that names several values: "City, State: Larkham, Osmund"."""
    labels = [
        part.strip() for part in re.split(r"(?:(?<!\s)\s+)?[/,&]\s*|(?<!\s)\s+and\s+", pair.label)
    ]
    if 2 <= len(labels) <= 4 and all(labels) and len(pair.value) <= 120:
        for separator in ("/", r",(?!\d)", ";"):
            values = [part.strip() for part in re.split(separator, pair.value)]
            if len(values) == len(labels) and all(values):
                head = labels[-1].split()[-1]
                named = [
                    label if len(label.split()) > 1 else f"{label} {head}" for label in labels[:-1]
                ]
                return [
                    replace(pair, label=label, value=value, weight=0.93 * pair.weight)
                    for label, value in zip([*named, labels[-1]], values, strict=True)
                ]
    words = content(pair.label)
    values = [part.strip() for part in pair.value.split(",")]
    if words and words[-1] in _PLACE and 2 <= len(values) <= 3 and not re.search(r"\d", pair.value):
        return [
            pair,
            *(
                replace(pair, label=label, value=value, weight=0.9 * pair.weight)
                for label, value in zip(_PLACE_PARTS, values, strict=False)
            ),
        ]
    return [pair]
