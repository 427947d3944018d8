"""Evaluates a filter over the columns of a property table, testing each distinct value once.

Gives the same results as the SQL and as `matches`, a hundred times faster when the table is in
memory.
"""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from backend.search.filters.evaluate import COMPARE, compares
from backend.search.filters.patterns import fitting
from backend.search.filters.tree import (
    And,
    Comparison,
    Condition,
    Expression,
    IsNull,
    Like,
    Not,
    OneOf,
    Or,
    Path,
    Value,
    boolean_of,
    conditions,
    rated,
)
from backend.search.properties.columns import OTHER, ColumnView, Mask
from backend.search.properties.table import TableView

_WIDEST = 2**53  # beyond it floats skip integers


def can_judge(expression: Expression, table: TableView) -> bool:
    """Whether the table has every column that the filter needs, with all values."""

    def is_whole(path: Path) -> bool:
        column = table.columns.get(path.parts)
        if column is None:
            return rated(path) is None and table.is_complete_for(path.parts)
        return not column.is_cut

    return all(is_whole(condition.path) for condition in conditions(expression))


def fulfilling(expression: Expression, table: TableView) -> Mask:
    """A mask of the rows that pass, including rows of deleted documents."""
    match expression:
        case And(parts):
            return _joined(np.logical_and, [fulfilling(part, table) for part in parts])
        case Or(parts):
            return _joined(np.logical_or, [fulfilling(part, table) for part in parts])
        case Not(inner):
            return _known(table, inner.path) & ~fulfilling(inner, table)
        case IsNull(path):
            return ~_known(table, path)
    rows = np.zeros(len(table.alive), dtype=np.bool_)
    column = table.columns.get(expression.path.parts)
    if column is not None:
        present = column.facts != OTHER
        satisfied = _satisfied(column, expression)
        rows[column.rows[present][satisfied[column.facts[present]]]] = True
    return rows


def _known(table: TableView, path: Path) -> Mask:
    """A mask of the rows with a value at a path."""
    rows = np.zeros(len(table.alive), dtype=np.bool_)
    column = table.columns.get(path.parts)
    if column is not None:
        rows[column.rows] = True
    return rows


def _satisfied(column: ColumnView, condition: Condition) -> Mask:
    """A mask of the column's values that satisfy a condition."""
    match condition:
        case Comparison(_, name, value):
            return _compared(column, name, value)
        case OneOf(_, values):
            return _joined(np.logical_or, [_compared(column, "=", value) for value in values])
        case Like(_, pattern):
            matched: Mask = fitting(pattern, column.texts).fill_null(False).to_numpy()
            return matched
        case _:
            return np.zeros(column.count, dtype=np.bool_)


def _compared(column: ColumnView, name: str, value: Value) -> Mask:
    if isinstance(value, datetime):
        moments = column.moments
        at: Mask = ~np.isnat(moments) & COMPARE[name](moments, np.datetime64(value, "us"))
        return at
    if isinstance(value, int | float) and (abs(value) >= _WIDEST or not column.is_exact):
        judged = (compares(one, name, value) for one in column.values.items[: column.count])
        return np.fromiter(judged, dtype=np.bool_, count=column.count)
    compare = COMPARE[name]
    matched: Mask = np.zeros(column.count, dtype=np.bool_)
    boolean = boolean_of(value)
    if boolean is not None and name == "=":
        matched |= (column.booleans >= 0) & compare(column.booleans, int(boolean))
    if isinstance(value, str):
        matched |= compare(column.texts, value).fill_null(False).to_numpy()
    elif not isinstance(value, bool):
        matched |= ~np.isnan(column.numbers) & compare(column.numbers, value)
    return matched


def _joined(how: np.ufunc, masks: Sequence[Mask]) -> Mask:
    joined: Mask = how.reduce(masks)
    return joined
