"""The readers of a DocSet in shards: each asks all shards and merges their answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import numpy.typing as npt

from backend.inference.embeddings import Matrix
from backend.search.docset import DocSet
from backend.search.docset_indexes import IndexName
from backend.search.lexical.feedback import Rarities, rarity
from backend.search.lexical.searching import Weights, WordReader
from backend.search.literal import Sizes
from backend.search.port import Reader
from backend.search.ranking import Keys, Numbers, Ranking, numbers_of, ranked
from backend.search.shards.fan_out import ArraysOf, Moment, Shards
from backend.search.shards.wire import joined
from backend.search.share import Share
from backend.tasks.messages import Message

_WITH_OPENINGS = 16
"""The best elements come with the starts of their texts up to this limit, when the matches are
those of a query alone; feedback reads ten.
"""

AskBest = Callable[[int], Sequence[Message]]
"""Asks all shards for their best elements."""


def reader_of(shards: Shards, name: IndexName, docset: DocSet) -> Reader[Any]:
    """A reader of a DocSet at its newest operation."""
    moment = shards.at(docset)
    match name:
        case "lexical":
            return ShardedWords(moment, docset.language)
        case "keyword":
            return ShardedTexts(moment)
        case "vector":
            return ShardedVectors(moment)


class ShardedMatches:
    """The best elements of all shards, fetched as far as needed. See Matches."""

    def __init__(self, ask: AskBest) -> None:
        self._ask = ask
        self._best = Ranking.empty()
        self._limit = 0

    def best(self, limit: int) -> Ranking:
        if limit > self._limit and len(self._best) == self._limit:
            answers = self._ask(limit)
            self._best = ranked(joined(answers, "keys"), joined(answers, "scores"), limit)
            self._limit = limit
            self.take(answers)
        return self._best.head(limit)

    def take(self, answers: Sequence[Message]) -> None:
        """Takes the other contents of the answers; a subclass overrides it."""


class ShardedWordMatches(ShardedMatches):
    """See WordMatches."""

    def __init__(
        self, moment: Moment, query: Mapping[str, Any], allowed: ArraysOf, *, is_specific: bool
    ) -> None:
        super().__init__(self._ask_words)
        self.is_specific = is_specific
        self._moment = moment
        self._query = query
        self._allowed = allowed
        self._may_teach = query["better"] is None and is_specific
        self._openings: dict[int, str] = {}

    def take(self, answers: Sequence[Message]) -> None:
        openings = (text for answer in answers for text in answer.data["openings"])
        # Without openings there is nothing to pair, and `openings` asks for them.
        self._openings = dict(zip(joined(answers, "keys").tolist(), openings, strict=False))

    def openings(self, keys: Keys) -> list[str]:
        if not self._openings.keys() >= {*keys.tolist()}:
            self._openings |= self._asked_openings(keys)
        return [self._openings[key] for key in keys.tolist()]

    def _ask_words(self, limit: int) -> list[Message]:
        with_openings = self._may_teach and limit <= _WITH_OPENINGS
        return self._moment.ask(
            "words", self._allowed, **self._query, limit=limit, with_openings=with_openings
        )

    def _asked_openings(self, keys: Keys) -> dict[int, str]:
        parts: list[Keys] = []

        def arrays(share: Share) -> dict[str, Any]:
            parts.append(_keys_in(share, keys))
            return {**self._allowed(share), "keys": parts[-1]}

        answers = self._moment.ask("openings", arrays, **self._query, limit=self._limit)
        texts = [text for answer in answers for text in answer.data["openings"]]
        return dict(zip(np.concatenate(parts).tolist(), texts, strict=True))


class ShardedWords(WordReader):
    """The words of all shards. Terms weigh by how many elements of all shards have them."""

    def __init__(self, moment: Moment, language: str) -> None:
        self._moment = moment
        counts = moment.counts
        rarities = Rarities(self._frequencies, lambda: counts.total, counts.rarities)
        super().__init__(language, rarities)

    def keys(self) -> Keys:
        return joined(self._moment.ask("keys", name="lexical"), "keys")

    def matches(
        self,
        field: str,
        weights: Weights,
        allowed: Numbers | None,
        *,
        better: Weights | None = None,
        is_specific: bool = True,
    ) -> ShardedWordMatches:
        counted = self._counted(field, [*weights, *(better or ())])
        query = {
            "field": field,
            "own": self._rated(weights, counted),
            "better": None if better is None else self._rated(better, counted),
        }
        return ShardedWordMatches(
            self._moment, query, _allowed_in(allowed), is_specific=is_specific
        )

    def _rated(self, weights: Weights, counted: Mapping[str, int]) -> dict[str, float]:
        """The weights with the rarity of each term in all shards."""
        total = self._moment.counts.total
        return {term: weight * rarity(counted[term], total) for term, weight in weights.items()}

    def _frequencies(self, terms: Sequence[str]) -> list[int]:
        counted = self._counted("text", terms)
        return [counted[term] for term in terms]

    def _counted(self, field: str, terms: Sequence[str]) -> dict[str, int]:
        """How many elements of all shards have each term."""
        counts = self._moment.counts
        known = counts.of(field, terms)
        new = [term for term in dict.fromkeys(terms) if term not in known]
        if not new:
            return known
        answers = self._moment.ask("frequencies", field=field, terms=new)
        sums = np.sum([answer.data["counts"] for answer in answers], axis=0)
        more = {term: int(count) for term, count in zip(new, sums, strict=True)}
        counts.keep(field, more, sum(answer.data["total"] for answer in answers))
        return known | more


class ShardedTexts:
    """The folded texts of all shards. See Reader."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment

    def search(self, query: str, allowed: Numbers | None) -> ShardedMatches:
        arrays = _allowed_in(allowed)
        answers = self._moment.ask("sizes", arrays, query=query)
        sizes = reduce(add, (Sizes(*answer.data["sizes"]) for answer in answers))

        def ask(limit: int) -> list[Message]:
            return self._moment.ask(
                "literal", arrays, query=query, sizes=astuple(sizes), limit=limit
            )

        return ShardedMatches(ask)

    def keys(self) -> Keys:
        return joined(self._moment.ask("keys", name="keyword"), "keys")


class ShardedVectors:
    """The vectors of all shards. See Vectors."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment

    def search(self, query: npt.NDArray[np.float32], allowed: Numbers | None) -> ShardedMatches:
        chosen = _allowed_in(allowed)

        def ask(limit: int) -> list[Message]:
            return self._moment.ask(
                "near", lambda share: {**chosen(share), "vector": query}, limit=limit
            )

        return ShardedMatches(ask)

    def vectors_of(self, keys: Keys) -> tuple[Keys, Matrix]:
        answers = self._moment.ask("vectors", lambda share: {"keys": _keys_in(share, keys)})
        return joined(answers, "keys"), joined(answers, "matrix")

    def keys(self) -> Keys:
        return joined(self._moment.ask("keys", name="vector"), "keys")


def _allowed_in(allowed: Numbers | None) -> ArraysOf:
    return lambda share: {"allowed": None if allowed is None else share.of(allowed)}


def _keys_in(share: Share, keys: Keys) -> Keys:
    chosen: Keys = keys[numbers_of(keys) % share.count == share.place]
    return chosen
