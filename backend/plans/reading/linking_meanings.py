"""Semantic links: probable meanings of phrases with otherwise unexplained words.

`still out` if a date of return may be missing, `kit` if equipment is a property. The network behind
it was fitted on the way people speak about properties; its probability is a feature of the link, so
explicit names and values come first.
"""

import math
from collections.abc import Iterator, Sequence, Set

from backend.language.adjectives import SUPERLATIVES
from backend.language.lexicon import LONGEST_PHRASE, phrases
from backend.language.tokens import Token
from backend.language.units import measure_of
from backend.plans.reading.chart import REMARK, Chart, Edge
from backend.plans.reading.linking_nouns import GUESSED
from backend.plans.reading.linking_types import Degreed
from backend.plans.reading.meanings import is_learned, meanings_of
from backend.plans.reading.sorts import is_code, sort_of
from backend.plans.reading.vocabulary import Vocabulary

BY_MEANING = "by meaning"
DOUBT = f"{BY_MEANING}: doubt"
"""The feature for the doubt about a meaning: the negative log-odds."""
_LONGEST = 5
_MOST_PHRASES = 24
"""Three milliseconds each unless cached."""
_CARRYING = frozenset({"content", "verb"})
"""A phrase needs a word of one of these kinds."""
_DETERMINERS = frozenset("the a an its their his her our your my this that these those any".split())  # noqa: SIM905
_NO_START = _DETERMINERS | frozenset(
    """
    of and or to than is are was were be been in on at for with by from as per each every all how
    many much show list give find which that who
    """.split()  # noqa: SIM905
)
_NO_END = _DETERMINERS | frozenset(
    """
    of and or to than is are was were be been with for from as per each every at by who which what
    """.split()  # noqa: SIM905
)
_DENYING = frozenset({"not", "no", "never", "nor", "without", "only"})
_THINGS = ("Val", "Date", "Year", "Num")
"""Kinds of links whose words cannot be part of another phrase."""
_EXPLAINING = ("Prop", "Noun", "Flag", "Superlative", "Comparative")
_ONLY_ALIKE = frozenset(
    {
        "property: only described", "property: described in other words", "property: synonyms",
        "property: part missing", "value: part by common words", "noun: of descriptions",
        "degree: alike", "degree: date", GUESSED,
    }
)  # fmt: skip
"""Features of links that are guesses themselves."""


def meaning_links(
    chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary,
    steering: Set[str], likely: float,
) -> None:  # fmt: skip
    """Adds meanings for phrases around words that are neither certain links nor `steering`, if they
    are at least this `likely`.
    """
    things = _places(chart, _THINGS) | _before_keys(tokens, _places(chart, ("Prop",)))
    named = things | _places(chart, _EXPLAINING) | set(_in_set_phrases(tokens))
    unexplained = frozenset(
        i
        for i, token in enumerate(tokens)
        if i not in named and token.lower not in steering and not is_code(token)
        and sort_of(token.kind, token.lower) in _CARRYING
    )  # fmt: skip
    spans = list(_spans(tokens, unexplained, things))[:_MOST_PHRASES]
    if not spans:
        return
    meanings = meanings_of(vocabulary)
    spoken = [_phrase(tokens, start, end) for start, end in spans]
    for phrase, odds, place in meanings.likeliest(spoken):
        if odds < likely:
            continue
        start, end = spans[phrase]
        meaning = meanings.meanings[place]
        if _is_slow_to_be_fast(spoken[phrase], meaning.load):
            continue
        features = (
            (f"{REMARK}read “{spoken[phrase]}” as {meaning.words}", 0.0),
            (BY_MEANING, 1.0),
            (f"{BY_MEANING}: {meaning.kind}", 1.0),
            (DOUBT, -math.log(odds)),
        )
        chart.add(start, end, meaning.kind, meaning.load, features)


def _is_slow_to_be_fast(spoken: str, load: object) -> bool:
    """Whether words for speed, as in `fastest to arrive`, would mean a long time."""
    degrees = [SUPERLATIVES[word] for word in spoken.split() if word in SUPERLATIVES]
    if not isinstance(load, Degreed) or load.prop.unit is None:
        return False
    timed = measure_of(load.prop.unit.name) == "time"
    return timed and any(d.dimension == "speed" and d.high == load.high for d in degrees)


def _places(chart: Chart, kinds: Sequence[str]) -> frozenset[int]:
    """The positions of words that certain links of some kinds explain."""
    certain = [edge for kind in kinds for edge in chart.edges(kind) if _is_certain(edge)]
    return frozenset(i for edge in certain for i in range(edge.start, edge.end))


def _before_keys(tokens: Sequence[Token], named: Set[int]) -> frozenset[int]:
    """The positions of `by` before a property: `boats at the pier by year` are two phrases."""
    words = [token.lower for token in tokens]
    return frozenset(
        i for i, word in enumerate(words)
        if word == "by" and i + 1 + (words[i + 1 : i + 2] == ["the"]) in named
    )  # fmt: skip


def _in_set_phrases(tokens: Sequence[Token]) -> Iterator[int]:
    """The positions of words in multi-word steering phrases: `I was talking about`."""
    known, words = phrases(), tuple(token.lower for token in tokens)
    for start in range(len(words)):
        for end in range(start + 2, min(len(words), start + LONGEST_PHRASE) + 1):
            if words[start:end] in known:
                yield from range(start, end)


def _is_certain(edge: Edge) -> bool:
    return all(name not in _ONLY_ALIKE for name, _ in edge.features)


def _spans(
    tokens: Sequence[Token], unexplained: Set[int], things: Set[int]
) -> Iterator[tuple[int, int]]:
    """Spans with an unexplained word and without `things`, short ones first."""
    for length in range(1, _LONGEST + 1):
        for start in range(len(tokens) - length + 1):
            end = start + length
            if unexplained.isdisjoint(range(start, end)) or things & set(range(start, end)):
                continue
            if tokens[start].lower in _NO_START or tokens[end - 1].lower in _NO_END:
                continue
            if all(map(_may_name, tokens[start:end])):
                yield start, end


def _may_name(token: Token) -> bool:
    """Whether a word may be part of a meaningful phrase; `before`, for example, only compares."""
    steers = sort_of(token.kind, token.lower) == "steering"
    may = token.kind == "word" and (not steers or token.lower in _DENYING)
    return may and is_learned(token.text)


def _phrase(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.lower for token in tokens[start:end])
