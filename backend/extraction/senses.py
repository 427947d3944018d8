"""Semantic similarity between texts and what a property asks for, by vectors fitted on labels.

Equal stems and synonyms of the lexicon are handled elsewhere; here "What was wrong" is close to
"Illness or injury", and "Drug" to "medicines".
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from backend.extraction.label_vectors import installed
from backend.extraction.segments import Segment
from backend.extraction.words import STOP, spelled

Matrix = NDArray[np.float32]
Rows = NDArray[np.int32]

_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_WORDS = 40
BESIDE = ("left", "above", "row", "column")
"""The texts around a segment that may label its value."""


@lru_cache(maxsize=100_000)
def core(text: str) -> str:
    """The meaningful words of a text, as the vectors know them."""
    words = [word for word in _WORD.findall(spelled(text)) if word not in STOP]
    return " ".join(words[:_MOST_WORDS])


def vectors(texts: Sequence[str]) -> Matrix:
    """One unit vector per text; zeros for a text without words."""
    return installed().embed([core(text) for text in texts])


class Meaning:
    """What a property asks for: the vectors of its name, of name and description, and of its
    examples.
    """

    def __init__(self, name: str, description: str, examples: Sequence[str]) -> None:
        rows = vectors([name, f"{name} {description}", description, *examples[:8]])
        self.asked: Matrix = rows[:3]
        self.examples: Matrix = rows[3:]


@lru_cache(maxsize=1_000)
def meaning(name: str, description: str, examples: tuple[str, ...]) -> Meaning:
    """The meaning of a property, cached between documents."""
    return Meaning(name, description, examples)


class Senses:
    """The vectors of a document's texts; each text is embedded once."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._rows: dict[str, int] = {"": 0}
        self._matrix: Matrix = vectors([""])
        texts = [
            (*(getattr(s, part) for part in BESIDE), s.text, s.heading, s.caption) for s in segments
        ]
        self.learn(chain.from_iterable(texts))
        row = self._rows
        self._at = {segment.order: at for at, segment in enumerate(segments)}
        self._around = np.array(
            [[row[text] for text in around] for around in texts], dtype=np.int32
        ).reshape(len(texts), len(BESIDE) + 3)

    def around(self, segments: Sequence[Segment]) -> Rows:
        """For each segment the row numbers of the texts `BESIDE` it, its own, its heading and its
        group.
        """
        return self._around[[self._at[segment.order] for segment in segments]]

    def rows(self, texts: Sequence[str]) -> Rows:
        """The row numbers of some texts."""
        row = self._rows
        try:
            return np.array([row[text] for text in texts], dtype=np.int32)
        except KeyError:
            self.learn(texts)
            return np.array([row[text] for text in texts], dtype=np.int32)

    def likeness(self, texts: Sequence[str], segments: Sequence[Segment]) -> Matrix:
        """The similarity of every text (first axis) to the own text of every segment."""
        own = self.around(segments)[:, len(BESIDE)]
        wanted = self.rows(texts)
        matrix: Matrix = self._matrix[wanted] @ self._matrix[own].T
        return matrix

    def likest(self, rows: Rows, wanted: Matrix) -> Matrix:
        """The highest similarity of each of these rows to any of the given vectors."""
        matrix: Matrix = (self._matrix[rows] @ wanted.T).max(axis=1)
        return matrix

    def near(self, wanted: Matrix) -> Matrix:
        """The similarity of every row (first axis) to every wanted vector (second axis)."""
        likeness: Matrix = self._matrix @ wanted.T
        return likeness

    def nearest(self, wanted: Matrix) -> list[dict[int, float]]:
        """For each wanted vector a map from segment order to the highest similarity of the texts
        beside or in the segment.
        """
        around = self._around[:, : len(BESIDE) + 2]
        likeness = self.near(wanted)[around].max(axis=1, initial=0.0)
        return [dict(zip(self._at, column, strict=True)) for column in likeness.T.tolist()]

    def learn(self, texts: Iterable[str]) -> None:
        """Embeds the new ones of these texts in one batch."""
        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        if new:
            first = len(self._matrix)
            self._rows.update(zip(new, range(first, first + len(new)), strict=True))
            self._matrix = np.concatenate([self._matrix, vectors(new)])
