"""Finds the parts of a text that match a query, as offsets into the original text.

An index sees text after folding and stemming. Here each piece of the text is folded and stemmed by
itself, so a match has a known place. Spans ascend and do not overlap.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, Protocol, TypeAlias

from backend.search.folding import REMOVED, fold
from backend.search.lexical.analysis import (
    UNSPACED,
    analyzer,
    common_words,
    prepare,
    prepare_query,
    query_terms,
)
from backend.search.literal import parts_of
from workbench.contract.search import QueryType

Span: TypeAlias = tuple[int, int]
"""Start and end, in characters (code points)."""

MOST: Final = 200
"""Spans reported per text."""

_LONGEST = 50_000  # characters of a text that are searched
_SHORT = 50  # longest piece that is cached
_KEPT = 65_536
_WORD = re.compile(r"[^\W_]+")
_UNSPACED_RUN = re.compile(UNSPACED)


class Highlighter(Protocol):
    """Finds the matches of one query."""

    def spans(self, text: str) -> list[Span]:
        """Up to MOST spans, from the start of the text."""
        ...


class Nothing:
    """For queries without words."""

    def spans(self, _text: str) -> list[Span]:
        return []


class Stems(dict[str, tuple[str, ...]]):
    """A cache of the stems of text pieces; most words of a result occurred in an earlier one."""

    def __init__(self, stems_of: Callable[[str], Iterable[str]]) -> None:
        self._stems_of = stems_of

    def __missing__(self, piece: str) -> tuple[str, ...]:
        stems = tuple(self._stems_of(piece))
        if len(piece) <= _SHORT:
            if len(self) >= _KEPT:
                self.clear()
            self[piece] = stems
        return stems


class Words:
    """For words in any inflection; `stems` are the query's, `stems_of` gives those of a text."""

    def __init__(self, stems: Iterable[str], stems_of: Mapping[str, tuple[str, ...]]) -> None:
        self._is_other = frozenset(stems).isdisjoint
        self._stems_of = stems_of

    def spans(self, text: str) -> list[Span]:
        text, is_other, stems_of = text[:_LONGEST], self._is_other, self._stems_of
        chunks = text.split()
        others = list(map(is_other, map(stems_of.__getitem__, chunks)))
        if all(others):
            return []
        spans: list[Span] = []
        end = 0
        for chunk, other in zip(chunks, others, strict=True):
            start = text.index(chunk, end)  # only white space lies between chunks
            end = start + len(chunk)
            if not other:
                spans += [(start + first, start + last) for first, last in self._inside(chunk)]
                if len(spans) >= MOST:
                    break
        return spans[:MOST]

    def _inside(self, chunk: str) -> Sequence[Span]:
        """Spans in a chunk without blanks that has a match."""
        if chunk.isascii() and chunk.isalnum():
            return [(0, len(chunk))]  # one word
        parts = [
            part
            for part in self._parts(chunk)
            if not self._is_other(self._stems_of[chunk[slice(*part)]])
        ]
        if parts:
            return _joined(parts)
        # Matches only as a whole, like a compound or a number with punctuation.
        words = list(_WORD.finditer(chunk))
        return [(words[0].start(), words[-1].end())] if words else [(0, len(chunk))]

    def _parts(self, chunk: str) -> Iterator[Span]:
        """Words; in scripts without spaces, each character and each pair of neighbours."""
        place = 0
        for run in _UNSPACED_RUN.finditer(chunk):
            yield from _words(chunk, place, run.start())
            for start in range(run.start(), run.end()):
                yield start, start + 1
                if start + 1 < run.end():
                    yield start, start + 2
            place = run.end()
        yield from _words(chunk, place, len(chunk))


class Literal:
    """For literal parts, ignoring case, accents and white space."""

    def __init__(self, query: str) -> None:
        self._parts = parts_of(query)

    def spans(self, text: str) -> list[Span]:
        text = text[:_LONGEST]
        folded = fold(text)
        same = len(folded) == len(text) and all(map(_folds_to_one, set(text)))
        folded, places = (folded, ()) if same else _traced(text)
        spans = sorted(
            match.span() for part in self._parts for match in re.finditer(re.escape(part), folded)
        )
        if not same:
            spans = [(places[start][0], places[end - 1][1]) for start, end in spans]
        return _joined(spans)[:MOST]


def highlighter(query: str, kind: QueryType, language: str) -> Highlighter:
    """The highlighter for a query; a vector query has no words to highlight."""
    if kind == "vector":
        return Nothing()
    if kind == "keyword":
        return Literal(query)
    stems = query_terms(query, language)
    if stems:
        return Words(stems, _stems(language))
    common = common_words(prepare_query(query), language)
    return Words(common, Stems(lambda piece: common_words(prepare(piece), language)))


@cache
def _stems(language: str) -> Stems:
    analyze = analyzer(language).analyze
    return Stems(lambda piece: analyze(prepare(piece)))


def _words(chunk: str, start: int, end: int) -> Iterator[Span]:
    return (match.span() for match in _WORD.finditer(chunk, start, end))


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Merges overlapping and adjacent spans; input ascends."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _traced(text: str) -> tuple[str, Sequence[Span]]:
    """The text as `fold` gives it, with the original span of each character."""
    folded: list[str] = []
    places: list[Span] = []
    for start, end in _clusters(text):
        piece = _folded_inside(text[start:end])
        if piece.startswith(" ") and (not folded or folded[-1] == " "):
            piece = piece[1:]
        folded += piece
        places += [(start, end)] * len(piece)
    return "".join(folded), places


@lru_cache(maxsize=4096)
def _folds_to_one(character: str) -> bool:
    """Whether it folds to a single character independently of its neighbours."""
    return not _joins(character) and len(_folded_inside(character)) == 1


@lru_cache(maxsize=4096)
def _folded_inside(piece: str) -> str:
    """Folds a piece as if inside a text: white space at its ends stays."""
    return fold(f"x{piece}x")[1:-1]


def _clusters(text: str) -> Iterator[Span]:
    """Pieces that fold independently: a character with its combining marks and letters."""
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or not _joins(text[place]):
            yield start, place
            start = place


def _joins(character: str) -> bool:
    if character in REMOVED:
        return True  # the part behind it may join the part before it
    if character.isascii():
        return False
    # Hangul vowels and final consonants written as separate letters join the one before.
    return unicodedata.combining(character) != 0 or "\u1160" <= character <= "\u11ff"
