"""How reliable the values of a collection are: confidence, unit, and guesses.

Each property has a column of confidences, `<field>.confidence`, and a number one of units,
`<field>.unit`. A value that was withheld because of its low confidence is in the table with that
confidence; `trusted` removes everything below a limit. If a person decided that there is no value,
the confidence is `DECIDED`. This module alone decides what counts as a doubtful value.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl
from pydantic_core import from_json

from workbench.contract.inner_properties import inner_value
from workbench.contract.plan_columns import (
    NUMERIC,
    Columns,
    confidence_field,
    doubted_field,
    unit_field,
)
from workbench.contract.stored_evidence import best_guess, stated_confidence

DECIDED = 1.0
"""The confidence of what a person decided, a value or that there is none."""


@dataclass
class Trust:
    """The evidence of documents by property, with one item for each document.

    `guesses` are withheld values. A property without evidence has no list.
    """

    height: int = 0
    confidences: dict[str, list[float | None]] = field(default_factory=dict)
    units: dict[str, list[str | None]] = field(default_factory=dict)
    guesses: dict[str, dict[int, Any]] = field(default_factory=dict)

    def share(self, outer: str, name: str, part: str) -> None:
        """Applies the evidence of an object to a part of it."""
        if outer in self.confidences:
            self.confidences.setdefault(name, self.confidences[outer])
        if outer in self.guesses:
            read = {place: inner_value(v, part) for place, v in self.guesses[outer].items()}
            self.guesses.setdefault(name, read)


def trust_of(texts: Iterable[str], entities: Mapping[str, Sequence[Any]]) -> Trust:
    """Reads the evidence of documents, a JSON object each; `entities` are their stored values."""
    trust = Trust(height=len(next(iter(entities.values()), ())))
    for place, text in enumerate(texts):
        if len(text) > len("{}"):
            for name, item in from_json(text, cache_strings="keys").items():
                if isinstance(item, dict):
                    _note(trust, place, name, item, entities)
        trust.height = max(trust.height, place + 1)
    return trust


def _note(
    trust: Trust,
    place: int,
    name: str,
    item: Mapping[str, Any],
    entities: Mapping[str, Sequence[Any]],
) -> None:
    values = entities.get(name)
    guess = best_guess(item)
    if values is not None and values[place] is not None:
        confidence = stated_confidence(item)
    elif guess is not None:
        confidence, item = guess.get("confidence"), guess
        trust.guesses.setdefault(name, {})[place] = guess.get("value")
    elif item.get("corrected"):
        _column(trust.confidences, name, place).append(DECIDED)
        return
    else:
        return
    if isinstance(confidence, int | float) and confidence <= DECIDED:
        _column(trust.confidences, name, place).append(float(confidence))
    if isinstance(unit := item.get("unit"), str):
        _column(trust.units, name, place).append(unit)


def _column(columns: dict[str, list[Any]], name: str, place: int) -> list[Any]:
    """The list of a property, filled with nulls up to a document."""
    column = columns.setdefault(name, [])
    column.extend([None] * (place - len(column)))
    return column


def with_guesses(values: Sequence[Any], guesses: Mapping[int, Any] | None) -> Sequence[Any]:
    """The values of documents, with withheld values filling the gaps."""
    if not guesses:
        return values
    return [guesses.get(place) if value is None else value for place, value in enumerate(values)]


def trust_series(trust: Trust, name: str, key: str, columns: Columns) -> list[pl.Series]:
    """The columns of confidence and, for a number, of unit; `key` is the property's bare name."""

    def padded(column: list[Any] | None) -> list[Any]:
        column = column or []
        return column + [None] * (trust.height - len(column))

    made = [pl.Series(confidence_field(name), padded(trust.confidences.get(key)), pl.Float32)]
    if columns[name] in NUMERIC:
        made.append(pl.Series(unit_field(name), padded(trust.units.get(key)), pl.String))
    return made


def decided_none(name: str) -> pl.Expr:
    """Where a person decided that a field has no value."""
    return pl.col(name).is_null() & (pl.col(confidence_field(name)) == DECIDED).fill_null(False)


def doubtful(name: str, limit: float) -> pl.Expr:
    """Which values of a field are below the confidence limit."""
    return (pl.col(confidence_field(name)) < limit).fill_null(False)


def trusted(table: pl.DataFrame, fields: Columns, limit: float) -> pl.DataFrame:
    """The table without values below the limit, which move to the `doubted_field` columns."""
    masked: list[pl.Expr] = []
    for name in fields:
        confidence = table.get_column(confidence_field(name))
        lowest = confidence.min() if confidence.null_count() < table.height else None
        if isinstance(lowest, float) and lowest < limit:
            below = doubtful(name, limit)
            masked.append(pl.when(~below).then(pl.col(name)).alias(name))
            masked.append(pl.when(below).then(pl.col(name)).alias(doubted_field(name)))
    return table.with_columns(masked) if masked else table
