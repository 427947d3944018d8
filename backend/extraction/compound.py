"""Candidates for arrays and objects: enumerations, columns, rows as objects, lists below
headings.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from backend.extraction.absence import is_absent
from backend.extraction.candidates import MIN_FIT, Candidate
from backend.extraction.labels import Rivals
from backend.extraction.reading import Column, Reading
from backend.extraction.targets import Target, item_target
from backend.extraction.value_faults import default_of
from backend.extraction.values import read_values
from backend.extraction.words import content

MAX_ITEMS = 1_000
_SUMMARY_ROW = re.compile(r"(?:grand |sub-?)?totals?\b|sum\b|balance\b|average\b", re.IGNORECASE)
_SEPARATORS = re.compile(r"(?:(?<!\s)\s+)?[;\n]\s*|(?:(?<!\s)\s+)?,\s+(?:and\s+)?|(?<!\s)\s+and\s+")
_STRONG_SEPARATORS = re.compile(r"(?:(?<!\s)\s+)?[;\n|]\s*")


def array_candidates(target: Target, reading: Reading, rivals: Rivals) -> list[Candidate]:
    """Candidates for an array, best first; each is a whole list. Lists inside lists are not read:
    nothing in a text says where an inner one ends.
    """
    shape = target.shape.item_type
    if shape is None or shape.kind == "array":
        return []
    item = item_target(target, shape)
    if shape.kind == "object":
        candidates = _tables(target, item, reading)
    else:
        candidates = [
            *_listed(target, item, reading, rivals),
            *_column(target, item, reading),
            *_below_heading(target, item, reading),
        ]
    return sorted(candidates, key=lambda candidate: -candidate.score)


def _listed(target: Target, item: Target, reading: Reading, rivals: Rivals) -> list[Candidate]:
    """ "Crew: A. Smith, B. Jones"."""
    candidates = []
    for pair in reading.single_pairs:
        fit = target.fit(pair.label)
        if fit < MIN_FIT or pair.source == "heading" or is_absent(pair.value):
            continue
        strong = _STRONG_SEPARATORS.split(pair.value)
        parts = strong if len(strong) > 1 else _SEPARATORS.split(pair.value)
        items, quality = _items(item, parts, pair.label, reading)
        if items:
            score = fit * pair.weight * rivals.share(pair, fit) * quality
            candidates.append(
                Candidate(items, score, pair.source, pair.element, pair.page, pair.bbox)
            )
    return candidates


def _column(target: Target, item: Target, reading: Reading) -> list[Candidate]:
    candidates = []
    for column in reading.columns:
        fit = target.fit(column.header)
        if fit < MIN_FIT:
            continue
        cells = _without_summary(column, reading.columns)
        items, quality = _items(item, cells, column.header, reading)
        if items:
            place = (column.element, column.page, column.bbox)
            candidates.append(Candidate(items, 0.93 * fit * quality, "column", *place))
    return candidates


def _below_heading(target: Target, item: Target, reading: Reading) -> list[Candidate]:
    candidates = []
    for section in reading.sections:
        fit = target.fit(section.heading)
        if fit < MIN_FIT or not section.items:
            continue
        items, quality = _items(item, section.items, section.heading, reading)
        if items:
            place = (section.element, section.page, section.bbox)
            candidates.append(Candidate(items, 0.95 * fit * quality, "list", *place))
    return candidates


def _items(
    item: Target, parts: Sequence[str], label: str, reading: Reading
) -> tuple[list[Any], float]:
    """The parts as values of the item type, and their mean quality; unreadable parts lower it."""
    items, quality, tried = [], 0.0, 0
    for part in parts[:MAX_ITEMS]:
        text = part.strip().removeprefix("and ").strip()
        if not text or is_absent(text):
            continue
        tried += 1
        values = read_values(item, text, label=label, habits=reading.habits)
        if values:
            items.append(values[0].value)
            quality += values[0].quality
    return items, quality / tried if tried else 0.0


def _without_summary(column: Column, columns: Sequence[Column]) -> list[str]:
    """The cells of a column without those of summary rows, whose first cell says "Total"."""
    first = next(other for other in columns if other.table == column.table)
    return [
        cell
        for cell, name in zip(column.cells, first.cells, strict=False)
        if not _SUMMARY_ROW.match(name) and (name or column is first)
    ]


def _tables(target: Target, item: Target, reading: Reading) -> list[Candidate]:
    """One object per row of a table whose headers name the inner properties."""
    candidates = []
    for number in dict.fromkeys(column.table for column in reading.columns):
        columns = [column for column in reading.columns if column.table == number]
        chosen = _matched(item.inner, columns)
        if len(chosen) < max(1, (len(item.inner) + 1) // 2):
            continue
        rows = _row_objects(item.inner, chosen, columns, reading)
        if rows:
            mean = sum(fit for _, fit in chosen.values()) / len(chosen)
            share = len(chosen) / len(item.inner)
            place = (columns[0].element, columns[0].page, columns[0].bbox)
            candidates.append(Candidate(rows, mean * (0.6 + 0.4 * share), "table", *place))
    return candidates


def _matched(inner: Sequence[Target], columns: Sequence[Column]) -> dict[str, tuple[Column, float]]:
    """The best column for each inner property; no column serves two properties."""
    fits = sorted(
        (
            (target.fit(column.header), at, target, column)
            for target in inner
            for at, column in enumerate(columns)
        ),
        key=lambda entry: (-entry[0], entry[1]),
    )
    chosen: dict[str, tuple[Column, float]] = {}
    used: set[int] = set()
    for fit, at, target, column in fits:
        if fit >= MIN_FIT and target.name not in chosen and at not in used:
            chosen[target.name] = (column, fit)
            used.add(at)
    return chosen


def _row_objects(
    inner: Sequence[Target],
    chosen: dict[str, tuple[Column, float]],
    columns: Sequence[Column],
    reading: Reading,
) -> list[dict[str, Any]]:
    rows = []
    for at in range(min(len(columns[0].cells), MAX_ITEMS)):
        filled = [column.cells[at] for column in columns if column.cells[at]]
        if not filled or _SUMMARY_ROW.match(filled[0]):
            continue
        row: dict[str, Any] = {}
        for target in inner:
            row[target.name] = default_of(target.shape)
            if target.name in chosen:
                column = chosen[target.name][0]
                text, label = column.cells[at], column.header
                values = read_values(target, text, label=label, habits=reading.habits)
                if values and not is_absent(column.cells[at]):
                    row[target.name] = values[0].value
        read = sum(value is not None for value in row.values())
        if read and 2 * read >= len(chosen):  # a row with one filled cell is a note or a sum
            rows.append(row)
    return rows


class InnerValue(Protocol):
    """A value of an inner property, as `object_candidates` reads it."""

    @property
    def value(self) -> Any: ...
    @property
    def confidence(self) -> float: ...
    @property
    def page(self) -> int | None: ...
    @property
    def bbox(self) -> list[float] | None: ...
    @property
    def element(self) -> int | None: ...


InnerValues = Callable[[Sequence[Target], Reading], Mapping[str, InnerValue]]
"""Extracts inner properties from a document or from the part that a reading covers."""


def object_candidates(
    target: Target, reading: Reading, inner_values: InnerValues
) -> list[Candidate]:
    """An object built from its inner properties, below the heading that names it or anywhere."""
    for scope in (_section_scope(target, reading), reading):
        if scope is None or not target.inner:
            continue
        values = inner_values(target.inner, scope)
        share = len(values) / len(target.inner)
        if not values or (scope is not reading and share < 0.5):
            continue
        value = {
            inner.name: values[inner.name].value
            if inner.name in values
            else default_of(inner.shape)
            for inner in target.inner
        }
        confidence = sum(guess.confidence for guess in values.values()) / len(values)
        first = max(values.values(), key=lambda guess: guess.confidence)
        place = (first.element or 0, first.page or 1, tuple(first.bbox or ()))
        return [Candidate(value, confidence * (0.7 + 0.3 * share), "object", *place)]
    return []


def _section_scope(target: Target, reading: Reading) -> Reading | None:
    """The part of the document below the heading that names the object, if there is one."""
    ranked = sorted(
        ((target.fit(section.heading), -at) for at, section in enumerate(reading.sections)),
        reverse=True,
    )
    if not ranked or ranked[0][0] < 0.7 or not content(target.name):
        return None
    at = -ranked[0][1]
    start = reading.sections[at].element
    end = next((s.element for s in reading.sections[at + 1 :]), 1 << 60)
    inside = range(start, end)
    return Reading(
        [pair for pair in reading.pairs if pair.element in inside and pair.source != "heading"],
        [column for column in reading.columns if column.element in inside],
        [],
        [sentence for sentence in reading.sentences if sentence.element in inside],
    )
