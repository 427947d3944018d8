"""Compares the rows of the answers of two versions of a plan.

Rows are the same when they are about the same thing: the same document, or the same group. Rows
that name neither are compared whole.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Row = Mapping[str, Any]
Fate = Literal["gained", "lost", "changed", "same"]

_KEYS = ("doc_id", "properties.key")
_BESIDE = frozenset({"doc_ids", "citations", "evidence", "score"})
"""Columns about how a row came about, not about its content."""


@dataclass(frozen=True)
class RowChange:
    """A row of the later answer, or one that only the earlier has; `before` is its earlier state.

    `columns` are those whose value changed. `place` is the row's position in the later answer; lost
    rows have none.
    """

    fate: Fate
    row: Row
    before: Row | None = None
    columns: tuple[str, ...] = ()
    place: int | None = None


def compare_rows(before: Iterable[Row], after: Iterable[Row]) -> list[RowChange]:
    """The rows of `after` in their order, each with its change, then the lost ones."""
    earlier, later = list(before), list(after)
    key = _key(earlier, later)
    left: dict[Any, list[Row]] = {}
    for row in earlier:
        left.setdefault(_name(row, key), []).append(row)
    changes: list[RowChange] = []
    for place, row in enumerate(later):
        same = left.get(_name(row, key))
        if not same:
            changes.append(RowChange("gained", row, place=place))
            continue
        former = same.pop(0)
        columns = _different(former, row)
        changes.append(RowChange("changed" if columns else "same", row, former, columns, place))
    lost = {id(row) for rows in left.values() for row in rows}
    return changes + [RowChange("lost", row, row) for row in earlier if id(row) in lost]


def tally(changes: Sequence[RowChange]) -> str:
    """`+3 −2 ~4`, or that nothing changed."""
    numbers = Counter(change.fate for change in changes)
    signs: tuple[tuple[Fate, str], ...] = (("gained", "+"), ("lost", "−"), ("changed", "~"))
    counts = [f"{sign}{numbers[fate]:,}" for fate, sign in signs if numbers[fate]]
    return " ".join(counts) or "the same rows"


def _key(before: Sequence[Row], after: Sequence[Row]) -> str | None:
    """The column that names rows in both answers."""
    for name in _KEYS:
        if all(row.get(name) is not None for rows in (before, after) for row in rows[:50]):
            return name
    return None


def _name(row: Row, key: str | None) -> Any:
    if key is not None:
        return repr(row.get(key))
    return repr(sorted((name, repr(row[name])) for name in row if name not in _BESIDE))


def _different(before: Row, after: Row) -> tuple[str, ...]:
    """Columns of both rows whose values differ."""
    shared = [name for name in after if name in before and name not in _BESIDE]
    return tuple(name for name in shared if before[name] != after[name])
