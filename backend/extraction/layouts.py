"""A document as the tokens that a network reads, with the places of its words."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from backend.extraction.document import Document
from backend.extraction.segments import Place, Segment
from backend.extraction.targets import Target
from backend.inference.phrase_vectors import encoder
from backend.inference.trees import Odds
from backend.inference.value_reader import Stretch

_READ_VALUES, _READ_ITEMS = 16, 64
_LIKELY, _SHORT_BEFORE = 10, 40
_MARKS, _BEYOND = 2, 20
BESIDES = _MARKS + _BEYOND
"""The tokens of a layout that are no text: the mark at each end, and separators of its texts, as
far as they exceed the room.
"""
_BAR = "|"


class Asking(NamedTuple):
    """A property, its kind among `TYPES`, its values, the places of each with the best surroundings
    first, and the log-odds of the fitted score.
    """

    target: Target
    kind: str
    values: Sequence[object]
    places: Sequence[Sequence[Place]]
    odds: Odds

    @property
    def likely(self) -> list[int]:
        """The numbers of the values to read, likeliest first."""
        ranked = np.argsort(-self.odds, kind="stable").tolist()
        most = _READ_ITEMS if self.kind == "item" else _READ_VALUES
        return [at for at in ranked if self.places[at]][:most]


class Layout:
    """The tokens of a document, at most `room` and those of its marks and separators, and where
    each of its segments begins.
    """

    def __init__(self, document: Document, asking: Sequence[Asking], room: int) -> None:
        self._own = {s.order: s for s in document.segments if not s.joined}
        pieces = encoder().pieces
        self.first, self.between = pieces.tokens("", 2)
        self.tokens: list[int] = [self.first]
        self._begins: dict[int, int] = {}
        last: Segment | None = None
        orders = self._read(asking, room)
        self.whole = len(orders) == len(self._own)
        for order in orders:
            segment = self._own[order]
            if last is not None:
                self.tokens += self._joint(last, segment)
            self._begins[order] = len(self.tokens)
            left = max(0, 1 + room + _BEYOND - len(self.tokens))
            self.tokens += self._placed[order][0][:left]
            last = segment
        self.tokens.append(self.between)

    @cached_property
    def _placed(self) -> Mapping[int, tuple[list[int], list[int]]]:
        """The tokens of each segment, and where the word of each token begins."""
        return {order: _placed(segment.text) for order, segment in self._own.items()}

    def _joint(self, last: Segment, segment: Segment) -> Sequence[int]:
        """The separator of two texts: cells of a row are separated differently from lines."""
        beside = segment.kind == "cell" and segment.left and segment.element == last.element
        return encoder().pieces.tokens(_BAR, 3)[1:-1] if beside else [self.between]

    def _read(self, asking: Sequence[Asking], room: int) -> list[int]:
        """The segments to read: all if they fit, else those with likely values, each with the short
        segment before it.
        """
        many = {order: 1 + len(tokens) for order, (tokens, _) in self._placed.items()}
        if sum(many.values()) <= room:
            return list(self._own)
        ranked = [
            (rank, self._parts(one.places[at][0].segment)[0])
            for one in asking
            for rank, at in enumerate(one.likely[:_LIKELY])
        ]
        left, kept = room, set[int]()
        for _, order in sorted(ranked):
            if order not in kept and many.get(order, room + 1) <= left:
                kept.add(order)
                left -= many[order]
        orders = list(self._own)
        for at, order in enumerate(orders[1:]):
            before = orders[at]
            if order in kept and before not in kept and many[before] <= min(left, _SHORT_BEFORE):
                kept.add(before)
                left -= many[before]
        return sorted(kept)

    @cached_property
    def _words(self) -> tuple[list[int], list[int]]:
        """For each token the order of its segment, -1 between segments, and where its word
        begins.
        """
        orders, starts = [-1] * len(self.tokens), [0] * len(self.tokens)
        for order, first in self._begins.items():
            for at, start in enumerate(self._placed[order][1], first):
                if at < len(self.tokens) - 1:
                    orders[at], starts[at] = order, start
        return orders, starts

    def starts_text(self, at: int) -> bool:
        """Whether another segment begins at a token."""
        orders, _ = self._words
        return orders[at] != orders[at - 1]

    def place(self, stretch: Stretch) -> Place | None:
        """The words of some tokens; None if they are not in one segment."""
        orders, starts = self._words
        first, end = stretch
        order = orders[first]
        if order < 0 or any(other != order for other in orders[first:end]):
            return None
        segment = self._own[order]
        to = starts[end] if end < len(orders) and orders[end] == order else len(segment.text)
        return Place(segment, starts[first], to) if starts[first] < to else None

    def _parts(self, segment: Segment) -> Sequence[int]:
        return segment.parts if segment.joined else [segment.order]

    def stretch(self, place: Place) -> Stretch | None:
        """The tokens of a place; None if it is outside the text."""
        segment, start, end = place
        parts, begins = self._parts(segment), (0, *segment.breaks) if segment.joined else (0,)
        first, last = bisect_right(begins, start) - 1, bisect_left(begins, end) - 1
        if parts[first] not in self._begins or parts[last] not in self._begins:
            return None
        starts = self._placed[parts[first]][1]
        at = self._begins[parts[first]] + max(0, bisect_right(starts, start - begins[first]) - 1)
        ends = self._placed[parts[last]][1]
        to = self._begins[parts[last]] + bisect_left(ends, end - begins[last])
        to = min(max(to, at + 1), len(self.tokens) - 1)
        return (at, to) if at < to else None


@lru_cache(maxsize=20_000)
def _placed(text: str) -> tuple[list[int], list[int]]:
    return encoder().pieces.placed(text)
