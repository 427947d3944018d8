"""Pseudo-relevance feedback after Rocchio: expands a query by the words of its best elements.

The heaviest words of the first hits are added to the query, so that among the many elements with
some query word those on its subject come first. Textbook parameters: ten elements, twenty words,
three quarters of the query's own weight. Test collections gain .02 to .03 nDCG@10 and recall@100
(tests/bench/relevance.py).
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
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
    rarities: "Rarities",
) -> dict[str, float]:
    """The weights of the query's `terms` and of the words learned from the best elements.

    `texts` and `scores` are the prepared texts and scores of these elements. No term weighs less
    than in the query alone. `rarities` are those of the index.
    """
    learned = _weights(texts, scores, analyzer, rarities)
    best = sorted(learned, key=learned.__getitem__, reverse=True)[:_TERMS]
    length = math.hypot(*(learned[term] for term in best))
    share = _SHARE * math.hypot(*terms.values()) / length if length else 0.0
    weights = {term: float(count) for term, count in terms.items()}
    for term in best:
        weights[term] = weights.get(term, 0.0) + share * learned[term]
    return weights


class Rarities:
    """A cache of BM25's inverse document frequencies; queries share most of their words.

    0 for words not worth learning: numbers, single letters and very rare words.
    """

    def __init__(
        self,
        frequencies: Callable[[Sequence[str]], Sequence[int]],
        total: Callable[[], int],
        known: dict[str, float] | None = None,
    ) -> None:
        """`frequencies` returns how many of the `total` elements have each term; `total` is called
        after it. `known` is the cache, if it is to outlive this object.
        """
        self._frequencies = frequencies
        self._total = total
        self._known = {} if known is None else known

    def of(self, terms: Collection[str]) -> dict[str, float]:
        """The rarities of these terms."""
        new = [term for term in terms if term not in self._known]
        worth = [term for term in new if len(term) > 1 and not term.isdigit()]
        rarities = dict.fromkeys(new, 0.0)
        for term, frequency in zip(worth, self._frequencies(worth), strict=True):
            if frequency >= _RAREST:
                rarities[term] = rarity(frequency, self._total())
        known = {term: self._known[term] for term in terms if term not in rarities}
        if len(self._known) < _REMEMBERED:
            self._known |= rarities
        return known | rarities


def rarity(frequency: int, total: int) -> float:
    """BM25's inverse document frequency of a term that `frequency` of `total` elements have."""
    return math.log1p((total - frequency + 0.5) / (frequency + 0.5))


def _weights(
    texts: Sequence[str],
    scores: Sequence[float],
    analyzer: TextAnalyzer,
    rarities: Rarities,
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
    known = rarities.of(weights)
    return {term: weight * known[term] for term, weight in weights.items() if known[term]}
