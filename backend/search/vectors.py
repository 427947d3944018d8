"""Vector search: every vector of the DocSet against the query's, exactly.

The vectors are held in memory and refreshed by change. An approximate index was rejected: below
some hundred thousand elements it saves little, cannot filter first, and misses a share of the best
hits.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, select
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from backend.inference.embeddings import Identity, Matrix
from backend.search.operations import START, Changes, Mark, chunks
from backend.search.ranking import Keys, Numbers, Ranking, Scores, ranked
from backend.search.rows import Rows, RowView
from backend.store.tables import vectors

# Below this share of the rows, gathering them costs less than multiplying all.
_GATHERED_SHARE = 0.3
# Products of equal vectors differ in the last bits with their place in the matrix.
_DECIMALS = 6

# Two threads of BLAS that wait for each other on two busy cores take 70 times as long as one.
threadpool_limits(1, user_api="blas")


class VectorIndex:
    """The vectors of one DocSet made by one identity, in memory. See ElementIndex."""

    mark: Mark
    _rows: Rows
    _matrix: Matrix

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self.close()

    @property
    def size(self) -> int:
        return self._rows.size + self._matrix.nbytes

    def apply(self, connection: Connection, changes: Changes) -> None:
        """See ElementIndex. Vectors of other identities are left alone."""
        self._rows.strike_out(changes.gone)
        if self._rows.is_sparse:
            self._matrix = self._matrix[self._rows.compact()]
        for chunk in chunks(changes.present):
            found = self._stored(connection, {document.content_id for document in chunk})
            for document in chunk:
                if document.content_id in found:
                    ordinals, matrix = found[document.content_id]
                    start = self._rows.used
                    self._rows.append(document, ordinals)
                    self._make_room()
                    self._matrix[start : self._rows.used] = matrix
        self.mark = changes.mark

    def reader(self) -> "VectorReader":
        return VectorReader(self._rows.view(), self._matrix[: self._rows.used])

    def close(self) -> None:
        self.mark = START
        self._rows = Rows()
        self._matrix = np.empty((0, self._identity.dimension), dtype=np.float32)

    def _make_room(self) -> None:
        if self._rows.used > len(self._matrix):
            capacity = max(self._rows.used, 2 * len(self._matrix))
            matrix = np.empty((capacity, self._identity.dimension), dtype=np.float32)
            matrix[: len(self._matrix)] = self._matrix
            self._matrix = matrix

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


@dataclass(frozen=True)
class VectorReader:
    """One state of the vectors."""

    rows: RowView
    matrix: Matrix

    def search(self, query: npt.NDArray[np.float32], allowed: Numbers | None) -> "VectorMatches":
        """Every element with a vector, by cosine likeness to `query`, one vector of length one."""
        chosen = self.rows.chosen(allowed)
        if len(chosen) < _GATHERED_SHARE * len(self.matrix):
            scores = self.matrix[chosen] @ query
        else:
            scores = (self.matrix @ query)[chosen]
        return VectorMatches(self.rows.keys[chosen], np.round(scores, _DECIMALS))


@dataclass(frozen=True)
class VectorMatches:
    """All elements with their likeness, unordered until asked. See Matches."""

    keys: Keys
    scores: Scores

    def best(self, limit: int) -> Ranking:
        return ranked(self.keys, self.scores, limit)
