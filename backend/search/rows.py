"""Maps elements to rows of the arrays in an index.

Rows are only appended or deleted, so readers can keep views while the index changes. The rows of a
document are contiguous.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.search.ranking import Keys, Numbers, numbers_of


@dataclass(frozen=True)
class RowView:
    """One state of the rows: element keys, and whether each element still exists."""

    keys: Keys
    alive: npt.NDArray[np.bool_]

    def chosen(self, allowed: Numbers | None) -> npt.NDArray[np.intp]:
        """The rows of existing elements in allowed documents; None allows all."""
        wanted = self.alive
        if allowed is not None:
            wanted = wanted & np.isin(numbers_of(self.keys), allowed)
        return np.flatnonzero(wanted)

    def rows_of(self, keys: Keys) -> npt.NDArray[np.intp]:
        """The rows of existing elements among these few."""
        return np.flatnonzero(np.isin(self.keys, keys) & self.alive)


class Rows:
    """The rows in use, as growable arrays."""

    def __init__(self) -> None:
        self.used = 0
        self._keys: Keys = np.empty(0, dtype=np.int64)
        self._alive: npt.NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        # The rows of each document; built when the first one is deleted.
        self._places: dict[int, slice] | None = None

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return self._keys.nbytes + self._alive.nbytes + 200 * len(self._places or ())

    @property
    def gone(self) -> list[list[int]]:
        """Ranges of deleted rows: pairs of first row and end."""
        alive = np.concatenate([[True], self._alive[: self.used], [True]])
        borders: list[int] = np.flatnonzero(alive[1:] != alive[:-1]).tolist()
        return [list(pair) for pair in zip(borders[::2], borders[1::2], strict=True)]

    def view(self) -> RowView:
        """An immutable view of the present state."""
        return RowView(self._keys[: self.used], self._alive[: self.used])

    def extend(self, keys: Keys) -> None:
        """Appends rows for all elements of some documents."""
        start, stop = self.used, self.used + len(keys)
        if stop > len(self._keys):
            capacity = max(stop, 2 * len(self._keys))
            self._keys = np.resize(self._keys, capacity)
            self._alive = np.resize(self._alive, capacity)
        # Views end before these rows.
        self._keys[start:stop] = keys
        self._alive[start:stop] = True
        self.used = stop
        if self._places is not None:
            self._places |= _places(keys, start)

    def restore_gone(self, gone: Sequence[Sequence[int]]) -> None:
        """Restores the deletions saved from `gone`, before any view exists."""
        for start, stop in gone:
            self._alive[start:stop] = False

    def strike_out(self, gone_documents: Iterable[int]) -> None:
        """Deletes the elements of these documents; unknown documents are ignored."""
        leaving = list(gone_documents)
        if not leaving:
            return
        if self._places is None:
            self._places = _places(self._keys[: self.used], 0)
        places = [self._places.pop(number, None) for number in leaving]
        gone = [place for place in places if place is not None]
        if gone:
            self._alive = self._alive.copy()  # views keep the old one
            for place in gone:
                self._alive[place] = False

    @property
    def is_sparse(self) -> bool:
        """Whether most rows belong to deleted elements."""
        return 2 * int(np.count_nonzero(self._alive[: self.used])) < self.used

    def compact(self) -> npt.NDArray[np.intp]:
        """Keeps only existing elements and returns their former rows, in order."""
        kept = np.flatnonzero(self._alive[: self.used])
        self._keys = self._keys[kept]
        self._alive = np.ones(len(kept), dtype=np.bool_)
        self._places = None
        self.used = len(kept)
        return kept


def _places(keys: Keys, start: int) -> dict[int, slice]:
    """The rows of each document, when the first of these rows is `start`."""
    if not len(keys):
        return {}
    numbers = numbers_of(keys)
    firsts = np.concatenate([[0], np.flatnonzero(numbers[1:] != numbers[:-1]) + 1])
    ends = [*(firsts[1:] + start).tolist(), start + len(keys)]
    return {
        number: slice(first, end)
        for number, first, end in zip(
            numbers[firsts].tolist(), (firsts + start).tolist(), ends, strict=True
        )
    }
