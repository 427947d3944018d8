"""Corrects the log-odds of candidate values by a network that reads the document.

`backend.inference.value_reader` sees the text with the doubtful properties behind it. Of a long
document it sees only the texts that contain their likeliest values.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from backend.extraction.document import Document
from backend.extraction.segments import Place, Segment
from backend.extraction.senses import Matrix
from backend.extraction.targets import Target
from backend.inference.phrase_vectors import encoder
from backend.inference.trees import Odds
from backend.inference.value_reader import (
    LEAST_PLACED,
    TOKENS,
    TYPES,
    Answer,
    Asked,
    Possible,
    Sheet,
    Stretch,
    ValueReader,
    value_reader,
)

READ = ("signs", "signs_first", "read", "read_first", "placed", "whole")
"""The judge's inputs from a close reading: the log-odds by signs (the fitted score) and by reading,
whether each ranks the value first, the log-probability of its place, and whether the document was
read as a whole.
"""
_ROOM = 300
"""The maximum number of document tokens."""
_NAME_TOKENS, _ASKED_TOKENS, _ALL_ASKED = 10, 18, 200
_LEAST_ASKED, _CHOICE_TOKENS, _MOST_CHOICES = 4, 4, 8
_READ_VALUES, _READ_ITEMS, _READ_PLACES = 16, 24, 2
_LIKELY, _SHORT_BEFORE = 10, 40
_MOST_WORDS, _TOGETHER = 34, 12
"""Tokens of a property with its choices, and properties in one pass of the network."""
_LESS, _FAR = 1.0, 8.0
"""How far the log-odds of a value outside the text are below the others, and their largest size."""
_LEAST_WORDS = 40
"""A shorter document is left to the score: the network learned from longer ones."""
_BEYOND = 20
"""Separators between texts may exceed `_ROOM` by this many tokens."""
_BAR = "|"
_APART = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")


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
    """The tokens of a document and where each of its segments begins."""

    def __init__(self, document: Document, asking: Sequence[Asking]) -> None:
        self._own = {s.order: s for s in document.segments if not s.joined}
        pieces = encoder().pieces
        self.first, self.between = pieces.tokens("", 2)
        self.tokens: list[int] = [self.first]
        self._begins: dict[int, int] = {}
        last: Segment | None = None
        orders = self._read(asking)
        self.whole = len(orders) == len(self._own)
        for order in orders:
            segment = self._own[order]
            if last is not None:
                self.tokens += self._joint(last, segment)
            self._begins[order] = len(self.tokens)
            left = max(0, 1 + _ROOM + _BEYOND - len(self.tokens))
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

    def _read(self, asking: Sequence[Asking]) -> list[int]:
        """The segments to read: all if they fit, else those with likely values, each with the short
        segment before it.
        """
        many = {order: 1 + len(tokens) for order, (tokens, _) in self._placed.items()}
        if sum(many.values()) <= _ROOM:
            return list(self._own)
        ranked = [
            (rank, self._parts(one.places[at][0].segment)[0])
            for one in asking
            for rank, at in enumerate(one.likely[:_LIKELY])
        ]
        left, kept = _ROOM, set[int]()
        for _, order in sorted(ranked):
            if order not in kept and many.get(order, _ROOM + 1) <= left:
                kept.add(order)
                left -= many[order]
        orders = list(self._own)
        for at, order in enumerate(orders[1:]):
            before = orders[at]
            if order in kept and before not in kept and many[before] <= min(left, _SHORT_BEFORE):
                kept.add(before)
                left -= many[before]
        return sorted(kept)

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


class Reading(NamedTuple):
    """A sheet, for each of its properties the numbers of the values in it, and its layout."""

    sheet: Sheet
    read: Sequence[Sequence[int]]
    layout: Layout


def reading(document: Document, asking: Sequence[Asking]) -> Reading:
    """Lays out a document with properties behind it for the network."""
    layout = Layout(document, asking)
    tokens = list(layout.tokens)
    first, left = len(tokens), _ALL_ASKED
    asked, read = list[Asked](), list[list[int]]()
    for one in asking:
        words, choices = _words(one.target)
        words = words[: max(_LEAST_ASKED, left - 1)]
        left = max(left - len(words) - 1, _LEAST_ASKED)
        at = len(tokens)
        if at + len(words) + 1 > TOKENS:
            break  # the rest does not fit
        tokens += [*words, layout.between]
        shown = {
            name: (at + start, at + min(end, len(words)))
            for name, (start, end) in choices.items()
            if start < len(words)
        }
        values, own = list[Possible](), list[int]()
        for number in one.likely:
            value = one.values[number]
            places = one.places[number][:_READ_PLACES]
            stretches = [part for part in map(layout.stretch, places) if part is not None]
            if stretches:
                answer = 1 if value is True else 2 if value is False else 0
                values.append(Possible(stretches, shown.get(str(value)), answer))
                own.append(number)
        asked.append(Asked((at, at + len(words)), TYPES.index(one.kind), values))
        read.append(own)
    return Reading(Sheet(tokens, first, asked), read, layout)


@lru_cache(maxsize=1_000)
def _tokens(text: str) -> list[int]:
    return encoder().pieces.placed(text)[0]


def _words(target: Target) -> tuple[list[int], Mapping[str, Stretch]]:
    """The tokens of a property's name, description and choices, and where each choice is."""
    described = target.shape.description or ""
    words = _tokens(" ".join(_APART.split(target.name)))[:_NAME_TOKENS]
    words = (words + (_tokens(f": {described}") if described else []))[:_ASKED_TOKENS]
    choices: dict[str, Stretch] = {}
    if target.shape.kind == "choice":
        for choice in (target.shape.choices or [])[:_MOST_CHOICES]:
            own = _tokens(str(choice))[:_CHOICE_TOKENS]
            choices[str(choice)] = (len(words), len(words) + len(own))
            words = words + own
    return words[:_MOST_WORDS], choices


class Closely(NamedTuple):
    """The corrected log-odds of a property's values, and a row of `READ` for each."""

    odds: Odds
    rows: Matrix


def read_closely(
    document: Document, asking: Sequence[Asking], reader: ValueReader | None = None
) -> list[Closely | None]:
    """Corrects the log-odds of each property; None if none of its values was in the text, or the
    document is very short.
    """
    own = reader or value_reader()
    sheets = -(-len(asking) // _TOGETHER)
    out: list[Closely | None] = [None] * len(asking)
    if sum(len(s.text.split()) for s in document.segments if not s.joined) < _LEAST_WORDS:
        return out
    for first in range(sheets):
        some = range(first, len(asking), sheets)
        sheet, read, layout = reading(document, [asking[at] for at in some])
        for at, numbers, answer in zip(some, read, own.answers(sheet), strict=False):
            if numbers:
                out[at] = _closely(own, asking[at], numbers, answer, whole=layout.whole)
    return out


def _closely(
    reader: ValueReader, asking: Asking, numbers: Sequence[int], answer: Answer, *, whole: bool
) -> Closely:
    """Combines the log-odds of all values of a property with those of the values in the text."""
    signs = asking.odds
    odds = np.clip(answer.odds, -_FAR, _FAR)
    read = np.full(len(signs), odds.min() - _LESS, dtype=np.float32)
    read[numbers] = odds
    placed = np.full(len(signs), LEAST_PLACED, dtype=np.float32)
    placed[numbers] = answer.placed
    firsts = [signs, signs == signs.max(), read, read == read.max()]
    rows = np.column_stack([*firsts, placed, np.full(len(signs), whole)])
    both = reader.mixed(TYPES.index(asking.kind), signs, read, whole=whole)
    return Closely(both, rows.astype(np.float32))
