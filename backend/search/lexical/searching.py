"""Searches one state of the word index: BM25 over the stems of a query, then feedback.

The matches are those of the query's own words. Feedback only reorders them; it neither adds nor
hides an element. (Reordering only the first few hundred was no faster, because tantivy must then
list them, and what the query alone ranks low never came up.) A fusion may also ask for elements
that match learned words alone: its other list has elements without the query's words anyway, and
those in both lists profit.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import tantivy
from tantivy import Occur, Query

from backend.search.lexical.analysis import analyzer, common_words, prepare_query, query_terms
from backend.search.lexical.feedback import ELEMENTS, Rarities, expanded
from backend.search.lexical.recent import RecentView
from backend.search.lexical.scan import Scan, of_documents
from backend.search.port import Matches, WordMatches
from backend.search.ranking import Keys, Numbers, Ranking, ranked

Weights = Mapping[str, float]
_REMEMBERED = 50_000
"""Terms whose number of elements is remembered."""

Choice = Callable[[Matches], Ranking]
"""Chooses the elements that feedback learns from among the matches of a query."""


def first(matches: Matches) -> Ranking:
    """The default choice: the best ones."""
    return matches.best(ELEMENTS)


class Committed:
    """One committed state of the index. Implements recent.Statistics."""

    def __init__(self, index: tantivy.Index, language: str) -> None:
        self.language = language
        self.schema = index.schema
        self.searcher = index.searcher()
        self.total: int = self.searcher.num_docs
        """The number of elements."""
        self.rarities = Rarities(lambda terms: self.frequencies("text", terms), lambda: self.total)
        self._means: dict[str, float] = {}
        self._frequencies: dict[tuple[str, str], int] = {}

    def holds(self, numbers: Collection[int]) -> bool:
        """Whether it has an element of any of these documents."""
        if not numbers:
            return False
        those = of_documents(self.schema, numbers)
        return bool(self.searcher.search(those, 1, count=False).hits)

    def term(self, field: str, term: str) -> Query:
        return Query.term_query(self.schema, field, term, "freq")

    def frequency(self, field: str, term: str) -> int:
        """How many elements have a term."""
        known = self._frequencies.get((field, term))
        if known is None:
            known = self.searcher.doc_freq(field, term)
            if len(self._frequencies) < _REMEMBERED:
                self._frequencies[field, term] = known
        return known

    def frequencies(self, field: str, terms: Sequence[str]) -> list[int]:
        """How many elements have each of these terms."""
        return [self.frequency(field, term) for term in terms]

    def mean_length(self, field: str, terms: Iterable[str]) -> float | None:
        # Tantivy exposes it only in score explanations.
        for term in terms if field not in self._means else ():
            query = self.term(field, term)
            for _, address in self.searcher.search(query, 1, count=False).hits:
                explained = json.loads(query.explain(self.searcher, address).to_json())
                self._means[field] = explained["details"][-1]["details"][-1]["value"]
                return self._means[field]
        return self._means.get(field)


@dataclass(frozen=True)
class FoundWords:
    """The matches of a query among committed and waiting elements. See WordMatches."""

    scan: Scan
    recent: Ranking
    _view: RecentView

    @property
    def is_specific(self) -> bool:
        return self.scan.is_specific

    def best(self, limit: int) -> Ranking:
        committed = self.scan.best(limit)
        if not len(self.recent):
            return committed
        recent = self.recent.head(limit)
        keys = np.concatenate([committed.keys, recent.keys])
        return ranked(keys, np.concatenate([committed.scores, recent.scores]), limit)

    def openings(self, keys: Keys) -> list[str]:
        texts = {key: self._view.opening(key) for key in keys.tolist()}
        committed = [key for key, text in texts.items() if text is None]
        stored = self.scan.stored(np.array(committed, dtype=np.int64), "opening")
        openings = dict(zip(committed, stored, strict=True))
        return [openings[key] if text is None else text for key, text in texts.items()]


class WordReader(ABC):
    """One state of a word index. See Reader. `rarities` are those of its elements."""

    def __init__(self, language: str, rarities: Rarities) -> None:
        self._language = language
        self._rarities = rarities

    @abstractmethod
    def matches(
        self,
        field: str,
        weights: Weights,
        allowed: Numbers | None,
        *,
        better: Weights | None = None,
        is_specific: bool = True,
    ) -> WordMatches:
        """Elements with any term of `weights`, ranked by the weighted score of all terms."""

    @abstractmethod
    def keys(self) -> Keys:
        """The keys of all elements."""

    def search(
        self,
        query: str,
        allowed: Numbers | None,
        *,
        with_learned: bool = False,
        choose: Choice = first,
    ) -> WordMatches:
        """Elements with any word of `query`; stop words count only when there are no others.

        `with_learned` also matches any word that feedback learned. `choose` picks the elements it
        learns from.
        """
        terms = query_terms(query, self._language)
        if not terms:
            common = common_words(prepare_query(query), self._language)
            words = dict.fromkeys(sorted(common), 1.0)
            return self.matches("common", words, allowed, is_specific=False)
        weights = {term: float(count) for term, count in terms.items()}
        matches = self.matches("text", weights, allowed)
        if len(matches.best(ELEMENTS + 1)) <= ELEMENTS:
            return matches
        weights = self._expanded(terms, matches, choose)
        if with_learned:
            return self.matches("text", weights, allowed)
        own = {term: weights.pop(term) for term in terms}
        return self.matches("text", own, allowed, better=weights)

    def _expanded(
        self, terms: Mapping[str, int], matches: WordMatches, choose: Choice
    ) -> dict[str, float]:
        best = choose(matches)
        return expanded(
            terms,
            matches.openings(best.keys),
            best.scores.tolist(),
            analyzer(self._language),
            self._rarities,
        )


class TantivyReader(WordReader):
    """One state of the index of this machine."""

    def __init__(self, committed: Committed, recent: RecentView) -> None:
        super().__init__(committed.language, committed.rarities)
        self._committed = committed
        self._recent = recent

    def keys(self) -> Keys:
        searcher = self._committed.searcher
        everything = Scan(
            searcher, self._committed.schema, (Query.all_query(), None), None, is_specific=False
        )
        return np.concatenate([everything.best(self._committed.total).keys, self._recent.keys()])

    def frequencies(self, field: str, terms: Sequence[str]) -> tuple[int, list[int]]:
        """How many committed elements there are, and how many of them have each term."""
        return self._committed.total, self._committed.frequencies(field, terms)

    def matches(
        self,
        field: str,
        weights: Weights,
        allowed: Numbers | None,
        *,
        better: Weights | None = None,
        is_specific: bool = True,
    ) -> FoundWords:
        committed = self._committed
        queries = (self._any(field, weights), None if better is None else self._any(field, better))
        scan = Scan(committed.searcher, committed.schema, queries, allowed, is_specific=is_specific)
        recent = self._recent.search(field, (weights, better or {}), allowed, committed)
        return FoundWords(scan, recent, self._recent)

    def _any(self, field: str, weights: Weights) -> Query:
        terms = [
            (Occur.Should, Query.boost_query(self._committed.term(field, term), weight))
            for term, weight in weights.items()
        ]
        return Query.boolean_query(terms)
