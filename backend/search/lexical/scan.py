"""One tantivy query over one state of the word index, asked for as many elements as are needed."""

from collections.abc import Callable
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
_SPARE = 16
_GROWTH = 4
_Result = TypeVar("_Result")


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
        self._places: dict[int, tantivy.DocAddress] = {}
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
            chosen = Query.term_set_query(schema, "number", allowed.tolist())
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
            documents = (self._searcher.doc(self._places[key]) for key in keys.tolist())
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
            addresses = [address for _, address in hits]
            keys = np.array(self._searcher.fast_field_values("key", addresses), dtype=np.int64)
            self._places = dict(zip(keys.tolist(), addresses, strict=True))
            return Ranking(keys, np.array([score for score, _ in hits], dtype=np.float32))

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
