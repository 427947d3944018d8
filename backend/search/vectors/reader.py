"""Searches one state of the vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from backend.inference.embeddings import Matrix
from backend.search.ranking import Keys, Numbers, Ranking, Scores, ranked
from backend.search.rows import RowView
from backend.search.vectors.blocks import Block
from backend.search.vectors.quantised import estimates, likeness, quantise

FEW = 16_384
"""Up to this many rows, comparing in full is no slower than comparing codes first."""

_MANY = 400_000
_RUN = 32

Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class VectorReader:
    """One state of the vectors; the blocks contain its rows in order."""

    rows: RowView
    blocks: Sequence[Block]

    def search(
        self, query: npt.NDArray[np.float32], allowed: Numbers | None
    ) -> "ComparedMatches | EstimatedMatches":
        """All elements with a vector, ranked by cosine similarity to `query`, a unit vector."""
        chosen = self.rows.chosen(allowed)
        if len(chosen) <= FEW:
            return ComparedMatches(self.rows.keys[chosen], self.compared(chosen, query))
        code = quantise(query[None])
        guesses = [estimates(block.quantised, code) for block in self.blocks]
        guessed = np.concatenate([guess for guess, _ in guesses])
        slack = np.concatenate([off for _, off in guesses])
        if len(chosen) < len(guessed):
            guessed, slack = guessed[chosen], slack[chosen]
        return EstimatedMatches(self, query, chosen, guessed, slack)

    def vectors_of(self, keys: Keys) -> tuple[Keys, Matrix]:
        """The vectors of those of these elements that have one, and their keys."""
        places = self.rows.rows_of(keys)
        parts: list[Matrix] = []
        start = 0
        for block in self.blocks:
            inside = places[(places >= start) & (places < start + len(block))] - start
            parts.append(block.vectors[inside])
            start += len(block)
        return self.rows.keys[places], np.concatenate(parts)

    def keys(self) -> Keys:
        """The keys of all elements with a vector."""
        return self.rows.keys[self.rows.chosen(None)]

    def release(self) -> None:
        """Drops mapped pages of a very large DocSet, which would otherwise all stay in memory."""
        if len(self.rows.keys) > _MANY:
            for block in self.blocks:
                block.release()

    def compared(self, places: Places, query: npt.NDArray[np.float32]) -> Scores:
        """The similarity of the rows at `places`, which ascend."""
        ends = list(accumulate(len(block) for block in self.blocks))
        scores = np.empty(len(places), dtype=np.float32)
        done = 0
        for block, end in zip(self.blocks, ends, strict=True):
            upto = int(np.searchsorted(places, end))
            if upto > done:
                inside = places[done:upto] - (end - len(block))
                scores[done:upto] = likeness(_selected(block.vectors, inside), query)
            done = upto
        return scores


@dataclass(frozen=True)
class ComparedMatches:
    """All elements with their similarity, sorted on demand. See Matches."""

    keys: Keys
    scores: Scores

    def best(self, limit: int) -> Ranking:
        return ranked(self.keys, self.scores, limit)


@dataclass(frozen=True)
class EstimatedMatches:
    """All elements with estimated similarity and error bound.

    Possible best ones are compared in full, so the result is exact. See Matches.
    """

    reader: VectorReader
    query: npt.NDArray[np.float32]
    places: Places
    guessed: Scores
    slack: Scores

    def best(self, limit: int) -> Ranking:
        places = self.places
        if limit < len(places):
            places = places[self.guessed + self.slack >= self._reached(limit)]
        keys = self.reader.rows.keys[places]
        scores = self.reader.compared(places, self.query)
        self.reader.release()
        return ranked(keys, scores, limit)

    def _reached(self, limit: int) -> np.float32:
        """A lower bound on the similarity of the `limit` best elements."""
        guessed, slack = self.guessed, self.slack
        if limit * _RUN < len(guessed):
            # The best of each run give a cheap lower bound.
            whole = len(guessed) - len(guessed) % _RUN
            peaks = guessed[:whole].reshape(-1, _RUN).max(axis=1)
            likely = np.flatnonzero(guessed >= _largest(peaks, limit))
            guessed, slack = guessed[likely], slack[likely]
        return _largest(guessed - slack, limit)


def _largest(scores: Scores, place: int) -> np.float32:
    """The score at that rank, from 1."""
    last = len(scores) - place
    reached: np.float32 = np.partition(scores, last)[last]
    return reached


def _selected(matrix: Matrix, rows: Places) -> Matrix:
    return matrix if len(rows) == len(matrix) else matrix[rows]
