"""Keyword search: elements in which every part of the query stands literally, once case and
accents are folded.

The folded text of a DocSet is held in memory, one string per document, and searched from end to
end. A trigram index (SQLite FTS5) was the alternative: slower to build by a hundred times, slower
on common parts, and one more thing to keep in step on disk; see the benchmark for the sizes at
which this holds.

Elements are ordered by BM25 over occurrences of the parts, with lengths in characters.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection

from backend.search.folding import fold
from backend.search.operations import START, Changes, Texts, texts_of
from backend.search.ranking import Numbers, Ranking, Scores, keys_of, ranked

_SEPARATOR = "\0"
_QUOTED = re.compile(r'"([^"]*)"')
_K1 = 1.2
_B = 0.75


def parts_of(query: str) -> list[str]:
    """The folded parts that must all occur: each quoted text, and each text between them.

    A query without pairs of quotes is one part.
    """
    pieces = _QUOTED.split(query)
    return list(dict.fromkeys(part for part in map(fold, pieces) if part))


@dataclass(frozen=True)
class Folded:
    """A document: its elements' folded texts, joined; where each starts; and their ordinals."""

    number: int
    text: str
    starts: "array[int]"
    ordinals: "array[int]"

    @classmethod
    def of(cls, held: Texts) -> "Folded":
        folded = [fold(text) for text in held.texts]
        starts = array("q", [0])
        for text in folded:
            starts.append(starts[-1] + len(text) + 1)
        return cls(held.document.number, _SEPARATOR.join(folded), starts, array("q", held.ordinals))

    def occurrences(self, part: str) -> dict[int, int]:
        """How often each element, by its place in `ordinals`, holds the part; those without are
        left out.
        """
        counts: dict[int, int] = {}
        at = self.text.find(part)
        while at >= 0:
            place = bisect_right(self.starts, at) - 1
            end = self.starts[place + 1]
            counts[place] = self.text.count(part, at, end)
            at = self.text.find(part, end)
        return counts


class LiteralIndex:
    """The folded texts of one DocSet, in memory. See ElementIndex."""

    def __init__(self) -> None:
        self.mark = START
        self.size = 0
        self._documents: Mapping[str, Folded] = {}
        self._in_order: Sequence[Folded] = ()

    def apply(self, connection: Connection, changes: Changes) -> None:
        documents = dict(self._documents)
        for doc_id in changes.gone:
            documents.pop(doc_id, None)
        for held in texts_of(connection, changes.present):
            documents[held.document.doc_id] = Folded.of(held)
        self._documents = documents
        self._in_order = tuple(documents.values())
        self.size = sum(len(one.text) + 16 * len(one.ordinals) + 300 for one in documents.values())
        self.mark = changes.mark

    def reader(self) -> "LiteralReader":
        return LiteralReader(self._in_order)

    def close(self) -> None:
        self._documents = {}
        self._in_order = ()
        self.size = 0
        self.mark = START


class LiteralReader:
    """One state of the texts."""

    def __init__(self, documents: Sequence[Folded]) -> None:
        self._documents = documents

    def search(self, query: str, allowed: Numbers | None) -> "LiteralMatches":
        """Elements that hold every part of `query`; none when folding leaves nothing of it."""
        documents = self._documents
        if allowed is not None:
            chosen = set(allowed.tolist())
            documents = [document for document in documents if document.number in chosen]
        parts = parts_of(query)
        if not parts:
            return LiteralMatches(Ranking.empty())
        return LiteralMatches(_matching(documents, parts))


class LiteralMatches:
    """All matching elements, unordered until asked. See Matches."""

    def __init__(self, found: Ranking) -> None:
        self._found = found

    def best(self, limit: int) -> Ranking:
        return ranked(self._found.keys, self._found.scores, limit)


def _matching(documents: Sequence[Folded], parts: Sequence[str]) -> Ranking:
    keys: list[np.typing.NDArray[np.int64]] = []
    counts: list[tuple[int, ...]] = []
    lengths: list[int] = []
    first = parts[0]
    for document in documents:
        if first not in document.text or not all(part in document.text for part in parts[1:]):
            continue
        found = [document.occurrences(part) for part in parts]
        places = [place for place in found[0] if all(place in other for other in found[1:])]
        if not places:
            continue
        keys.append(keys_of(document.number, [document.ordinals[place] for place in places]))
        counts.extend(tuple(one[place] for one in found) for place in places)
        lengths.extend(document.starts[place + 1] - document.starts[place] - 1 for place in places)
    if not keys:
        return Ranking.empty()
    total = sum(len(document.ordinals) for document in documents)
    characters = sum(len(document.text) for document in documents)
    scores = _bm25(np.array(counts), np.array(lengths), total, characters / total)
    return Ranking(np.concatenate(keys), scores)


def _bm25(
    counts: np.typing.NDArray[np.int64],
    lengths: np.typing.NDArray[np.int64],
    total: int,
    mean_length: float,
) -> Scores:
    """Scores of elements that hold all parts. `counts` has a row per element and a column per part.

    Every part has the same weight: all of them occur in every element that is ranked here.
    """
    rarity = np.log1p((total - len(counts) + 0.5) / (len(counts) + 0.5))
    damped = counts + _K1 * (1 - _B + _B * lengths / mean_length)[:, None]
    scores: Scores = (rarity * (counts * (_K1 + 1) / damped).sum(axis=1)).astype(np.float32)
    return scores
