"""One tantivy query over one state of the word index, asked for as many elements as are needed."""

from collections.abc import Callable, Collection
from typing import TypeVar

import numpy as np
import tantivy
from tantivy import Occur, Query

from backend.search.port import IndexDamaged
from backend.search.ranking import Keys, Numbers, Ranking, numbers_of, ranked

# A document set is handed to tantivy when it is small; a large one costs less as a sieve behind
# the search, because tantivy then skips what cannot rank.
_SMALL_SET = 512
_SMALL_SHARE = 0.02
# To look up a few documents one by one takes a tenth of the time that tantivy needs to get its set
# of terms ready; from about eighty on the set is the faster one.
_FEW_DOCUMENTS = 64
_SPARE = 16
_GROWTH = 4
_Result = TypeVar("_Result")


def of_documents(schema: tantivy.Schema, numbers: Collection[int]) -> Query:
    """All elements of those documents."""
    if len(numbers) > _FEW_DOCUMENTS:
        return Query.term_set_query(schema, "number", list(numbers))
    each = (Query.term_query(schema, "number", number, "basic") for number in numbers)
    return Query.boolean_query([(Occur.Should, one) for one in each])


class Scan:
    """The elements of the `allowed` documents that the first query finds, by its score and, where
    there is a second, by that as well.

    It `is_telling` unless it looks for very common words, which do not say what an element is
    about.
    """

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        queries: tuple[Query, Query | None],
        allowed: Numbers | None,
        *,
        is_telling: bool,
    ) -> None:
        self.is_telling = is_telling
        self._searcher = searcher
        self._sieve = allowed
        self._keys: Keys = np.empty(0, dtype=np.int64)
        self._addresses: list[tantivy.DocAddress] = []
        self._found = Ranking.empty()
        self._ended = False
        query, better = queries
        # In one level: tantivy takes a third longer for the same in two.
        clauses = [(Occur.Must, query)]
        if better is not None:
            clauses.append((Occur.Should, better))
        if allowed is not None and len(allowed) <= max(
            _SMALL_SET, _SMALL_SHARE * searcher.num_docs
        ):
            chosen = of_documents(schema, allowed.tolist())
            clauses.append((Occur.Must, Query.const_score_query(chosen, 0.0)))
            self._sieve = None
        self._query = query if len(clauses) == 1 else Query.boolean_query(clauses)

    def best(self, limit: int) -> Ranking:
        """See Matches. Asks tantivy for more until equal scores at the end cannot hide a better
        key.
        """
        if len(self._found) < limit and not self._ended:
            self._fetch(limit)
        return self._found.head(limit)

    def stored(self, keys: Keys, field: str) -> list[str]:
        """What a stored field of bytes holds, as text, for elements among the last that were
        asked for.
        """

        def run() -> list[str]:
            places = dict(zip(self._keys.tolist(), self._addresses, strict=True))
            documents = (self._searcher.doc(places[key]) for key in keys.tolist())
            return [bytes(document.get_all(field)[0]).decode() for document in documents]

        return _reading(run)

    def _fetch(self, limit: int) -> None:
        total = max(1, self._searcher.num_docs)
        fetch = limit + _SPARE if self._sieve is None else _GROWTH * limit + _SPARE
        while True:
            top = self._top(min(fetch, total))
            self._ended = len(top) < fetch
            certain = top if self._ended else _above(top, float(top.scores[-1]))
            kept = self._sieved(certain)
            if len(kept) >= limit or self._ended:
                self._found = ranked(kept.keys, kept.scores, len(kept))
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

    def _sieved(self, ranking: Ranking) -> Ranking:
        if self._sieve is None:
            return ranking
        kept = np.isin(numbers_of(ranking.keys), self._sieve)
        return Ranking(ranking.keys[kept], ranking.scores[kept])


def _above(ranking: Ranking, score: float) -> Ranking:
    return ranking.head(int(np.count_nonzero(ranking.scores > score)))


def _reading(read: Callable[[], _Result]) -> _Result:
    """IndexDamaged for what tantivy raises over broken files; its panics are no Exception."""
    try:
        return read()
    except (ValueError, OSError) as error:
        raise IndexDamaged(str(error)) from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise IndexDamaged(str(error)) from error
        raise
