"""Document properties as a table: one row per document, one column per path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from backend.search.properties.columns import Column, ColumnView, Growing, Integers, Mask
from backend.search.ranking import Numbers

Parts: TypeAlias = tuple[str, ...]
"""The names of a path, from the document's `properties` inwards."""

DEEPEST: Final = 8
"""Maximum names in a path; anything deeper is part of the object above."""

_MOST_COLUMNS = 5000
_ROW_BYTES = 100


@dataclass(frozen=True)
class TableView:
    """One state of a table. `numbers` are the documents' numbers by row; not all are `alive`.

    `complete` unless there were more paths than the maximum number of columns.
    """

    numbers: Numbers
    alive: Mask
    columns: Mapping[Parts, ColumnView]
    complete: bool
    cache: dict[Any, Any] = field(default_factory=dict, compare=False)
    """Results derived from this state, kept as long as it lasts."""

    def chosen(self, numbers: npt.ArrayLike | None) -> Mask:
        """A mask of these documents' rows; None selects all."""
        if numbers is None:
            return self.alive
        return self.alive & np.isin(self.numbers, numbers)

    def is_complete_for(self, parts: Parts) -> bool:
        """Whether a missing column proves that no document has ever had this path."""
        return self.complete and len(parts) <= DEEPEST

    def holds(self, parts: Parts) -> bool:
        """Whether any document has a non-null value there."""
        column = self.columns.get(parts)
        return column is not None and bool(self.alive[column.rows].any())


class Table:
    """A table that grows and changes. Not thread-safe; its views are."""

    def __init__(self) -> None:
        self._columns: dict[Parts, Column] = {}
        self._complete = True
        self._numbers = Growing(np.int64)
        self._dead = Growing()
        self._places: dict[int, int] = {}

    @property
    def size(self) -> int:
        """Bytes of memory."""
        columns = list(self._columns.values())
        return sum(column.size for column in columns) + _ROW_BYTES * len(self._numbers)

    @property
    def is_sparse(self) -> bool:
        """Whether most rows belong to deleted or changed documents."""
        return 2 * len(self._places) < len(self._numbers)

    def put(self, numbers: Sequence[int], properties: Sequence[Mapping[str, Any]]) -> None:
        """Adds a row per document; earlier rows of the same documents become dead."""
        for number in numbers:
            self.strike_out(number)
        start = len(self._numbers)
        self._numbers.extend(numbers)
        self._places.update(zip(numbers, range(start, len(self._numbers)), strict=True))
        self._spread(np.arange(start, len(self._numbers), dtype=np.int32), (), properties)

    def strike_out(self, number: int) -> None:
        """Deletes a document; unknown ones are ignored."""
        row = self._places.pop(number, None)
        if row is not None:
            self._dead.extend([row])

    def view(self) -> TableView:
        """An immutable view of the present state."""
        alive = np.ones(len(self._numbers), dtype=np.bool_)
        alive[self._dead.view()] = False
        return TableView(
            self._numbers.view(),
            alive,
            {parts: column.view() for parts, column in self._columns.items()},
            self._complete,
        )

    def _spread(self, rows: Integers, above: Parts, objects: Sequence[Mapping[str, Any]]) -> None:
        for name in dict.fromkeys(chain.from_iterable(objects)):
            parts = (*above, name)
            values: list[Any] = [one.get(name) for one in objects]
            column = self._column(parts)
            if column is not None:
                column.put(rows, values)
            if dict in set(map(type, values)) and len(parts) < DEEPEST:
                inner = [place for place, value in enumerate(values) if isinstance(value, dict)]
                self._spread(rows[inner], parts, [values[place] for place in inner])

    def _column(self, parts: Parts) -> Column | None:
        column = self._columns.get(parts)
        if column is None:
            if len(self._columns) >= _MOST_COLUMNS:
                self._complete = False
                return None
            column = self._columns[parts] = Column()
        return column
