"""Leaders: the dots that lead the eye from a label to its values."""

from itertools import groupby

from backend.partition.lines import rows
from backend.partition.page import Word
from backend.partition.tables.columns import stretches

_DOTS = frozenset(".…·")
_FEWEST = 4
"""Dots of a leader."""
_VALUES = 2
"""Columns to which a leader leads in a table; to one it leads in a list of contents as well."""


def without_leaders(words: list[Word]) -> list[Word]:
    """The words without the leaders of tables, which would fill the white between columns."""
    dotted = [word for word in words if word.text[0] in _DOTS and _DOTS.issuperset(word.text)]
    if sum(len(word.text) for word in dotted) < _FEWEST:
        return words
    gone: set[int] = set()
    for row in rows(words):
        at = 0
        for dots, run in groupby(row, key=lambda word: _DOTS.issuperset(word.text)):
            part = list(run)
            at += len(part)
            if dots and sum(len(word.text) for word in part) >= _FEWEST:
                after = stretches(row[at:], 1.1 * part[0].style.size)
                if len(after) >= _VALUES:
                    gone.update(map(id, part))
    return [word for word in words if id(word) not in gone]
