"""Corrects the log-odds of candidate values by a network that reads the document.

`backend.inference.value_reader` sees the text with the doubtful properties behind it. Of a long
document it sees only the texts that contain their likeliest values.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from backend.extraction.document import Document
from backend.extraction.layouts import BESIDES, Asking, Layout
from backend.extraction.senses import Matrix
from backend.extraction.tagged import Tagged
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
_NAME_TOKENS, _ASKED_TOKENS, _ALL_ASKED = 10, 18, 200
_LEAST_ASKED, _CHOICE_TOKENS, _MOST_CHOICES = 4, 4, 8
_READ_PLACES = 2
_MOST_WORDS, _TOGETHER = 34, 12
"""Tokens of a property with its choices, and properties in one pass of the network."""
_LESS, _FAR = 1.0, 8.0
"""How far the log-odds of a value outside the text are below the others, and their largest size."""
_LEAST_WORDS = 40
"""A shorter document is left to the score: the network learned from longer ones."""
_APART = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")


class Reading(NamedTuple):
    """A sheet, for each of its properties the numbers of the values in it, and its layout."""

    sheet: Sheet
    read: Sequence[Sequence[int]]
    layout: Layout


def reading(document: Document, asking: Sequence[Asking]) -> Reading:
    """Lays out a document with properties behind it for the network."""
    described = [_words(one.target) for one in asking]
    wanted = min(_ALL_ASKED, sum(len(words) + 1 for words, _ in described))
    layout = Layout(document, asking, TOKENS - BESIDES - wanted)
    tokens = list(layout.tokens)
    first, left = len(tokens), _ALL_ASKED
    asked, read = list[Asked](), list[list[int]]()
    for one, (words, choices) in zip(asking, described, strict=True):
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
    """The corrected log-odds of a property's values, a row of `READ` for each, and of a list what
    its tokens are tagged as.
    """

    odds: Odds
    rows: Matrix
    tagged: Tagged | None


def is_short(document: Document) -> bool:
    """Whether a document is too short to be read closely."""
    words = (len(s.text.split()) for s in document.segments if not s.joined)
    return all(so_far < _LEAST_WORDS for so_far in accumulate(words))


def read_closely(
    document: Document, asking: Sequence[Asking], reader: ValueReader | None = None
) -> list[Closely | None]:
    """Corrects the log-odds of each property; None if none of its values was in the text, or the
    document is very short.
    """
    own = reader or value_reader()
    sheets = -(-len(asking) // _TOGETHER)
    out: list[Closely | None] = [None] * len(asking)
    if is_short(document):
        return out
    for first in range(sheets):
        some = range(first, len(asking), sheets)
        sheet, read, layout = reading(document, [asking[at] for at in some])
        for at, numbers, answer in zip(some, read, own.answers(sheet), strict=False):
            if numbers:
                out[at] = _closely(own, asking[at], numbers, answer, layout)
    return out


def _closely(
    reader: ValueReader, asking: Asking, numbers: Sequence[int], answer: Answer, layout: Layout
) -> Closely:
    """Combines the log-odds of all values of a property with those of the values in the text."""
    signs = asking.odds
    odds = np.clip(answer.odds, -_FAR, _FAR)
    read = np.full(len(signs), odds.min() - _LESS, dtype=np.float32)
    read[numbers] = odds
    placed = np.full(len(signs), LEAST_PLACED, dtype=np.float32)
    placed[numbers] = answer.placed
    firsts = [signs, signs == signs.max(), read, read == read.max()]
    rows = np.column_stack([*firsts, placed, np.full(len(signs), layout.whole)])
    both = reader.mixed(TYPES.index(asking.kind), signs, read, whole=layout.whole)
    tagged = Tagged(layout, answer.tags, asking.places) if asking.kind == "item" else None
    return Closely(both, rows.astype(np.float32), tagged)
