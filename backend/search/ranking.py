"""Ranked lists of elements, and how two of them become one.

An element is one number here, its key: the sequence number of its document, then its ordinal. So
lists are arrays, arrival order is numeric order, and a document is the upper bits of a key.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]

_ORDINAL_BITS = 24
_CONSTANT = 60
"""k of reciprocal rank fusion: how little the very first ranks stand out."""


def key_of(number: int, ordinal: int) -> int:
    """The key of the element at `ordinal` of the document with that sequence number."""
    return number << _ORDINAL_BITS | ordinal


def keys_of(number: int, ordinals: npt.ArrayLike) -> Keys:
    """The keys of several elements of one document."""
    return np.asarray(ordinals, dtype=np.int64) | np.int64(number << _ORDINAL_BITS)


def numbers_of(keys: Keys) -> Numbers:
    """The documents of those elements."""
    return keys >> _ORDINAL_BITS


def ordinal_of(key: int) -> int:
    return key & ((1 << _ORDINAL_BITS) - 1)


@dataclass(frozen=True)
class Ranking:
    """Elements, best first; equal scores in order of arrival. Both arrays have the same length."""

    keys: Keys
    scores: Scores

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def empty(cls) -> "Ranking":
        return cls(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))

    def head(self, count: int) -> "Ranking":
        return Ranking(self.keys[:count], self.scores[:count])

    def best_per_document(self) -> "Ranking":
        """Only the best element of each document, in the same order."""
        _, first = np.unique(numbers_of(self.keys), return_index=True)
        first.sort()
        return Ranking(self.keys[first], self.scores[first])


def ranked(keys: Keys, scores: Scores, limit: int) -> Ranking:
    """The best `limit` of unordered elements."""
    if 0 < limit < len(keys):
        threshold = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        kept = np.flatnonzero(scores >= threshold)
        keys, scores = keys[kept], scores[kept]
    order = np.lexsort((keys, -scores))[:limit]
    return Ranking(keys[order], scores[order])


@dataclass(frozen=True)
class Part:
    """Where one list holds a hit: rank from 1, the list's own score, and the element it is for."""

    rank: int
    score: float
    key: int


@dataclass(frozen=True)
class Hit:
    """An element, or a document by its best element, with what each list said about it."""

    key: int
    score: float
    parts: Mapping[str, Part]

    @property
    def number(self) -> int:
        """The document's sequence number."""
        return self.key >> _ORDINAL_BITS


def hits_of(name: str, ranking: Ranking) -> list[Hit]:
    """A single list as hits; the score is the list's own."""
    return [
        Hit(key, score, {name: Part(rank, score, key)})
        for rank, (key, score) in enumerate(_pairs(ranking), start=1)
    ]


def fuse(lists: Mapping[str, tuple[Ranking, float]], *, by_document: bool) -> list[Hit]:
    """Reciprocal rank fusion: each list adds weight / (60 + rank). Lists are named and weighted.

    With `by_document` each list counts its best element of a document, and the hit names the
    element that added most.
    """
    found: dict[int, dict[str, Part]] = {}
    for name, (ranking, _) in lists.items():
        units = ranking.best_per_document() if by_document else ranking
        for rank, (key, score) in enumerate(_pairs(units), start=1):
            unit = key >> _ORDINAL_BITS if by_document else key
            found.setdefault(unit, {})[name] = Part(rank, score, key)
    weights = {name: weight for name, (_, weight) in lists.items()}
    hits = [_fused(parts, weights) for parts in found.values()]
    hits.sort(key=lambda hit: (-hit.score, hit.key))
    return hits


def _fused(parts: Mapping[str, Part], weights: Mapping[str, float]) -> Hit:
    shares = {name: weights[name] / (_CONSTANT + part.rank) for name, part in parts.items()}
    return Hit(parts[max(shares, key=shares.__getitem__)].key, sum(shares.values()), parts)


def _pairs(ranking: Ranking) -> Iterable[tuple[int, float]]:
    return zip(ranking.keys.tolist(), ranking.scores.tolist(), strict=True)
