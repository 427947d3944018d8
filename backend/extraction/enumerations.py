"""Enumerations in running text: things that a sentence names one after the other.

“The rate includes breakfast, one dinner and the use of the sauna.” Separators tell where all but
the first thing begins and where all but the last one ends. The first may begin behind any function
word, behind a colon, or behind a word that names what is enumerated; the last may end before any
clause that follows. Each pair of such places is a run of its own, and the fitted score decides.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise

from backend.extraction.runs import Run, head, trimmed, uncounted
from backend.extraction.segments import Segment
from backend.extraction.words import STOP

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ\"“(])")
_AND = r"(?:and|or|as well as|plus|und|sowie|oder|et|ou|y|e|en|og|och|&)"
_SEPARATORS = (
    re.compile(rf"\s?;\s(?:{_AND}\s)?", re.IGNORECASE),
    re.compile(r"\s?[·•|]\s?"),
    re.compile(rf"\s?[,;]\s(?:{_AND}\s)?|\s{_AND}\s", re.IGNORECASE),
    re.compile(r"(?<=[^\W\d_])\s?/\s?(?=[^\W\d_])"),
    re.compile(r"\s(?:[-–—→>]|->)\s"),
)
"""What separates the things of one sentence; dashes and arrows those of a way."""
_LEAST_CUTS = {_SEPARATORS[-1]: 2}
"""One dash leads to a remark."""
_LAST = re.compile(rf"\s{_AND}\s", re.IGNORECASE)
"""What separates the last thing from those before it, if a remark follows."""
_WORD = re.compile(r"[^\s,;:()]+")
_LEADING = STOP | {"such", "namely", "including", "includes", "include", "following", "plus"}
"""Words behind which the first thing may begin."""
_TAIL = re.compile(
    r"\s(?:for|at|to|from|in|on|by|until|till|which|who|that|are|is|was|were|will|shall|must|may|"
    r"has|have|had|with|if|when|where|as|-|–|—)\s|\s\(|:\s",
    re.IGNORECASE,
)
"""Where a sentence goes on behind the last thing."""
_INNER = STOP - {
    "this", "these", "those", "its", "his", "her", "their", "our", "your", "the", "a", "an", "any",
    "all", "each", "no",
}  # fmt: skip
"""Function words with which nothing begins."""
_MOST_WORDS, _MOST_THINGS, _LONGEST = 14, 30, 1_500
_MOST_STARTS, _MOST_ENDS, _LEAD = 4, 3, 80


def enumerations(segment: Segment, named: Collection[int]) -> Iterator[Run]:
    """The enumerations of a text; `named` is where words end that name what is asked for."""
    text = segment.text[:_LONGEST]
    begins = [0, *(match.end() for match in _SENTENCE.finditer(text))]
    for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
        for separator in _SEPARATORS:
            cuts = [match.span() for match in separator.finditer(text, begin, end)]
            for some in _stretches(text, begin, end, cuts):
                if len(some[2]) >= _LEAST_CUTS.get(separator, 1):
                    for part in _parts(text, *some):
                        yield from _runs(segment, *part, named)


def _stretches(
    text: str, begin: int, end: int, cuts: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """The stretches of a sentence whose things are short enough, with their separators."""
    own: list[tuple[int, int]] = []
    first = begin
    for cut, after in zip(cuts, [*(cut[0] for cut in cuts[1:]), end], strict=False):
        own.append(cut)
        if _many(text, cut[1], after) > _MOST_WORDS or after == end:
            if len(own) <= _MOST_THINGS:
                yield first, after, own
            own, first = [], cut[1]


def _parts(
    text: str, begin: int, end: int, cuts: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, Sequence[tuple[int, int]]]]:
    """A stretch, also without the remark behind "and" and the last thing, and without the clause
    before its first comma: in May, Ann and Bea, both of Kelso.
    """
    last = max((at for at, cut in enumerate(cuts) if _LAST.match(text, *cut)), default=len(cuts))
    ends = [len(cuts), *([last + 1] if last + 1 < len(cuts) else [])]
    for until in ends:
        stop = end if until == len(cuts) else cuts[until][0]
        yield begin, stop, cuts[:until]
        if until > 1:
            yield cuts[0][1], stop, cuts[1:until]


def _many(text: str, start: int, end: int) -> int:
    return len(text[start:end].split())


def _runs(
    segment: Segment, begin: int, end: int, cuts: Sequence[tuple[int, int]], named: Collection[int]
) -> Iterator[Run]:
    text = segment.text
    inner = [trimmed(segment, a[1], b[0]) for a, b in pairwise(cuts)]
    if any(one.start >= one.end for one in inner):
        return
    for start in _starts(text, begin, cuts[0][0], named):
        first = trimmed(segment, start, cuts[0][0])
        for stop in _stops(text, cuts[-1][1], end):
            last = trimmed(segment, cuts[-1][1], stop)
            if first.start < first.end and last.start < last.end:
                about = (text[begin:start][-_LEAD:], segment.left, segment.heading)
                whole = (first, *inner, last)
                for parts in dict.fromkeys((whole, tuple(map(head, whole)), uncounted(whole))):
                    yield Run("sentence", parts, about)


def _starts(text: str, begin: int, end: int, named: Collection[int]) -> list[int]:
    """Where the first thing may begin: the nearest places, and the beginning."""
    words = list(_WORD.finditer(text, begin, end))
    out = dict.fromkeys([begin])
    for before, word in pairwise(words):
        between = text[before.end() : word.start()]
        leads = before[0].lower() in _LEADING or before.end() in named
        if (leads or ":" in between or "(" in between) and word[0].lower() not in _INNER:
            out[word.start()] = None
    colon = text.rfind(": ", begin, end)
    if colon >= 0:
        out[colon + 2] = None
    near = [at for at in out if _many(text, at, end) <= _MOST_WORDS]
    return sorted(near)[-_MOST_STARTS:]


def _stops(text: str, begin: int, end: int) -> list[int]:
    """Where the last thing may end."""
    first = _WORD.search(text, begin, end)
    tails = [] if first is None else [
        match.start() for match in islice(_TAIL.finditer(text, first.end(), end), _MOST_ENDS - 1)
    ]  # fmt: skip
    whole = [end] if _many(text, begin, end) <= _MOST_WORDS else []
    return [*tails, *whole]
