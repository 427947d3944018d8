"""How close sentences are to a question in meaning, and where to draw the line.

They are compared by the model that made the vectors of the DocSet, if it is better than the bundled
static vectors. What all sentences have in common is removed first, since it distinguishes none of
them.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from sqlalchemy import select

from backend.inference.embeddings import Embedder, Identity, ProviderFailed, ProviderMissing
from backend.inference.providers import COSTLY, REMOTE, Embedders, embedder_for
from backend.language.words import FUNCTION_WORDS, stem, words
from backend.plans.running.note import Note
from backend.plans.running.stage import Stage
from backend.store.database import Database
from backend.store.tables import docsets

MOST_COMPARED = 3_000
"""Sentences that a costly model compares for one question: a few seconds of work."""

PATIENCE = 30
"""Seconds that an endpoint may take for the texts of one question."""

_LOWEST_CUT, _HIGHEST_CUT = 0.4, 0.7
_NEAR_BEST = 0.55
_COMMON = 0.5
_BATCH, _SMALL_BATCH = 2_000, 128
_FEW = 8
_FRAME = frozenset(
    """
    case caused cause causes concern concerning contain containing contains describe describes
    discuss discusses due happen happened happening involve involved involving mention mentioned
    mentions related say says show talk talking talks
    """.split()  # noqa: SIM905
)
"""Words that frame a question about a text and say nothing about the answer."""
_SPEAKING = _FRAME | frozenset(
    """
    about address cover covers mentioning deal dealing describing discussing refer referring said
    speak speaking saying spoken stated reported
    """.split()  # noqa: SIM905
)
_BEFORE_NOT = 3


def embedder_of(docset_id: str, database: Database, embedders: Embedders) -> Embedder:
    """The model that made the vectors of a DocSet if better than static vectors, else those."""
    wanted = select(docsets.c.embedding).where(docsets.c.docset_id == docset_id)
    with database.reading() as connection:
        stored = connection.execute(wanted).scalar_one_or_none()
    try:
        identity = Identity.parse(stored or {})
        if identity.provider in COSTLY:
            return embedders.of(identity, hasty=True)
    except (ValueError, ProviderMissing):
        pass
    return embedder_for("static")


def is_costly(embedder: Embedder) -> bool:
    """Whether the model is too slow to compare any number of sentences while somebody waits."""
    return embedder.identity.provider in COSTLY


def topic(question: str, sentences: Iterable[tuple[int, str]], height: int) -> str:
    """The words of a question that distinguish texts: not those in most of `height` texts.

    `sentences` are pairs of a text's number and one of its sentences.
    """
    holders: Counter[str] = Counter()
    for _, root in {(row, stem(word)) for row, text in sentences for word in words(text)}:
        holders[root] += 1
    content = [w for w in words(question) if w.lower() not in FUNCTION_WORDS | _FRAME]
    rare = [w for w in content if holders[stem(w)] <= _COMMON * max(2, height)]
    return " ".join(rare or content) or question


def denied(question: str) -> str | None:
    """What a text must not say, if the question asks for that: `not about fire`, `it is not said
    that somebody was hurt`. None if only a part of the question is negated: `was not paid`.
    """
    spoken = words(question)
    for place, word in enumerate(spoken[: _BEFORE_NOT + 1]):
        if word.lower() in ("not", "never"):
            rest = spoken[place + 1 :]
            return " ".join(rest) if rest and rest[0].lower() in _SPEAKING else None
    return None


@dataclass(frozen=True)
class Compared:
    """How close each sentence is to a text, as a share of the closest one. `learnt` is true when a
    trained model compared them rather than static vectors.
    """

    shares: list[float]
    learnt: bool

    def cut(self, best: Sequence[float]) -> float:
        """The lowest score of its best sentence with which a document is kept."""
        return _halfway(best) if self.learnt and best else _widest_gap(best)


def compared(text: str, sentences: Sequence[str], stage: Stage, note: Note) -> Compared:
    """How close each of the sentences is to the text."""
    if not sentences:
        return Compared([], learnt=False)
    unique = {sentence: place for place, sentence in enumerate(dict.fromkeys(sentences))}
    embedder = stage.embedder()
    if is_costly(embedder) and len(unique) > MOST_COMPARED:
        embedder = embedder_for("static")
    try:
        matrix, wanted = _embedded([*unique, text], embedder, stage)
    except ProviderFailed as error:
        note.warnings.append(f"compared by static vectors, because {error.detail}")
        embedder = embedder_for("static")
        matrix, wanted = _embedded([*unique, text], embedder, stage)
    learnt = is_costly(embedder)
    places = [unique[sentence] for sentence in sentences]
    if len(unique) < _FEW:
        # A few sentences are not enough to determine what they have in common.
        return Compared(_shares(matrix, wanted, places), learnt)
    middle = matrix[places].mean(axis=0)
    wanted = _normalised(wanted[None] - middle)[0]
    return Compared(_shares(_normalised(matrix - middle), wanted, places), learnt)


def _embedded(
    texts: Sequence[str], embedder: Embedder, stage: Stage
) -> tuple[np.ndarray, np.ndarray]:
    """The vectors of all texts but the last, and that of the last."""
    size = _SMALL_BATCH if is_costly(embedder) else _BATCH
    remote = embedder.identity.provider in REMOTE
    begun = time.monotonic()
    parts: list[np.ndarray] = []
    for start in range(0, len(texts), size):
        stage.go_on()
        if remote and time.monotonic() - begun > PATIENCE:
            raise ProviderFailed(f"the endpoint needs more than {PATIENCE} s for these texts")
        parts.append(embedder.embed(texts[start : start + size]))
    matrix = np.concatenate(parts)
    return matrix[:-1], matrix[-1]


def _shares(matrix: np.ndarray, wanted: np.ndarray, places: Sequence[int]) -> list[float]:
    near = np.clip(matrix @ wanted, 0.0, None)
    top = float(near.max())
    return [float(near[place]) / top if top > 0 else 0.0 for place in places]


def _normalised(matrix: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(lengths > 0, lengths, 1.0))


def _halfway(scores: Sequence[float]) -> float:
    """Halfway between a share of the best score and what stands out from all scores: with few
    matches the second is low, with many the first.

    Measured with tests/bench/semantic.py on trained models; the scores of static vectors fall too
    evenly for it.
    """
    near = _NEAR_BEST * max(scores)
    return float((near + np.mean(scores) + np.std(scores)) / 2)


def _widest_gap(scores: Sequence[float]) -> float:
    """The middle of the widest gap between neighbouring scores, within sensible bounds."""
    ordered = sorted(scores, reverse=True)
    cuts = [(a - b, (a + b) / 2) for a, b in pairwise(ordered)]
    sensible = [cut for cut in cuts if _LOWEST_CUT <= cut[1] <= _HIGHEST_CUT]
    return max(sensible)[1] if sensible else _LOWEST_CUT
