"""Rows of a long list, loaded only around the visible part."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, overload

Row = TypeVar("Row")


class Windows(Sequence[Row | None], Generic[Row]):
    """As long as the whole list; None for rows that are not loaded. Evicts the oldest windows."""

    def __init__(self, total: int, *, size: int = 300, most: int = 40) -> None:
        self.total = total
        self.size = size
        self._most = most
        self._loaded: OrderedDict[int, Sequence[Row]] = OrderedDict()

    def fill(self, start: int, rows: Sequence[Row]) -> None:
        """Stores the rows from `start` on, which must be the beginning of a window."""
        number, odd = divmod(start, self.size)
        if odd or len(rows) > self.size:
            raise ValueError(f"rows from {start} on are not a window of {self.size}")
        self._loaded[number] = rows
        self._loaded.move_to_end(number)
        while len(self._loaded) > self._most:
            self._loaded.popitem(last=False)

    def put(self, index: int, row: Row) -> None:
        """Replaces a loaded row; others are ignored."""
        number, place = divmod(index, self.size)
        rows = self._loaded.get(number)
        if rows is not None and place < len(rows):
            self._loaded[number] = [*rows[:place], row, *rows[place + 1 :]]

    def missing(self, first: int, last: int) -> list[int]:
        """Where the windows begin that are not loaded between two rows."""
        numbers = range(max(0, first) // self.size, min(last, self.total - 1) // self.size + 1)
        return [number * self.size for number in numbers if number not in self._loaded]

    def loaded(self) -> Iterator[tuple[int, Row]]:
        """The loaded rows, with their places."""
        for number, rows in tuple(self._loaded.items()):
            yield from enumerate(rows, number * self.size)

    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, index: int) -> Row | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row | None]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row | None] | None:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self.total))]
        if not 0 <= index < self.total:
            raise IndexError(index)
        number, place = divmod(index, self.size)
        rows = self._loaded.get(number)
        return rows[place] if rows is not None and place < len(rows) else None
