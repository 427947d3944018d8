"""Values that an electronic invoice declares under standard terms.

The partitioner marks the table of such terms. A property asks for a term if every word of its name,
or a near-synonym, is a word of the term: `due_date` for "Payment due date". If two terms with
different values fit a name equally well, neither is used.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from backend.extraction.units import unit_of
from backend.extraction.words import NEAR, content, stem
from workbench.contract.elements import Element
from workbench.contract.plan_values import as_date, as_number
from workbench.contract.schema import SchemaProperty

MARK = "declares_terms"
"""The property that marks a table whose rows are terms with declared values."""
_BESIDE = re.compile(r"(?:(?<!\s)\s+)?\([^()]*\)")
_NAME = stem("name")
_AMOUNTS = frozenset(map(stem, ("total", "subtotal", "sum", "amount")))
_DATES = frozenset(map(stem, ("date", "start", "end")))


class DeclaredTerm(NamedTuple):
    """A value with its unit and the index of the table that shows it."""

    value: Any
    unit: str | None
    element: int


class _Fit(NamedTuple):
    """How well a term fits a name; the lowest fits best."""

    surplus: int
    near: int


def declared_term(prop: SchemaProperty, elements: Sequence[Element]) -> DeclaredTerm | None:
    """The value of the term that a property asks for; None for no term, or several."""
    fits: list[tuple[_Fit, DeclaredTerm]] = []
    wanted = _words(prop.name)
    for index, label, text in _rows(elements):
        words = _words(label)
        fit = _fit(wanted, words)
        read = None if fit is None else _read(text, words, prop)
        if fit is not None and read is not None:
            fits.append((fit, DeclaredTerm(*read, index)))
    if not fits:
        return None
    best = min(fit for fit, _ in fits)
    first, *others = [term for fit, term in fits if fit == best]
    return first if all(other.value == first.value for other in others) else None


def _rows(elements: Sequence[Element]) -> Iterator[tuple[int, str, str]]:
    for index, element in enumerate(elements):
        if element.table is None or not element.properties.get(MARK):
            continue
        rows: dict[int, dict[int, str]] = {}
        for cell in element.table.cells:
            rows.setdefault(cell.rows[0], {})[cell.cols[0]] = cell.content
        for row in rows.values():
            if row.get(0) and row.get(1):
                yield index, row[0], row[1]


def _words(label: str) -> frozenset[str]:
    """The stems of a name; "name" counts only if there is no other word."""
    words = frozenset(content(_BESIDE.sub("", label)))
    return words - {_NAME} or words


def _fit(wanted: frozenset[str], words: frozenset[str]) -> _Fit | None:
    """A name of several words may omit one word of the term; other names must contain all."""
    matched, near = set(), 0
    for word in wanted:
        if word in words:
            matched.add(word)
            continue
        kin = NEAR.get(word, frozenset()) & words
        if not kin:
            return None
        matched |= kin
        near += 1
    surplus = len(words - matched)
    return _Fit(surplus, near) if wanted and surplus <= (len(wanted) > 1) else None


def _read(text: str, words: frozenset[str], prop: SchemaProperty) -> tuple[Any, str | None] | None:
    """A declared value converted to the type of a property, with its unit; None if it does not
    convert.
    """
    if words & _AMOUNTS:
        return _amount(text, prop)
    if words & _DATES:
        return _day(text, prop)
    return (text, None) if prop.kind in ("string", "custom") else None


def _amount(text: str, prop: SchemaProperty) -> tuple[Any, str | None] | None:
    digits, _, written = text.partition(" ")
    number = as_number(digits)
    if number is None or prop.kind not in ("int", "float"):
        return None
    value = int(number) if prop.kind == "int" else float(number)
    unit = unit_of(written)
    return (value, unit.name if unit else written or None) if value == number else None


def _day(text: str, prop: SchemaProperty) -> tuple[Any, str | None] | None:
    day = as_date(text)
    if day is None:
        return None
    match prop.kind:
        case "date":
            return day.isoformat(), None
        case "datetime":
            return f"{day.isoformat()}T00:00:00", None
    return None
