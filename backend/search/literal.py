"""Keyword search: elements that literally contain every part of the query, ignoring case and
accents.

The folded texts of a DocSet are one column in memory, and every query scans all of it: 5 to 7 ms of
CPU time for 100,000 elements of 60 words, growing linearly. Three trigram indexes were measured as
a prefilter. Tantivy's takes 1 ms for rare strings and more for common ones, but 58 µs and 460 bytes
per element to build and keep; SQLite's 0.5 to 14 ms and 62 µs; 512-bit signatures in memory 1 to
6 ms and 12 µs. None is worth a second index: the dominant cost, counting occurrences of a string
that most elements contain, stays the same.

Elements are ordered by BM25 over occurrences of the parts, with lengths in bytes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from sqlalchemy import Connection

from backend.search.folding import fold
from backend.search.operations import START, Changes, Mark, texts_of
from backend.search.ranking import Keys, Numbers, Ranking, Scores, keys_of, ranked
from backend.search.rows import Rows, RowView

_QUOTED = re.compile(r'"([^"]*)"')
_K1 = 1.2
_B = 0.75
_MOST_CHUNKS = 64
_ROW_BYTES = 16


def parts_of(query: str) -> list[str]:
    """The folded parts that must all occur: quoted texts and those between; else the whole."""
    return list(dict.fromkeys(part for part in map(fold, _QUOTED.split(query)) if part))


class LiteralIndex:
    """The folded texts of one DocSet, in memory. See ElementIndex."""

    mark: Mark
    _rows: Rows
    _texts: pl.Series
    _bytes: int

    def __init__(self) -> None:
        self.close()

    @property
    def size(self) -> int:
        return self._rows.size + self._bytes

    def apply(self, connection: Connection, changes: Changes) -> None:
        self._rows.strike_out(changes.gone)
        if self._rows.is_sparse:
            self._texts = self._texts.gather(self._rows.compact())
        added: list[str] = []
        keys: list[Keys] = []
        for piece in texts_of(connection, changes.present):
            changes.check()
            keys.append(keys_of(piece.document.number, piece.ordinals))
            added += map(fold, piece.texts)
        self._rows.extend(np.concatenate([np.empty(0, dtype=np.int64), *keys]))
        # A new column each time, sharing memory with the old one, which readers keep.
        self._texts = pl.concat([self._texts, pl.Series(added, dtype=pl.String)], rechunk=False)
        if self._texts.n_chunks() > _MOST_CHUNKS:
            self._texts = self._texts.rechunk()
        self._bytes = int(self._texts.estimated_size()) + _ROW_BYTES * len(self._texts)
        self.mark = changes.mark

    def reader(self) -> "LiteralReader":
        return LiteralReader(self._rows.view(), self._texts)

    def close(self) -> None:
        self.mark = START
        self._rows = Rows()
        self._texts = pl.Series([], dtype=pl.String)
        self._bytes = 0


@dataclass(frozen=True)
class LiteralReader:
    """One state of the texts, with one row per element."""

    rows: RowView
    texts: pl.Series

    def search(self, query: str, allowed: Numbers | None) -> "LiteralMatches":
        """Elements that contain every part of `query`; none when folding leaves nothing of it."""
        matches = self.matches(query, allowed)
        return matches.scored(matches.sizes)

    def keys(self) -> Keys:
        """The keys of all elements."""
        return self.rows.keys[self.rows.chosen(None)]

    def matches(self, query: str, allowed: Numbers | None) -> "Found":
        """The same elements without scores."""
        parts = parts_of(query)
        chosen = self.rows.chosen(allowed)
        if not parts or not len(chosen):
            return Found(Ranking.empty().keys, self.texts.clear(), parts, Sizes())
        texts = self.texts if len(chosen) == len(self.texts) else self.texts.gather(chosen)
        size = int(texts.str.len_bytes().sum())
        keys = self.rows.keys[chosen]
        for part in parts:
            containing = texts.str.contains(part, literal=True)
            keys, texts = keys[containing.to_numpy()], texts.filter(containing)
        return Found(keys, texts, parts, Sizes(len(chosen), len(keys), size))


@dataclass(frozen=True)
class Sizes:
    """How many elements were searched and how many match, and the bytes of those searched."""

    searched: int = 0
    matching: int = 0
    size: int = 0

    def __add__(self, other: "Sizes") -> "Sizes":
        return Sizes(
            self.searched + other.searched, self.matching + other.matching, self.size + other.size
        )


@dataclass(frozen=True)
class Found:
    """Elements that contain all `parts`, with their folded texts."""

    keys: Keys
    texts: pl.Series
    parts: Sequence[str]
    sizes: Sizes

    def scored(self, sizes: Sizes) -> "LiteralMatches":
        """Ranked as part of a search with these sizes in all."""
        scores = _bm25(self.texts, self.parts, sizes) if len(self.keys) else Ranking.empty().scores
        return LiteralMatches(Ranking(self.keys, scores))


@dataclass(frozen=True)
class LiteralMatches:
    """All matching elements, sorted on demand. See Matches."""

    matches: Ranking

    def best(self, limit: int) -> Ranking:
        return ranked(self.matches.keys, self.matches.scores, limit)


def _bm25(texts: pl.Series, parts: Sequence[str], sizes: Sizes) -> Scores:
    """Scores of texts that contain all parts, which weigh the same."""
    lengths = texts.str.len_bytes().to_numpy()
    damping = _K1 * (1 - _B + _B * lengths / (sizes.size / sizes.searched))
    rarity = np.log1p((sizes.searched - sizes.matching + 0.5) / (sizes.matching + 0.5))
    scores = np.zeros(len(texts))
    for part in parts:
        counts = texts.str.count_matches(part, literal=True).to_numpy()
        scores += rarity * counts * (_K1 + 1) / (counts + damping)
    return scores.astype(np.float32)
