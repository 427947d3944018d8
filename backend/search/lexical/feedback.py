"""Pseudo-relevance feedback after Rocchio: expands a query by the words of its best elements.

The heaviest words of the first hits are added to the query, so that among the many elements with
some query word those on its subject come first. Textbook parameters: ten elements, twenty words,
three quarters of the query's own weight. Test collections gain .02 to .03 nDCG@10 and recall@100
(tests/bench/relevance.py).
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tantivy import TextAnalyzer

ELEMENTS: Final = 10
"""Elements that feedback learns from."""

_TERMS = 20
_SHARE = 0.75
# A word that occurs in one element only says nothing about others.
_RAREST = 2
_REMEMBERED = 50_000
# Tantivy's values. It does not expose element lengths, so the mean covers those that are read.
_K1 = 1.2
_B = 0.75


def expanded(
    terms: Mapping[str, int],
    texts: Sequence[str],
    scores: Sequence[float],
    analyzer: TextAnalyzer,
    rarities: Mapping[str, float],
) -> dict[str, float]:
    """The weights of the query's `terms` and of the words learned from the best elements.

    `texts` and `scores` are the prepared texts and scores of these elements. No term weighs less
    than in the query alone. `rarities` has the inverse document frequency per term, 0 for terms
    not worth learning.
    """
    learned = _weights(texts, scores, analyzer, rarities)
    best = sorted(learned, key=learned.__getitem__, reverse=True)[:_TERMS]
    length = math.hypot(*(learned[term] for term in best))
    share = _SHARE * math.hypot(*terms.values()) / length if length else 0.0
    weights = {term: float(count) for term, count in terms.items()}
    for term in best:
        weights[term] = weights.get(term, 0.0) + share * learned[term]
    return weights


class Rarities(dict[str, float]):
    """A cache of BM25's inverse document frequencies; queries share most of their words.

    0 for words not worth learning: numbers, single letters and very rare words.
    """

    def __init__(self, frequency: Callable[[str], int], total: int) -> None:
        """`frequency` returns how many of the `total` elements have a term."""
        self._frequency = frequency
        self._total = total

    def __missing__(self, term: str) -> float:
        frequency = 0 if len(term) == 1 or term.isdigit() else self._frequency(term)
        rarity = (
            0.0
            if frequency < _RAREST
            else math.log1p((self._total - frequency + 0.5) / (frequency + 0.5))
        )
        if len(self) < _REMEMBERED:
            self[term] = rarity
        return rarity


def _weights(
    texts: Sequence[str],
    scores: Sequence[float],
    analyzer: TextAnalyzer,
    rarities: Mapping[str, float],
) -> dict[str, float]:
    """What each term contributes to the BM25 scores of the elements.

    Elements weigh by the square of their score, so their number matters little.
    """
    counts = [Counter(analyzer.analyze(text)) for text in texts]
    lengths = [count.total() for count in counts]
    mean = sum(lengths) / len(lengths)
    weights: dict[str, float] = {}
    for count, length, score in zip(counts, lengths, scores, strict=True):
        damping = _K1 * (1 - _B + _B * length / mean) if mean else _K1
        square = score**2
        once = square / (1 + damping)
        for term, often in count.items():
            added = once if often == 1 else square * often / (often + damping)
            weights[term] = weights.get(term, 0.0) + added
    return {term: weight * rarity for term, weight in weights.items() if (rarity := rarities[term])}
