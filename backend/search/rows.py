"""Which element stands in which row of the arrays that an index holds.

Rows are only ever appended or struck out, so a reader may keep views of them while the index goes
on. The rows of a document stand together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.search.ranking import Keys, Numbers, numbers_of


@dataclass(frozen=True)
class RowView:
    """One state of the rows: their elements' keys, and whether the element still exists."""

    keys: Keys
    alive: npt.NDArray[np.bool_]

    def chosen(self, allowed: Numbers | None) -> npt.NDArray[np.intp]:
        """The rows of existing elements whose document is allowed; None allows all."""
        wanted = self.alive
        if allowed is not None:
            wanted = wanted & np.isin(numbers_of(self.keys), allowed)
        return np.flatnonzero(wanted)

    def standing(self, keys: Keys) -> npt.NDArray[np.intp]:
        """The rows of existing elements among these few."""
        return np.flatnonzero(np.isin(self.keys, keys) & self.alive)


class Rows:
    """The rows in use, in arrays with room to grow."""

    def __init__(self) -> None:
        self.used = 0
        self._keys: Keys = np.empty(0, dtype=np.int64)
        self._alive: npt.NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        # Where each document stands; made when the first one leaves.
        self._places: dict[int, slice] | None = None

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return self._keys.nbytes + self._alive.nbytes + 200 * len(self._places or ())

    @property
    def gone(self) -> list[list[int]]:
        """The rows of elements that are gone: pairs of a first row and the one behind the last."""
        alive = np.concatenate([[True], self._alive[: self.used], [True]])
        borders: list[int] = np.flatnonzero(alive[1:] != alive[:-1]).tolist()
        return [list(pair) for pair in zip(borders[::2], borders[1::2], strict=True)]

    def view(self) -> RowView:
        """The present state."""
        return RowView(self._keys[: self.used], self._alive[: self.used])

    def extend(self, keys: Keys) -> None:
        """Rows for all elements of some documents, behind all others."""
        start, stop = self.used, self.used + len(keys)
        if stop > len(self._keys):
            capacity = max(stop, 2 * len(self._keys))
            self._keys = np.resize(self._keys, capacity)
            self._alive = np.resize(self._alive, capacity)
        # Beyond what any view shows.
        self._keys[start:stop] = keys
        self._alive[start:stop] = True
        self.used = stop
        if self._places is not None:
            self._places |= _places(keys, start)

    def lose(self, gone: Sequence[Sequence[int]]) -> None:
        """Marks rows as `gone` told them, before any view was handed out."""
        for start, stop in gone:
            self._alive[start:stop] = False

    def strike_out(self, gone_documents: Iterable[int]) -> None:
        """The elements of these documents are gone; unknown documents have none."""
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
        """Whether most rows are of elements that are gone."""
        return 2 * int(np.count_nonzero(self._alive[: self.used])) < self.used

    def compact(self) -> npt.NDArray[np.intp]:
        """Keep only existing elements; the rows they stood in, in order."""
        kept = np.flatnonzero(self._alive[: self.used])
        self._keys = self._keys[kept]
        self._alive = np.ones(len(kept), dtype=np.bool_)
        self._places = None
        self.used = len(kept)
        return kept


def _places(keys: Keys, start: int) -> dict[int, slice]:
    """Where the rows of each document stand when the first of these rows is `start`."""
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
