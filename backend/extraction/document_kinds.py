"""Detects by shared vocabulary whether documents are of several kinds.

Documents of one kind share words whatever their layout and subject: "consignee", "vessel" and
"cargo", or "whereas" and "party". Each document is a TF-IDF vector; average linkage merges the most
similar groups until none are similar enough.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.extraction.words import STOP, stem
from workbench.contract.elements import Element

LEAST_SIMILAR = 0.07
"""Mean cosine above which two groups are merged. It errs towards one kind: of 18 kinds of forms,
letters, notices and agreements none is split, and half of the mixtures of kinds that were not used
to choose it are distinguished.
"""
LEAST_DOCUMENTS = 3
_LEAST_SHARE = 0.1
"""A group with a smaller share of the documents is an exception, not a kind."""
_MAX_TEXT = 20_000
"""Characters of a document that are examined."""
_FIELD, _OF_HEADER = ":", 20
"""Each field of a mail header counts this often and is never discounted as frequent: mails are one
kind whatever their subject.
"""
_NAMED_BY = 3
"""The number of words that name a kind."""
_LONG = 4
"""The minimum length of a word that is meaningful alone."""

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class DocumentKind:
    """Documents by number, from 0, and the words that distinguish them from the others."""

    documents: list[int]
    words: list[str]


def document_kinds(documents: Sequence[Sequence[Element]]) -> list[DocumentKind]:
    """The kinds, the largest first; none if all documents are of one kind or there are too few."""
    if len(documents) < 2 * LEAST_DOCUMENTS:
        return []
    counted = [_words(elements) for elements in documents]
    spoken = sorted(word for word, times in _document_counts(counted).items() if times > 1)
    vectors = _vectors(counted, spoken)
    groups = _joined(vectors @ vectors.T)
    least = max(LEAST_DOCUMENTS, _LEAST_SHARE * len(documents))
    kinds = sorted((group for group in groups if len(group) >= least), key=len, reverse=True)
    if len(kinds) < 2:
        return []
    spellings = _spellings(documents)
    return [DocumentKind(kind, _names(kind, vectors, spoken, spellings)) for kind in kinds]


def _words(elements: Sequence[Element]) -> Counter[str]:
    """The stems of a document, and the fields of a mail header."""
    counts = Counter(map(stem, _plain_words(elements)))
    for element in elements:
        declared = element.properties.get("declares", {})
        counts.update({field + _FIELD: _OF_HEADER for field in declared if field != "title"})
    return counts


def _plain_words(elements: Sequence[Element]) -> list[str]:
    text = " ".join(_text(element) for element in elements)[:_MAX_TEXT]
    words = (word.strip(".,:;!?()[]\"'“”‘’").lower() for word in text.split())
    return [word for word in words if word.isalpha() and word not in STOP]


def _text(element: Element) -> str:
    if element.table is not None:
        return " ".join(cell.content for cell in element.table.cells)
    return element.text_representation or ""


def _document_counts(counted: Sequence[Counter[str]]) -> Counter[str]:
    return Counter(word for counts in counted for word in counts)


def _vectors(counted: Sequence[Counter[str]], spoken: Sequence[str]) -> Matrix:
    """One row of length 1 per document, one column per word."""
    times = np.array([[counts[word] for word in spoken] for counts in counted], dtype=np.float64)
    frequency = np.where(times > 0, 1 + np.log(np.maximum(times, 1)), 0.0)
    rarity = np.log((len(counted) + 1) / np.maximum((times > 0).sum(axis=0), 1))
    rarity = np.where([word.endswith(_FIELD) for word in spoken], 1.0, rarity)
    weighted = frequency * rarity
    lengths = np.linalg.norm(weighted, axis=1, keepdims=True)
    vectors: Matrix = weighted / np.maximum(lengths, 1e-9)
    return vectors


def _joined(similar: Matrix) -> list[list[int]]:
    """Groups by average linkage, merged until no two are similar enough."""
    groups = [[at] for at in range(len(similar))]
    between = similar.copy()
    np.fill_diagonal(between, -1.0)
    while len(groups) > 1:
        one, other = sorted(map(int, np.unravel_index(np.argmax(between), between.shape)))
        if between[one, other] < LEAST_SIMILAR:
            break
        sizes = len(groups[one]), len(groups[other])
        between[one] = (sizes[0] * between[one] + sizes[1] * between[other]) / sum(sizes)
        between[:, one] = between[one]
        between[one, one] = -1.0
        between = np.delete(np.delete(between, other, axis=0), other, axis=1)
        groups[one] += groups.pop(other)
    return [sorted(group) for group in groups]


def _spellings(documents: Sequence[Sequence[Element]]) -> dict[str, str]:
    """The usual spelling of each stem."""
    usual: dict[str, Counter[str]] = {}
    for elements in documents:
        for word in _plain_words(elements):
            usual.setdefault(stem(word), Counter())[word] += 1
    return {key: counts.most_common(1)[0][0] for key, counts in usual.items()}


def _names(
    kind: Sequence[int], vectors: Matrix, spoken: Sequence[str], spellings: dict[str, str]
) -> list[str]:
    """The words that are most frequent in the kind and rarest elsewhere."""
    others = [at for at in range(len(vectors)) if at not in set(kind)]
    shares = (vectors[list(kind)] > 0).mean(axis=0) - (vectors[others] > 0).mean(axis=0)
    weight = vectors[list(kind)].mean(axis=0) * np.maximum(shares, 0.0)
    ranked = (spoken[at] for at in np.argsort(-weight, kind="stable"))
    named = [spellings[word] for word in ranked if len(spellings.get(word, "")) >= _LONG]
    return named[:_NAMED_BY]
