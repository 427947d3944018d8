"""Clusters of documents by the words of their texts: k-means over weighted stems.

Clusters are computed on an even sample of the documents; then each document joins the nearest one,
batch by batch. Neither the texts of a large collection nor a matrix of all of them fit into memory.
A collection no larger than the sample is its own sample.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from backend.language.words import content_stems
from backend.plans.running.note import Note
from backend.plans.running.passages import full_text
from backend.plans.running.relations import Docs, as_texts, name_in
from backend.plans.running.stage import Stage
from workbench.contract.plan_columns import columns_after
from workbench.contract.plan_nodes import TEXT, KMeanClustering, bare_field

_SAMPLE = 5_000
_BATCH = 500
_STEMS = 2_000
_ROUNDS = 25

Texts = Callable[[list[int]], list[str]]
"""Returns the texts of the documents at these lines."""


def k_means(step: KMeanClustering, docs: Docs, stage: Stage, note: Note) -> Docs:
    """The documents with the name of their cluster, made of its most distinctive words."""
    names = _clusters(step.K, docs.height, _texts(step, docs, stage), stage)
    if docs.height > _SAMPLE:
        note.warnings.append(f"clusters were computed from a sample of {_SAMPLE:,} documents")
    note.warnings.append("clusters are based on the words of the text")
    column = pl.Series("properties." + bare_field(step.new_field), names, dtype=pl.String)
    columns = columns_after(step, docs.columns)
    return replace(docs, table=docs.table.with_columns(column), columns=columns)


def _texts(step: KMeanClustering, docs: Docs, stage: Stage) -> Texts:
    name = name_in(step.field, docs)
    if name in docs.table.columns:
        column = docs.table.get_column(name)
        return lambda lines: as_texts(column.gather(lines)).fill_null("").to_list()
    assert name == TEXT
    contents = docs.identified().get_column("content_id")

    def read(lines: list[int]) -> list[str]:
        wanted = contents.gather(lines).to_list()
        passages = stage.texts.of(wanted)
        return [full_text(passages.get(content, [])) for content in wanted]

    return read


def _clusters(asked: int | None, count: int, texts: Texts, stage: Stage) -> list[str]:
    """The name of the cluster of each document."""
    if not count:
        return []
    k = asked or max(2, min(50, round(count**0.5)))
    sample = [count * i // min(count, _SAMPLE) for i in range(min(count, _SAMPLE))]
    stems = [counts for part in _batches(sample, stage) for counts in _stems(texts(part))]
    terms = _Terms.of(stems)
    matrix = terms.matrix(stems)
    labels, middle = _k_means(matrix, min(k, len(sample)), stage)
    names = _names(matrix, labels, terms.words, len(middle))
    if len(sample) == count:
        return [names[label] for label in labels.tolist()]
    nearest: list[str] = []
    for part in _batches(range(count), stage):
        near = np.argmax(terms.matrix(_stems(texts(part))) @ middle.T, axis=1)
        nearest += [names[label] for label in near.tolist()]
        stage.go_on(len(nearest))
    return nearest


def _batches(lines: Sequence[int], stage: Stage) -> Iterator[list[int]]:
    for start in range(0, len(lines), _BATCH):
        stage.go_on()
        yield list(lines[start : start + _BATCH])


def _stems(texts: Sequence[str]) -> list[Counter[str]]:
    return [Counter(content_stems(text)) for text in texts]


@dataclass(frozen=True)
class _Terms:
    """The stems that documents are compared by, and how rare each is."""

    words: list[str]
    rarity: np.ndarray

    @classmethod
    def of(cls, documents: Sequence[Counter[str]]) -> "_Terms":
        """The most common stems that occur in more than one document, but not in all."""
        seen: Counter[str] = Counter()
        for document in documents:
            seen.update(document.keys())
        shared = [word for word, n in seen.items() if 1 < n < max(2, len(documents))]
        words = sorted(shared, key=lambda word: (-seen[word], word))[:_STEMS]
        holders = np.array([seen[word] for word in words] or [0])
        rarity = np.log((1 + len(documents)) / (1 + holders))
        return cls(words, rarity.astype(np.float32))

    def matrix(self, documents: Sequence[Counter[str]]) -> np.ndarray:
        """Rows of weights, L2-normalised."""
        place = {word: i for i, word in enumerate(self.words)}
        matrix = np.zeros((len(documents), max(1, len(self.words))), dtype=np.float32)
        for row, document in zip(matrix, documents, strict=True):
            for word, count in document.items():
                if word in place:
                    row[place[word]] = count
        np.log1p(matrix, out=matrix)
        matrix *= self.rarity
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        return np.asarray(np.divide(matrix, lengths, out=matrix, where=lengths > 0))


def _k_means(matrix: np.ndarray, k: int, stage: Stage) -> tuple[np.ndarray, np.ndarray]:
    """The cluster of each row and each centre; starting rows lie far apart, not at random."""
    centres = [0]
    nearest = matrix @ matrix[0]
    while len(centres) < k:
        centres.append(int(np.argmin(nearest)))
        nearest = np.maximum(nearest, matrix @ matrix[centres[-1]])
    middle = matrix[centres].copy()
    labels = np.zeros(len(matrix), dtype=np.int64)
    for _ in range(_ROUNDS):
        stage.go_on()
        moved = np.argmax(matrix @ middle.T, axis=1)
        if np.array_equal(moved, labels):
            break
        labels = moved
        for i in range(k):
            if np.any(labels == i):
                middle[i] = matrix[labels == i].mean(axis=0)
    return labels, middle


def _names(matrix: np.ndarray, labels: np.ndarray, words: list[str], k: int) -> list[str]:
    names: list[str] = []
    typical = matrix.mean(axis=0)
    for i in range(k):
        inside = matrix[labels == i]
        if not len(inside) or not words:
            names.append(f"cluster {i + 1}")
            continue
        best = np.argsort(typical - inside.mean(axis=0), kind="stable")[:3]
        names.append(f"{i + 1}: " + ", ".join(words[j] for j in best.tolist()))
    return names
