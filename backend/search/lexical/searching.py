"""Searching one state of the word index: BM25 over the stems of a query, then feedback.

What is found, and how many, is what the query's own words find. Feedback gives the first of them
a new order; it neither adds nor hides an element.
"""

from collections.abc import Mapping

import numpy as np
import tantivy
from tantivy import Occur, Query

from backend.search.lexical.analysis import analyzer, common_words, prepare_query, query_terms
from backend.search.lexical.feedback import ELEMENTS, expanded, rarity_of
from backend.search.lexical.scan import Scan
from backend.search.ranking import Numbers, Ranking

REORDERED = 300
"""The elements that feedback puts in order; those behind them stay in that of the query alone."""


class TantivyReader:
    """One state of the index. See Reader."""

    def __init__(self, index: tantivy.Index, language: str) -> None:
        self._schema = index.schema
        self._searcher = index.searcher()
        self._language = language

    def search(self, query: str, allowed: Numbers | None) -> "Scan | ReorderedMatches":
        """Elements with any word of `query`; very common words count when it holds no others."""
        terms = query_terms(query, self._language)
        if terms:
            return ReorderedMatches(self, terms, allowed)
        common = common_words(prepare_query(query), self._language)
        return self.scan("common", dict.fromkeys(sorted(common), 1.0), allowed)

    def scan(self, field: str, weights: Mapping[str, float], allowed: Numbers | None) -> Scan:
        """Elements whose field has any of the terms, by the weighted sum of their BM25 scores."""
        terms = [
            (Occur.Should, Query.boost_query(self._term(field, term), weight))
            for term, weight in weights.items()
        ]
        return Scan(self._searcher, self._schema, Query.boolean_query(terms), allowed)

    def expanded(self, terms: Mapping[str, int], scan: Scan, head: Ranking) -> dict[str, float]:
        """The weights of the query's terms and of those that the first elements speak for."""
        best = head.head(ELEMENTS)
        return expanded(
            terms,
            scan.stored(best.keys, "opening"),
            best.scores.tolist(),
            analyzer(self._language),
            self._rarity,
        )

    def _rarity(self, term: str) -> float | None:
        return rarity_of(self._searcher.doc_freq("text", term), self._searcher.num_docs)

    def _term(self, field: str, term: str) -> Query:
        return Query.term_query(self._schema, field, term, "freq")


class ReorderedMatches:
    """The elements of one query, the first of them ordered by feedback. See Matches.

    Scores never rise down the list: with feedback an element scores no less than without.
    """

    def __init__(
        self, reader: TantivyReader, terms: Mapping[str, int], allowed: Numbers | None
    ) -> None:
        self._reader = reader
        self._terms = terms
        self._allowed = allowed
        weights = {term: float(count) for term, count in terms.items()}
        self._scan = reader.scan("text", weights, allowed)
        self._head: Ranking | None = None

    def best(self, limit: int) -> Ranking:
        """See Matches."""
        found = self._scan.best(max(limit, REORDERED))
        if self._head is None:
            self._head = self._reordered(found.head(REORDERED))
        tail = slice(REORDERED, limit)
        return Ranking(
            np.concatenate([self._head.keys, found.keys[tail]]),
            np.concatenate([self._head.scores, found.scores[tail]]),
        ).head(limit)

    def _reordered(self, head: Ranking) -> Ranking:
        if len(head) <= ELEMENTS:
            return head
        weights = self._reader.expanded(self._terms, self._scan, head)
        learned = self._reader.scan("text", weights, self._allowed).best(REORDERED)
        first = np.isin(learned.keys, head.keys)
        rest = ~np.isin(head.keys, learned.keys)
        return Ranking(
            np.concatenate([learned.keys[first], head.keys[rest]]),
            np.concatenate([learned.scores[first], head.scores[rest]]),
        )
