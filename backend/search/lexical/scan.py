"""One tantivy query over one state of the word index, fetched as far as needed."""

from collections.abc import Callable, Collection
from typing import TypeVar

import numpy as np
import tantivy
from tantivy import Occur, Query

from backend.search.port import IndexDamaged
from backend.search.ranking import Keys, Numbers, Ranking, numbers_of, ranked

# A small document set becomes part of the tantivy query. A large one filters its results, because
# tantivy then skips what cannot rank.
_SMALL_SET = 512
_SMALL_SHARE = 0.02
# Looking up a few documents one by one takes a tenth of the time that tantivy needs to prepare a
# term set; from about eighty on the set is faster.
_FEW_DOCUMENTS = 64
_SPARE = 16
_GROWTH = 4
_Result = TypeVar("_Result")


def of_documents(schema: tantivy.Schema, numbers: Collection[int]) -> Query:
    """A query for all elements of those documents."""
    if len(numbers) > _FEW_DOCUMENTS:
        return Query.term_set_query(schema, "number", list(numbers))
    each = (Query.term_query(schema, "number", number, "basic") for number in numbers)
    return Query.boolean_query([(Occur.Should, one) for one in each])


class Scan:
    """Elements of the `allowed` documents that match the first query, ranked by its score plus that
    of the optional second query.

    It `is_specific` unless it searches stop words, which say nothing about an element's subject.
    """

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        queries: tuple[Query, Query | None],
        allowed: Numbers | None,
        *,
        is_specific: bool,
    ) -> None:
        self.is_specific = is_specific
        self._searcher = searcher
        self._filter = allowed
        self._keys: Keys = np.empty(0, dtype=np.int64)
        self._addresses: list[tantivy.DocAddress] = []
        self._best = Ranking.empty()
        self._exhausted = False
        query, better = queries
        # One flat query: tantivy takes a third longer for a nested one.
        clauses = [(Occur.Must, query)]
        if better is not None:
            clauses.append((Occur.Should, better))
        if allowed is not None and len(allowed) <= max(
            _SMALL_SET, _SMALL_SHARE * searcher.num_docs
        ):
            chosen = of_documents(schema, allowed.tolist())
            clauses.append((Occur.Must, Query.const_score_query(chosen, 0.0)))
            self._filter = None
        self._query = query if len(clauses) == 1 else Query.boolean_query(clauses)

    def best(self, limit: int) -> Ranking:
        """See Matches. Fetches until a tie at the end cannot hide a better key."""
        if len(self._best) < limit and not self._exhausted:
            self._fetch(limit)
        return self._best.head(limit)

    def stored(self, keys: Keys, field: str) -> list[str]:
        """The text in a stored bytes field, for elements of the last fetch."""

        def run() -> list[str]:
            places = dict(zip(self._keys.tolist(), self._addresses, strict=True))
            documents = (self._searcher.doc(places[key]) for key in keys.tolist())
            return [bytes(document.get_all(field)[0]).decode() for document in documents]

        return _reading(run)

    def _fetch(self, limit: int) -> None:
        total = max(1, self._searcher.num_docs)
        fetch = limit + _SPARE if self._filter is None else _GROWTH * limit + _SPARE
        while True:
            top = self._top(min(fetch, total))
            self._exhausted = len(top) < fetch
            certain = top if self._exhausted else _above(top, float(top.scores[-1]))
            kept = self._filtered(certain)
            if len(kept) >= limit or self._exhausted:
                self._best = ranked(kept.keys, kept.scores, len(kept))
                return
            fetch *= _GROWTH

    def _top(self, fetch: int) -> Ranking:
        def run() -> Ranking:
            hits = self._searcher.search(self._query, fetch, count=False).hits
            self._addresses = [address for _, address in hits]
            keys = self._searcher.fast_field_values("key", self._addresses)
            self._keys = np.array(keys, dtype=np.int64)
            return Ranking(self._keys, np.array([score for score, _ in hits], dtype=np.float32))

        return _reading(run)

    def _filtered(self, ranking: Ranking) -> Ranking:
        if self._filter is None:
            return ranking
        kept = np.isin(numbers_of(ranking.keys), self._filter)
        return Ranking(ranking.keys[kept], ranking.scores[kept])


def _above(ranking: Ranking, score: float) -> Ranking:
    return ranking.head(int(np.count_nonzero(ranking.scores > score)))


def _reading(read: Callable[[], _Result]) -> _Result:
    """IndexDamaged when tantivy fails on broken files; its panics are not of type Exception."""
    try:
        return read()
    except (ValueError, OSError) as error:
        raise IndexDamaged(str(error)) from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise IndexDamaged(str(error)) from error
        raise
