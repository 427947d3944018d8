"""Leaders: the dots between a label and its values."""

from collections.abc import Iterator
from itertools import groupby

from backend.partition.lines import rows
from backend.partition.page import Word
from backend.partition.tables.columns import stretches

_DOTS = frozenset(".…·")
_FEWEST = 4
"""Minimum dots of a leader."""
_VALUES = 2
"""Columns after a leader in a table; a list of contents has one."""


def without_leaders(words: list[Word]) -> list[Word]:
    """Removes the leaders of tables, which would fill the white space between columns."""
    dotted = [word for word in words if word.text[0] in _DOTS and _DOTS.issuperset(word.text)]
    if sum(len(word.text) for word in dotted) < _FEWEST:
        return words
    gone: set[int] = set()
    for row in rows(words):
        parts = [
            (dots and sum(len(word.text) for word in part) >= _FEWEST, part)
            for dots, part in _parts(row)
        ]
        for at, (leads, part) in enumerate(parts):
            if leads and _columns(parts[at + 1 :], part[0].style.size) >= _VALUES:
                gone.update(map(id, part))
    return [word for word in words if id(word) not in gone]


def _parts(row: list[Word]) -> Iterator[tuple[bool, list[Word]]]:
    """The words of a row split at dots, and whether each part is dots."""
    for dots, run in groupby(row, key=lambda word: _DOTS.issuperset(word.text)):
        yield dots, list(run)


def _columns(after: list[tuple[bool, list[Word]]], size: float) -> int:
    """The number of columns after a leader. Text right before the next leader is its label."""
    words: list[Word] = []
    for leads, part in after:
        if leads:
            return len(stretches(words, 1.1 * size)) - 1
        words += part
    return len(stretches(words, 1.1 * size))
