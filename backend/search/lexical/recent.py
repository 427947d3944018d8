"""Elements of the word index that wait in memory for its next commit.

A commit waits for the disk and blocks every search of the DocSet. So while documents arrive a few
at a time they are searched here, and tantivy commits once many have come together. Scores equal
those of tantivy: BM25 with the statistics of the committed elements (count, document frequency and
mean length).
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from backend.search.lexical.analysis import Words, analyzer
from backend.search.ranking import Keys, Numbers, Ranking, Scores, ranked
from backend.search.rows import Rows, RowView

FIELDS: Final = ("text", "common")

_K1, _B, _HALF = np.float32(1.2), np.float32(0.75), np.float32(0.5)
_COUNT_BITS = 16
_MOST_COUNTED = (1 << _COUNT_BITS) - 1


class Statistics(Protocol):
    """BM25 statistics of the committed elements."""

    @property
    def total(self) -> int:
        """The number of elements."""
        ...

    def frequency(self, field: str, term: str) -> int:
        """How many elements have a term."""
        ...

    def mean_length(self, field: str, terms: Iterable[str]) -> float | None:
        """Mean words per element in a field; None when no element has any of these terms."""
        ...


class Recent:
    """The waiting elements, in rows that are only appended or deleted."""

    def __init__(self, language: str) -> None:
        self._analyzer = analyzer(language)
        self._rows = Rows()
        self._fields = {field: _Field() for field in FIELDS}
        self._openings: list[str] = []

    def __len__(self) -> int:
        return self._rows.used

    def add(self, elements: Sequence[Words]) -> None:
        """Adds all elements of one document."""
        for row, element in enumerate(elements, start=self._rows.used):
            self._fields["text"].add(row, self._analyzer.analyze(element.text))
            self._fields["common"].add(row, element.common)
            self._openings.append(element.opening)
        self._rows.extend(np.array([element.key for element in elements], dtype=np.int64))

    def strike_out(self, numbers: Iterable[int]) -> None:
        """Deletes the elements of these documents; unknown documents are ignored."""
        self._rows.strike_out(numbers)

    def view(self) -> "RecentView":
        """An immutable view of the present state."""
        return RecentView(self._rows.view(), self._fields, self._openings)


@dataclass(frozen=True)
class RecentView:
    """One state of the waiting elements. Thread-safe."""

    _rows: RowView
    _fields: "Mapping[str, _Field]"
    _openings: Sequence[str]

    def search(
        self,
        field: str,
        weights: tuple[Mapping[str, float], Mapping[str, float]],
        allowed: Numbers | None,
        statistics: Statistics,
    ) -> Ranking:
        """Elements of the `allowed` documents with any of the terms, by BM25 over both."""
        total = len(self._rows.keys)
        if not total:
            return Ranking.empty()
        own, more = weights
        terms = [*own, *more]
        norms = self._fields[field].norms(total, statistics.mean_length(field, terms))
        scores = np.zeros(total, dtype=np.float32)
        self._add(scores, field, own, norms, statistics)
        rows = self._rows.chosen(allowed)
        rows = rows[scores[rows] > 0]
        if len(rows):
            self._add(scores, field, more, norms, statistics)
        return ranked(self._rows.keys[rows], scores[rows], len(rows))

    def keys(self) -> Keys:
        """The keys of all elements."""
        return self._rows.keys[self._rows.alive]

    def opening(self, key: int) -> str | None:
        """The start of an element's text; None when it is not here."""
        rows = np.flatnonzero((self._rows.keys == key) & self._rows.alive)
        return self._openings[rows[0]] if len(rows) else None

    def _add(
        self,
        scores: Scores,
        field: str,
        weights: Mapping[str, float],
        norms: Scores,
        statistics: Statistics,
    ) -> None:
        for term, weight in weights.items():
            rows, counts = self._fields[field].having(term, len(scores))
            if len(rows):
                frequency = statistics.frequency(field, term)
                most = _rarity(frequency, statistics.total) * (1 + _K1) * np.float32(weight)
                scores[rows] += most * (counts / (counts + norms[rows]))


class _Field:
    """Postings of one field: row and count in one number, so that they can grow while read."""

    def __init__(self) -> None:
        self._lengths = array("q")
        self._places: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))

    def add(self, row: int, terms: Sequence[str]) -> None:
        self._lengths.append(len(terms))
        for term, count in Counter(terms).items():
            self._places[term].append(row << _COUNT_BITS | min(count, _MOST_COUNTED))

    def having(self, term: str, total: int) -> tuple[npt.NDArray[np.int64], Scores]:
        """The rows with a term among the first `total`, and the term's count in each."""
        postings = self._places.get(term)
        if postings is None:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
        packed = np.frombuffer(postings[:], dtype=np.int64)
        rows = packed >> _COUNT_BITS
        within = rows < total
        return rows[within], (packed[within] & _MOST_COUNTED).astype(np.float32)

    def norms(self, total: int, mean: float | None) -> Scores:
        """The BM25 length norm of each of the first `total` rows.

        `mean` is the mean length of the committed elements; None takes that of these rows.
        """
        lengths = np.frombuffer(self._lengths[:total], dtype=np.int64)
        kept = _LENGTHS[np.searchsorted(_LENGTHS, lengths, side="right") - 1].astype(np.float32)
        middle = np.float32(mean or max(1.0, float(kept.mean())))
        norms: Scores = _K1 * (1 - _B + _B * kept / middle)
        return norms


def _rarity(frequency: int, total: int) -> np.float32:
    """The inverse document frequency in tantivy's 32-bit steps, for equal scores."""
    ratio = (np.float32(total - frequency) + _HALF) / (np.float32(frequency) + _HALF)
    return np.float32(math.log(1 + ratio))


def _lengths() -> npt.NDArray[np.int64]:
    """The lengths that tantivy distinguishes: it stores one byte, exact up to 40."""
    steps = np.arange(232)
    shifts = np.maximum(steps // 8 - 1, 0)
    floats = np.where(steps < 8, steps, (steps % 8 | 8) << shifts)
    return np.concatenate([np.arange(24), 24 + floats])


_LENGTHS: Final = _lengths()
