"""Which element stands in which row of the arrays that an index holds in memory.

Rows are only ever appended or struck out, so a reader may keep views of them while the index goes
on.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.search.operations import Document
from backend.search.ranking import Keys, Numbers, keys_of, numbers_of


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


class Rows:
    """The rows in use, in arrays with room to grow."""

    def __init__(self) -> None:
        self.used = 0
        self._keys: Keys = np.empty(0, dtype=np.int64)
        self._alive: npt.NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        self._places: dict[int, slice] = {}

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return self._keys.nbytes + self._alive.nbytes + 200 * len(self._places)

    def view(self) -> RowView:
        """The present state."""
        return RowView(self._keys[: self.used], self._alive[: self.used])

    def append(self, document: Document, ordinals: npt.ArrayLike) -> None:
        """Rows for elements of a document, behind all others."""
        keys = keys_of(document.number, ordinals)
        start, stop = self.used, self.used + len(keys)
        if stop > len(self._keys):
            capacity = max(stop, 2 * len(self._keys))
            self._keys = np.resize(self._keys, capacity)
            self._alive = np.resize(self._alive, capacity)
        # Beyond what any view shows.
        self._keys[start:stop] = keys
        self._alive[start:stop] = True
        self._places[document.number] = slice(start, stop)
        self.used = stop

    def strike_out(self, gone_documents: Iterable[int]) -> None:
        """The elements of these documents are gone; unknown documents have none."""
        places = [self._places.pop(number, None) for number in gone_documents]
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
        alive = self._alive[: self.used]
        kept = np.flatnonzero(alive)
        moved = np.concatenate([[0], np.cumsum(alive)])
        self._places = {
            number: slice(int(moved[place.start]), int(moved[place.stop]))
            for number, place in self._places.items()
        }
        self._keys = self._keys[kept]
        self._alive = np.ones(len(kept), dtype=np.bool_)
        self.used = len(kept)
        return kept
