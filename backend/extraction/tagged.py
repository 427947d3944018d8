"""Items of lists by the tokens that a close reading tags: where an item begins, and what is in one.

A tagged run of tokens is an item whether or not any other source proposes it. How much of what is
tagged a list covers, and whether its items begin where tags say so, is evidence for the list.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from backend.extraction.layouts import Layout
from backend.extraction.segments import Place
from backend.extraction.senses import Matrix

TAGGED = ("tagged", "covered", "opening", "opened_within", "expected")
"""The features of a list: the mean tag of its tokens, the share of all tags that they have, the
mean tag of its beginnings, how often an item begins within one of its items, and how many more
items are expected than it has.
"""
_LEVELS = (0.5, 0.25)
"""The probabilities from which tokens are taken for items."""
_MOST_ITEMS, _MOST_PLACES = 60, 4
_UNREAD, _MOST_MORE = 3, 6.0
"""The length of an item outside the text, and the limit of `expected`."""


class Tagged:
    """What a reading says of each token of a document for one list, whose values in the running
    stand at these `places`, those with the best surroundings first.
    """

    def __init__(self, layout: Layout, tags: Matrix, places: Sequence[Sequence[Place]]) -> None:
        self._layout, self._places = layout, places
        self._opens, self._inside = tags
        self._sums = np.concatenate([np.zeros((1, 2)), tags.T.cumsum(axis=0)])

    def lists(self) -> list[list[Place]]:
        """The lists that the tags show, by how sure a token must be."""
        found = [list(self._items(level)) for level in _LEVELS]
        return [items for items in found if 0 < len(items) <= _MOST_ITEMS]

    def _items(self, level: float) -> Iterator[Place]:
        """The items whose tokens have at least that probability, within one text each."""
        start: int | None = None
        for at in range(len(self._inside) + 1):
            inside = at < len(self._inside) and self._inside[at] >= level
            begins = inside and (self._opens[at] >= level or self._layout.starts_text(at))
            if start is not None and (begins or not inside):
                if place := self._layout.place((start, at)):
                    yield place
                start = None
            if begins or (inside and start is None):
                start = at

    def values(self) -> Iterator[tuple[Matrix, list[int]]]:
        """How well each value fits the tags, and which are items, by how sure a token must be."""
        inside, length, opening, _ = self.measured.T
        fits = (inside / length + opening) / 2
        for level in _LEVELS:
            yield fits, np.flatnonzero(fits >= level).tolist()

    @cached_property
    def measured(self) -> Matrix:
        """For each value the sum of its tags, how many tokens it has, the tag of its beginning, and
        those of beginnings within it, at the place that fits best.
        """
        rows = [self._measured(places) for places in self._places]
        return np.array(rows, dtype=np.float32).reshape(-1, 4)

    def _measured(self, places: Sequence[Place]) -> tuple[float, float, float, float]:
        best = (-1.0, 0.0, float(_UNREAD), 0.0, 0.0)
        for stretch in map(self._layout.stretch, places[:_MOST_PLACES]):
            if stretch is not None:
                first, end = stretch
                opened, inside = self._sums[end] - self._sums[first]
                opens = float(self._opens[first])
                own = (inside / (end - first) + opens, inside, end - first, opens, opened - opens)
                best = max(best, own)
        return best[1:]

    @cached_property
    def totals(self) -> tuple[float, float]:
        """How many items and how many of their tokens are expected."""
        opened, inside = self._sums[-1]
        return float(opened), float(inside)

    def features(self, members: Sequence[int], many: int) -> Matrix:
        """The row of `TAGGED` of a list with `many` items, `members` of which are values in the
        running.
        """
        items, tokens = self.totals
        inside, length, opening, within = self.measured[members].sum(axis=0)
        length += _UNREAD * (many - len(members))
        more = min(_MOST_MORE, max(-_MOST_MORE, items - many))
        shares = (inside / length, inside / max(1.0, tokens), opening / many, within / many, more)
        return np.array(shares, dtype=np.float32)
