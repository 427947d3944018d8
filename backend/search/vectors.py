"""Vector search: every vector of the DocSet against the query's, exactly.

The vectors are held in memory and refreshed by change: rows of removed documents are struck out,
rows of added ones appended. An approximate index was rejected: below some hundred thousand
elements it saves little, cannot filter first, and misses a share of the best hits.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, select

from backend.inference.embeddings import Identity, Matrix
from backend.search.operations import START, Changes, Document, chunks
from backend.search.ranking import Keys, Numbers, Ranking, Scores, keys_of, numbers_of, ranked
from backend.store.tables import vectors

# Below this share of the rows, gathering them costs less than multiplying all.
_GATHERED_SHARE = 0.3
# Products of equal vectors differ in the last bits with their place in the matrix.
_DECIMALS = 6


@dataclass(frozen=True)
class Rows:
    """Vectors with their elements' keys; where `alive` is false the element is gone."""

    keys: Keys
    matrix: Matrix
    alive: npt.NDArray[np.bool_]


class VectorIndex:
    """The vectors of one DocSet made by one identity, in memory. See ElementIndex."""

    def __init__(self, identity: Identity) -> None:
        self.mark = START
        self._identity = identity
        self._start_empty()

    @property
    def size(self) -> int:
        return int(self._matrix.nbytes + self._keys.nbytes)

    def apply(self, connection: Connection, changes: Changes) -> None:
        """See ElementIndex. Vectors of other identities are left alone."""
        self._strike_out(changes)
        for chunk in chunks(changes.present):
            found = self._stored(connection, {document.content_id for document in chunk})
            for document in chunk:
                if document.content_id in found:
                    self._append(document, *found[document.content_id])
        self.mark = changes.mark

    def reader(self) -> "VectorReader":
        used = self._used
        return VectorReader(Rows(self._keys[:used], self._matrix[:used], self._alive[:used]))

    def close(self) -> None:
        self.mark = START
        self._start_empty()

    def _start_empty(self) -> None:
        self._used = 0
        self._keys: Keys = np.empty(0, dtype=np.int64)
        self._matrix: Matrix = np.empty((0, self._identity.dimension), dtype=np.float32)
        self._alive: npt.NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        self._places: dict[str, slice] = {}

    def _stored(
        self, connection: Connection, contents: set[str]
    ) -> dict[str, tuple[npt.NDArray[np.int32], Matrix]]:
        rows = connection.execute(
            select(vectors.c.content_id, vectors.c.ordinals, vectors.c.matrix).where(
                vectors.c.content_id.in_(contents), vectors.c.identity == self._identity.text
            )
        )
        return {
            row.content_id: (
                np.frombuffer(row.ordinals, dtype="<i4"),
                np.frombuffer(row.matrix, dtype="<f4").reshape(-1, self._identity.dimension),
            )
            for row in rows
        }

    def _strike_out(self, changes: Changes) -> None:
        places = [self._places.pop(doc_id, None) for doc_id in changes.gone]
        gone = [place for place in places if place is not None]
        if not gone:
            return
        self._alive = self._alive.copy()  # readers hold the old one
        for place in gone:
            self._alive[place] = False
        if np.count_nonzero(self._alive[: self._used]) < self._used // 2:
            self._compact()

    def _append(self, document: Document, ordinals: npt.NDArray[np.int32], matrix: Matrix) -> None:
        start, stop = self._used, self._used + len(ordinals)
        if stop > len(self._keys):
            self._grow(max(stop, 2 * len(self._keys)))
        # Beyond what any reader was given, so nothing they see changes.
        self._keys[start:stop] = keys_of(document.number, ordinals)
        self._matrix[start:stop] = matrix
        self._alive[start:stop] = True
        self._places[document.doc_id] = slice(start, stop)
        self._used = stop

    def _grow(self, capacity: int) -> None:
        keys = np.empty(capacity, dtype=np.int64)
        matrix = np.empty((capacity, self._identity.dimension), dtype=np.float32)
        alive = np.zeros(capacity, dtype=np.bool_)
        keys[: self._used] = self._keys[: self._used]
        matrix[: self._used] = self._matrix[: self._used]
        alive[: self._used] = self._alive[: self._used]
        self._keys, self._matrix, self._alive = keys, matrix, alive

    def _compact(self) -> None:
        alive = self._alive[: self._used]
        kept = np.flatnonzero(alive)
        new_place = np.cumsum(alive) - 1
        self._places = {
            doc_id: slice(int(new_place[place.start]), int(new_place[place.stop - 1]) + 1)
            for doc_id, place in self._places.items()
            if place.stop > place.start
        }
        self._keys, self._matrix = self._keys[kept], self._matrix[kept]
        self._alive = np.ones(len(kept), dtype=np.bool_)
        self._used = len(kept)


class VectorReader:
    """One state of the vectors."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def search(self, query: npt.NDArray[np.float32], allowed: Numbers | None) -> "VectorMatches":
        """Every element with a vector, by cosine likeness to `query`, one vector of length one."""
        rows = self._rows
        wanted = rows.alive
        if allowed is not None:
            wanted = wanted & np.isin(numbers_of(rows.keys), allowed)
        chosen = np.flatnonzero(wanted)
        if len(chosen) < _GATHERED_SHARE * len(rows.keys):
            scores = rows.matrix[chosen] @ query
        else:
            scores = (rows.matrix @ query)[chosen]
        return VectorMatches(rows.keys[chosen], np.round(scores, _DECIMALS))


class VectorMatches:
    """All elements with their likeness, unordered until asked. See Matches."""

    def __init__(self, keys: Keys, scores: Scores) -> None:
        self._keys = keys
        self._scores = scores

    def best(self, limit: int) -> Ranking:
        return ranked(self._keys, self._scores, limit)
