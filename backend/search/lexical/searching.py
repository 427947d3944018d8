"""Searching one state of the word index: BM25 over the stems of a query, then feedback.

What is found is what the query's own words find. Feedback gives it another order; it neither adds
nor hides an element. (To order only the first few hundred was measured too: no faster, because
tantivy then has to list them, and what the query alone ranks low never came up.) A fusion may ask
for elements with learned words alone as well: its other list has elements without the query's
words anyway, and those that both find are the better for it.
"""

from collections.abc import Mapping
from functools import partial

import tantivy
from tantivy import Occur, Query

from backend.search.lexical.analysis import analyzer, common_words, prepare_query, query_terms
from backend.search.lexical.feedback import ELEMENTS, Rarities, expanded
from backend.search.lexical.scan import Scan
from backend.search.ranking import Keys, Numbers


class TantivyReader:
    """One state of the index. See Reader."""

    def __init__(self, index: tantivy.Index, language: str) -> None:
        self._schema = index.schema
        self._searcher = index.searcher()
        self._language = language
        self._rarities = Rarities(partial(self._searcher.doc_freq, "text"), self._searcher.num_docs)

    def search(self, query: str, allowed: Numbers | None, *, with_learned: bool = False) -> Scan:
        """Elements with any word of `query`; very common words count when it holds no others.

        `with_learned`: or with any word that feedback learned.
        """
        terms = query_terms(query, self._language)
        if not terms:
            common = common_words(prepare_query(query), self._language)
            words = self._any("common", dict.fromkeys(sorted(common), 1.0))
            return self._scan(words, allowed, is_telling=False)
        weights = {term: float(count) for term, count in terms.items()}
        found = self._scan(self._any("text", weights), allowed)
        if len(found.best(ELEMENTS + 1)) <= ELEMENTS:
            return found
        weights = self._expanded(terms, found)
        if with_learned:
            return self._scan(self._any("text", weights), allowed)
        own = self._any("text", {term: weights.pop(term) for term in terms})
        return self._scan(own, allowed, better=self._any("text", weights))

    def keys(self) -> Keys:
        """Every element it holds."""
        everything = self._scan(Query.all_query(), None)
        return everything.best(self._searcher.num_docs).keys

    def _expanded(self, terms: Mapping[str, int], found: Scan) -> dict[str, float]:
        best = found.best(ELEMENTS)
        return expanded(
            terms,
            found.stored(best.keys, "opening"),
            best.scores.tolist(),
            analyzer(self._language),
            self._rarities,
        )

    def _scan(
        self,
        query: Query,
        allowed: Numbers | None,
        *,
        better: Query | None = None,
        is_telling: bool = True,
    ) -> Scan:
        wanted = (query, better)
        return Scan(self._searcher, self._schema, wanted, allowed, is_telling=is_telling)

    def _any(self, field: str, weights: Mapping[str, float]) -> Query:
        """Elements whose field has any of the terms, by the weighted sum of their BM25 scores."""
        terms = [
            (
                Occur.Should,
                Query.boost_query(Query.term_query(self._schema, field, term, "freq"), weight),
            )
            for term, weight in weights.items()
        ]
        return Query.boolean_query(terms)
