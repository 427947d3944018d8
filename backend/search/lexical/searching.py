"""Searching one state of the word index: BM25 over the stems of a query, then feedback.

What is found is what the query's own words find. Feedback gives it another order; it neither adds
nor hides an element. (To order only the first few hundred was measured too: no faster, because
tantivy then has to list them, and what the query alone ranks low never came up.) A fusion may ask
for elements with learned words alone as well: its other list has elements without the query's
words anyway, and those that both find are the better for it.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import tantivy
from tantivy import Occur, Query

from backend.search.lexical.analysis import analyzer, common_words, prepare_query, query_terms
from backend.search.lexical.feedback import ELEMENTS, Rarities, expanded
from backend.search.lexical.recent import RecentView
from backend.search.lexical.scan import Scan, of_documents
from backend.search.port import Matches
from backend.search.ranking import Keys, Numbers, Ranking, ranked

Weights = Mapping[str, float]
Choice = Callable[[Matches], Ranking]
"""The elements that feedback learns from, of those that a query finds."""


def first(found: Matches) -> Ranking:
    """The best ones: the choice of who has nothing else to go by."""
    return found.best(ELEMENTS)


class Committed:
    """One committed state of the index. See recent.Statistics for two of its methods."""

    def __init__(self, index: tantivy.Index, language: str) -> None:
        self.language = language
        self.schema = index.schema
        self.searcher = index.searcher()
        self.total: int = self.searcher.num_docs
        """How many elements it has."""
        self.rarities = Rarities(lambda term: self.searcher.doc_freq("text", term), self.total)
        self._means: dict[str, float] = {}

    def holds(self, numbers: Collection[int]) -> bool:
        """Whether it has an element of one of these documents."""
        if not numbers:
            return False
        those = of_documents(self.schema, numbers)
        return bool(self.searcher.search(those, 1, count=False).hits)

    def term(self, field: str, term: str) -> Query:
        return Query.term_query(self.schema, field, term, "freq")

    def frequency(self, field: str, term: str) -> int:
        return self.searcher.doc_freq(field, term)

    def mean_length(self, field: str, terms: Iterable[str]) -> float | None:
        # Tantivy tells it nowhere but where it explains a score.
        for term in terms if field not in self._means else ():
            query = self.term(field, term)
            for _, address in self.searcher.search(query, 1, count=False).hits:
                told = json.loads(query.explain(self.searcher, address).to_json())
                self._means[field] = told["details"][-1]["details"][-1]["value"]
                return self._means[field]
        return self._means.get(field)


@dataclass(frozen=True)
class WordMatches:
    """What a query finds among the committed elements, and among those that wait for a commit. See
    Matches.
    """

    scan: Scan
    recent: Ranking
    _view: RecentView

    @property
    def is_telling(self) -> bool:
        """See Scan."""
        return self.scan.is_telling

    def best(self, limit: int) -> Ranking:
        found = self.scan.best(limit)
        if not len(self.recent):
            return found
        few = self.recent.head(limit)
        keys = np.concatenate([found.keys, few.keys])
        return ranked(keys, np.concatenate([found.scores, few.scores]), limit)

    def openings(self, keys: Keys) -> list[str]:
        """How the texts begin of elements among the last that were asked for."""
        texts = {key: self._view.opening(key) for key in keys.tolist()}
        committed = [key for key, text in texts.items() if text is None]
        stored = self.scan.stored(np.array(committed, dtype=np.int64), "opening")
        told = dict(zip(committed, stored, strict=True))
        return [told[key] if text is None else text for key, text in texts.items()]


class TantivyReader:
    """One state of the index. See Reader."""

    def __init__(self, committed: Committed, recent: RecentView) -> None:
        self._committed = committed
        self._recent = recent

    def search(
        self,
        query: str,
        allowed: Numbers | None,
        *,
        with_learned: bool = False,
        choose: Choice = first,
    ) -> WordMatches:
        """Elements with any word of `query`; very common words count when it holds no others.

        `with_learned`: or with any word that feedback learned. It learns from those that `choose`
        takes of what the query alone finds.
        """
        language = self._committed.language
        terms = query_terms(query, language)
        if not terms:
            common = common_words(prepare_query(query), language)
            words = dict.fromkeys(sorted(common), 1.0)
            return self._found("common", words, allowed, is_telling=False)
        weights = {term: float(count) for term, count in terms.items()}
        found = self._found("text", weights, allowed)
        if len(found.best(ELEMENTS + 1)) <= ELEMENTS:
            return found
        weights = self._expanded(terms, found, choose)
        if with_learned:
            return self._found("text", weights, allowed)
        own = {term: weights.pop(term) for term in terms}
        return self._found("text", own, allowed, better=weights)

    def keys(self) -> Keys:
        """Every element it holds."""
        searcher = self._committed.searcher
        everything = Scan(
            searcher, self._committed.schema, (Query.all_query(), None), None, is_telling=False
        )
        return np.concatenate([everything.best(self._committed.total).keys, self._recent.keys()])

    def _expanded(
        self, terms: Mapping[str, int], found: WordMatches, choose: Choice
    ) -> dict[str, float]:
        best = choose(found)
        return expanded(
            terms,
            found.openings(best.keys),
            best.scores.tolist(),
            analyzer(self._committed.language),
            self._committed.rarities,
        )

    def _found(
        self,
        field: str,
        weights: Weights,
        allowed: Numbers | None,
        *,
        better: Weights | None = None,
        is_telling: bool = True,
    ) -> WordMatches:
        """Elements with any of the terms of `weights`, by the weighted sum of the scores of all."""
        committed = self._committed
        queries = (self._any(field, weights), None if better is None else self._any(field, better))
        scan = Scan(committed.searcher, committed.schema, queries, allowed, is_telling=is_telling)
        recent = self._recent.search(field, (weights, better or {}), allowed, committed)
        return WordMatches(scan, recent, self._recent)

    def _any(self, field: str, weights: Weights) -> Query:
        terms = [
            (Occur.Should, Query.boost_query(self._committed.term(field, term), weight))
            for term, weight in weights.items()
        ]
        return Query.boolean_query(terms)
